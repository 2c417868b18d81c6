"""Elementwise operations and activations."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import TensorType, f32, f64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.elements import bits_of, is_integer
from ...dialects.inferred import shape_of, tensor
from ..tensorflow import TfOp
from .rules import Legalizer, rule

COMPOSED: dict[str, Callable[[Legalizer, SSAValue], SSAValue]] = {
    "Square": lambda t, x: t(nn.MultiplyOp, x, x),
    "Rsqrt": lambda t, x: t(nn.DivideOp, t.like(x, 1), t(nn.SqrtOp, x)),
    "Relu6": lambda t, x: t.clamp(x, 0, 6),
    "Elu": lambda t, x: t(nn.EluOp, x, alpha=1.0),
}
"""Unary operations that are written as several."""


@rule(*COMPOSED)
def composed(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    return COMPOSED[op.name](t, x)


@rule("LeakyRelu")
def leaky_relu(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    slope = BlobAttr.of(TensorType(tensor(x).element_type, [1]), op.number("alpha", 0.2))
    return t(nn.PReluOp, x, t.constant(slope))


@rule("FloorDiv")
def floor_div(t: Legalizer, op: TfOp, a: SSAValue, b: SSAValue) -> SSAValue:
    quotient = t(nn.DivideOp, a, b)  # of integers it goes toward minus infinity
    return quotient if is_integer(tensor(a).element_type) else t(nn.FloorOp, quotient)


@rule("AddN")
def add_n(t: Legalizer, op: TfOp, first: SSAValue, *rest: SSAValue) -> SSAValue:
    for value in rest:
        first = t(nn.AddOp, first, value)
    return first


@rule("Select", "SelectV2")
def select(t: Legalizer, op: TfOp, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
    missing = len(shape_of(yes)) - len(shape_of(condition))
    if op.name == "Select" and missing > 0 and shape_of(condition):  # its condition is of rows
        condition = t(nn.UnsqueezeOp, condition, t.integers(*range(1, 1 + missing)))
    return t(nn.SelectOp, condition, yes, no)


@rule("Cast", moves=True)
def cast(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    return t.converted(x, op.element)


@rule("Softmax", "LogSoftmax")
def softmax(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    if op.name == "Softmax":
        beta = op.number("beta", 1.0)
        return t(nn.SoftmaxOp, x if beta == 1 else t(nn.MultiplyOp, x, beta), axis=-1)
    top = t(nn.ReduceMaxOp, x, t.integers(-1), keep_dims=True)
    shifted = t(nn.SubtractOp, x, top)
    total = t(nn.ReduceSumOp, t(nn.ExpOp, shifted), t.integers(-1), keep_dims=True)
    return t(nn.SubtractOp, shifted, t(nn.LogOp, total))


@rule("Bitcast")
def bitcast(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    """Between integers of the same width, a conversion does the same."""
    source, element = tensor(x).element_type, op.element
    if source == element or _are_integers_alike(source, element):
        return t.converted(x, element)
    if {source, element} & {f32, f64} and bits_of(source) == bits_of(element):
        return t(nn.BitcastOp, x, destination_type=element)
    raise DiagnosticException(
        f"{op.label}: the bits of {source} as {element} are not supported; use integers of as many bits, or those of "
        "f32 or f64"
    )


def _are_integers_alike(source: Attribute, element: Attribute) -> bool:
    return is_integer(source) and is_integer(element) and bits_of(source) == bits_of(element)
