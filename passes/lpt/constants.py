"""Constants in LPT: plain, converted and dequantized ones."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import Shape, label, tensor
from ...dialects.nn import AddOp, BinaryOp, ConvertOp, MultiplyOp, NegativeOp, SubtractOp
from ...dialects.origins import ORIGINAL
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...reference.arrays import Array, array_of, dtype_of
from ...reference.constants import constant_array


def constant_behind(value: SSAValue) -> Array | None:
    """A constant, also one that is converted before it is used."""
    if not isinstance(op := value.owner, ConvertOp):
        return constant_array(value)
    array = constant_array(op.input)
    return None if array is None else array.astype(dtype_of(op.destination_type))


def with_constant(op: BinaryOp) -> tuple[SSAValue, Array] | None:
    """The operand of a commutative operation that is not a constant, and the constant."""
    for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        if (known := constant_behind(other)) is not None:
            return value, known
    return None


def scaled_or_shifted(op: Operation) -> SSAValue | None:
    """What arithmetic with a constant, or a negation, takes beside it; both become part of a dequantization."""
    if isinstance(op, NegativeOp):
        return op.operands[0]
    if isinstance(op, AddOp | SubtractOp | MultiplyOp):
        for value, other in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            if known_value(other) is not None:
                return value
    return None


def known_value(value: SSAValue) -> Array | None:
    """The values of a constant, dequantized ones too."""
    op = value.owner
    if not isinstance(op, DequantizeOp):
        return constant_behind(value)
    if (array := constant_array(op.input)) is None:
        return None
    codes = array.astype(np.float64)
    if op.zero_point is not None:
        codes = codes - array_of(op.zero_point)
    return (codes * array_of(op.scale)).astype(dtype_of(tensor(value).element_type))


def shape_error(array: Array, shape: Shape) -> str | None:
    """
    Why an array cannot be the scale or zero point of a value: it does not broadcast to its shape, or varies along
    more than one dimension.
    """
    sizes = array.shape
    if len(sizes) > len(shape) or any(
        size not in (1, have) or (size != 1 and have == DYNAMIC_INDEX)
        for size, have in zip(sizes[::-1], shape[::-1], strict=False)
    ):
        return "its constant is larger than its other input"
    if sum(size != 1 for size in sizes) > 1:
        return "its constant differs along more than one dimension"
    return None


def without_nan(op: FakeQuantizeOp, array: Array) -> Array:
    """The constant that is quantized. Raises DiagnosticException where a number is none: no code stands for it."""
    if np.isnan(array).any():
        raise DiagnosticException(
            f"{label(op).replace(ORIGINAL, '')}: the constant that it quantizes holds NaN; train or "
            "export it again"
        )
    return array


def is_finite(array: Array) -> bool:
    """Whether f32 can hold these numbers."""
    with np.errstate(over="ignore"):
        return bool(np.isfinite(array.astype(np.float32)).all())
