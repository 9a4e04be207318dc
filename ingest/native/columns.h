/* Rows of a block as the buffers of Arrow columns. */
#ifndef NPUVIEW_COLUMNS_H
#define NPUVIEW_COLUMNS_H

#include "scan.h"

/* What the codes and numbers of a block are in the whole profile. */
typedef struct {
    const int32_t *words, *lanes;
    int64_t first_seq, first_arg_set;
    int32_t span, instant; /* words of the phases X and i */
} Numbering;

typedef struct {
    int64_t *seq, *ts, *dur, *stream, *task, *connection, *arg_set;
    int32_t *lane, *name, *category, *phase, *task_type;
    uint8_t *has_category, *has_task_type, *has_stream, *has_task, *has_connection, *has_arg_set;
} SliceColumns;

typedef struct {
    int64_t *seq, *key, *ts;
    int32_t *category, *name, *lane;
    int8_t *phase;
} FlowColumns;

typedef struct {
    int64_t *arg_set;
    int32_t *offsets; /* one more than there are rows */
    uint8_t *texts;
} ArgColumns;

void columns_slices(const Scan *scan, const Numbering *numbering, const SliceColumns *columns);
void columns_flows(const Scan *scan, const Numbering *numbering, const FlowColumns *columns);
void columns_args(const Scan *scan, int64_t first_arg_set, const ArgColumns *columns);

#endif
