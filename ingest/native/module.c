/* npuview.ingest._scan: the strict fast path of the timeline reader. */
#include "scanner.h"

static PyMethodDef methods[] = {
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module)
{
    PyObject *scanner = PyType_FromSpec(&scanner_spec);
    int failed;
    if (scanner == NULL)
        return -1;
    failed = PyModule_AddObjectRef(module, "Scanner", scanner) ||
             PyModule_AddIntConstant(module, "MORE", STOP_MORE) ||
             PyModule_AddIntConstant(module, "REFUSED", STOP_REFUSED) ||
             PyModule_AddIntConstant(module, "END", STOP_NONE);
    Py_DECREF(scanner);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)module_exec},
    {0, NULL},
};

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "npuview.ingest._scan",
    .m_doc = "The strict scanner of trace events in C.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__scan(void)
{
    return PyModuleDef_Init(&definition);
}
