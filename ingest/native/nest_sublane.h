/* A sub-lane: slices that nest, as the stack of those that are open. */
#ifndef NPUVIEW_NEST_SUBLANE_H
#define NPUVIEW_NEST_SUBLANE_H

#include "nest_part.h"

struct open {
    int64_t end;
    int64_t slice;
    int64_t own;        /* time of its own in the cell ... */
    int64_t own_bucket; /* ... of this bucket */
    uint8_t part;
    uint8_t slice_class;
    uint8_t celled; /* whether it takes part in cells */
};

struct sublane {
    struct open *open;
    uint32_t size; /* an ended slice stays until one of some length begins */
    uint32_t live; /* those that have not ended, at the bottom */
    uint32_t room;
    uint32_t place; /* in the list of sub-lanes with a live slice */
    int64_t settled; /* up to when time is given to the slice that owns it */
    int64_t last_slice, last_end; /* the last stretch that had an owner */
};

/* Give time up to an instant in the open cell to the innermost slices open in it. */
void sublane_settle(struct sublane *lane, int64_t until, int64_t bucket, struct part *parts[]);

/* Take away what has ended when a slice begins; settled up to ts before. */
static inline void sublane_pop(struct sublane *lane, int64_t ts, int64_t dur) {
    while (lane->size > 0) {
        int64_t end = lane->open[lane->size - 1].end;
        /* An instant at the very end of a slice still belongs to it. */
        if (end > ts || (end == ts && dur == 0)) {
            return;
        }
        lane->size--;
    }
}

/* Open a slice of some length. Return 0, or -1 when there is no memory. */
int sublane_push(struct sublane *lane, int64_t ts, struct open slice);

#endif
