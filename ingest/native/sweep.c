#include "sweep.h"

#include <stdlib.h>
#include <string.h>

void sweep_start(struct sweep *sweep, const int64_t *borders, size_t count)
{
    memset(sweep, 0, sizeof *sweep);
    sweep->borders = borders;
    sweep->border_count = count;
}

void sweep_free(struct sweep *sweep)
{
    struct sweep_segments *segments = &sweep->segments;
    struct sweep_gaps *gaps = &sweep->gaps;
    free(sweep->open);
    free(segments->ts);
    free(segments->end_ts);
    free(segments->state);
    free(segments->computes);
    free(segments->communicates);
    free(gaps->ts);
    free(gaps->end_ts);
    free(gaps->wait_ns);
    free(gaps->prev_slice_id);
    free(gaps->next_slice_id);
    memset(sweep, 0, sizeof *sweep);
}

/* Room for twice as many items, a multiple of 8; 0 when that many cannot be. */
static size_t more_room(size_t room)
{
    if (room > SIZE_MAX / 2 / sizeof(struct sweep_span))
        return 0;
    return room ? room * 2 : 1024;
}

/* Resize the values to which the pointer at "column" points. */
static int resized(void *column, size_t bytes)
{
    /* Pointers of different types must not be read as one another: they are copied. */
    void *values;
    memcpy(&values, column, sizeof values);
    values = realloc(values, bytes);
    if (values == NULL)
        return 0;
    memcpy(column, &values, sizeof values);
    return 1;
}

static enum sweep_result add_segment(struct sweep_segments *s, int64_t ts, int64_t end_ts,
                                     uint8_t state, int computes, int communicates)
{
    size_t n = s->count;
    if (n == s->room) {
        size_t room = more_room(n);
        if (room == 0 || !resized(&s->ts, room * sizeof *s->ts) ||
            !resized(&s->end_ts, room * sizeof *s->end_ts) || !resized(&s->state, room) ||
            !resized(&s->computes, room / 8) || !resized(&s->communicates, room / 8))
            return SWEEP_NO_MEMORY;
        s->room = room;
    }
    if (n % 8 == 0)
        s->computes[n / 8] = s->communicates[n / 8] = 0;
    s->ts[n] = ts;
    s->end_ts[n] = end_ts;
    s->state[n] = state;
    s->computes[n / 8] |= (uint8_t)(computes << (n % 8));
    s->communicates[n / 8] |= (uint8_t)(communicates << (n % 8));
    s->count = n + 1;
    return SWEEP_OK;
}

static enum sweep_result add_gap(struct sweep *sweep)
{
    struct sweep_gaps *g = &sweep->gaps;
    size_t n = g->count;
    if (n == g->room) {
        size_t room = more_room(n);
        if (room == 0 || !resized(&g->ts, room * sizeof *g->ts) ||
            !resized(&g->end_ts, room * sizeof *g->end_ts) ||
            !resized(&g->wait_ns, room * sizeof *g->wait_ns) ||
            !resized(&g->prev_slice_id, room * sizeof *g->prev_slice_id) ||
            !resized(&g->next_slice_id, room * sizeof *g->next_slice_id))
            return SWEEP_NO_MEMORY;
        g->room = room;
    }
    g->ts[n] = sweep->gap_ts;
    g->end_ts[n] = sweep->now;
    g->wait_ns[n] = sweep->gap_wait;
    g->prev_slice_id[n] = sweep->gap_prev;
    g->next_slice_id[n] = sweep->started.slice_id;
    g->count = n + 1;
    return SWEEP_OK;
}

