"""
Sizes that are known only at run time: which dimensions of which values they are, and tensors that have them before a
call begins.

LiteRT allocates variables before a call, with sizes that follow from the shapes of inputs. A shape that is computed in
the call is not known by then, and a kernel would write out of bounds of its states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, i32
from xdsl.ir import Operation, SSAValue

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of
from ...dialects.traits import moved_data
from ...reference.arrays import Array
from ...reference.constants import constant_array
from .operators import broadcast
from .tensors import UNKNOWN, Tensor
from .writer import TflWriter

NUMBERED = -(2**20)
"""This number and lower ones stand for unknown sizes, while operations that move sizes are computed."""

SHAPE_OPERANDS: dict[type[Operation], Sequence[int]] = {
    tfl.BroadcastToOp: (1,),
    tfl.FillOp: (0,),
    tfl.RangeOp: (0, 1, 2),
    tfl.ReshapeOp: (1,),
    tfl.StridedSliceOp: (1, 2, 3),
    tfl.TileOp: (1,),
}
"""By operation, the operands whose elements decide the shape of the result."""

DYNAMIC_RESULTS = (tfl.CustomOp, tfl.IfOp, tfl.WhileOp)
"""Operations whose result shapes are known only after they have run."""

EVALUATED_IN_PREPARE = (tfl.ConcatenationOp, tfl.ReshapeOp, tfl.ShapeOp, tfl.StridedSliceOp)
"""Operations on shapes that LiteRT evaluates before a call."""


@dataclass(frozen=True)
class Size:
    """A dimension of a value."""

    value: SSAValue
    axis: int


def sizes_in(value: SSAValue) -> list[int | Size] | None:
    """The numbers in a list of sizes; None where one is neither constant nor a dimension."""
    sizes: list[Size] = []
    if (numbers := _numbers(value, sizes)) is None:
        return None
    flat = (int(number) for number in numbers.reshape(-1))
    return [sizes[NUMBERED - number] if number <= NUMBERED else number for number in flat]


def _numbers(value: SSAValue, sizes: list[Size]) -> Array | None:
    from ...reference.executor import evaluate

    if (array := constant_array(value)) is not None:
        return array
    op = value.owner
    if isinstance(op, nn.ShapeOfOp):
        numbers = list(shape_of(op.input))
        for axis, number in enumerate(numbers):
            if number == DYNAMIC_INDEX:
                numbers[axis] = NUMBERED - len(sizes)
                sizes.append(Size(op.input, axis))
        return np.array(numbers, np.int64)
    if not isinstance(op, Operation) or not (
        moved_data(op) or isinstance(op, nn.ConvertOp | nn.GatherOp)
    ):
        return None
    given = [_numbers(operand, sizes) for operand in op.operands]
    if any(array is None for array in given):
        return None
    return evaluate(op, [array for array in given if array is not None])[0]


def size_of(write: TflWriter, x: Tensor, axis: int) -> Tensor:
    """One dimension of a tensor, as a scalar of 32 bits."""
    if x.shape[axis] != UNKNOWN:
        return write.constant(x.shape[axis], "int32")
    sizes = write.op("SHAPE", [x], (x.rank,), "int32", out_type=i32)
    limits = [write.integers([number]) for number in (axis, axis + 1, 1)]
    return write.op("STRIDED_SLICE", [sizes, *limits], (), like=sizes, shrink_axis_mask=1)


def grown(write: TflWriter, x: Tensor, shape: Sequence[int | Size]) -> Tensor:
    """A tensor broadcast to a shape, some sizes of which are dimensions of other values."""
    rank = len(shape)
    known = [1 if isinstance(size, Size) else size for size in shape]
    if UNKNOWN not in x.shape and x.shape != tuple(known):
        x = write.op("BROADCAST_TO", [x, write.integers(known)], known, like=x)
    for axis, size in enumerate(shape):
        have = x.shape[axis - rank] if axis >= rank - x.rank else 1
        if isinstance(size, Size):
            never = _never(write, size, axis, rank)
        elif size != have:
            never = write.constant(np.zeros([size, *[1] * (rank - axis - 1)], np.bool_))
        else:
            continue
        x = write.op("SELECT_V2", [never, x, x], broadcast(never.shape, x.shape), like=x, data=1)
    return x


def _never(write: TflWriter, size: Size, axis: int, rank: int) -> Tensor:
    """False for each element along a dimension of a value, which stands at `axis` of `rank`."""
    view = write.view(size.value)
    along = view.order[size.axis]
    starts, ends, steps = ([n] * view.tensor.rank for n in (0, 1, 1))
    shape = [UNKNOWN if k == along else 1 for k in range(view.tensor.rank)]
    limits = [write.integers(numbers) for numbers in (starts, ends, steps)]
    operands = [view.tensor, *limits]
    line = write.op("STRIDED_SLICE", operands, shape, like=view.tensor, end_mask=1 << along)
    line = write.reshaped(line, [UNKNOWN if k == axis else 1 for k in range(rank)])
    return write.binary("LESS", line, line, element="bool")


def is_sized(x: Tensor) -> bool:
    """Whether LiteRT knows the size of a tensor before a call."""
    pending, seen = [x], set[Tensor]()
    while pending:
        each = pending.pop()
        op = each.value.owner
        if each in seen or UNKNOWN not in each.shape or not isinstance(op, Operation):
            continue
        seen.add(each)
        if isinstance(op, DYNAMIC_RESULTS):
            return False
        for place, operand in enumerate(op.operands):
            if tfl.is_absent(operand):
                continue
            if place not in SHAPE_OPERANDS.get(type(op), ()):
                pending.append(Tensor(operand))
            elif (measured := _measured(Tensor(operand))) is not None:
                pending += measured
            else:
                return False
    return True


def _measured(sizes: Tensor) -> Sequence[Tensor] | None:
    """The tensors whose dimensions are in a list of sizes; None where anything else in it is computed."""
    if sizes.data is not None:
        return []
    op = sizes.value.owner
    if not isinstance(op, EVALUATED_IN_PREPARE):
        return None
    operands = [Tensor(operand) for operand in op.operands if not tfl.is_absent(operand)]
    if type(op) is tfl.ShapeOp:
        return operands
    parts = [_measured(operand) for operand in operands]
    return None if None in parts else [each for part in parts for each in part or ()]
