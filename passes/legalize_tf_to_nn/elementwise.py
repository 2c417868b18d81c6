"""Operations that go from element to element, and activations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr, TensorType, UnregisteredAttr, f64, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.blob import is_integer
from ...dialects.inferred import shape_of, tensor
from ..tensorflow import TfOp
from .translation import Translation, rule
from .values import Nothing, Value

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
"""The constants of `selu(x) = scale * elu(x, alpha)`."""


Composed = Callable[[Translation, SSAValue], SSAValue]

COMPOSED: dict[str, Composed] = {
    "Square": lambda t, x: t(nn.MultiplyOp, x, x),
    "Rsqrt": lambda t, x: t(nn.DivideOp, t.like(x, 1), t(nn.SqrtOp, x)),
    "Reciprocal": lambda t, x: t(nn.DivideOp, t.like(x, 1), x),
    "Inv": lambda t, x: t(nn.DivideOp, t.like(x, 1), x),
    "Expm1": lambda t, x: t(nn.SubtractOp, t(nn.ExpOp, x), t.like(x, 1)),
    "Log1p": lambda t, x: t(nn.LogOp, t(nn.AddOp, x, t.like(x, 1))),
    "Relu6": lambda t, x: clamped(t, x, 0, 6),
    "Softsign": lambda t, x: t(nn.DivideOp, x, t(nn.AddOp, t(nn.AbsOp, x), t.like(x, 1))),
    "Softplus": lambda t, x: softplus(t, x),
    "Elu": lambda t, x: t(nn.EluOp, x, alpha=FloatAttr(1.0, f64)),
    "Selu": lambda t, x: t(
        nn.MultiplyOp, t(nn.EluOp, x, alpha=FloatAttr(SELU_ALPHA, f64)), t.like(x, SELU_SCALE)
    ),
    "ZerosLike": lambda t, x: filled(t, x, 0),
    "OnesLike": lambda t, x: filled(t, x, 1),
}
"""Operations of one operand, written as several."""


@rule(*COMPOSED)
def composed(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return COMPOSED[op.name](t, t.tensor_of(op, values[0]))


def softplus(t: Translation, x: SSAValue) -> SSAValue:
    """`max(x, 0) + log(1 + exp(-|x|))`, which no large x overflows."""
    small = t(nn.ExpOp, t(nn.NegativeOp, t(nn.AbsOp, x)))
    return t(nn.AddOp, t(nn.ReluOp, x), t(nn.LogOp, t(nn.AddOp, small, t.like(x, 1))))


def clamped(t: Translation, x: SSAValue, low: float, high: float) -> SSAValue:
    """`min(max(x, low), high)`"""
    return t(nn.ClampOp, x, min=FloatAttr(float(low), f64), max=FloatAttr(float(high), f64))


def filled(t: Translation, x: SSAValue, number: float) -> SSAValue:
    """A tensor of this number, of the shape of `x`."""
    return t(nn.BroadcastOp, t.like(x, number), t.sizes(x))


@rule("LeakyRelu")
def leaky_relu(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    alpha = t.like(x, op.number("alpha", 0.2))
    return t(nn.PReluOp, x, t(nn.UnsqueezeOp, alpha, t.integers(0)))


@rule("BiasAdd", "BiasAddV1")
def bias_add(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, bias = t.tensors_of(op, values)
    if op.text("data_format") == "NCHW":
        behind = range(1, len(shape_of(x)) - 1)
        bias = t(nn.UnsqueezeOp, bias, t.integers(*behind)) if behind else bias
    return t(nn.AddOp, x, bias)


@rule("FloorDiv")
def floor_div(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    a, b = t.tensors_of(op, values)
    quotient = t(nn.DivideOp, a, b)  # of integers it goes toward minus infinity
    return quotient if is_integer(tensor(a).element_type) else t(nn.FloorOp, quotient)


@rule("AddN")
def add_n(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    first, *rest = t.tensors_of(op, values)
    for value in rest:
        first = t(nn.AddOp, first, value)
    return first


@rule("ClipByValue")
def clip_by_value(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, low, high = t.tensors_of(op, values)
    return t(nn.MinimumOp, t(nn.MaximumOp, x, low), high)


@rule("Select", "SelectV2")
def select(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    condition, yes, no = t.tensors_of(op, values)
    missing = len(shape_of(yes)) - len(shape_of(condition))
    if op.name == "Select" and missing > 0 and shape_of(condition):  # its condition is of rows
        axes = range(1, 1 + missing)
        condition = t(nn.UnsqueezeOp, condition, t.integers(*axes))
    return t(nn.SelectOp, condition, yes, no)


def element_type(op: TfOp, type: Attribute) -> Attribute:
    """The element type that a type attribute, or the result of an operation, says."""
    if isinstance(type, UnregisteredAttr):
        raise DiagnosticException(f"tf.{op.name}: elements of {type} have no meaning here")
    return cast(TensorType[Any], type).element_type


@rule("Cast")
def cast_(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    wanted = element_type(op, op.op.results[0].type)
    return converted(t, t.tensor_of(op, values[0]), wanted)


def converted(t: Translation, x: SSAValue, wanted: Attribute) -> SSAValue:
    """`x` with elements of a type."""
    if tensor(x).element_type == wanted:
        return x
    return t(nn.ConvertOp, x, destination_type=wanted)


@rule("Identity", "StopGradient", "PreventGradient", "Snapshot", "CheckNumerics", "EnsureShape")
def identity(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return values[0]


@rule("IdentityN")
def identity_n(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    return values


@rule("Const")
def const(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    import numpy as np

    from ...reference.arrays import blob_of
    from ...reference.tfl import dense_array

    if (value := op.get("value")) is None:
        raise DiagnosticException("tf.Const: has no value; write value = dense<…>")
    if not isinstance(getattr(value, "type", None), TensorType):
        return Nothing()  # text, say, of an assertion that is dropped
    element = cast(TensorType[Any], cast(Any, value).type).element_type
    array = dense_array(value)
    declared = op.op.results[0].type
    if isinstance(declared, TensorType) and array.size == 1:
        shape = cast(TensorType[Any], declared).get_shape()
        if min(shape, default=0) >= 0:  # TensorFlow's tools print one element for many equal ones
            array = np.broadcast_to(array.reshape(()), shape)
    return t.constant(blob_of(array, element))


@rule("Softmax", "LogSoftmax")
def softmax(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x = t.tensor_of(op, values[0])
    if op.name == "Softmax":
        return t(nn.SoftmaxOp, x, axis=IntegerAttr(-1, i64))
    top = t(nn.ReduceMaxOp, x, t.integers(-1), keep_dims=IntegerAttr.from_bool(True))
    shifted = t(nn.SubtractOp, x, top)
    total = t(
        nn.ReduceSumOp,
        t(nn.ExpOp, shifted),
        t.integers(-1),
        keep_dims=IntegerAttr.from_bool(True),
    )
    return t(nn.SubtractOp, shifted, t(nn.LogOp, total))
