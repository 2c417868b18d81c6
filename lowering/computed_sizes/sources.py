"""Where the numbers of a computed shape come from: known ones, or the sizes of other values."""

from __future__ import annotations

from math import prod

from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import constant_integers, shape_of
from .bounded import Size


def source(value: SSAValue, index: int) -> Size | None:
    """An element of a scalar or a vector of integers: a number, or the vector of one that it is taken from."""
    if (known := constant_integers(value)) is not None:
        return known[index]
    match op := value.owner:
        case nn.ReshapeOp() | nn.SqueezeOp() | nn.UnsqueezeOp() | nn.ConvertOp():
            return source(op.operands[0], index)
        case nn.ConcatOp():
            for part in op.operands:
                if index < (size := prod(shape_of(part))):
                    return source(part, index)
                index -= size
            return None
        case nn.GatherOp() if len(shape_of(op.input)) == 1:
            if (places := constant_integers(op.indices)) is None:
                return None
            return source(op.input, places[index] % shape_of(op.input)[0])
        case nn.SliceOp() if len(shape_of(op.input)) == 1:
            size = shape_of(op.input)[0]
            limits = [constant_integers(each) for each in (op.start, op.stop, op.step)]
            if any(each is None for each in limits):
                return None
            taken = range(size)[slice(*(each[0] for each in limits if each))]
            return source(op.input, taken[index])
        case nn.ReduceProdOp() if len(shape_of(op.input)) == 1:
            parts = [source(op.input, i) for i in range(shape_of(op.input)[0])]
            known = prod(part for part in parts if isinstance(part, int))
            others = [part for part in parts if not isinstance(part, int)]
            return known if not others else others[0] if (known, len(others)) == (1, 1) else None
        case nn.SelectOp() if (holds := _holds(op.condition, index)) is not None:
            chosen = op.operands[1 if holds else 2]
            return source(chosen, index if shape_of(chosen) == shape_of(value) else 0)
        case _:
            return value if shape_of(value) == (1,) else None


def _holds(condition: SSAValue, index: int) -> bool | None:
    """Whether a size is the number that it is compared with; one that is computed is not negative."""
    if not isinstance(op := condition.owner, nn.EqualOp):
        return None
    shapes = [shape_of(each) for each in op.operands]
    size, other = (
        source(each, index if shape == shape_of(condition) else 0)
        for each, shape in zip(op.operands, shapes, strict=True)
    )
    if isinstance(size, int) and isinstance(other, int):
        return size == other
    is_negative = isinstance(other, int) and other < 0
    return False if isinstance(size, SSAValue) and is_negative else None
