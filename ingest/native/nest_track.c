#include "nest_track.h"

#include <stdlib.h>

static struct cell_place place_of(int64_t number, uint8_t part, const struct grid *grid) {
    return (struct cell_place){grid->first_track + number, part, grid->finest, grid->coarsest};
}

/* Return where a cell of the finest level ends, as far as 64 bits tell. */
static int64_t cell_end(int64_t bucket, uint8_t level) {
    if (bucket >= INT64_MAX >> level) {
        return INT64_MAX;
    }
    return (bucket + 1) * ((int64_t)1 << level);
}

void track_close(struct track *track) {
    for (uint32_t i = 0; i < track->sublane_made; i++) {
        free(track->sublanes[i].open);
    }
    free(track->sublanes);
    free(track->live);
    free(track->vacancies);
    for (size_t i = 0; i < MOST_PARTS; i++) {
        if (track->parts[i] != NULL) {
            part_close(track->parts[i]);
            free(track->parts[i]);
        }
    }
}

static void forget_live(struct track *track, uint32_t at) {
    uint32_t last = track->live[--track->live_count];
    track->live[at] = last;
    track->sublanes[last].place = at;
}

static void settle(struct track *track, uint32_t sublane, int64_t until) {
    struct sublane *lane = &track->sublanes[sublane];
    if (lane->live > 0) {
        sublane_settle(lane, until, track->bucket, track->parts);
        if (lane->live == 0) {
            forget_live(track, lane->place);
        }
    }
}

static void settle_all(struct track *track, int64_t until) {
    for (uint32_t i = track->live_count; i-- > 0;) {
        settle(track, track->live[i], until);
    }
}

int track_advance(struct track *track, int64_t number, int64_t bucket, const struct grid *grid,
                  struct cells *out) {
    while (track->celled && track->bucket < bucket) {
        if (cells_full(out)) {
            return 0;
        }
        int64_t end = cell_end(track->bucket, grid->finest);
        settle_all(track, end);
        for (uint8_t i = 0; i < MOST_PARTS; i++) {
            struct part *part = track->parts[i];
            if (part != NULL && part->cell.held) {
                part_next_cell(part, end, out, place_of(number, i, grid));
            }
        }
        track->bucket = track->parts[0]->cell.held ? track->bucket + 1 : bucket;
    }
    return 1;
}

static void add_vacancy(struct track *track, struct vacancy vacancy) {
    uint32_t at = track->vacancy_count++;
    while (at > 0) {
        uint32_t above = (at - 1) / 2;
        struct vacancy *other = &track->vacancies[above];
        if (other->end < vacancy.end ||
            (other->end == vacancy.end && other->sublane < vacancy.sublane)) {
            break;
        }
        track->vacancies[at] = *other;
        at = above;
    }
    track->vacancies[at] = vacancy;
}

static uint32_t take_vacancy(struct track *track) {
    uint32_t taken = track->vacancies[0].sublane;
    struct vacancy moved = track->vacancies[--track->vacancy_count];
    uint32_t at = 0;
    for (;;) {
        uint32_t below = 2 * at + 1;
        if (below >= track->vacancy_count) {
            break;
        }
        const struct vacancy *left = &track->vacancies[below], *right = left + 1;
        if (below + 1 < track->vacancy_count &&
            (right->end < left->end ||
             (right->end == left->end && right->sublane < left->sublane))) {
            left = right;
            below++;
        }
        if (moved.end < left->end ||
            (moved.end == left->end && moved.sublane < left->sublane)) {
            break;
        }
        track->vacancies[at] = *left;
        at = below;
    }
    track->vacancies[at] = moved;
    return taken;
}

/* Make room for one more of everything that counts sub-lanes; they grow together. */
static int make_room(struct track *track) {
    if (track->sublane_count < track->sublane_room) {
        return 0;
    }
    uint32_t room = track->sublane_room ? track->sublane_room * 2 : 1;
    if (room < track->sublane_room) {
        return -1;
    }
    struct sublane *sublanes = realloc(track->sublanes, room * sizeof *sublanes);
    if (sublanes == NULL) {
        return -1;
    }
    track->sublanes = sublanes;
    uint32_t *live = realloc(track->live, room * sizeof *live);
    if (live == NULL) {
        return -1;
    }
    track->live = live;
    struct vacancy *vacancies = realloc(track->vacancies, room * sizeof *vacancies);
    if (vacancies == NULL) {
        return -1;
    }
    track->vacancies = vacancies;
    track->sublane_room = room;
    return 0;
}

/* Return the sub-lane for a slice, with what has ended there taken away; UINT32_MAX
 * without memory. */
