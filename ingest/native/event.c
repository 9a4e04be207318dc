/* One trace event to a row. What is not simple is left, as a range of text, to the
 * tolerant reader, whose rules (trace_events.py) these are. */
#include "number.h"
#include "scan.h"

#define LONGEST_ARGS (1 << 20)

enum Field {
    FIELD_ARGS,
    FIELD_CATEGORY,
    FIELD_DURATION,
    FIELD_FLOW,
    FIELD_ID,
    FIELD_NAME,
    FIELD_PHASE,
    FIELD_PROCESS,
    FIELD_THREAD,
    FIELD_TIME,
    FIELD_EVENTS,
    FIELD_OTHER,
};

enum Arg {
    ARG_TASK_TYPE,
    ARG_PLANE_TASK_TYPE,
    ARG_PHYSIC_STREAM,
    ARG_STREAM,
    ARG_PLANE_STREAM,
    ARG_TASK,
    ARG_PLANE_TASK,
    ARG_CONNECTION,
    ARG_COUNT,
};

/* A value: the content of a string, or the text of anything else. */
typedef struct {
    Cursor begin, end;
    unsigned flags;
    uint8_t first; /* character of the whole value; 0 if there is none */
} Value;

typedef struct {
    Value name, category, id, process, thread, args;
    Value known[ARG_COUNT + 1]; /* the last is any other */
    int64_t ts, dur;
    unsigned seen, flags;
    int has_ts, has_dur, odd;
    uint8_t phase;
} Event;

static int is_number(const Value *value)
{
    return value->first == '-' || (uint8_t)(value->first - '0') < 10;
}

/* Read the value at `p`; return what follows it. */
static inline Cursor value_read(Lexer *lexer, Cursor p, Event *event, Value *value)
{
    value->first = *p;
    value->flags = 0;
    value->begin = p;
    if (*p == '"') {
        value->begin = p + 1;
        value->end = p = lexer_string_end(lexer, p + 1, &value->flags);
        if (p != NULL)
            p++;
    } else {
        value->end = p = lexer_value_end(lexer, p, &value->flags);
    }
    event->flags |= value->flags;
    return p;
}

static Cursor time_read(Lexer *lexer, Cursor p, Event *event, int64_t *ns, int *has)
{
    Value value;
    p = value_read(lexer, p, event, &value);
    *has = p != NULL && value.flags == 0 && (value.first == '"' || is_number(&value)) &&
           number_nanoseconds(value.begin, value.end, ns);
    return p;
}

/* Names and categories are text or null. */
static Cursor text_read(Lexer *lexer, Cursor p, Event *event, Value *value)
{
    p = value_read(lexer, p, event, value);
    if (value->first == 'n')
        value->first = 0;
    else if (value->first != '"')
        event->odd = 1;
    return p;
}

/* Tell whether the key at `p`, whose quotes end it, is `word`. */
#define IS(word) ((size_t)(end - p) >= sizeof(word) && memcmp(p, word "\"", sizeof(word)) == 0)
#define FOUND(word, field) \
    do { \
        if (IS(word)) { \
            *closing = p + sizeof(word) - 1; \
            return field; \
        } \
    } while (0)

/* Find which field the key whose content begins at `p` names, and its closing quote. */
static inline enum Field field_read(Lexer *lexer, Cursor p, Event *event, Cursor *closing)
{
    Cursor end = lexer->end;
    unsigned flags = 0;
    switch (p < end ? *p : 0) {
    case 'a':
        FOUND("args", FIELD_ARGS);
        break;
    case 'c':
        FOUND("cat", FIELD_CATEGORY);
        break;
    case 'd':
        FOUND("dur", FIELD_DURATION);
        break;
    case 'f':
        FOUND("flow_in", FIELD_FLOW);
        FOUND("flow_out", FIELD_FLOW);
        break;
    case 'i':
        FOUND("id", FIELD_ID);
        break;
    case 'n':
        FOUND("name", FIELD_NAME);
        break;
    case 'p':
        FOUND("ph", FIELD_PHASE);
        FOUND("pid", FIELD_PROCESS);
        break;
    case 't':
        FOUND("ts", FIELD_TIME);
        FOUND("tid", FIELD_THREAD);
        FOUND("traceEvents", FIELD_EVENTS);
        break;
    default:
        break;
    }
    *closing = lexer_string_end(lexer, p, &flags);
    event->flags |= flags;
    /* An escape may spell the name of a field. */
    event->odd |= flags & ESCAPED;
    return FIELD_OTHER;
}

