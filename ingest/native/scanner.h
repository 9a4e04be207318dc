/* The Python type around the rows of one block. */
#ifndef NPUVIEW_SCANNER_H
#define NPUVIEW_SCANNER_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "scan.h"

extern PyType_Spec scanner_spec;

#endif
