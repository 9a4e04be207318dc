/* Runs the pass over spans from the standard input, for the sanitizers:
 * "b ts" is a border, "s ts end_ts state slice_id" a span, "f" the end of a device. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sweep.h"

enum { MOST_BORDERS = 64 };

static void print(struct sweep *sweep)
{
    struct sweep_segments *s = &sweep->segments;
    struct sweep_gaps *g = &sweep->gaps;
    for (size_t n = 0; n < s->count; n++)
        printf("segment %" PRId64 " %" PRId64 " %d %d %d\n", s->ts[n], s->end_ts[n], s->state[n],
               s->computes[n / 8] >> n % 8 & 1, s->communicates[n / 8] >> n % 8 & 1);
    for (size_t n = 0; n < g->count; n++)
        printf("gap %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", g->ts[n],
               g->end_ts[n], g->wait_ns[n], g->prev_slice_id[n], g->next_slice_id[n]);
    s->count = g->count = 0;
}

int main(void)
{
    int64_t borders[MOST_BORDERS] = {0};
    size_t count = 0;
    struct sweep sweep;
    int64_t ts, end_ts, slice_id;
    int state, kind;
    sweep_start(&sweep, borders, 0);
    while ((kind = getchar()) != EOF) {
        enum sweep_result result = SWEEP_OK;
        if (kind == 'b' && count < MOST_BORDERS && scanf("%" SCNd64, &borders[count]) == 1) {
            sweep_free(&sweep);
            sweep_start(&sweep, borders, ++count);
        } else if (kind == 's' && scanf("%" SCNd64 "%" SCNd64 "%d%" SCNd64, &ts, &end_ts, &state,
                                        &slice_id) == 4) {
            result = sweep_add(&sweep, ts, end_ts, (uint8_t)state, slice_id);
        } else if (kind == 'f') {
            result = sweep_finish(&sweep);
            print(&sweep);
            sweep_free(&sweep);
            sweep_start(&sweep, borders, count = 0);
        }
        if (result != SWEEP_OK) {
            printf("refused %d\n", result);
            sweep_free(&sweep);
            sweep_start(&sweep, borders, count = 0);
        }
    }
    sweep_free(&sweep);
    return 0;
}
