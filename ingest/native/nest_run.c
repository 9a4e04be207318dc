#include "nest_run.h"

#include <stdlib.h>

int run_open(struct run *run, int64_t track_count, size_t most_cells) {
    run->tracks = calloc(track_count ? (size_t)track_count : 1, sizeof *run->tracks);
    if (run->tracks == NULL) {
        return -1;
    }
    run->track_count = track_count;
    run->slice_block = run->flow_block = INT64_MIN;
    run->slice_track = run->flow_track = -1;
    run->flow_ts = INT64_MIN;
    run->last_slice = -1;
    return cells_open(&run->cells, most_cells);
}

void run_close(struct run *run) {
    for (int64_t i = 0; i < run->track_count; i++) {
        track_close(&run->tracks[i]);
    }
    free(run->tracks);
    run->tracks = NULL;
    run->track_count = 0;
    cells_close(&run->cells);
}

static void set_bit(uint8_t *bits, size_t at) {
    bits[at / 8] = (uint8_t)(bits[at / 8] | 1u << (at % 8));
}

/* Return the lane's number, -1 for one that is not there. */
static int64_t track_number(const struct run *run, int64_t track) {
    /* Unsigned, so that no difference overflows. */
    uint64_t number = (uint64_t)track - (uint64_t)run->grid.first_track;
    return number < (uint64_t)run->track_count ? (int64_t)number : -1;
}

static int spent(const struct batch *batch) { return batch->next == batch->count; }

/* Find the part that the next slice stands on. */
static enum want take_part(struct run *run, int64_t number, uint8_t *part) {
    struct slice_parts *parts = &run->parts;
    *part = 0;
    if (spent(&parts->batch)) {
        return parts->batch.ended ? WANT_NOTHING : WANT_PARTS;
    }
    int64_t slice = parts->slice[parts->batch.next];
    if (slice < number) {
        return BAD_ORDER;
    }
    if (slice == number) {
        *part = parts->part[parts->batch.next];
        if (*part == 0 || *part >= MOST_PARTS) {
            return BAD_PART;
        }
    }
    return WANT_NOTHING;
}

static enum want place_slice(struct run *run, int64_t number) {
    struct slices *slices = &run->slices;
    size_t at = slices->batch.next;
    struct slice slice = {
        .number = slices->slice[at], .ts = slices->ts[at], .dur = slices->dur[at],
        .slice_class = slices->slice_class[at],
    };
    int64_t block = slice.ts >> run->block_bits;
    struct track *track = &run->tracks[number];
    if (slice.dur < 0 || slice.ts > INT64_MAX - slice.dur) {
        return BAD_TIME;
    }
    if (slice.number <= run->last_slice || block < run->slice_block ||
        (block == run->slice_block && number < run->slice_track) ||
        (track->begun && (slice.ts < track->last_ts ||
                          (slice.ts == track->last_ts && slice.dur > track->last_dur)))) {
        return BAD_ORDER;
    }
    enum want want = take_part(run, slice.number, &slice.part);
    if (want != WANT_NOTHING) {
        return want;
    }
    if (slice.ts >= run->grid.first_ts &&
        !track_advance(track, number, slice.ts >> run->grid.finest, &run->grid, &run->cells)) {
        return WANT_ROOM;
    }
    struct nesting nesting;
    if (track_place(track, &run->grid, &slice, &nesting) < 0) {
        return WANT_MEMORY;
    }
    slices->depth[at] = nesting.depth;
    slices->sublane[at] = nesting.sublane;
    slices->parent[at] = nesting.parent;
    if (nesting.parent != NEST_NONE) {
        set_bit(slices->has_parent, at);
        slices->parents++;
    }
    run->slice_block = block;
    run->slice_track = number;
    run->last_slice = slice.number;
    run->parts.batch.next += slice.part != 0;
    slices->batch.next++;
    return WANT_NOTHING;
}

static enum want bind_flow(struct run *run, int64_t number) {
    struct flows *flows = &run->flows;
    size_t at = flows->batch.next;
    int64_t ts = flows->ts[at], block = ts >> run->block_bits;
    if (block < run->flow_block ||
        (block == run->flow_block &&
         (number < run->flow_track || (number == run->flow_track && ts < run->flow_ts)))) {
        return BAD_ORDER;
    }
    struct track *track = &run->tracks[number];
    if (!track_advance(track, number, ts >> run->grid.finest, &run->grid, &run->cells)) {
        return WANT_ROOM;
    }
    flows->slice[at] = track_slice_at(track, ts);
    if (flows->slice[at] != NEST_NONE) {
        set_bit(flows->has_slice, at);
        flows->bound++;
    }
    run->flow_block = block;
    run->flow_track = number;
    run->flow_ts = ts;
    flows->batch.next++;
    return WANT_NOTHING;
}

/* Tell whether the next slice comes before the next end of an arrow; at one instant of a
 * lane slices come first. */
static int slice_is_next(const struct run *run, int64_t slice_track, int64_t flow_track) {
    int64_t slice_ts = run->slices.ts[run->slices.batch.next];
    int64_t flow_ts = run->flows.ts[run->flows.batch.next];
    int64_t slice_block = slice_ts >> run->block_bits, flow_block = flow_ts >> run->block_bits;
    if (slice_block != flow_block) {
        return slice_block < flow_block;
    }
    if (slice_track != flow_track) {
        return slice_track < flow_track;
    }
    return slice_ts <= flow_ts;
}

static enum want finish(struct run *run) {
    while (run->finished < run->track_count) {
        struct track *track = &run->tracks[run->finished];
        if (!track_advance(track, run->finished, INT64_MAX, &run->grid, &run->cells) ||
            cells_full(&run->cells)) {
            return WANT_ROOM;
        }
        track_finish(track, run->finished, &run->grid, &run->cells);
        run->finished++;
    }
    return WANT_NOTHING;
}

enum want run_on(struct run *run) {
    struct batch *slices = &run->slices.batch, *flows = &run->flows.batch;
    for (;;) {
        if (spent(slices) && !slices->ended) {
            return WANT_SLICES;
        }
        if (spent(flows) && !flows->ended) {
            return WANT_FLOWS;
        }
        int64_t slice_track = 0, flow_track = 0;
        if (!spent(slices)) {
            slice_track = track_number(run, run->slices.track[slices->next]);
        }
        if (!spent(flows)) {
            flow_track = track_number(run, run->flows.track[flows->next]);
        }
        if (slice_track < 0 || flow_track < 0) {
            return BAD_TRACK;
        }
        enum want want;
        if (!spent(slices) &&
            (spent(flows) || slice_is_next(run, slice_track, flow_track))) {
            want = place_slice(run, slice_track);
        } else if (!spent(flows)) {
            want = bind_flow(run, flow_track);
        } else if (!spent(&run->parts.batch)) {
            return BAD_PART;
        } else if (!run->parts.batch.ended) {
            return WANT_PARTS;
        } else {
            return finish(run);
        }
        if (want != WANT_NOTHING) {
            return want;
        }
    }
}