static enum Arg arg_of(Cursor p, Cursor end)
{
    switch (end - p) {
#define KNOWN(word, arg) \
    if (memcmp(p, word, sizeof(word) - 1) == 0) \
    return arg
    case 7:
        KNOWN("Task Id", ARG_TASK);
        KNOWN("task id", ARG_PLANE_TASK);
        break;
    case 9:
        KNOWN("Task Type", ARG_TASK_TYPE);
        KNOWN("task type", ARG_PLANE_TASK_TYPE);
        KNOWN("Stream Id", ARG_STREAM);
        KNOWN("stream id", ARG_PLANE_STREAM);
        break;
    case 13:
        KNOWN("connection_id", ARG_CONNECTION);
        break;
    case 16:
        KNOWN("Physic Stream Id", ARG_PHYSIC_STREAM);
        break;
    default:
        break;
#undef KNOWN
    }
    return ARG_COUNT;
}

/* Read args, of any kind; note those that classify a slice. */
static Cursor args_read(Lexer *lexer, Cursor p, Event *event)
{
    Cursor closing;
    event->args.first = *p;
    event->args.begin = p;
    if (*p != '{') {
        p = lexer_value_end(lexer, p, &event->flags);
        event->args.end = p;
        return p;
    }
    p = lexer_space(lexer, p + 1);
    if (p == NULL)
        return NULL;
    while (*p != '}') {
        unsigned flags = 0;
        Cursor key = p + 1;
        if (*p != '"')
            return lexer_fail(lexer, STOP_REFUSED);
        closing = lexer_string_end(lexer, key, &flags);
        if (closing == NULL || (p = lexer_mark(lexer, closing + 1, ':')) == NULL)
            return NULL;
        event->flags |= flags;
        event->odd |= flags & ESCAPED;
        p = value_read(lexer, p, event, &event->known[arg_of(key, closing)]);
        if (p == NULL || (p = lexer_space(lexer, p)) == NULL)
            return NULL;
        if (*p == '}')
            break;
        p = *p == ',' ? lexer_space(lexer, p + 1) : lexer_fail(lexer, STOP_REFUSED);
        if (p == NULL)
            return NULL;
        if (*p == '}')
            return lexer_fail(lexer, STOP_REFUSED);
    }
    return event->args.end = p + 1;
}

/* Read the value of a field; return what follows it. */
static inline Cursor field_value(Lexer *lexer, enum Field field, Cursor p, Event *event)
{
    Value value;
    switch (field) {
    case FIELD_ARGS:
        return args_read(lexer, p, event);
    case FIELD_CATEGORY:
        return text_read(lexer, p, event, &event->category);
    case FIELD_DURATION:
        return time_read(lexer, p, event, &event->dur, &event->has_dur);
    case FIELD_FLOW:
        /* A slice that is the end of an arrow itself. */
        event->odd |= *p != 'f';
        return lexer_value_end(lexer, p, &event->flags);
    case FIELD_ID:
        return value_read(lexer, p, event, &event->id);
    case FIELD_NAME:
        return text_read(lexer, p, event, &event->name);
    case FIELD_PHASE:
        p = value_read(lexer, p, event, &value);
        if (p != NULL && value.first == '"' && value.end - value.begin == 1)
            event->phase = *value.begin;
        return p;
    case FIELD_PROCESS:
        return value_read(lexer, p, event, &event->process);
    case FIELD_THREAD:
        return value_read(lexer, p, event, &event->thread);
    case FIELD_TIME:
        return time_read(lexer, p, event, &event->ts, &event->has_ts);
    case FIELD_EVENTS:
    case FIELD_OTHER:
        break;
    }
    return lexer_value_end(lexer, p, &event->flags);
}

