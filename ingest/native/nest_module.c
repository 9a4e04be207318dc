/* npuview.ingest._nest: the Python face of nest_run.h. */
#include "nest_buffers.h"
#include "nest_run.h"

typedef struct {
    PyObject_HEAD
    struct run run;
    struct held slices, parts, flows;
    PyObject *nestings[4]; /* depth, sub-lane, has parent, parent */
    PyObject *bound[2];    /* has slice, slice */
    char running;
} Nest;

/* Refuse what a stream is not ready for. */
static int ready(Nest *self, const struct batch *batch) {
    if (self->running) {
        PyErr_SetString(PyExc_RuntimeError, "it runs in another thread");
        return -1;
    }
    if (batch != NULL && (batch->ended || batch->next < batch->count)) {
        PyErr_SetString(PyExc_ValueError, batch->ended ? "the stream has ended"
                                                       : "the batch before is not used up");
        return -1;
    }
    return 0;
}

static void begin(struct batch *batch, Py_ssize_t count) {
    batch->count = (size_t)count;
    batch->next = 0;
    batch->ended = count == 0;
}

static PyObject *nest_slices(Nest *self, PyObject *args) {
    PyObject *buffers[5];
    Py_ssize_t count;
    struct slices *slices = &self->run.slices;
    static const size_t sizes[] = {8, 8, 8, 8, 1};
    if (!PyArg_ParseTuple(args, "nOOOOO:slices", &count, &buffers[0], &buffers[1], &buffers[2],
                          &buffers[3], &buffers[4]) ||
        ready(self, &slices->batch) < 0 || held_take(&self->slices, buffers, sizes, 5, count) < 0) {
        return NULL;
    }
    const Py_ssize_t room[] = {count * 4, count * 4, (count + 7) / 8, count * 8};
    if (bytes_make(self->nestings, room, 4) < 0) {
        return NULL;
    }
    slices->slice = self->slices.views[0].buf;
    slices->track = self->slices.views[1].buf;
    slices->ts = self->slices.views[2].buf;
    slices->dur = self->slices.views[3].buf;
    slices->slice_class = self->slices.views[4].buf;
    slices->depth = (int32_t *)(void *)PyBytes_AsString(self->nestings[0]);
    slices->sublane = (int32_t *)(void *)PyBytes_AsString(self->nestings[1]);
    slices->has_parent = (uint8_t *)PyBytes_AsString(self->nestings[2]);
    slices->parent = (int64_t *)(void *)PyBytes_AsString(self->nestings[3]);
    slices->parents = 0;
    begin(&slices->batch, count);
    Py_RETURN_NONE;
}

static PyObject *nest_parts(Nest *self, PyObject *args) {
    PyObject *buffers[2];
    Py_ssize_t count;
    struct slice_parts *parts = &self->run.parts;
    static const size_t sizes[] = {8, 1};
    if (!PyArg_ParseTuple(args, "nOO:parts", &count, &buffers[0], &buffers[1]) ||
        ready(self, &parts->batch) < 0 || held_take(&self->parts, buffers, sizes, 2, count) < 0) {
        return NULL;
    }
    parts->slice = self->parts.views[0].buf;
    parts->part = self->parts.views[1].buf;
    begin(&parts->batch, count);
    Py_RETURN_NONE;
}

static PyObject *nest_flows(Nest *self, PyObject *args) {
    PyObject *buffers[2];
    Py_ssize_t count;
    struct flows *flows = &self->run.flows;
    static const size_t sizes[] = {8, 8};
    if (!PyArg_ParseTuple(args, "nOO:flows", &count, &buffers[0], &buffers[1]) ||
        ready(self, &flows->batch) < 0 || held_take(&self->flows, buffers, sizes, 2, count) < 0) {
        return NULL;
    }
    const Py_ssize_t room[] = {(count + 7) / 8, count * 8};
    if (bytes_make(self->bound, room, 2) < 0) {
        return NULL;
    }
    flows->track = self->flows.views[0].buf;
    flows->ts = self->flows.views[1].buf;
    flows->has_slice = (uint8_t *)PyBytes_AsString(self->bound[0]);
    flows->slice = (int64_t *)(void *)PyBytes_AsString(self->bound[1]);
    flows->bound = 0;
    begin(&flows->batch, count);
    Py_RETURN_NONE;
}

