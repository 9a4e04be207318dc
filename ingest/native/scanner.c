#include "scanner.h"

#include "columns.h"

/* Offsets in a block are kept in 32 bits, and so are those of its args in Arrow. */
#define MOST_TEXT_BYTES INT32_MAX

typedef struct {
    PyObject_HEAD
    Scan scan;
} Scanner;

static PyObject *scanner_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"start", "end", NULL};
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    long long from = INT64_MIN, to = INT64_MAX;
    Scanner *self;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|LL", names, &from, &to))
        return NULL;
    self = (Scanner *)allocate(type, 0);
    if (self != NULL) {
        self->scan.from = from;
        self->scan.to = to;
    }
    return (PyObject *)self;
}

static void scanner_dealloc(Scanner *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    scan_free(&self->scan);
    release(self);
    Py_DECREF(type);
}

static PyObject *scanner_clear(Scanner *self, PyObject *ignored)
{
    (void)ignored;
    scan_clear(&self->scan);
    Py_RETURN_NONE;
}

static PyObject *scanner_pass_event(Scanner *self, PyObject *ignored)
{
    (void)ignored;
    return PyLong_FromUnsignedLong(self->scan.events++);
}

/* Tell whether this is the text that the rows so far point into. */
static int is_same_text(const Scan *scan, const Py_buffer *text)
{
    if (scan->text == NULL || (text->buf == scan->text && (size_t)text->len >= scan->text_length))
        return 1;
    PyErr_SetString(PyExc_ValueError, "not the text that was scanned");
    return 0;
}

