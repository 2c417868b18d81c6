"""
The entry as Python calls it: a function in the interpreter's own terms, which costs a third of a call by ctypes.

It is what the C API calls METH_NOARGS, and lets other threads of the interpreter run meanwhile
(https://docs.python.org/3/c-api/structures.html, https://docs.python.org/3/c-api/capsule.html).
"""

from __future__ import annotations

from ...calling_convention import GET_POINTER, NEW_INT, PYTHON_ENTRY, RESTORE_THREAD, SAVE_THREAD
from .. import ir
from ..vectors import I64, POINTER, VOID, zero


def emit_python_entry(entry: ir.Function) -> None:
    """Emits it into the module that declares the entry."""
    module = entry.module
    signature = ir.FunctionType(POINTER, [POINTER, POINTER])
    function = ir.Function(module, signature, PYTHON_ENTRY)
    get_pointer = ir.Function(module, signature, GET_POINTER)
    save = ir.Function(module, ir.FunctionType(POINTER, []), SAVE_THREAD)
    restore = ir.Function(module, ir.FunctionType(VOID, [POINTER]), RESTORE_THREAD)
    new_int = ir.Function(module, ir.FunctionType(POINTER, [I64]), NEW_INT)

    b = ir.IRBuilder(function.append_basic_block())
    frame = b.call(get_pointer, [function.args[0], zero(POINTER)])
    thread = b.call(save, [])
    status = b.call(entry, [frame])
    b.call(restore, [thread])
    b.ret(b.call(new_int, [b.zext(status, I64)]))
