/* npuview.ingest._sweep: what a device did, told from its spans in one pass. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string.h>

#include "sweep.h"

typedef struct {
    PyObject_HEAD
    struct sweep sweep;
    int64_t *borders;
    int used; /* by a call that has let go of the lock of Python */
    int over; /* finished, or failed */
} Sweep;

static int64_t int64_at(const Py_buffer *buffer, Py_ssize_t row)
{
    int64_t value;
    memcpy(&value, (const char *)buffer->buf + (size_t)row * sizeof value, sizeof value);
    return value;
}

static PyObject *raised(enum sweep_result result)
{
    switch (result) {
    case SWEEP_NO_MEMORY:
        return PyErr_NoMemory();
    case SWEEP_UNSORTED:
        PyErr_SetString(PyExc_ValueError, "spans are not in the order of their starts");
        break;
    case SWEEP_EMPTY_SPAN:
        PyErr_SetString(PyExc_ValueError, "a span does not end after its start");
        break;
    case SWEEP_BAD_STATE:
        PyErr_SetString(PyExc_ValueError, "a state is not one of 1 to 9");
        break;
    default:
        PyErr_SetString(PyExc_OverflowError, "a wait is longer than 64 bits can tell");
    }
    return NULL;
}

static PyObject *column(const void *values, size_t bytes)
{
    return PyBytes_FromStringAndSize(values, (Py_ssize_t)bytes);
}

/* Give what is complete as columns of bytes, and forget it. */
static PyObject *taken(struct sweep *sweep)
{
    struct sweep_segments *s = &sweep->segments;
    struct sweep_gaps *g = &sweep->gaps;
    size_t rows = s->count, bits = (rows + 7) / 8, gaps = g->count;
    s->count = g->count = 0;
    /* N takes the reference, and fails for a column that could not be made. */
    return Py_BuildValue("((NNNNN)(NNNNN))", column(s->ts, rows * sizeof *s->ts),
                         column(s->end_ts, rows * sizeof *s->end_ts), column(s->state, rows),
                         column(s->computes, bits), column(s->communicates, bits),
                         column(g->ts, gaps * sizeof *g->ts),
                         column(g->end_ts, gaps * sizeof *g->end_ts),
                         column(g->wait_ns, gaps * sizeof *g->wait_ns),
                         column(g->prev_slice_id, gaps * sizeof *g->prev_slice_id),
                         column(g->next_slice_id, gaps * sizeof *g->next_slice_id));
}

static int usable(const Sweep *self)
{
    if (self->used)
        PyErr_SetString(PyExc_RuntimeError, "the sweep is in use by another thread");
    else if (self->over)
        PyErr_SetString(PyExc_RuntimeError, "the sweep is over");
    else
        return 1;
    return 0;
}

static enum sweep_result add_all(struct sweep *sweep, const Py_buffer columns[4], Py_ssize_t rows)
{
    const uint8_t *states = columns[2].buf;
    for (Py_ssize_t row = 0; row < rows; row++) {
        enum sweep_result result =
            sweep_add(sweep, int64_at(&columns[0], row), int64_at(&columns[1], row), states[row],
                      int64_at(&columns[3], row));
        if (result != SWEEP_OK)
            return result;
    }
    return SWEEP_OK;
}

static PyObject *Sweep_feed(Sweep *self, PyObject *args)
{
    Py_buffer columns[4];
    PyObject *answer = NULL;
    if (!PyArg_ParseTuple(args, "y*y*y*y*:feed", &columns[0], &columns[1], &columns[2],
                          &columns[3]))
        return NULL;
    Py_ssize_t rows = columns[2].len;
    if (rows > PY_SSIZE_T_MAX / (Py_ssize_t)sizeof(int64_t) ||
        columns[0].len != rows * (Py_ssize_t)sizeof(int64_t) || columns[1].len != columns[0].len ||
        columns[3].len != columns[0].len) {
        PyErr_SetString(PyExc_ValueError, "the columns are not of one length");
    } else if (usable(self)) {
        enum sweep_result result;
        self->used = 1;
        Py_BEGIN_ALLOW_THREADS
        result = add_all(&self->sweep, columns, rows);
        Py_END_ALLOW_THREADS
        self->used = 0;
        self->over = result != SWEEP_OK;
        answer = self->over ? raised(result) : taken(&self->sweep);
    }
    for (int i = 0; i < 4; i++)
        PyBuffer_Release(&columns[i]);
    return answer;
}

