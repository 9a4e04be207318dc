#include "nest_cells.h"

#include <stdlib.h>

/* One step in time finishes at most a cell per part and level. */
enum { SLACK = MOST_PARTS * MOST_LEVELS };

int cells_open(struct cells *cells, size_t limit) {
    size_t room = limit + SLACK;
    *cells = (struct cells){.limit = limit};
    int64_t **wide[] = {&cells->track, &cells->bucket, &cells->busy, &cells->starts, &cells->top};
    uint8_t **narrow[] = {&cells->part, &cells->level, &cells->top_class};
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        *wide[i] = malloc(room * sizeof(int64_t));
        if (*wide[i] == NULL) {
            return -1;
        }
    }
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        *narrow[i] = malloc(room);
        if (*narrow[i] == NULL) {
            return -1;
        }
    }
    return 0;
}

void cells_close(struct cells *cells) {
    free(cells->track);
    free(cells->bucket);
    free(cells->busy);
    free(cells->starts);
    free(cells->top);
    free(cells->part);
    free(cells->level);
    free(cells->top_class);
    *cells = (struct cells){0};
}

static void put(struct cells *out, struct cell_place place, uint8_t level,
                const struct cell *cell) {
    size_t at = out->count++;
    out->track[at] = place.track;
    out->part[at] = place.part;
    out->level[at] = level;
    out->bucket[at] = cell->bucket;
    out->busy[at] = cell->busy;
    out->starts[at] = cell->count;
    out->top[at] = cell->top;
    out->top_class[at] = cell->top_class;
}

static void fold(struct cell *into, const struct cell *half) {
    into->busy += half->busy;
    into->count += half->count;
    if (half->own > into->own || (half->own == into->own && half->top < into->top)) {
        into->own = half->own;
        into->top = half->top;
        into->top_class = half->top_class;
    }
}

void cell_finish(struct cells *out, struct cell *pending, struct cell_place place,
                 const struct cell *cell) {
    struct cell done = *cell;
    for (uint8_t level = place.finest;; level++) {
        put(out, place, level, &done);
        if (level == place.coarsest) {
            return;
        }
        struct cell *open = &pending[level - place.finest];
        int64_t bucket = done.bucket >> 1;
        if (open->held && open->bucket == bucket) {
            fold(open, &done);
            return;
        }
        struct cell before = *open;
        *open = done;
        open->bucket = bucket;
        open->held = 1;
        if (!before.held) {
            return;
        }
        done = before;
    }
}

void cell_finish_all(struct cells *out, struct cell *pending, struct cell_place place) {
    for (uint8_t level = place.finest; level < place.coarsest; level++) {
        struct cell done = pending[level - place.finest];
        pending[level - place.finest].held = 0;
        if (done.held) {
            struct cell_place above = place;
            above.finest = (uint8_t)(level + 1);
            cell_finish(out, pending + (above.finest - place.finest), above, &done);
        }
    }
}
