"""Pooling: the greatest or the mean element of each window."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX

from ..inferred import Constants, choice, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, integers_prop, word_prop
from .shaped import InputOp
from .window import Window, WindowedOp, checked_positions, sizes_of


class PoolingOp(InputOp, WindowedOp, ABC):
    """One element for each position of the window, in each channel."""

    kernel = integers_prop()
    rounding_type = word_prop("floor")

    def pooling_window(self) -> Window:
        """The window. Raises VerifyException where a property does not fit."""
        shape = shape_of(self.input)
        if len(shape) < 3:
            raise self.op_error(f"input {spelled(shape)} has no spatial dimensions to pool over")
        if len(shape) != (rank := 2 + len(self.kernel.get_values())):
            raise self.op_error(
                f"input {spelled(shape)} has {len(shape)} dimensions; kernel "
                f"{spelled(self.kernel.get_values())} needs {rank}, the batch and channels before those of the image"
            )
        kernel = sizes_of(self, "kernel", shape[2:], 1)
        rounding = choice(self, "rounding_type", "floor", "ceil", "ceil_torch")
        return self.window(kernel, rounding)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        window, (batch, channels, *sizes) = self.pooling_window(), shape_of(self.input)
        positions = checked_positions(self, window, sizes)
        return (batch, channels, *positions)


@op_definition
class MaxPoolOp(PoolingOp):
    """
    `result[n, c, p] = max_k input[n, c, p * stride + k * dilation - pad]`; padding is never the greatest.
    It does not give indices.

        %y = nn.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 0>,
              pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x8x6xf32> -> tensor<1x8x3xf32>
    """

    name = "nn.max_pool"
    NAMES: ClassVar = Names("MaxPool-14", "MaxPool", "MAX_POOL_2D", "MaxPool-22")


@op_definition
class AvgPoolOp(PoolingOp):
    """
    `result[n, c, p] = mean_k input[n, c, p * stride + k * dilation - pad]`

    Without `exclude_pad`, and where there is padding, in whatever dimension, all that lies outside of the input
    counts as zeros. Else it does not count at all: not what the last position of `ceil` reaches over, either. A
    window with nothing of the input gives 0. Means of 8-bit integers are rounded to the nearest, halves to even;
    of longer ones, toward zero.

        %y = nn.avg_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 1>,
              pads_end = array<i64: 1>, dilations = array<i64: 1>, exclude_pad = true}
            : tensor<1x8x6xf32> -> tensor<1x8x4xf32>
    """

    name = "nn.avg_pool"
    NAMES: ClassVar = Names("AvgPool-16", "AvgPool", "AVERAGE_POOL_2D", "AveragePool-22")

    exclude_pad = flag_prop()

    def counts_outside(self) -> bool:
        """Whether what lies outside of the input counts; if padding depends on an unknown size, there is some."""
        if self.exclude_pad:
            return False
        window, sizes = self.pooling_window(), shape_of(self.input)[2:]
        if window.auto_pad.startswith("same") and DYNAMIC_INDEX in sizes:
            return True
        return any(map(any, window.padding(sizes)))
