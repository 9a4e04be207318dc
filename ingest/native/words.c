#include "words.h"

#include <stdlib.h>
#include <string.h>

#define FEWEST_WORDS 1024

/* Return up to eight bytes as a number; those of longer texts may overlap. */
static inline uint64_t last_bytes(const uint8_t *p, size_t length)
{
    uint64_t part = 0;
    uint32_t low, high;
    if (length >= 4) {
        memcpy(&low, p, 4);
        memcpy(&high, p + length - 4, 4);
        return (uint64_t)high << 32 | low;
    }
    if (length)
        part = (uint64_t)p[0] | (uint64_t)p[length / 2] << 8 | (uint64_t)p[length - 1] << 16;
    return part;
}

static inline uint64_t mixed(uint64_t hash, const uint8_t *p, size_t length)
{
    uint64_t part;
    for (; length > 8; p += 8, length -= 8) {
        memcpy(&part, p, 8);
        hash = (hash ^ part) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    hash = (hash ^ last_bytes(p, length)) * 0xff51afd7ed558ccdu;
    return hash ^ hash >> 32;
}

/* Tell whether two texts of a length are the same; they are short as a rule. */
static inline int same_bytes(const uint8_t *one, const uint8_t *other, size_t length)
{
    uint64_t part, other_part;
    for (; length > 8; one += 8, other += 8, length -= 8) {
        memcpy(&part, one, 8);
        memcpy(&other_part, other, 8);
        if (part != other_part)
            return 0;
    }
    return last_bytes(one, length) == last_bytes(other, length);
}

static uint64_t hash_of(const uint8_t *text, const Word *word)
{
    uint64_t hash = 0x9e3779b97f4a7c15u ^ word->length;
    hash = mixed(hash, text + word->start, word->length);
    if (word->other_length)
        hash = mixed(hash ^ word->other_length, text + word->other, word->other_length);
    hash *= 0xc4ceb9fe1a85ec53u;
    return hash ^ hash >> 29;
}

static int is_same(const uint8_t *text, const Word *one, const Word *other)
{
    return one->hash == other->hash && one->length == other->length &&
           one->other_length == other->other_length &&
           same_bytes(text + one->start, text + other->start, one->length) &&
           same_bytes(text + one->other, text + other->other, one->other_length);
}

static void place(Words *words, size_t index)
{
    size_t mask = words->slot_count - 1;
    size_t slot = (size_t)words->words[index].hash & mask;
    while (words->slots[slot] >= 0)
        slot = (slot + 1) & mask;
    words->slots[slot] = (int32_t)index;
}

/* Make room for some more words; return 0 if there is no memory. */
int words_reserve(Words *words, size_t more)
{
    size_t capacity = words->capacity ? words->capacity : FEWEST_WORDS, at;
    Word *grown;
    int32_t *slots;
    if (words->count + more <= words->capacity)
        return 1;
    while (capacity < words->count + more)
        capacity *= 2;
    grown = realloc(words->words, capacity * sizeof *grown);
    if (grown == NULL)
        return 0;
    words->words = grown;
    slots = realloc(words->slots, 2 * capacity * sizeof *slots);
    if (slots == NULL)
        return 0;
    words->slots = slots;
    words->capacity = capacity;
    words->slot_count = 2 * capacity;
    memset(slots, 0xff, words->slot_count * sizeof *slots);
    for (at = 0; at < words->count; at++)
        place(words, at);
    return 1;
}

void words_clear(Words *words)
{
    words->count = 0;
    if (words->slots != NULL)
        memset(words->slots, 0xff, words->slot_count * sizeof *words->slots);
}

void words_free(Words *words)
{
    free(words->words);
    free(words->slots);
    memset(words, 0, sizeof *words);
}

/* Return the code of a word, a new one if it was not seen before. */
int32_t words_code(Words *words, const uint8_t *text, const Word *wanted)
{
    size_t mask = words->slot_count - 1, slot;
    Word word = *wanted;
    word.hash = hash_of(text, wanted);
    for (slot = (size_t)word.hash & mask; words->slots[slot] >= 0; slot = (slot + 1) & mask)
        if (is_same(text, &words->words[words->slots[slot]], &word))
            return words->slots[slot];
    words->words[words->count] = word;
    words->slots[slot] = (int32_t)words->count;
    return (int32_t)words->count++;
}
