"""Inlines the body of one kernel into another's."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType, f32
from xdsl.ir import Attribute, Block, SSAValue

from ...dialects.elements import is_narrow_float, limits_of
from ...dialects.kernel import YieldOp
from ...dialects.rewriter import Rewriter, append, move_operations, move_uses
from ..kernel_bodies.bodies import BodyBuilder, Scalar


def inline_body(target: Block, source: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """Clones the operations of `source` to the end of `target` with these arguments; returns what it yields."""
    mapping: dict[SSAValue, SSAValue] = dict(zip(source.args, arguments, strict=True))
    for op in source.ops:
        if isinstance(op, YieldOp):
            return [mapping.get(value, value) for value in op.values]
        clone = op.clone(value_mapper=mapping)
        append(target, clone)
    raise AssertionError("a body without kernel.yield passed verification")


def move_body(target: Block, source: Block, arguments: Sequence[SSAValue]) -> list[SSAValue]:
    """As `inline_body`, but moves the operations themselves: `source` is empty afterwards."""
    for old, new in zip(source.args, arguments, strict=True):
        move_uses(old, new)  # whose name stays as it is
    yields = end_body(source)
    move_operations(source, target)
    return yields


def end_body(block: Block) -> list[SSAValue]:
    """Removes the terminator of a body; returns what it yields."""
    end = block.last_op
    assert isinstance(end, YieldOp), "a body without kernel.yield passed verification"
    yields = list(end.values)
    Rewriter.erase_op(end)
    return yields


def quantize_round_trip(block: Block, value: SSAValue, element: Attribute) -> SSAValue:
    """
    What a store to this element type and a load would make of a scalar: narrow integers saturate, narrow
    floating-point numbers are rounded.
    """
    scalar = Scalar(BodyBuilder(block), value)
    match element:
        case _ if is_narrow_float(element):
            assert isinstance(element, AnyFloat)
            return scalar.cast(arith.TruncFOp, element).cast(arith.ExtFOp, f32).value
        case IntegerType() if 1 < element.width.data < 32:
            low, high = limits_of(element)
            return scalar.maximum(low).minimum(high).value
        case _:
            return value
