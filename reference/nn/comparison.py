"""Comparisons, logic and selection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from xdsl.ir import Operation

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning

FUNCTIONS: dict[type[Operation], Callable[..., Array]] = {
    nn.EqualOp: np.equal,
    nn.NotEqualOp: np.not_equal,
    nn.LessOp: np.less,
    nn.LessEqualOp: np.less_equal,
    nn.GreaterOp: np.greater,
    nn.GreaterEqualOp: np.greater_equal,
    nn.LogicalAndOp: np.logical_and,
    nn.LogicalOrOp: np.logical_or,
    nn.LogicalXorOp: np.logical_xor,
    nn.LogicalNotOp: np.logical_not,
}
"""Operations that are NumPy functions of their operands."""


@meaning(*FUNCTIONS)
def function(op: Operation, *operands: Array) -> Array:
    return FUNCTIONS[type(op)](*operands)


@meaning(nn.SelectOp)
def select(op: nn.SelectOp, condition: Array, then_value: Array, else_value: Array) -> Array:
    return np.where(condition, then_value, else_value)
