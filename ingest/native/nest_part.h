/* A lane as a whole, or one of its parts: what is covered by slices, and its cells.
 *
 * Cells count slices, the time that any of them covers, and which has the most
 * time of its own.
 */
#ifndef NPUVIEW_NEST_PART_H
#define NPUVIEW_NEST_PART_H

#include "nest_cells.h"

/* The end of what a slice adds to the covered time, and which slice that is. */
struct cover {
    int64_t end;
    int64_t slice;
    uint8_t slice_class;
};

struct part {
    /* Covers that are not yet counted, in time; each begins where the one before ends. */
    struct cover *covers;
    size_t first, count, room;
    int64_t counted; /* up to when covered time is counted */
    struct cell cell; /* the open one of the finest level */
    struct cell *pending;
    /* All that is known of the whole. */
    int64_t slices, busy, ts, end;
    int32_t deepest, sublanes;
    int timed; /* whether ts and end are known */
};

/* Return 0, or -1 when there is no memory. */
int part_open(struct part *part, size_t levels);
void part_close(struct part *part);

/* Begin a cell with a slice unless the cell is open. */
static inline void part_touch(struct part *part, int64_t bucket, int64_t slice, uint8_t class_) {
    if (!part->cell.held) {
        part->cell = (struct cell){
            .bucket = bucket, .top = slice, .own = 0, .top_class = class_, .held = 1};
    }
}

/* Tell whether covered time is left to be counted. */
static inline int part_is_covered(const struct part *part) { return part->first < part->count; }

/* Count covered time of the open cell up to an instant, which lies in it or at its end. */
void part_count(struct part *part, int64_t until);

/* A slice begins in the open cell. Return 0, or -1 when there is no memory. */
int part_begin(struct part *part, int64_t ts, int64_t end, int64_t slice, uint8_t class_);

/* So much time of its own a slice has by now in the open cell. */
static inline void part_own(struct part *part, int64_t own, int64_t slice, uint8_t class_) {
    struct cell *cell = &part->cell;
    if (own > cell->own || (own == cell->own && slice < cell->top)) {
        cell->own = own;
        cell->top = slice;
        cell->top_class = class_;
    }
}

/* Close the open cell, which ends at an instant, and open the next if it is covered. */
void part_next_cell(struct part *part, int64_t end, struct cells *out, struct cell_place place);

#endif
