/* Buffers of Python that a batch is read from, and bytes that it becomes. */
#ifndef NPUVIEW_NEST_BUFFERS_H
#define NPUVIEW_NEST_BUFFERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

enum { MOST_COLUMNS = 5 };

/* The buffers of a batch, held while the stream is in it. */
struct held {
    Py_buffer views[MOST_COLUMNS];
    int count;
};

void held_release(struct held *held);

/* Hold the buffers of a batch; the sizes say how wide a value of each is. Return 0, or -1
 * with an exception. */
int held_take(struct held *held, PyObject *const *buffers, const size_t *sizes, int columns,
              Py_ssize_t count);

void bytes_drop(PyObject **objects, size_t count);

/* Make room for what a batch becomes; flat bytes that Arrow can read in place. Return 0, or
 * -1 with an exception. */
int bytes_make(PyObject **objects, const Py_ssize_t *sizes, size_t count);

#endif
