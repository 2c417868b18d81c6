"""Places that go on evenly: integers of a body that are `slope * iteration + first`, element by element."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType
from xdsl.ir import BlockArgument, OpResult, SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of, tensor
from ..infer_shapes import KnownIntegers
from .loop import Carried, Loop

MOST = 64
"""Elements of a value that is looked at; more are no places."""


@dataclass(frozen=True)
class Places:
    """`slope * iteration + first`, of two arrays of one shape."""

    slope: Any
    first: Any

    @classmethod
    def of(cls, loop: Loop, value: SSAValue) -> Places | None:
        """What integers of the body are; None where they do not go on evenly, or not from a known start."""
        shape = shape_of(value)
        is_integer = isinstance(tensor(value).element_type, IntegerType)
        if not is_integer or DYNAMIC_INDEX in shape or np.prod(shape) > MOST:
            return None
        if (known := loop.known(value)) is not None:
            return cls(np.zeros(shape, np.int64), np.array(known, np.int64).reshape(shape))
        if isinstance(value, BlockArgument):
            return cls._of_argument(loop, value)
        assert isinstance(value, OpResult)
        return cls._of_result(loop, value)

    @classmethod
    def _of_argument(cls, loop: Loop, value: BlockArgument) -> Places | None:
        ones = np.ones(shape_of(value), np.int64)
        if value.index >= len(loop.op.inputs):
            return cls(ones, 0 * ones)
        for carried in loop.carried():
            if carried.argument is value and (step := step_of(carried)) is not None:
                start = KnownIntegers()(carried.start)
                return None if start is None else cls(step * ones, start[0] * ones)
        return None

    @classmethod
    def _of_result(cls, loop: Loop, value: OpResult) -> Places | None:
        op = value.op
        if not isinstance(op, _KINDS):
            return None
        if isinstance(op, nn.ReshapeOp | nn.SqueezeOp | nn.UnsqueezeOp | nn.ConvertOp):
            if (given := cls.of(loop, op.operands[0])) is None:
                return None
            return cls(*(n.reshape(shape_of(value)) for n in (given.slope, given.first)))
        operands = [cls.of(loop, operand) for operand in op.operands]
        known = [each for each in operands if each is not None]
        if len(known) < len(operands):
            return None
        match op, known:
            case nn.ConcatOp(), parts:
                axis = op.axis.value.data
                columns = zip(*((p.slope, p.first) for p in parts), strict=True)
                return cls(*(np.concatenate(column, axis) for column in columns))
            case nn.AddOp(), (a, b):
                return cls(a.slope + b.slope, a.first + b.first)
            case nn.SubtractOp(), (a, b):
                return cls(a.slope - b.slope, a.first - b.first)
            case nn.MultiplyOp(), (a, b) if not (a.slope.any() and b.slope.any()):
                return cls(a.slope * b.first + b.slope * a.first, a.first * b.first)
            case nn.LessOp(), (a, b):
                return cls(a.slope - b.slope, a.first - b.first)._is_negative(loop)
            case nn.SelectOp(), (choice, yes, no) if not choice.slope.any():
                pairs = zip((yes.slope, yes.first), (no.slope, no.first), strict=True)
                return cls(*(np.where(choice.first != 0, a, b) for a, b in pairs))
            case _:
                return None

    def _is_negative(self, loop: Loop) -> Places | None:
        """Whether each is less than 0, where that is the same in every iteration."""
        last = inf if loop.most is None else max(loop.most - 1, 0)
        moves = self.slope != 0
        ends = self.first + np.where(moves, np.where(moves, self.slope, 1.0) * last, 0.0)
        below = (self.first < 0) & (ends < 0)
        above = (self.first >= 0) & (ends >= 0)
        if not np.all(below | above):
            return None
        return Places(np.zeros_like(self.slope), below.astype(np.int64))


_KINDS = (
    nn.AddOp,
    nn.ConcatOp,
    nn.ConvertOp,
    nn.LessOp,
    nn.MultiplyOp,
    nn.ReshapeOp,
    nn.SelectOp,
    nn.SqueezeOp,
    nn.SubtractOp,
    nn.UnsqueezeOp,
)


def step_of(carried: Carried) -> int | None:
    """How much more a carried integer is after each iteration; None where something else becomes of it."""
    op, argument = carried.after.owner, carried.argument
    if not isinstance(tensor(argument).element_type, IntegerType):
        return None
    if not isinstance(op, nn.AddOp | nn.SubtractOp) or shape_of(argument) not in ((), (1,)):
        return None
    if op.lhs is argument:
        more = carried.loop.known(op.rhs)
    elif op.rhs is argument and isinstance(op, nn.AddOp):
        more = carried.loop.known(op.lhs)
    else:
        return None
    if more is None or len(more) != 1 or shape_of(carried.after) != shape_of(argument):
        return None
    return more[0] if isinstance(op, nn.AddOp) else -more[0]
