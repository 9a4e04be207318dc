/* One pass over the spans of a device in the order of their starts: its time cut
 * into stretches of one state each, and the gaps between its tasks.
 *
 * The pass holds the open spans alone, so its memory does not grow with the trace.
 * It knows nothing of Python. */
#ifndef NPUVIEW_SWEEP_H
#define NPUVIEW_SWEEP_H

#include <stddef.h>
#include <stdint.h>

enum {
    SWEEP_WAITING = 9, /* the event wait: from here on a device works on nothing */
    SWEEP_IDLE = 10,   /* the state of no span */
};

enum sweep_result {
    SWEEP_OK = 0,
    SWEEP_NO_MEMORY,
    SWEEP_UNSORTED,   /* a span begins before the one before it */
    SWEEP_EMPTY_SPAN, /* a span does not end after its start */
    SWEEP_BAD_STATE,  /* a state is not one of 1..9 */
    SWEEP_TOO_LONG,   /* a length does not fit 64 bits */
};

struct sweep_span {
    int64_t end_ts;
    int64_t slice_id;
    uint8_t state;
};

/* The columns of device_segment. Booleans are bits, the lowest first. */
struct sweep_segments {
    size_t count, room;
    int64_t *ts, *end_ts;
    uint8_t *state, *computes, *communicates;
};

/* The columns of device_gap. */
struct sweep_gaps {
    size_t count, room;
    int64_t *ts, *end_ts, *wait_ns, *prev_slice_id, *next_slice_id;
};

struct sweep {
    const int64_t *borders; /* ascending; the caller keeps them */
    size_t border_count, border;

    struct sweep_span *open; /* a heap, the earliest end first */
    size_t open_count, open_room;
    uint64_t running[SWEEP_IDLE]; /* open spans by state */

    int begun;   /* whether "now" is an instant */
    int64_t now; /* the instant whose changes are being applied */
    struct sweep_span ended, started; /* at "now" the lowest state, then number; state 0: none */

    int fed; /* whether "last_ts" is a start */
    int64_t last_ts;

    int busy; /* whether the stretch before "now" is one of work */
    int in_gap;
    int64_t gap_ts, gap_wait, gap_prev;

    struct sweep_segments segments;
    struct sweep_gaps gaps;
};

void sweep_start(struct sweep *sweep, const int64_t *borders, size_t count);
void sweep_free(struct sweep *sweep);

/* Take one span; stretches that it completes are appended. */
enum sweep_result sweep_add(struct sweep *sweep, int64_t ts, int64_t end_ts, uint8_t state,
                            int64_t slice_id);

/* Complete what is open after the last span. */
enum sweep_result sweep_finish(struct sweep *sweep);

#endif
