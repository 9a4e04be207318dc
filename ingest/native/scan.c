#include "scan.h"

#include "number.h"

#include <stdlib.h>

#define FEWEST_ROWS 4096
#define WORDS_OF_AN_EVENT 4

/* Make room for one more row; return 0 if there is no memory. */
static int reserve(void **rows, size_t *capacity, size_t count, size_t size)
{
    size_t more = *capacity ? 2 * *capacity : FEWEST_ROWS;
    void *grown;
    if (count < *capacity)
        return 1;
    grown = realloc(*rows, more * size);
    if (grown == NULL)
        return 0;
    *rows = grown;
    *capacity = more;
    return 1;
}

static int reserve_event(Scan *scan)
{
    return words_reserve(&scan->words, WORDS_OF_AN_EVENT) && words_reserve(&scan->lanes, 1) &&
           reserve((void **)&scan->slices, &scan->slice_capacity, scan->slice_count,
                   sizeof *scan->slices) &&
           reserve((void **)&scan->flows, &scan->flow_capacity, scan->flow_count,
                   sizeof *scan->flows) &&
           reserve((void **)&scan->odd, &scan->odd_capacity, scan->odd_count, sizeof *scan->odd);
}

/* Forget all rows, but keep the room for them. */
void scan_clear(Scan *scan)
{
    scan->text = NULL;
    scan->text_length = 0;
    scan->events = 0;
    scan->slice_count = scan->flow_count = scan->odd_count = 0;
    scan->args_count = scan->args_bytes = 0;
    words_clear(&scan->words);
    words_clear(&scan->lanes);
}

void scan_free(Scan *scan)
{
    words_free(&scan->words);
    words_free(&scan->lanes);
    free(scan->slices);
    free(scan->flows);
    free(scan->odd);
    scan->slices = NULL;
    scan->flows = NULL;
    scan->odd = NULL;
}

/* Pass over what may stand between events: the tolerant reader allows the same. */
static Cursor between(Cursor p, Cursor end)
{
    while (p < end && (*p == ',' || *p == ' ' || *p == '\n' || *p == '\r' || *p == '\t'))
        p++;
    return p;
}

/* Add the events from `start` on to the rows of the block; return where they stop.
 *
 * `scan->lexer.stop` says why: STOP_NONE at the end of the text, else at the begin of
 * an event that is not whole or not strict. All calls for a block have the same text. */
size_t scan_events(Scan *scan, const uint8_t *text, size_t start, size_t end)
{
    Cursor p = text + start, next;
    scan->text = text;
    if (scan->text_length < end)
        scan->text_length = end;
    scan->lexer.end = text + end;
    scan->lexer.stop = STOP_NONE;
    while ((p = between(p, scan->lexer.end)) < scan->lexer.end) {
        if (*p != '{') {
            scan->lexer.stop = STOP_REFUSED;
            break;
        }
        if (!reserve_event(scan)) {
            scan->lexer.stop = STOP_MEMORY;
            break;
        }
        if (scan->words.count == 0)
            words_range(&scan->words, text, text, text, 0);
        next = event_read(scan, p);
        if (next == NULL)
            break;
        scan->events++;
        p = next;
    }
    return (size_t)(p - text);
}
