#include "columns.h"

#include "number.h"

/* Set the bit that says that a value is there. */
static inline void set_valid(uint8_t *bits, size_t at, int valid)
{
    bits[at >> 3] |= (uint8_t)((valid != 0) << (at & 7));
}

static inline void put_number(int64_t *values, uint8_t *bits, size_t at, int64_t value)
{
    values[at] = value;
    set_valid(bits, at, value != NO_NUMBER);
}

static inline void put_word(
    int32_t *values, uint8_t *bits, size_t at, int32_t code, const int32_t *words)
{
    values[at] = code == NO_WORD ? 0 : words[code];
    set_valid(bits, at, code != NO_WORD);
}

/* Write all slices; the bits of the columns must be clear. */
void columns_slices(const Scan *scan, const Numbering *numbering, const SliceColumns *columns)
{
    const int32_t *words = numbering->words;
    size_t at;
    for (at = 0; at < scan->slice_count; at++) {
        const Slice *slice = &scan->slices[at];
        int has_args = slice->args_length != 0;
        columns->seq[at] = numbering->first_seq + slice->event;
        columns->lane[at] = numbering->lanes[slice->lane];
        columns->ts[at] = slice->ts;
        columns->dur[at] = slice->dur;
        columns->name[at] = words[slice->name];
        columns->phase[at] = slice->phase == 'X' ? numbering->span : numbering->instant;
        columns->arg_set[at] = numbering->first_arg_set + slice->event;
        set_valid(columns->has_arg_set, at, has_args);
        put_word(columns->category, columns->has_category, at, slice->category, words);
        put_word(columns->task_type, columns->has_task_type, at, slice->task_type, words);
        put_number(columns->stream, columns->has_stream, at, slice->stream);
        put_number(columns->task, columns->has_task, at, slice->task);
        put_number(columns->connection, columns->has_connection, at, slice->connection);
    }
}

/* Write all ends of arrows; phases are numbered s, t, f. */
void columns_flows(const Scan *scan, const Numbering *numbering, const FlowColumns *columns)
{
    const int32_t *words = numbering->words;
    size_t at;
    for (at = 0; at < scan->flow_count; at++) {
        const FlowEnd *flow = &scan->flows[at];
        columns->seq[at] = numbering->first_seq + flow->event;
        columns->phase[at] = flow->phase == 's' ? 0 : flow->phase == 't' ? 1 : 2;
        columns->category[at] = words[flow->category];
        columns->name[at] = words[flow->name];
        columns->key[at] = flow->key >= 0 ? flow->key : -1 - (int64_t)words[-1 - flow->key];
        columns->lane[at] = numbering->lanes[flow->lane];
        columns->ts[at] = flow->ts;
    }
}

/* Write the args of all slices that have any. */
void columns_args(const Scan *scan, int64_t first_arg_set, const ArgColumns *columns)
{
    size_t at, row = 0, filled = 0;
    for (at = 0; at < scan->slice_count; at++) {
        const Slice *slice = &scan->slices[at];
        if (slice->args_length == 0)
            continue;
        columns->arg_set[row] = first_arg_set + slice->event;
        columns->offsets[row++] = (int32_t)filled;
        memcpy(columns->texts + filled, scan->text + slice->args, slice->args_length);
        filled += slice->args_length;
    }
    columns->offsets[row] = (int32_t)filled;
}