static PyObject *nest_run(Nest *self, PyObject *Py_UNUSED(none)) {
    if (ready(self, NULL) < 0) {
        return NULL;
    }
    enum want want;
    self->running = 1;
    Py_BEGIN_ALLOW_THREADS
    want = run_on(&self->run);
    Py_END_ALLOW_THREADS
    self->running = 0;
    static const char *const wrong[] = {
        [BAD_TRACK] = "no such lane", [BAD_ORDER] = "rows are not in order",
        [BAD_TIME] = "not a time", [BAD_PART] = "no such part, or a part of no slice",
    };
    if (want == WANT_MEMORY) {
        return PyErr_NoMemory();
    }
    if (want >= BAD_TRACK) {
        return PyErr_Format(PyExc_ValueError, "after slice %lld: %s",
                            (long long)self->run.last_slice, wrong[want]);
    }
    return PyLong_FromLong((long)want);
}

/* Hand over what a batch became, once it is used up. */
static int taken(Nest *self, const struct batch *batch, PyObject *const *objects) {
    if (ready(self, NULL) < 0) {
        return -1;
    }
    if (objects[0] == NULL || batch->next < batch->count) {
        PyErr_SetString(PyExc_ValueError, "the batch is not used up");
        return -1;
    }
    return 0;
}

static PyObject *nest_nestings(Nest *self, PyObject *Py_UNUSED(none)) {
    const struct slices *slices = &self->run.slices;
    if (taken(self, &slices->batch, self->nestings) < 0) {
        return NULL;
    }
    PyObject **one = self->nestings;
    PyObject *result = Py_BuildValue("nOOOO", (Py_ssize_t)(slices->batch.count - slices->parents),
                                     one[0], one[1], one[2], one[3]);
    bytes_drop(self->nestings, 4);
    return result;
}

static PyObject *nest_bound(Nest *self, PyObject *Py_UNUSED(none)) {
    const struct flows *flows = &self->run.flows;
    if (taken(self, &flows->batch, self->bound) < 0) {
        return NULL;
    }
    PyObject *result = Py_BuildValue("nOO", (Py_ssize_t)(flows->batch.count - flows->bound),
                                     self->bound[0], self->bound[1]);
    bytes_drop(self->bound, 2);
    return result;
}

static PyObject *nest_cells(Nest *self, PyObject *Py_UNUSED(none)) {
    if (ready(self, NULL) < 0) {
        return NULL;
    }
    struct cells *cells = &self->run.cells;
    Py_ssize_t n = (Py_ssize_t)cells->count;
    PyObject *result = Py_BuildValue(
        "ny#y#y#y#y#y#y#y#", n, (const char *)cells->track, n * 8, (const char *)cells->part, n,
        (const char *)cells->level, n, (const char *)cells->bucket, n * 8,
        (const char *)cells->busy, n * 8, (const char *)cells->starts, n * 8,
        (const char *)cells->top, n * 8, (const char *)cells->top_class, n);
    if (result != NULL) {
        cells->count = 0;
    }
    return result;
}

static PyObject *lane_row(const struct grid *grid, int64_t number, int part,
                          const struct part *one) {
    PyObject *ts = one->timed ? PyLong_FromLongLong(one->ts) : Py_NewRef(Py_None);
    PyObject *end = one->timed ? PyLong_FromLongLong(one->end) : Py_NewRef(Py_None);
    if (ts == NULL || end == NULL) {
        Py_XDECREF(ts);
        Py_XDECREF(end);
        return NULL;
    }
    return Py_BuildValue("LiLLiiNN", (long long)(grid->first_track + number), part,
                         (long long)one->slices, (long long)one->busy, (int)one->deepest,
                         (int)one->sublanes, ts, end);
}

static PyObject *nest_lanes(Nest *self, PyObject *Py_UNUSED(none)) {
    if (ready(self, NULL) < 0) {
        return NULL;
    }
    const struct run *run = &self->run;
    PyObject *rows = PyList_New(0);
    for (int64_t number = 0; rows != NULL && number < run->track_count; number++) {
        for (int part = 0; part < MOST_PARTS; part++) {
            const struct part *one = run->tracks[number].parts[part];
            if (one == NULL) {
                continue;
            }
            PyObject *row = lane_row(&run->grid, number, part, one);
            if (row == NULL || PyList_Append(rows, row) < 0) {
                Py_XDECREF(row);
                Py_DECREF(rows);
                return NULL;
            }
            Py_DECREF(row);
        }
    }
    return rows;
}

