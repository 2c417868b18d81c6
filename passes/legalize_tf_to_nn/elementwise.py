"""Elementwise operations and activations that LiteRT does not have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import shape_of
from ..tensorflow import TfOp
from .translation import Translation, computes, rule
from .values import Nothing, Value

SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
"""The constants of `selu(x) = scale * elu(x, alpha)`."""

LOG1P_LIMIT, LOG1P_TERMS = 0.4, range(1, 15, 2)
"""Below this, `log(1 + x)` is a sum of as many terms `2 s^n / n`."""


def expm1(t: Translation, x: SSAValue) -> SSAValue:
    """`elu` below 0, which is exact near 0; above, `exp(x) - 1 = -exp(x) * elu(-x)`."""
    above = t(nn.ReluOp, x)
    rest = t(nn.MultiplyOp, t(nn.ExpOp, above), t(nn.EluOp, t(nn.NegativeOp, above), alpha=1.0))
    return t(nn.SubtractOp, t(nn.EluOp, t(nn.MinimumOp, x, 0), alpha=1.0), rest)


def log1p(t: Translation, x: SSAValue) -> SSAValue:
    """
    `log(1 + x)`; where x is small, and lost in the sum, `2 atanh(s)` of `s = x / (2 + x)` by its Taylor series, whose
    next term is below the last digit of f32.
    """
    part = t(nn.DivideOp, x, t(nn.AddOp, x, 2))
    square = t(nn.MultiplyOp, part, part)
    series = t.like(x, 2 / LOG1P_TERMS[-1])
    for term in reversed(LOG1P_TERMS[:-1]):
        series = t(nn.AddOp, t(nn.MultiplyOp, square, series), 2 / term)
    is_small = t(nn.LessOp, t(nn.AbsOp, x), t.like(x, LOG1P_LIMIT))
    return t(nn.SelectOp, is_small, t(nn.MultiplyOp, part, series), t(nn.LogOp, t(nn.AddOp, x, 1)))


COMPOSED: dict[str, Callable[[Translation, SSAValue], SSAValue]] = {
    "Reciprocal": lambda t, x: t(nn.DivideOp, t.like(x, 1), x),
    "Inv": lambda t, x: t(nn.DivideOp, t.like(x, 1), x),
    "Erfc": lambda t, x: t(nn.SubtractOp, t.like(x, 1), t(nn.ErfOp, x)),
    "Expm1": lambda t, x: expm1(t, x),
    "Log1p": lambda t, x: log1p(t, x),
    "Selu": lambda t, x: t(nn.MultiplyOp, t(nn.EluOp, x, alpha=SELU_ALPHA), SELU_SCALE),
    "ZerosLike": lambda t, x: t(nn.BroadcastOp, t.like(x, 0), t.sizes(x)),
    "OnesLike": lambda t, x: t(nn.BroadcastOp, t.like(x, 1), t.sizes(x)),
}
"""Unary operations that are written as several."""


@computes(*COMPOSED)
def composed(t: Translation, op: TfOp, x: SSAValue) -> SSAValue:
    return COMPOSED[op.name](t, x)


@computes("BiasAdd", "BiasAddV1")
def bias_add(t: Translation, op: TfOp, x: SSAValue, bias: SSAValue) -> SSAValue:
    behind = range(1, len(shape_of(x)) - 1) if op.text("data_format") == "NCHW" else ()
    return t(nn.AddOp, x, t(nn.UnsqueezeOp, bias, t.integers(*behind)) if behind else bias)


@computes("ClipByValue")
def clip_by_value(t: Translation, op: TfOp, x: SSAValue, low: SSAValue, high: SSAValue) -> SSAValue:
    return t(nn.MinimumOp, t(nn.MaximumOp, x, low), high)


@rule("Identity", "StopGradient", "PreventGradient", "Snapshot", "CheckNumerics", "EnsureShape")
def identity(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return values[0]


@rule("IdentityN")
def identity_n(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    return values


@rule("Const")
def const(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
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
