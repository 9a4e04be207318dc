#include "nest_buffers.h"

#include <string.h>

void held_release(struct held *held) {
    while (held->count > 0) {
        PyBuffer_Release(&held->views[--held->count]);
    }
}

int held_take(struct held *held, PyObject *const *buffers, const size_t *sizes, int columns,
              Py_ssize_t count) {
    held_release(held);
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "a batch has no fewer than 0 rows");
        return -1;
    }
    for (int i = 0; i < columns; i++) {
        Py_buffer *view = &held->views[i];
        if (PyObject_GetBuffer(buffers[i], view, PyBUF_SIMPLE) < 0) {
            held_release(held);
            return -1;
        }
        held->count++;
        if ((size_t)view->len / sizes[i] < (size_t)count) {
            PyErr_Format(PyExc_ValueError, "column %d has %zd bytes for %zd rows", i, view->len,
                         count);
            held_release(held);
            return -1;
        }
        if (count > 0 && (uintptr_t)view->buf % sizes[i] != 0) {
            PyErr_Format(PyExc_ValueError, "column %d is not aligned", i);
            held_release(held);
            return -1;
        }
    }
    return 0;
}

void bytes_drop(PyObject **objects, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Py_CLEAR(objects[i]);
    }
}

int bytes_make(PyObject **objects, const Py_ssize_t *sizes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Py_XDECREF(objects[i]);
        objects[i] = PyBytes_FromStringAndSize(NULL, sizes[i]);
        if (objects[i] == NULL) {
            bytes_drop(objects, count);
            return -1;
        }
        memset(PyBytes_AsString(objects[i]), 0, (size_t)sizes[i]);
    }
    return 0;
}
