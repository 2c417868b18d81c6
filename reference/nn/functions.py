"""Operations that are NumPy functions of their operands, and selection."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from xdsl.ir import Operation

from ...dialects import nn
from ..arrays import Array
from ..functions import error_function
from ..meaning import meaning

FUNCTIONS: dict[type[Operation], Callable[..., Array]] = {
    nn.AddOp: np.add,
    nn.SubtractOp: np.subtract,
    nn.MultiplyOp: np.multiply,
    nn.MaximumOp: np.maximum,
    nn.MinimumOp: np.minimum,
    nn.FloorModOp: np.mod,
    nn.ModOp: np.fmod,
    nn.BitwiseAndOp: np.bitwise_and,
    nn.BitwiseOrOp: np.bitwise_or,
    nn.BitwiseXorOp: np.bitwise_xor,
    nn.BitwiseNotOp: np.invert,
    nn.BitwiseLeftShiftOp: np.left_shift,
    nn.BitwiseRightShiftOp: np.right_shift,
    nn.TanhOp: np.tanh,
    nn.ExpOp: np.exp,
    nn.LogOp: np.log,
    nn.SqrtOp: np.sqrt,
    nn.SinOp: np.sin,
    nn.CosOp: np.cos,
    nn.TanOp: np.tan,
    nn.AsinOp: np.arcsin,
    nn.AcosOp: np.arccos,
    nn.AtanOp: np.arctan,
    nn.SinhOp: np.sinh,
    nn.CoshOp: np.cosh,
    nn.AsinhOp: np.arcsinh,
    nn.AcoshOp: np.arccosh,
    nn.AtanhOp: np.arctanh,
    nn.AbsOp: np.abs,
    nn.NegativeOp: np.negative,
    nn.SignOp: np.sign,
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
    nn.SelectOp: np.where,
}


@meaning(*FUNCTIONS)
def function(op: Operation, *operands: Array) -> Array:
    with np.errstate(all="ignore"):
        return FUNCTIONS[type(op)](*operands)


@meaning(nn.ErfOp)
def erf(op: nn.FloatingOp, x: Array) -> Array:
    return error_function(x.astype(np.float64)).astype(x.dtype)
