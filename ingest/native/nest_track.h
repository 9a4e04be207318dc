/* A lane while its slices come in the order of their begin, longer ones first.
 *
 * Keeps the open slices on their sub-lanes and the open cells; everything before
 * is finished.
 */
#ifndef NPUVIEW_NEST_TRACK_H
#define NPUVIEW_NEST_TRACK_H

#include "nest_sublane.h"

/* Sub-lanes that are looked into for one in which a slice nests. */
enum { MOST_SEARCHED = 64 };

enum { NEST_NONE = -1 }; /* no slice */

/* What holds for all lanes. */
struct grid {
    int64_t first_track;
    int64_t first_ts; /* slices before take no part in cells */
    uint8_t finest, coarsest;
};

struct slice {
    int64_t number;
    int64_t ts;
    int64_t dur;
    uint8_t part;
    uint8_t slice_class;
};

struct nesting {
    int32_t depth;
    int32_t sublane;
    int64_t parent; /* NEST_NONE for none */
};

/* A sub-lane beyond those that are searched, by when it is free. */
struct vacancy {
    int64_t end;
    uint32_t sublane;
};

struct track {
    struct sublane *sublanes;
    uint32_t sublane_count; /* of the run of slices that touch each other */
    uint32_t sublane_made;
    uint32_t sublane_room;
    uint32_t *live; /* sub-lanes with a live slice, in no order */
    uint32_t live_count;
    struct vacancy *vacancies; /* a heap */
    uint32_t vacancy_count;
    int64_t reached; /* the latest end so far */
    int64_t last_ts, last_dur;
    int64_t best_slice; /* the innermost that begins at last_ts */
    int32_t best_depth;
    uint8_t begun;   /* a slice has come */
    uint8_t reaches; /* one of some length has come */
    uint8_t celled;  /* one that takes part in cells has come */
    int64_t bucket;  /* of the open cells */
    struct part *parts[MOST_PARTS]; /* the whole, and the parts that are there */
};

void track_close(struct track *track);

/* Finish cells before a bucket of the finest level. Return 1 when done, 0 when the buffer
 * is full: empty it and call again. */
int track_advance(struct track *track, int64_t number, int64_t bucket, const struct grid *grid,
                  struct cells *out);

/* Place the next slice, after track_advance to its bucket. Return 0, or -1 without memory. */
int track_place(struct track *track, const struct grid *grid, const struct slice *slice,
                struct nesting *nesting);

/* Return the slice on which the end of an arrow stands, after track_advance to its bucket and
 * when all slices until then are placed: the innermost that begins then, else the
 * innermost open on the first sub-lane. */
int64_t track_slice_at(struct track *track, int64_t ts);

/* Finish all cells, after track_advance to the end of time. */
void track_finish(struct track *track, int64_t number, const struct grid *grid,
                  struct cells *out);

#endif
