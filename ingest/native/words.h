/* Distinct pieces of a text, numbered in the order in which they are first seen.
 *
 * A piece is one range of the text or a pair of them (process and thread ids). Room is
 * made by `words_reserve` between events, so that `words_code` never allocates. */
#ifndef NPUVIEW_WORDS_H
#define NPUVIEW_WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t start, length; /* in the text */
    uint32_t other, other_length;
    uint32_t event;  /* number of the event that has it first */
    uint32_t lasting; /* whether it is more than the name of a slice */
    uint64_t hash;
} Word;

typedef struct {
    Word *words;
    int32_t *slots; /* open addressing; -1 is free */
    size_t count, capacity, slot_count;
} Words;

int words_reserve(Words *words, size_t more);
void words_clear(Words *words);
void words_free(Words *words);
int32_t words_code(Words *words, const uint8_t *text, const Word *wanted);

/* Return the code of one range of the text. */
static inline int32_t words_range(
    Words *words, const uint8_t *text, const uint8_t *begin, const uint8_t *end, uint32_t event)
{
    Word wanted = {(uint32_t)(begin - text), (uint32_t)(end - begin), 0, 0, event, 0, 0};
    return words_code(words, text, &wanted);
}

#endif