static PyObject *Sweep_finish(Sweep *self, PyObject *Py_UNUSED(ignored))
{
    enum sweep_result result;
    if (!usable(self))
        return NULL;
    self->used = 1;
    Py_BEGIN_ALLOW_THREADS
    result = sweep_finish(&self->sweep);
    Py_END_ALLOW_THREADS
    self->used = 0;
    self->over = 1;
    return result == SWEEP_OK ? taken(&self->sweep) : raised(result);
}

static int copy_borders(Sweep *self, const Py_buffer *borders)
{
    Py_ssize_t count = borders->len / (Py_ssize_t)sizeof(int64_t);
    if (borders->len % (Py_ssize_t)sizeof(int64_t) != 0) {
        PyErr_SetString(PyExc_ValueError, "the borders are not whole numbers of 64 bits");
        return 0;
    }
    for (Py_ssize_t i = 1; i < count; i++) {
        if (int64_at(borders, i - 1) >= int64_at(borders, i)) {
            PyErr_SetString(PyExc_ValueError, "the borders do not ascend");
            return 0;
        }
    }
    self->borders = PyMem_Malloc(borders->len ? (size_t)borders->len : 1);
    if (self->borders == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    if (count > 0)
        memcpy(self->borders, borders->buf, (size_t)borders->len);
    sweep_start(&self->sweep, self->borders, (size_t)count);
    return 1;
}

static PyObject *Sweep_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
    Py_buffer borders;
    allocfunc make = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    if (named != NULL && PyDict_Size(named) > 0) {
        PyErr_SetString(PyExc_TypeError, "Sweep() takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "y*:Sweep", &borders))
        return NULL;
    Sweep *self = (Sweep *)make(type, 0);
    if (self != NULL && !copy_borders(self, &borders)) {
        Py_DECREF(self);
        self = NULL;
    }
    PyBuffer_Release(&borders);
    return (PyObject *)self;
}

static void Sweep_dealloc(Sweep *self)
{
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    sweep_free(&self->sweep);
    PyMem_Free(self->borders);
    release(self);
    Py_DECREF(type);
}

static PyMethodDef sweep_methods[] = {
    {"feed", (PyCFunction)(void (*)(void))Sweep_feed, METH_VARARGS,
     "Take spans of the device; return the segments and gaps that they complete."},
    {"finish", (PyCFunction)(void (*)(void))Sweep_finish, METH_NOARGS,
     "Return the segments and gaps that are left."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot sweep_slots[] = {
    {Py_tp_doc, "One pass over the spans of a device; see _sweep.pyi."},
    {Py_tp_new, (void *)Sweep_new},
    {Py_tp_dealloc, (void *)Sweep_dealloc},
    {Py_tp_methods, sweep_methods},
    {0, NULL},
};

static PyType_Spec sweep_spec = {
    .name = "npuview.ingest._sweep.Sweep",
    .basicsize = sizeof(Sweep),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = sweep_slots,
};

static int module_exec(PyObject *module)
{
    PyObject *type = PyType_FromSpec(&sweep_spec);
    int failed;
    if (type == NULL)
        return -1;
    failed = PyModule_AddObjectRef(module, "Sweep", type);
    Py_DECREF(type);
    return failed;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, (void *)module_exec},
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "npuview.ingest._sweep",
    .m_doc = "What a device did, told from its spans in one pass.",
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__sweep(void)
{
    return PyModuleDef_Init(&definition);
}