static PyObject *scanner_scan(Scanner *self, PyObject *args)
{
    Py_buffer text;
    Py_ssize_t start, end;
    size_t place;
    if (!PyArg_ParseTuple(args, "y*nn", &text, &start, &end))
        return NULL;
    if (start < 0 || end < start || end > text.len || end > MOST_TEXT_BYTES) {
        PyBuffer_Release(&text);
        PyErr_SetString(PyExc_ValueError, "no such range of the text");
        return NULL;
    }
    if (!is_same_text(&self->scan, &text)) {
        PyBuffer_Release(&text);
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS
    place = scan_events(&self->scan, text.buf, (size_t)start, (size_t)end);
    Py_END_ALLOW_THREADS
    PyBuffer_Release(&text);
    if (self->scan.lexer.stop == STOP_MEMORY)
        return PyErr_NoMemory();
    return Py_BuildValue("ni", (Py_ssize_t)place, (int)self->scan.lexer.stop);
}

static PyObject *text_range(const Py_buffer *text, uint32_t start, uint32_t length)
{
    return PyBytes_FromStringAndSize((const char *)text->buf + start, length);
}

/* Build a list of what `item` makes of each of the words. */
static PyObject *list_of(const Scan *scan, const Words *words, PyObject *args,
                         PyObject *(*item)(const Py_buffer *, const Word *))
{
    Py_buffer text;
    PyObject *list = NULL;
    size_t at;
    if (!PyArg_ParseTuple(args, "y*", &text))
        return NULL;
    if (is_same_text(scan, &text))
        list = PyList_New((Py_ssize_t)words->count);
    for (at = 0; list != NULL && at < words->count; at++) {
        PyObject *value = item(&text, &words->words[at]);
        if (value == NULL || PyList_SetItem(list, (Py_ssize_t)at, value) < 0)
            Py_CLEAR(list);
    }
    PyBuffer_Release(&text);
    return list;
}

static PyObject *word_item(const Py_buffer *text, const Word *word)
{
    PyObject *content = text_range(text, word->start, word->length);
    return content == NULL ? NULL : Py_BuildValue("NO", content, word->lasting ? Py_True : Py_False);
}

static PyObject *lane_item(const Py_buffer *text, const Word *word)
{
    PyObject *process = text_range(text, word->start, word->length), *thread;
    if (process == NULL)
        return NULL;
    thread = text_range(text, word->other, word->other_length);
    if (thread == NULL) {
        Py_DECREF(process);
        return NULL;
    }
    return Py_BuildValue("NNI", process, thread, word->event);
}

static PyObject *scanner_words(Scanner *self, PyObject *args)
{
    return list_of(&self->scan, &self->scan.words, args, word_item);
}

static PyObject *scanner_lanes(Scanner *self, PyObject *args)
{
    return list_of(&self->scan, &self->scan.lanes, args, lane_item);
}

static PyObject *scanner_odd(Scanner *self, PyObject *ignored)
{
    PyObject *list = PyList_New((Py_ssize_t)self->scan.odd_count);
    size_t at;
    (void)ignored;
    for (at = 0; list != NULL && at < self->scan.odd_count; at++) {
        const OddEvent *odd = &self->scan.odd[at];
        PyObject *value = Py_BuildValue("III", odd->event, odd->start, odd->end);
        if (value == NULL || PyList_SetItem(list, (Py_ssize_t)at, value) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Add a new bytes object of some items to the tuple; return its memory. */
static void *column(PyObject *tuple, Py_ssize_t place, size_t count, size_t size)
{
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * size));
    if (bytes == NULL)
        return NULL;
    if (PyTuple_SetItem(tuple, place, bytes) < 0)
        return NULL;
    return PyBytes_AsString(bytes);
}

static void *bits(PyObject *tuple, Py_ssize_t place, size_t count)
{
    size_t size = (count + 7) / 8;
    void *memory = column(tuple, place, size, 1);
    if (memory != NULL)
        memset(memory, 0, size);
    return memory;
}

static int maps_fit(const Scan *scan, const Py_buffer *words, const Py_buffer *lanes)
{
    if ((size_t)words->len >= scan->words.count * sizeof(int32_t) &&
        (size_t)lanes->len >= scan->lanes.count * sizeof(int32_t))
        return 1;
    PyErr_SetString(PyExc_ValueError, "words or lanes without a number");
    return 0;
}

static PyObject *scanner_slices(Scanner *self, PyObject *args)
{
    const Scan *scan = &self->scan;
    size_t rows = scan->slice_count;
    Py_buffer words, lanes;
    Numbering numbering;
    SliceColumns to;
    long long first_seq, first_arg_set;
    PyObject *made = NULL;
    if (!PyArg_ParseTuple(args, "y*y*LLii", &words, &lanes, &first_seq, &first_arg_set,
                          &numbering.span, &numbering.instant))
        return NULL;
    if (maps_fit(scan, &words, &lanes) && (made = PyTuple_New(18)) != NULL) {
        numbering.words = words.buf;
        numbering.lanes = lanes.buf;
        numbering.first_seq = first_seq;
        numbering.first_arg_set = first_arg_set;
        if ((to.seq = column(made, 0, rows, 8)) && (to.lane = column(made, 1, rows, 4)) &&
            (to.ts = column(made, 2, rows, 8)) && (to.dur = column(made, 3, rows, 8)) &&
            (to.name = column(made, 4, rows, 4)) && (to.category = column(made, 5, rows, 4)) &&
            (to.phase = column(made, 6, rows, 4)) && (to.task_type = column(made, 7, rows, 4)) &&
            (to.stream = column(made, 8, rows, 8)) && (to.task = column(made, 9, rows, 8)) &&
            (to.connection = column(made, 10, rows, 8)) &&
            (to.arg_set = column(made, 11, rows, 8)) && (to.has_category = bits(made, 12, rows)) &&
            (to.has_task_type = bits(made, 13, rows)) && (to.has_stream = bits(made, 14, rows)) &&
            (to.has_task = bits(made, 15, rows)) && (to.has_connection = bits(made, 16, rows)) &&
            (to.has_arg_set = bits(made, 17, rows))) {
            Py_BEGIN_ALLOW_THREADS
            columns_slices(scan, &numbering, &to);
            Py_END_ALLOW_THREADS
        } else {
            Py_CLEAR(made);
        }
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&lanes);
    return made;
}

static PyObject *scanner_flows(Scanner *self, PyObject *args)
{
    const Scan *scan = &self->scan;
    size_t rows = scan->flow_count;
    Py_buffer words, lanes;
    Numbering numbering;
    FlowColumns to;
    long long first_seq;
    PyObject *made = NULL;
    if (!PyArg_ParseTuple(args, "y*y*L", &words, &lanes, &first_seq))
        return NULL;
    if (maps_fit(scan, &words, &lanes) && (made = PyTuple_New(7)) != NULL) {
        numbering.words = words.buf;
        numbering.lanes = lanes.buf;
        numbering.first_seq = first_seq;
        if ((to.seq = column(made, 0, rows, 8)) && (to.phase = column(made, 1, rows, 1)) &&
            (to.category = column(made, 2, rows, 4)) && (to.name = column(made, 3, rows, 4)) &&
            (to.key = column(made, 4, rows, 8)) && (to.lane = column(made, 5, rows, 4)) &&
            (to.ts = column(made, 6, rows, 8))) {
            Py_BEGIN_ALLOW_THREADS
            columns_flows(scan, &numbering, &to);
            Py_END_ALLOW_THREADS
        } else {
            Py_CLEAR(made);
        }
    }
    PyBuffer_Release(&words);
    PyBuffer_Release(&lanes);
    return made;
}

static PyObject *scanner_args(Scanner *self, PyObject *args)
{
    const Scan *scan = &self->scan;
    Py_buffer text;
    ArgColumns to;
    long long first_arg_set;
    PyObject *made = NULL;
    if (!PyArg_ParseTuple(args, "y*L", &text, &first_arg_set))
        return NULL;
    if (is_same_text(scan, &text) && (made = PyTuple_New(3)) != NULL) {
        if ((to.arg_set = column(made, 0, scan->args_count, 8)) &&
            (to.offsets = column(made, 1, scan->args_count + 1, 4)) &&
            (to.texts = column(made, 2, scan->args_bytes, 1))) {
            Py_BEGIN_ALLOW_THREADS
            columns_args(scan, first_arg_set, &to);
            Py_END_ALLOW_THREADS
        } else {
            Py_CLEAR(made);
        }
    }
    PyBuffer_Release(&text);
    return made;
}

static PyObject *scanner_counts(Scanner *self, void *ignored)
{
    const Scan *scan = &self->scan;
    (void)ignored;
    return Py_BuildValue("Innn", scan->events, (Py_ssize_t)scan->slice_count,
                         (Py_ssize_t)scan->flow_count, (Py_ssize_t)scan->args_count);
}

static PyMethodDef scanner_methods[] = {
    {"clear", (PyCFunction)scanner_clear, METH_NOARGS, "Forget the rows of the last block."},
    {"scan", (PyCFunction)scanner_scan, METH_VARARGS, "Add the events of a range of the text."},
    {"pass_event", (PyCFunction)scanner_pass_event, METH_NOARGS,
     "Count an event that was read elsewhere; return its number."},
    {"words", (PyCFunction)scanner_words, METH_VARARGS, "Return the words: their text, and whether they last."},
    {"lanes", (PyCFunction)scanner_lanes, METH_VARARGS, "Return the lanes: two ids and the first event."},
    {"odd", (PyCFunction)scanner_odd, METH_NOARGS, "Return the events that are not simple."},
    {"slices", (PyCFunction)scanner_slices, METH_VARARGS, "Return the columns of slices."},
    {"flows", (PyCFunction)scanner_flows, METH_VARARGS, "Return the columns of flow ends."},
    {"args", (PyCFunction)scanner_args, METH_VARARGS, "Return the columns of args."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef scanner_attributes[] = {
    {"counts", (getter)scanner_counts, NULL, "Events, slices, flow ends and args so far.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot scanner_slots[] = {
    {Py_tp_new, (void *)scanner_new},
    {Py_tp_dealloc, (void *)scanner_dealloc},
    {Py_tp_methods, scanner_methods},
    {Py_tp_getset, scanner_attributes},
    {Py_tp_doc, "Reads the events of blocks of a timeline, one block at a time."},
    {0, NULL},
};

PyType_Spec scanner_spec = {
    .name = "npuview.ingest._scan.Scanner",
    .basicsize = sizeof(Scanner),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = scanner_slots,
};
