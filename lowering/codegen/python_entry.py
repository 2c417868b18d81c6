"""
The entry as Python calls it: a function in the interpreter's own terms, which costs a third of a call by ctypes.

    PyObject *python_entry(PyObject *frame, PyObject *)     frame = a capsule of the frame's address

It is what the C API calls METH_NOARGS, and lets other threads of the interpreter run meanwhile
(https://docs.python.org/3/c-api/structures.html, https://docs.python.org/3/c-api/capsule.html).
"""

from __future__ import annotations

from llvmlite import ir

from .load import PYTHON_ENTRY
from .vectors import I64, POINTER, VOID, zero


def emit_python_entry(entry: ir.Function) -> None:
    """Beside the entry, in its module."""
    module = entry.module
    signature = ir.FunctionType(POINTER, [POINTER, POINTER])
    function = ir.Function(module, signature, PYTHON_ENTRY)
    get_pointer = ir.Function(module, signature, "PyCapsule_GetPointer")
    save = ir.Function(module, ir.FunctionType(POINTER, []), "PyEval_SaveThread")
    restore = ir.Function(module, ir.FunctionType(VOID, [POINTER]), "PyEval_RestoreThread")
    new_int = ir.Function(module, ir.FunctionType(POINTER, [I64]), "PyLong_FromLongLong")

    b = ir.IRBuilder(function.append_basic_block())
    frame = b.call(get_pointer, [function.args[0], zero(POINTER)])
    thread = b.call(save, [])
    status = b.call(entry, [frame])
    b.call(restore, [thread])
    b.ret(b.call(new_int, [b.zext(status, I64)]))
