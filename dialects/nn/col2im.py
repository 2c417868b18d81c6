"""Windows put together again: what overlaps is summed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def

from ..blob import BlobAttr
from ..compatible import compatible_dims
from ..inferred import INDEX, SAME_ELEMENT, Constants, shape_of, spelled, static_shape
from ..names import Names
from ..operation import op_definition
from ..properties import integers_prop
from .derived import DerivedOp
from .scatter import ScatterNdUpdateOp
from .shape import BroadcastOp
from .shaped import ShapedOp
from .window import Window
from .writer import Writer


@op_definition
class Col2ImOp(ShapedOp, DerivedOp):
    """
    The inverse of taking out windows: column l of `data`, `[batch…, channels * prod(kernel_size), windows]`, is what
    lies under the l-th window of an image of `output_size`; where windows overlap, they are summed.

        %size = nn.constant dense<[4, 5]> : tensor<2xi64>
        %kernel = nn.constant dense<[2, 2]> : tensor<2xi64>
        %y = nn.col2im %x, %size, %kernel {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
              pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>}
            : (tensor<3x8x12xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x2x4x5xf32>
    """

    name = "nn.col2im"
    NAMES: ClassVar = Names("Col2Im-15")

    data = operand_def(SAME_ELEMENT)
    output_size = operand_def(INDEX)
    kernel_size = operand_def(INDEX)
    strides = integers_prop()
    dilations = integers_prop()
    pads_begin = integers_prop()
    pads_end = integers_prop()

    def _window(self, kernel: Sequence[int]) -> Window:
        strides, dilations, begin, end = (
            tuple(part.get_values())
            for part in (self.strides, self.dilations, self.pads_begin, self.pads_end)
        )
        return Window(tuple(kernel), strides, dilations, begin, end, "explicit", "floor")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, size = shape_of(self.data), constants(self.output_size)
        kernel = constants(self.kernel_size)
        ranks = {len(part.get_values()) for part in (self.strides, self.dilations)}
        ranks |= {len(part.get_values()) for part in (self.pads_begin, self.pads_end)}
        ranks |= {len(part) for part in (size, kernel) if part is not None}
        if len(shape) not in (2, 3) or len(ranks) != 1:
            raise self.op_error(f"data {spelled(shape)} are not columns of images")
        *batch, rows, columns = shape
        spatial = [DYNAMIC_INDEX] * ranks.pop() if size is None else list(size)
        channels = DYNAMIC_INDEX
        if kernel is not None and rows != DYNAMIC_INDEX:
            channels, rest = divmod(rows, max(prod(kernel), 1))
            count = DYNAMIC_INDEX if size is None else prod(self._window(kernel).positions(size))
            if rest or not compatible_dims(count, columns):
                raise self.op_error(
                    f"data {spelled(shape)} are not {count} columns for windows {list(kernel)}"
                )
        return [*batch, channels, *spatial]

    def decompose(self, write: Writer) -> SSAValue:
        shape, kernel = static_shape(self.result), self.known(self.kernel_size, "kernel_size")
        window, spatial = self._window(kernel), shape[len(shape) - len(kernel) :]
        pixels, counts = prod(spatial), window.positions(spatial)
        planes = prod(shape[: len(shape) - len(kernel)])
        taps, columns = prod(kernel), prod(counts)
        rows = write.reshaped(self.data, (planes, taps * columns))
        updates = write.transposed(rows, (1, 0))
        type: TensorType[Attribute] = TensorType(i64, [taps * columns, 1])
        places = write.constant(BlobAttr.of(type, self._places(window, counts, spatial)))
        zeros = write(BroadcastOp, write.scalar_like(self.data, 0), write.integers(pixels, planes))
        total = write(ScatterNdUpdateOp, zeros, places, updates, reduction="sum")
        return write.reshaped(write.transposed(total, (1, 0)), shape)

    def _places(
        self, window: Window, counts: Sequence[int], spatial: Sequence[int]
    ) -> Sequence[int]:
        """Where in the image each element of each window lies; outside of it, behind its end."""
        import numpy as np

        places: list[int] = []
        for tap in product(*map(range, window.kernel)):
            flat, inside = np.zeros(counts, np.int64), np.ones(counts, np.bool_)
            for d, size in enumerate(spatial):
                along = np.arange(counts[d]) * window.strides[d] - window.pads_begin[d]
                along += tap[d] * window.dilations[d]
                along = along.reshape([-1 if i == d else 1 for i in range(len(counts))])
                flat = flat * size + along
                inside &= (along >= 0) & (along < size)
            places += np.where(inside, flat, prod(spatial)).reshape(-1).tolist()
        return places