static Cursor event_lex(Lexer *lexer, Cursor p, Event *event)
{
    enum Field field;
    p = lexer_space(lexer, p + 1);
    if (p == NULL || *p == '}')
        return p == NULL ? NULL : p + 1;
    for (;;) {
        if (*p != '"')
            return lexer_fail(lexer, STOP_REFUSED);
        field = field_read(lexer, p + 1, event, &p);
        /* Another list of events, joined to this one badly. */
        if (field == FIELD_EVENTS)
            return lexer_fail(lexer, STOP_REFUSED);
        if (p == NULL || (p = lexer_mark(lexer, p + 1, ':')) == NULL)
            return NULL;
        if (field != FIELD_OTHER) {
            /* Given twice: which one counts is the tolerant reader's rule. */
            event->odd |= (event->seen >> field & 1) && field != FIELD_FLOW;
            event->seen |= 1u << field;
        }
        p = field_value(lexer, field, p, event);
        if (p == NULL || (p = lexer_space(lexer, p)) == NULL)
            return NULL;
        if (*p == '}')
            return p + 1;
        if (*p != ',')
            return lexer_fail(lexer, STOP_REFUSED);
        p = lexer_space(lexer, p + 1);
        if (p == NULL)
            return NULL;
    }
}

static int is_simple_id(const Value *value)
{
    return !value->first ||
           (value->first != '{' && value->first != '[' && !(value->flags & ESCAPED));
}

/* Return where the text of an id begins and ends in the file, quotes included. */
static inline Cursor id_begin(const Scan *scan, const Value *id)
{
    return id->first ? id->begin - (id->first == '"') : scan->text;
}

static inline Cursor id_end(const Scan *scan, const Value *id)
{
    return id->first ? id->end + (id->first == '"') : scan->text;
}

/* Return the code of the lane; ids are told apart by the text of the file. */
static int32_t lane_code(Scan *scan, const Event *event)
{
    Cursor process = id_begin(scan, &event->process), thread = id_begin(scan, &event->thread);
    return words_code(&scan->lanes, scan->text, process,
                      (size_t)(id_end(scan, &event->process) - process), thread,
                      (size_t)(id_end(scan, &event->thread) - thread), scan->events);
}

static int32_t name_code(Scan *scan, Cursor begin, Cursor end)
{
    return words_code(
        &scan->words, scan->text, begin, (size_t)(end - begin), scan->text, 0, scan->events);
}

/* Return the code of a text that must have the same number in every block. */
static int32_t word_code(Scan *scan, Cursor begin, Cursor end)
{
    int32_t code = name_code(scan, begin, end);
    scan->words.words[code].lasting = 1;
    return code;
}

/* Return the first of some args that is there. */
static const Value *first_of(const Event *event, enum Arg first, enum Arg last)
{
    unsigned arg;
    for (arg = first; arg < (unsigned)last; arg++)
        if (event->known[arg].first)
            break;
    return &event->known[arg];
}

static int identifier(const Value *value, int64_t *id)
{
    *id = NO_NUMBER;
    return !value->first || (value->flags == 0 && number_identifier(value->begin, value->end, id));
}