static PyObject *nest_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
    static char *names[] = {"tracks",   "first_track", "first_ts",   "block_bits",
                            "finest",   "coarsest",    "most_cells", NULL};
    long long tracks, first_track, first_ts;
    int block_bits, finest, coarsest;
    Py_ssize_t most_cells = 1 << 17;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "LLLiii|n:Nest", names, &tracks,
                                     &first_track, &first_ts, &block_bits, &finest, &coarsest,
                                     &most_cells)) {
        return NULL;
    }
    if (tracks < 0 || tracks > INT32_MAX || block_bits < 0 || block_bits > 63 || finest < 0 ||
        finest > coarsest || coarsest >= MOST_LEVELS - 1 || most_cells < 1 ||
        most_cells > PY_SSIZE_T_MAX / 64 || first_track < 0) {
        PyErr_SetString(PyExc_ValueError, "lanes, numbers or levels are out of range");
        return NULL;
    }
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Nest *self = (Nest *)alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->run.grid = (struct grid){first_track, first_ts, (uint8_t)finest, (uint8_t)coarsest};
    self->run.block_bits = (uint8_t)block_bits;
    if (run_open(&self->run, tracks, (size_t)most_cells) < 0) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void nest_dealloc(Nest *self) {
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    held_release(&self->slices);
    held_release(&self->parts);
    held_release(&self->flows);
    bytes_drop(self->nestings, 4);
    bytes_drop(self->bound, 2);
    run_close(&self->run);
    freefunc release_object = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release_object(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"slices", (PyCFunction)nest_slices, METH_VARARGS,
     "Give slices by (ts >> block_bits, track_id, ts, longest first); none ends them.\n"
     "\n"
     "``code`` is the uint8 number of the class."},
    {"parts", (PyCFunction)nest_parts, METH_VARARGS,
     "Give slices that stand on a part (uint8, 1 to 7) by slice_id; none ends them."},
    {"flows", (PyCFunction)nest_flows, METH_VARARGS,
     "Give ends of arrows by (ts >> block_bits, track_id, ts); none ends them."},
    {"run", (PyCFunction)nest_run, METH_NOARGS,
     "Go on, without the GIL, until something is wanted, and return what."},
    {"nestings", (PyCFunction)nest_nestings, METH_NOARGS,
     "Take what the slices became once more are wanted.\n"
     "\n"
     "How many have no parent; depth and sublane (int32), which have a parent (bits), parent."},
    {"bound", (PyCFunction)nest_bound, METH_NOARGS,
     "Take what the arrows became once more are wanted.\n"
     "\n"
     "How many stand on no slice; which do (bits), slice."},
    {"cells", (PyCFunction)nest_cells, METH_NOARGS,
     "Take the finished cells.\n"
     "\n"
     "How many; track_id, part (uint8, 0 for the whole), level (uint8), bucket, busy,\n"
     "count, top slice, its class (uint8)."},
    {"lanes", (PyCFunction)nest_lanes, METH_NOARGS,
     "Return all that is known of lanes and parts, in this order, at the end.\n"
     "\n"
     "track_id, part, slices, busy, deepest, sublanes, ts, end_ts."},
    {NULL, NULL, 0, NULL},
};

static const char about[] =
    "The pass: give batches as ``run`` asks for them, take what it has made.\n"
    "\n"
    "Lanes are numbered from ``first_track``. Cells have levels ``finest`` to\n"
    "``coarsest``; slices before ``first_ts`` take no part in them. Methods raise\n"
    "ValueError for rows that are not in order or no rows at all, MemoryError, and\n"
    "RuntimeError while another thread runs it.";

static PyType_Slot slots[] = {
    {Py_tp_new, (void *)nest_new},
    {Py_tp_dealloc, (void *)nest_dealloc},
    {Py_tp_methods, methods},
    {Py_tp_doc, (void *)about},
    {0, NULL},
};

static PyType_Spec spec = {
    .name = "npuview.ingest._nest.Nest",
    .basicsize = sizeof(Nest),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};

static int add_type(PyObject *module) {
    static const struct {
        const char *name;
        enum want want;
    } wants[] = {
        {"DONE", WANT_NOTHING}, {"SLICES", WANT_SLICES}, {"PARTS", WANT_PARTS},
        {"FLOWS", WANT_FLOWS},  {"ROOM", WANT_ROOM},
    };
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int result = type == NULL ? -1 : PyModule_AddType(module, (PyTypeObject *)type);
    for (size_t i = 0; result == 0 && i < sizeof wants / sizeof *wants; i++) {
        PyObject *number = PyLong_FromLong((long)wants[i].want);
        result = number == NULL ? -1 : PyObject_SetAttrString(type, wants[i].name, number);
        Py_XDECREF(number);
    }
    Py_XDECREF(type);
    return result;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)add_type}, {0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, .m_name = "_nest", .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__nest(void) { return PyModuleDef_Init(&module); }
