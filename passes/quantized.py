"""Whether a model is quantized: what LPT is for."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Attribute, SSAValue

from ..dialects.accessors import operands_of
from ..dialects.elements import is_integer
from ..dialects.inferred import tensor
from ..dialects.nn import constant_of
from ..dialects.qnn import DequantizeOp, FakeQuantizeOp
from ..dialects.walk import all_operations


def is_quantized(module: ModuleOp) -> bool:
    """Whether a model is quantized: it has operations of `qnn`, or tensors of 8 bits or less."""
    return any(
        isinstance(op, FakeQuantizeOp | DequantizeOp) or any(map(is_narrow, op.results))
        for op in all_operations(module)
    )


def quantizes_weights_only(module: ModuleOp) -> bool:
    """Whether a model quantizes constants, but nothing that it computes."""
    quantized: list[SSAValue] = []
    for op in all_operations(module):
        if isinstance(op, FakeQuantizeOp):
            quantized.append(op.input)
        else:
            quantized += filter(is_narrow, (*operands_of(op), *op.results))
    return bool(quantized) and all(constant_of(value) is not None for value in quantized)


def is_narrow(value: SSAValue) -> bool:
    """Whether a value has elements of 8 bits or less, other than booleans."""
    if not isinstance(value.type, TensorType):
        return False
    element: Attribute = tensor(value).element_type
    return is_integer(element) and 1 < element.width.data <= 8
