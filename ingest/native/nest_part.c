#include "nest_part.h"

#include <stdlib.h>
#include <string.h>

int part_open(struct part *part, size_t levels) {
    *part = (struct part){0};
    part->pending = calloc(levels, sizeof *part->pending);
    return part->pending == NULL ? -1 : 0;
}

void part_close(struct part *part) {
    free(part->covers);
    free(part->pending);
}

void part_count(struct part *part, int64_t until) {
    while (part->first < part->count) {
        int64_t end = part->covers[part->first].end;
        int64_t to = end < until ? end : until;
        if (to > part->counted) {
            part->cell.busy += to - part->counted;
            part->counted = to;
        }
        if (end > until) {
            return;
        }
        part->first++;
    }
}

static int add_cover(struct part *part, struct cover cover) {
    if (part->first == part->count) {
        part->first = part->count = 0;
    } else if (part->count == part->room && part->first >= part->room / 2) {
        part->count -= part->first;
        memmove(part->covers, part->covers + part->first, part->count * sizeof *part->covers);
        part->first = 0;
    }
    if (part->count == part->room) {
        size_t room = part->room ? part->room * 2 : 4;
        struct cover *covers = realloc(part->covers, room * sizeof *covers);
        if (covers == NULL) {
            return -1;
        }
        part->covers = covers;
        part->room = room;
    }
    part->covers[part->count++] = cover;
    return 0;
}

int part_begin(struct part *part, int64_t ts, int64_t end, int64_t slice, uint8_t class_) {
    part->cell.count++;
    if (!part->timed) {
        part->timed = 1;
        part->ts = ts;
        part->end = end;
    } else if (end > part->end) {
        part->end = end;
    }
    if (end == ts) {
        return 0;
    }
    if (!part_is_covered(part) || part->covers[part->count - 1].end <= ts) {
        part_count(part, ts);
        part->counted = ts;
    } else if (part->covers[part->count - 1].end >= end) {
        return 0;
    }
    return add_cover(part, (struct cover){end, slice, class_});
}

void part_next_cell(struct part *part, int64_t end, struct cells *out, struct cell_place place) {
    part_count(part, end);
    part->busy += part->cell.busy;
    cell_finish(out, part->pending, place, &part->cell);
    int64_t bucket = part->cell.bucket + 1;
    part->cell.held = 0;
    if (part_is_covered(part)) {
        const struct cover *cover = &part->covers[part->first];
        part_touch(part, bucket, cover->slice, cover->slice_class);
    }
}