static uint32_t find_sublane(struct track *track, int64_t ts, int64_t dur) {
    uint32_t searched = track->sublane_count < MOST_SEARCHED ? track->sublane_count : MOST_SEARCHED;
    for (uint32_t i = 0; i < searched; i++) {
        struct sublane *lane = &track->sublanes[i];
        settle(track, i, ts);
        sublane_pop(lane, ts, dur);
        if (lane->size == 0 || ts + dur <= lane->open[lane->size - 1].end) {
            return i;
        }
    }
    uint32_t found;
    if (track->vacancy_count > 0 && track->vacancies[0].end <= ts) {
        /* So many at once do not nest any more: each takes a sub-lane that is free. */
        found = take_vacancy(track);
        settle(track, found, ts);
        track->sublanes[found].size = 0;
    } else {
        if (make_room(track) < 0) {
            return UINT32_MAX;
        }
        found = track->sublane_count++;
        if (found == track->sublane_made) {
            track->sublanes[found] = (struct sublane){.last_slice = NEST_NONE};
            track->sublane_made++;
        }
        track->sublanes[found].size = 0;
    }
    if (found >= MOST_SEARCHED) {
        add_vacancy(track, (struct vacancy){ts + dur, found});
    }
    return found;
}

/* Nothing that came before reaches beyond ts: sub-lanes are counted anew. */
static void begin_run(struct track *track, int64_t ts) {
    settle_all(track, ts);
    track->sublane_count = 0;
    track->vacancy_count = 0;
}

static struct part *part_of(struct track *track, uint8_t number, const struct grid *grid) {
    struct part *part = track->parts[number];
    if (part == NULL) {
        part = malloc(sizeof *part);
        if (part == NULL) {
            return NULL;
        }
        if (part_open(part, (size_t)(grid->coarsest - grid->finest) + 1) < 0) {
            free(part);
            return NULL;
        }
        track->parts[number] = part;
    }
    return part;
}

static int add_to_part(struct track *track, uint8_t number, const struct grid *grid,
                       const struct slice *slice, const struct nesting *nesting) {
    struct part *part = part_of(track, number, grid);
    if (part == NULL) {
        return -1;
    }
    part->slices++;
    part->deepest = nesting->depth > part->deepest ? nesting->depth : part->deepest;
    part->sublanes = nesting->sublane >= part->sublanes ? nesting->sublane + 1 : part->sublanes;
    if (slice->ts < grid->first_ts) {
        return 0;
    }
    part_touch(part, track->bucket, slice->number, slice->slice_class);
    return part_begin(part, slice->ts, slice->ts + slice->dur, slice->number, slice->slice_class);
}

int track_place(struct track *track, const struct grid *grid, const struct slice *slice,
                struct nesting *nesting) {
    int64_t ts = slice->ts, end = slice->ts + slice->dur;
    uint8_t celled = ts >= grid->first_ts;
    if (celled && !track->celled) {
        track->celled = 1;
        track->bucket = ts >> grid->finest;
    }
    if (!track->reaches || ts > track->reached || (ts == track->reached && slice->dur > 0)) {
        begin_run(track, ts);
    }
    uint32_t sublane = find_sublane(track, ts, slice->dur);
    if (sublane == UINT32_MAX) {
        return -1;
    }
    struct sublane *lane = &track->sublanes[sublane];
    nesting->depth = (int32_t)lane->size;
    nesting->sublane = (int32_t)sublane;
    nesting->parent = lane->size ? lane->open[lane->size - 1].slice : NEST_NONE;
    if (add_to_part(track, 0, grid, slice, nesting) < 0 ||
        (slice->part != 0 && add_to_part(track, slice->part, grid, slice, nesting) < 0)) {
        return -1;
    }
    if (slice->dur > 0) {
        int was_live = lane->live > 0;
        struct open open = {
            .end = end, .slice = slice->number, .own_bucket = track->bucket,
            .part = slice->part, .slice_class = slice->slice_class, .celled = celled,
        };
        if (sublane_push(lane, ts, open) < 0) {
            return -1;
        }
        if (!was_live) {
            lane->place = track->live_count;
            track->live[track->live_count++] = sublane;
        }
        track->reached = !track->reaches || end > track->reached ? end : track->reached;
        track->reaches = 1;
    }
    if (!track->begun || ts != track->last_ts || nesting->depth >= track->best_depth) {
        track->best_depth = nesting->depth;
        track->best_slice = slice->number;
    }
    track->begun = 1;
    track->last_ts = ts;
    track->last_dur = slice->dur;
    return 0;
}

int64_t track_slice_at(struct track *track, int64_t ts) {
    if (!track->begun) {
        return NEST_NONE;
    }
    if (track->last_ts == ts) {
        return track->best_slice;
    }
    if (track->sublane_made == 0) {
        return NEST_NONE;
    }
    settle(track, 0, ts);
    const struct sublane *first = &track->sublanes[0];
    if (first->live > 0) {
        return first->open[first->live - 1].slice;
    }
    return first->last_slice != NEST_NONE && first->last_end == ts ? first->last_slice : NEST_NONE;
}

void track_finish(struct track *track, int64_t number, const struct grid *grid,
                  struct cells *out) {
    for (uint8_t i = 0; i < MOST_PARTS; i++) {
        if (track->parts[i] != NULL) {
            cell_finish_all(out, track->parts[i]->pending, place_of(number, i, grid));
        }
    }
}
