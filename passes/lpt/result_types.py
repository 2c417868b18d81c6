"""What a function returns: its type stays the one that the function declares."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import OpResult

from ...dialects.compatible import compatible
from ...dialects.rewriter import Rewriter


def keep_result_types(module: ModuleOp) -> None:
    """
    Gives what functions return the types that they declare. What is written in the place of a value may tell more of
    its sizes, as a scale for each channel does, or less. Other types are left to verification.
    """
    for function in module.walk():
        if not isinstance(function, func.FuncOp) or (end := function.get_return_op()) is None:
            continue
        for place, type in enumerate(function.function_type.outputs):
            value = end.operands[place]  # another one where the value was returned before, too
            if value.type != type and isinstance(value, OpResult) and compatible(value.type, type):
                Rewriter.replace_value_with_new_type(value, type)
