"""Inlines the body of one kernel into another's."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType, f32
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects.elements import is_narrow_float, limits_of
from ...dialects.kernel import YieldOp
from ..bodies import Body


def inline_body(target: Block, source: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Clones the operations of `source` to the end of `target` with these arguments; returns what it yields."""
    mapping: dict[SSAValue, SSAValue] = dict(zip(source.args, arguments, strict=True))
    for op in source.ops:
        if isinstance(op, YieldOp):
            return [mapping.get(value, value) for value in op.values]
        clone = op.clone(value_mapper=mapping)
        target.add_op(clone)
    raise AssertionError("a body without kernel.yield passed verification")


def quantize_round_trip(block: Block, value: SSAValue, element: Attribute) -> SSAValue:
    """
    What a store to this element type and a load would make of a scalar: narrow integers saturate, narrow
    floating-point numbers are rounded.
    """
    body = Body(block)
    match element:
        case _ if is_narrow_float(element):
            assert isinstance(element, AnyFloat)
            return body.emit(arith.ExtFOp(body.emit(arith.TruncFOp(value, element)), f32))
        case IntegerType() if 1 < element.width.data < 32:
            low, high = limits_of(element)
            above = body.emit(arith.MaxSIOp(value, body.like(low, value)))
            return body.emit(arith.MinSIOp(above, body.like(high, value)))
        case _:
            return value