static enum sweep_result push(struct sweep *sweep, struct sweep_span span)
{
    size_t at = sweep->open_count;
    if (at == sweep->open_room) {
        size_t room = more_room(at);
        if (room == 0 || !resized(&sweep->open, room * sizeof *sweep->open))
            return SWEEP_NO_MEMORY;
        sweep->open_room = room;
    }
    sweep->open_count = at + 1;
    while (at > 0 && sweep->open[(at - 1) / 2].end_ts > span.end_ts) {
        sweep->open[at] = sweep->open[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    sweep->open[at] = span;
    return SWEEP_OK;
}

static struct sweep_span pop(struct sweep *sweep)
{
    struct sweep_span *open = sweep->open, top = open[0];
    size_t count = --sweep->open_count, at = 0, child;
    struct sweep_span last = open[count];
    while ((child = 2 * at + 1) < count) {
        if (child + 1 < count && open[child + 1].end_ts < open[child].end_ts)
            child++;
        if (last.end_ts <= open[child].end_ts)
            break;
        open[at] = open[child];
        at = child;
    }
    open[at] = last;
    return top;
}

/* Keep the task of the lowest state, then number; waits are no tasks. */
static void prefer(struct sweep_span *best, struct sweep_span span)
{
    if (span.state >= SWEEP_WAITING)
        return;
    if (best->state == 0 || span.state < best->state ||
        (span.state == best->state && span.slice_id < best->slice_id))
        *best = span;
}

/* Follow the gaps through the stretch from "now" to "end_ts". */
static enum sweep_result follow_gap(struct sweep *sweep, int64_t end_ts, uint8_t state)
{
    int busy = state < SWEEP_WAITING;
    enum sweep_result result = SWEEP_OK;
    if (busy && sweep->in_gap) {
        result = add_gap(sweep);
        sweep->in_gap = 0;
    } else if (!busy && sweep->busy) {
        sweep->in_gap = 1;
        sweep->gap_ts = sweep->now;
        sweep->gap_wait = 0;
        sweep->gap_prev = sweep->ended.slice_id;
    }
    if (state == SWEEP_WAITING && sweep->in_gap) {
        int64_t length;
        if (__builtin_sub_overflow(end_ts, sweep->now, &length) ||
            __builtin_add_overflow(sweep->gap_wait, length, &sweep->gap_wait))
            return SWEEP_TOO_LONG;
    }
    sweep->busy = busy;
    return result;
}

/* Complete the stretch from "now" to a later instant, at which changes follow. */
static enum sweep_result move_to(struct sweep *sweep, int64_t instant)
{
    const uint64_t *running = sweep->running;
    enum sweep_result result;
    uint8_t state = 1;
    if (sweep->begun && instant == sweep->now)
        return SWEEP_OK;
    if (sweep->begun) {
        while (state < SWEEP_IDLE && running[state] == 0)
            state++;
        result = add_segment(&sweep->segments, sweep->now, instant, state,
                             running[1] || running[2] || running[3], running[4] || running[8]);
        if (result == SWEEP_OK)
            result = follow_gap(sweep, instant, state);
        if (result != SWEEP_OK)
            return result;
    }
    sweep->begun = 1;
    sweep->now = instant;
    sweep->ended.state = sweep->started.state = 0;
    return SWEEP_OK;
}

/* Apply every end and every border up to and with an instant. */
static enum sweep_result advance(struct sweep *sweep, int64_t limit)
{
    for (;;) {
        int ends = sweep->open_count > 0;
        int64_t instant = ends ? sweep->open[0].end_ts : 0;
        enum sweep_result result;
        if (sweep->border < sweep->border_count &&
            (!ends || sweep->borders[sweep->border] <= instant)) {
            ends = 0;
            instant = sweep->borders[sweep->border];
        } else if (!ends) {
            return SWEEP_OK;
        }
        if (instant > limit)
            return SWEEP_OK;
        result = move_to(sweep, instant);
        if (result != SWEEP_OK)
            return result;
        if (ends) {
            struct sweep_span span = pop(sweep);
            sweep->running[span.state]--;
            prefer(&sweep->ended, span);
        } else {
            sweep->border++;
        }
    }
}

enum sweep_result sweep_add(struct sweep *sweep, int64_t ts, int64_t end_ts, uint8_t state,
                            int64_t slice_id)
{
    struct sweep_span span = {end_ts, slice_id, state};
    enum sweep_result result;
    if (state < 1 || state >= SWEEP_IDLE)
        return SWEEP_BAD_STATE;
    if (end_ts <= ts)
        return SWEEP_EMPTY_SPAN;
    if (sweep->fed && ts < sweep->last_ts)
        return SWEEP_UNSORTED;
    sweep->fed = 1;
    sweep->last_ts = ts;
    if ((result = advance(sweep, ts)) != SWEEP_OK || (result = move_to(sweep, ts)) != SWEEP_OK ||
        (result = push(sweep, span)) != SWEEP_OK)
        return result;
    sweep->running[state]++;
    prefer(&sweep->started, span);
    return SWEEP_OK;
}

enum sweep_result sweep_finish(struct sweep *sweep)
{
    return advance(sweep, INT64_MAX);
}
