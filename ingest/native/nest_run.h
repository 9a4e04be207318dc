/* Three sorted streams in lockstep: slices, the parts that some stand on, ends of arrows.
 *
 * Each stream comes batch by batch; a run goes on until it needs the next batch of
 * one of them, or the finished cells are to be taken.
 */
#ifndef NPUVIEW_NEST_RUN_H
#define NPUVIEW_NEST_RUN_H

#include "nest_track.h"

enum want {
    WANT_NOTHING, /* all is done */
    WANT_SLICES,
    WANT_PARTS,
    WANT_FLOWS,
    WANT_ROOM, /* take the finished cells */
    WANT_MEMORY, /* there is none */
    BAD_TRACK, /* what a stream must not have */
    BAD_ORDER,
    BAD_TIME,
    BAD_PART,
};

/* The batch that a stream is in. */
struct batch {
    size_t count;
    size_t next;
    uint8_t ended; /* no batch follows */
};

struct slices {
    struct batch batch;
    const int64_t *slice, *track, *ts, *dur;
    const uint8_t *slice_class;
    int32_t *depth, *sublane;
    int64_t *parent;
    uint8_t *has_parent; /* bits */
    size_t parents;
};

struct slice_parts {
    struct batch batch;
    const int64_t *slice;
    const uint8_t *part;
};

struct flows {
    struct batch batch;
    const int64_t *track, *ts;
    int64_t *slice;
    uint8_t *has_slice; /* bits */
    size_t bound;
};

struct run {
    struct grid grid;
    uint8_t block_bits;
    int64_t last_slice; /* slices are numbered upwards */
    struct track *tracks;
    int64_t track_count;
    int64_t finished; /* tracks */
    struct slices slices;
    struct slice_parts parts;
    struct flows flows;
    struct cells cells;
    /* Where the stream of slices, and that of arrows, has come to. */
    int64_t slice_block, slice_track, flow_block, flow_track, flow_ts;
};

/* Return 0, or -1 when there is no memory; close it in either case. */
int run_open(struct run *run, int64_t track_count, size_t most_cells);
void run_close(struct run *run);

enum want run_on(struct run *run);

#endif
