/* A block of trace events as rows: what the lexer finds, without any Python object. */
#ifndef NPUVIEW_SCAN_H
#define NPUVIEW_SCAN_H

#include "lexer.h"
#include "words.h"

#include <stddef.h>

#define NO_WORD (-1)

/* A span or an instant; its words are codes of the block. */
typedef struct {
    int64_t ts, dur, stream, task, connection; /* NO_NUMBER for none */
    uint32_t event;                            /* its number in the block */
    int32_t lane, name;
    int32_t category, task_type; /* NO_WORD for none */
    uint32_t args, args_length;  /* in the text; a length of 0 for none */
    uint8_t phase;
} Slice;

/* One end of an arrow; its key is the id, or -1 - the code of a word. */
typedef struct {
    int64_t ts, key;
    uint32_t event;
    int32_t lane, name, category;
    uint8_t phase;
} FlowEnd;

/* An event that is strict JSON but not simple: its range in the text. */
typedef struct {
    uint32_t event, start, end;
} OddEvent;

typedef struct {
    const uint8_t *text;
    size_t text_length; /* up to here the rows point into the text */
    Lexer lexer;
    int64_t from, to; /* nanoseconds: events wholly outside are not kept */
    uint32_t events;
    Words words; /* code 0 is the empty text */
    Words lanes; /* pairs of process and thread id, as the file writes them */
    Slice *slices;
    FlowEnd *flows;
    OddEvent *odd;
    size_t slice_count, slice_capacity;
    size_t flow_count, flow_capacity;
    size_t odd_count, odd_capacity;
    size_t args_count, args_bytes;
} Scan;

void scan_clear(Scan *scan);
void scan_free(Scan *scan);
size_t scan_events(Scan *scan, const uint8_t *text, size_t start, size_t end);

/* Read the event at `p`; return what follows it. There must be room for its rows. */
Cursor event_read(Scan *scan, Cursor p);

#endif
