"""CanBeQuantized: operations that compute on values only."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from ....dialects.elements import is_float
from ....dialects.inferred import InferredOp, tensor
from ....dialects.nn import ConvertOp
from ....dialects.qnn import DequantizeOp
from ....dialects.walk import all_operations
from ..attributes import note_precisions
from ..target import Target


def mark_can_be_quantized(module: ModuleOp, target: Target) -> None:
    """
    Marks every operation that no enabled transformation of the main step is about: its inputs in floating point
    take no codes, `input0 = []`.
    """
    for op in all_operations(module):
        if not isinstance(op, InferredOp) or target.is_about(op):
            continue
        if isinstance(op, ConvertOp | DequantizeOp):
            continue  # they dequantize
        ports = [
            port
            for port, operand in enumerate(op.operands)
            if is_float(tensor(operand).element_type)
        ]
        if ports:
            note_precisions(op, {f"input{port}": () for port in ports})