/* Keep a span or an instant; return 0 if it is not simple. */
static int keep_slice(Scan *scan, const Event *event)
{
    Slice *slice = &scan->slices[scan->slice_count];
    const Value *type = first_of(event, ARG_TASK_TYPE, ARG_PLANE_TASK_TYPE);
    size_t length = event->args.first ? (size_t)(event->args.end - event->args.begin) : 0;
    int inside;
    slice->phase = event->phase == 'X' ? 'X' : 'i';
    slice->ts = event->ts;
    slice->dur = event->phase == 'X' ? event->dur : 0;
    if (event->phase == 'X' && (!event->has_dur || event->dur < 0 || event->dur > MOST_DUR_NS))
        return 0;
    if (length > LONGEST_ARGS || (type->first && type->first != '"') ||
        !identifier(first_of(event, ARG_PHYSIC_STREAM, ARG_PLANE_STREAM), &slice->stream) ||
        !identifier(first_of(event, ARG_TASK, ARG_PLANE_TASK), &slice->task) ||
        !identifier(&event->known[ARG_CONNECTION], &slice->connection))
        return 0;
    slice->event = scan->events;
    slice->lane = lane_code(scan, event);
    inside = slice->ts < scan->to &&
             (slice->ts >= scan->from || slice->ts + slice->dur > scan->from);
    if (!inside)
        return 1;
    slice->name = event->name.first ? name_code(scan, event->name.begin, event->name.end) : 0;
    slice->category = NO_WORD;
    if (event->category.first)
        slice->category = word_code(scan, event->category.begin, event->category.end);
    slice->task_type = type->first ? word_code(scan, type->begin, type->end) : NO_WORD;
    slice->args = slice->args_length = 0;
    if (length > 2) {
        slice->args = (uint32_t)(event->args.begin - scan->text);
        slice->args_length = (uint32_t)length;
        scan->args_bytes += length;
        scan->args_count++;
    }
    scan->slice_count++;
    return 1;
}

/* Keep one end of an arrow; return 0 if it is not simple. */
static int keep_flow(Scan *scan, const Event *event)
{
    FlowEnd *flow = &scan->flows[scan->flow_count];
    const Value *id = &event->id, *name = &event->name, *category = &event->category;
    Cursor name_end = name->first ? name->end : NULL;
    if ((name->first && (name->flags & ESCAPED)) || !is_simple_id(id))
        return 0;
    flow->phase = event->phase;
    flow->ts = event->ts;
    flow->event = scan->events;
    flow->lane = lane_code(scan, event);
    if (flow->ts < scan->from || flow->ts >= scan->to)
        return 1;
    if (name->first && id->first) {
        /* Names such as HostToDevice936 repeat the id. */
        size_t length = (size_t)(id->end - id->begin);
        if (length < (size_t)(name_end - name->begin) &&
            memcmp(name_end - length, id->begin, length) == 0)
            name_end -= length;
    }
    flow->name = name->first ? word_code(scan, name->begin, name_end) : 0;
    flow->category = category->first ? word_code(scan, category->begin, category->end) : 0;
    if (!id->first)
        flow->key = -1;
    else if (!number_is_plain(id->begin, id->end, &flow->key))
        flow->key = -1 - (int64_t)word_code(scan, id->begin, id->end);
    scan->flow_count++;
    return 1;
}

static int keep(Scan *scan, const Event *event)
{
    if (event->odd || (event->flags & SURROGATE) || !event->has_ts)
        return 0;
    if (!is_simple_id(&event->process) || !is_simple_id(&event->thread))
        return 0;
    switch (event->phase) {
    case 'X':
    case 'i':
    case 'I':
        return keep_slice(scan, event);
    case 's':
    case 't':
    case 'f':
        return keep_flow(scan, event);
    default:
        return 0;
    }
}

static inline void event_begin(Event *event)
{
    unsigned arg;
    event->name.first = event->category.first = event->id.first = 0;
    event->process.first = event->thread.first = event->args.first = 0;
    for (arg = 0; arg < ARG_COUNT; arg++)
        event->known[arg].first = 0;
    event->seen = event->flags = 0;
    event->has_ts = event->has_dur = event->odd = 0;
    event->phase = 0;
}

Cursor event_read(Scan *scan, Cursor p)
{
    Event event;
    Cursor start = p;
    event_begin(&event);
    p = event_lex(&scan->lexer, p, &event);
    if (p != NULL && !keep(scan, &event)) {
        OddEvent *odd = &scan->odd[scan->odd_count++];
        odd->event = scan->events;
        odd->start = (uint32_t)(start - scan->text);
        odd->end = (uint32_t)(p - scan->text);
    }
    return p;
}
