"""Builtins on complex numbers, which are pairs of real ones along one more dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ComplexType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of, tensor
from ...dialects.tables import registered
from ..tensorflow_rules.pairs import magnitude, paired, part
from .translation import OF_COMPLEX, Builtin, Translation, to_reach
from .values import is_complex

Function = Callable[..., SSAValue]


def computes(*builtins: str) -> Callable[[Function], Function]:
    """Registers the decorated function, which takes and returns values as `translation.computes` has it."""

    def register(function: Function) -> Function:
        def translate(t: Translation, op: tfl.TflOp) -> None:
            t.compute(op, function, False)

        registered(OF_COMPLEX, builtins)(translate)
        return function

    return register


@computes("RFFT2D")
def rfft2d(t: Translation, op: tfl.TflOp, x: SSAValue, lengths: SSAValue) -> SSAValue:
    return t(nn.RdftOp, x, t.integers(-2, -1), t.long(lengths))


@computes("REAL", "IMAG")
def real_or_imaginary(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return part(t, x, int(op.builtin() == "IMAG"))


@computes("COMPLEX_ABS")
def complex_abs(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return magnitude(t, x)


@computes("CAST")
def cast_(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    """As a real number, a complex number is its real part; as a complex number, a real one has imaginary part 0."""
    element = tensor(op.results[0]).element_type
    if not isinstance(element, ComplexType):
        return t.converted(part(t, x, 0), element)
    kind = cast(ComplexType[Any], element).element_type
    if is_complex(op.operands[0]):
        return t.converted(x, kind)
    real = t.converted(x, kind)
    return paired(t, real, t(nn.BroadcastOp, t.like(real, 0), t(nn.ShapeOfOp, real)))


@computes("RESHAPE", "SQUEEZE", "EXPAND_DIMS")
def reshape(t: Translation, op: tfl.TflOp, x: SSAValue, how: SSAValue | None = None) -> SSAValue:
    shape, rank = shape_of(op.results[0]), len(shape_of(op.operands[0]))
    if shape.count(DYNAMIC_INDEX) <= 1:
        return t.reshaped(x, (*shape, 2))
    if op.builtin() == "SQUEEZE" and len(dimensions := op.integers("squeeze_dims")):
        return t(nn.SqueezeOp, x, t.integers(*(each % rank for each in dimensions)))
    if op.builtin() == "EXPAND_DIMS" and how is not None:
        axes = t.integers_of(Builtin(op, ""), how, "axis")
        return t(nn.UnsqueezeOp, x, t.integers(*(each % (rank + 1) for each in axes)))
    if op.builtin() == "RESHAPE" and how is not None:
        return t(nn.ReshapeOp, x, t.joined([t.long(how), t.integers(2)], 0))
    raise DiagnosticException(
        f"its result {to_reach(shape)} has several unknown sizes; convert the model with fixed shapes"
    )


@computes("TRANSPOSE")
def transpose(t: Translation, op: tfl.TflOp, x: SSAValue, order: SSAValue) -> SSAValue:
    places = t.integers_of(Builtin(op, ""), order, "order")
    rank = len(shape_of(op.operands[0]))
    return t.transposed(x, (*(place % rank for place in places), rank))


@computes("SHAPE")
def shape(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    sizes = t(nn.ShapeOfOp, x, output_type=tensor(op.results[0]).element_type)
    return t.slice(sizes, 0, len(shape_of(op.operands[0])), 0)
