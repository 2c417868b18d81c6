"""Products of codes (matrix products and convolutions): what they require of their operands."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects.elements import is_unsigned
from ...dialects.inferred import tensor
from ...dialects.nn import MatMulOp, MultiplyOp, Nn, SliceOp, SubtractOp, constant_of
from ...dialects.nn.convolution import ConvolutionBase
from ...dialects.qnn import DequantizeOp
from ...dialects.traits import multiplied
from ...reference.arrays import array_of
from .dequantization import PUT_FAKE_QUANTIZE, Dequantization, why_not_quantized
from .plan import LptPlan

PRODUCTS = tuple(op for op in Nn.operations if multiplied(op))
"""The operations that multiply 8-bit codes and accumulate exactly in 32 bits."""

QUANTIZE_ALL = (
    "the model quantizes weights only; quantize all of it: lowstream.quantize(model, samples)"
)
"""The advice where only weights are quantized."""


def is_product(value: SSAValue) -> bool:
    """Whether a value is the result of a product, dequantized or not, also where its zero points were split off."""
    owner = value.owner
    if isinstance(owner, DequantizeOp):
        return is_product(owner.input)
    if isinstance(owner, SubtractOp) and tensor(value).element_type == i32:
        return is_product(owner.lhs)
    if isinstance(owner, SubtractOp):
        return _is_split(owner)
    return isinstance(owner, PRODUCTS)


def _is_split(op: SubtractOp) -> bool:
    """Whether a difference takes off what zero points of filters add to a product."""
    sums, shift = op.lhs.owner, op.rhs.owner
    window = shift.lhs if isinstance(shift, MultiplyOp) else op.rhs
    if isinstance(sums, SliceOp):
        other = window.owner
        return isinstance(other, SliceOp) and other.input == sums.input and is_product(sums.input)
    return is_product(op.lhs) and is_product(window) and sums_windows(window)


def sums_windows(value: SSAValue) -> bool:
    """Whether a product only sums windows or rows: its filters, or weights, are ones."""
    while isinstance(owner := value.owner, DequantizeOp):
        value = owner.input
    if not isinstance(owner, MatMulOp | ConvolutionBase):
        return False
    weights = owner.operands[1].owner
    blob = constant_of(weights.input if isinstance(weights, DequantizeOp) else owner.operands[1])
    return blob is not None and bool((array_of(blob) == 1).all())


def why_in_float(plan: LptPlan, value: SSAValue, port: int) -> str:
    """What a user can do about an operand of a product that carries no dequantization."""
    return why_not_quantized(value, port, QUANTIZE_ALL if plan.weights_only else PUT_FAKE_QUANTIZE)


def unsupported(op: Operation, plan: LptPlan, port: int, side: Dequantization) -> str | None:
    """Why a product does not support the quantization of one operand."""
    if not isinstance(tensor(side.codes).element_type, IntegerType):
        return f"input {port} is not quantized; put a FakeQuantize on it"
    if not side.is_low:
        return f"input {port} is the 32-bit sum of another product; put a FakeQuantize on it"
    if (reason := rejected_precision(op, plan, port, tensor(side.codes).element_type)) is not None:
        return reason
    if plan.needs_per_tensor(op, f"input{port}") and side.scale.ndim:
        return (
            f"input {port} is quantized per channel; {plan.config.title} takes one scale there, so "
            "quantize it per tensor"
        )
    return None


def asymmetric(weights: Dequantization) -> str | None:
    """Why a product does not support the zero points of its weights."""
    if weights.is_symmetric:
        return None
    return "input 1 is quantized with a zero point; quantize it symmetrically around 0"


def rejected_precision(op: Operation, plan: LptPlan, port: int, element: Attribute) -> str | None:
    """Why the configuration rejects the precision of an input."""
    takes = plan.precisions(op, f"input{port}")
    if takes is None or element in takes:
        return None
    wanted = " or ".join(map(str, takes)) or "floating point"
    return f"input {port} is quantized to {element}; {plan.config.title} takes {wanted} there; quantize it to {wanted}"


def overflow(a: Dequantization | None, b: Dequantization, length: int) -> str | None:
    """Why a sum of this many products could overflow i32; without `a`, of those of u8."""
    if length == DYNAMIC_INDEX:
        return "it sums a number of products that is unknown, so 32 bits may overflow; fix its size"
    one = largest_code(a) * largest_code(b)
    if length * one >= 2**31:
        return f"it sums {length} products, and 32 bits may overflow; {(2**31 - 1) // one} are safe"
    return None


def sums_fit(length: int, a: Dequantization | None, b: Dequantization) -> bool:
    """
    Whether 32 bits hold sums of this many products of codes, and what zero points add to them; without `a`, of those of
    u8. An unknown number does not fit.
    """
    (code_a, point_a), (code_b, point_b) = (
        (largest_code(side), _largest_zero_point(side)) for side in (a, b)
    )
    return 0 <= length * (code_a * (code_b + point_b) + point_a * code_b) < 2**31


def _largest_zero_point(side: Dequantization | None) -> float:
    return 255 if side is None else float(np.abs(side.zero_point.astype(np.float64)).max(initial=0))


def largest_code(side: Dequantization | None) -> int:
    """The greatest absolute value of an 8-bit code, by default of u8."""
    return 255 if side is None or is_unsigned(tensor(side.codes).element_type) else 128
