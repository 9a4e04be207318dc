/* Cells of the level-of-detail grid, and the buffer in which finished ones leave.
 *
 * A cell is 2^level ns wide on the absolute grid ts >> level. Cells of the finest
 * level are finished in time; each is folded at once into the coarser ones.
 */
#ifndef NPUVIEW_NEST_CELLS_H
#define NPUVIEW_NEST_CELLS_H

#include <stddef.h>
#include <stdint.h>

enum { MOST_PARTS = 8, MOST_LEVELS = 64 };

struct cell {
    int64_t bucket;
    int64_t busy;
    int64_t count;
    int64_t top;  /* the slice with the most time of its own, the first of equal ones */
    int64_t own;  /* how much that is */
    uint8_t top_class;
    uint8_t held; /* whether anything is in it */
};

/* Finished cells, column by column; never more than fit. */
struct cells {
    size_t count;
    size_t limit; /* from here on the buffer is to be emptied */
    int64_t *track, *bucket, *busy, *starts, *top;
    uint8_t *part, *level, *top_class;
};

/* Return 0, or -1 when there is no memory. */
int cells_open(struct cells *cells, size_t limit);
void cells_close(struct cells *cells);

static inline int cells_full(const struct cells *cells) { return cells->count >= cells->limit; }

/* Whose cells are finished, and at which levels. */
struct cell_place {
    int64_t track;
    uint8_t part;
    uint8_t finest;
    uint8_t coarsest;
};

/* Finish a cell of the finest level; pending[n] is the open cell n levels above it. */
void cell_finish(struct cells *out, struct cell *pending, struct cell_place place,
                 const struct cell *cell);

/* Finish what is still open above the finest level. */
void cell_finish_all(struct cells *out, struct cell *pending, struct cell_place place);

#endif
