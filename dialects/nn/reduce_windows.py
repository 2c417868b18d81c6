"""Reductions of windows whose limits are computed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, result_def

from ..compatible import compatible_shapes
from ..inferred import INDEX, Constants, choice, shape_of, spelled
from ..operation import op_definition
from ..properties import word_prop
from .derived import DerivedOp
from .detection.suppression import FLOATS
from .expression import Expression, constant
from .shaped import InputOp
from .writer import Writer


@op_definition
class ReduceWindowsOp(InputOp, DerivedOp):
    """
    The `sum` or the `max` (`reduction`) of the rows of `input` `[size…, channel]` in each window. Limits of windows
    `[window…, dimension]` are computed: row p lies in window w where `begins[w, d] <= p[d] < ends[w, d]` in each
    dimension d. Without rows, the sum is 0 and the maximum is minus infinity.

        %y = nn.reduce_windows %x, %begins, %ends {reduction = "max"}
            : (tensor<6x8x3xf32>, tensor<4x2xi32>, tensor<4x2xi32>) -> tensor<4x3xf32>
    """

    name = "nn.reduce_windows"

    HAS_KERNEL: ClassVar = True

    input = operand_def(FLOATS)
    begins = operand_def(INDEX)
    ends = operand_def(INDEX)
    result = result_def(FLOATS)
    reduction = word_prop("sum")

    @property
    def none(self) -> float:
        """The result of a window without rows."""
        return -math.inf if self.reduction.data == "max" else 0.0

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        choice(self, "reduction", "sum", "max")
        shape, begins, ends = map(shape_of, self.operands)
        if (
            len(begins) != len(ends)
            or not begins
            or {begins[-1], ends[-1]} - {len(shape) - 1, DYNAMIC_INDEX}
            or len(shape) < 2
            or not compatible_shapes(begins, ends)
        ):
            raise self.op_error(
                f"limits {spelled(begins)} and {spelled(ends)} are not [window…, {max(len(shape) - 1, 1)}], "
                f"one for each dimension but the last of {spelled(shape)}"
            )
        windows = (max(pair) for pair in zip(begins[:-1], ends[:-1], strict=True))
        return (*windows, shape[-1])

    def decompose(self, write: Writer) -> SSAValue:
        """Reduces one dimension after the other, with `none` in place of what lies outside of a window."""
        x, begins, ends = (Expression(write, operand) for operand in self.operands)
        *windows, rank = begins.shape
        *sizes, channels = x.shape
        count, x = math.prod(windows), x.reshaped(1, *x.shape)
        begins, ends = (each.reshaped(count, rank) for each in (begins, ends))
        for d in reversed(range(rank)):
            x = x.reshaped(x.shape[0], math.prod(sizes[:d]), sizes[d], channels)
            places = begins.on(
                constant(write, begins.element, [1, 1, sizes[d], 1], range(sizes[d]))
            )
            begin, end = (
                each.slice(1, d, d + 1).reshaped(count, 1, 1, 1) for each in (begins, ends)
            )
            x = ((places >= begin) & (places < end)).where(x, self.none)
            x = x.sum(2, keep=True) if self.reduction.data == "sum" else x.most(2, keep=True)
        return x.reshaped(*windows, channels).value
