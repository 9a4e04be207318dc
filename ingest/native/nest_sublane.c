#include "nest_sublane.h"

#include <stdlib.h>

static void add_own(struct open *slice, int64_t length, int64_t bucket, struct part *parts[]) {
    if (!slice->celled) {
        return;
    }
    if (slice->own_bucket != bucket) {
        slice->own_bucket = bucket;
        slice->own = 0;
    }
    slice->own += length;
    part_own(parts[0], slice->own, slice->slice, slice->slice_class);
    if (slice->part != 0) {
        part_own(parts[slice->part], slice->own, slice->slice, slice->slice_class);
    }
}

void sublane_settle(struct sublane *lane, int64_t until, int64_t bucket, struct part *parts[]) {
    while (lane->live > 0) {
        struct open *top = &lane->open[lane->live - 1];
        int64_t to = top->end < until ? top->end : until;
        if (to > lane->settled) {
            add_own(top, to - lane->settled, bucket, parts);
            lane->settled = to;
            lane->last_slice = top->slice;
            lane->last_end = to;
        }
        if (top->end > until) {
            return;
        }
        lane->live--;
    }
}

int sublane_push(struct sublane *lane, int64_t ts, struct open slice) {
    if (lane->size == lane->room) {
        uint32_t room = lane->room ? lane->room * 2 : 4;
        if (room < lane->room) {
            return -1;
        }
        struct open *open = realloc(lane->open, room * sizeof *open);
        if (open == NULL) {
            return -1;
        }
        lane->open = open;
        lane->room = room;
    }
    lane->open[lane->size++] = slice;
    lane->live = lane->size;
    lane->settled = ts;
    return 0;
}
