"""Operations that put elements in another order, or others in the place of some: reverse, slice_scatter, patches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, result_def, traits_def
from xdsl.utils.exceptions import VerifyException

from ..blob import BlobAttr
from ..compatible import compatible_shapes
from ..inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    choice,
    normalize_axis,
    shape_of,
    spelled,
    static_shape,
)
from ..names import Names
from ..operation import op_definition
from ..properties import integers_prop, word_prop
from ..traits import DataMovement, HasWindow, MovesOrFillsWithZero
from .blocks import PadOp
from .derived import DerivedOp
from .movement import ConcatOp, LimitsOp, SliceOp
from .selection import GatherOp
from .shaped import InputOp
from .window import Window
from .writer import Writer

FIRST = -(2**63)
"""Where a slice backwards ends that takes the first element, too."""


@op_definition
class ReverseOp(InputOp, DerivedOp):
    """
    Elements in reverse order along `axes`, which are numbers in mode `index`, flags of all dimensions in mode `mask`.

        %axes = nn.constant dense<[1]> : tensor<1xi64>
        %y = nn.reverse %x, %axes {mode = "index"} : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x8xf32>
    """

    name = "nn.reverse"
    NAMES: ClassVar = Names("Reverse-1", "ReverseV2", "REVERSE_V2")

    axes = operand_def(INDEX)
    mode = word_prop("index")

    traits = traits_def(DataMovement())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        rank, axes = len(shape_of(self.input)), constants(self.axes)
        if choice(self, "mode", "index", "mask") == "index":
            for axis in axes or ():
                normalize_axis(self, axis, rank)
        elif axes is not None and len(axes) != rank:
            raise self.op_error(
                f"a mask of {len(axes)} flags for {rank} dimensions; each needs one"
            )
        return shape_of(self.input)

    def decompose(self, write: Writer) -> SSAValue:
        value, axes = self.input, self.known(self.axes, "axes")
        if self.mode.data == "mask":
            axes = [axis for axis, flag in enumerate(axes) if flag]
        for axis in sorted({axis % len(shape_of(value)) for axis in axes}):
            value = write(SliceOp, value, *map(write.integers, (-1, FIRST, -1, axis)))
        return value


@op_definition
class SliceScatterOp(LimitsOp, DerivedOp):
    """
    `result = data`, but `result[start:stop:step] = updates` along constant `axes`, with limits as of `nn.slice`.

        %start = nn.constant dense<[1]> : tensor<1xi64>
        %stop = nn.constant dense<[3]> : tensor<1xi64>
        %step = nn.constant dense<[1]> : tensor<1xi64>
        %axes = nn.constant dense<[0]> : tensor<1xi64>
        %y = nn.slice_scatter %x, %updates, %start, %stop, %step, %axes
            : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
            -> tensor<4x8xf32>
    """

    name = "nn.slice_scatter"
    NAMES: ClassVar = Names("SliceScatter-15")

    data = operand_def(SAME_ELEMENT)
    updates = operand_def(SAME_ELEMENT)
    result = result_def(SAME_ELEMENT)

    traits = traits_def(DataMovement(0, 2))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        limits = [constants(value) for value in self.operands[2:]]
        if not any(limit is None for limit in limits):
            try:
                part = SliceOp.of(self.data, *self.operands[2:])
            except VerifyException as error:
                raise self.op_error(f"{error}") from None
            taken, given = shape_of(part.result), shape_of(self.updates)
            part.erase()
            if not compatible_shapes(taken, given):
                raise self.op_error(
                    f"updates {spelled(given)} do not fit the slice {spelled(taken)}"
                )
        return [self.data.type]

    def decompose(self, write: Writer) -> SSAValue:
        limits = (
            self.known(value, name)
            for value, name in zip(
                self.operands[2:], ("start", "stop", "step", "axes"), strict=True
            )
        )
        return _scattered(write, self.data, self.updates, list(zip(*limits, strict=True)))


def _scattered(
    write: Writer, data: SSAValue, updates: SSAValue, limits: Sequence[tuple[int, ...]]
) -> SSAValue:
    """Along the first axis, what is taken from the updates lies behind the data, to be picked from both."""
    if not limits:
        return updates
    (start, stop, step, axis), *rest = limits
    size = static_shape(data)[axis]
    places = range(size)[SliceOp.part(start, stop, step, size)]
    part = write(SliceOp, data, *map(write.integers, (start, stop, step, axis))) if rest else data
    inner = _scattered(write, part, updates, rest)
    axis %= len(shape_of(data))
    both = write(ConcatOp, data, inner, axis=axis)
    order = list(range(size))
    for number, place in enumerate(places):
        order[place] = size + number
    along = write.constant(BlobAttr.of(TensorType(i64, []), axis))
    return write(GatherOp, both, write.integers(*order), along, batch_dims=0)


@op_definition
class ExtractImagePatchesOp(InputOp, DerivedOp):
    """
    The elements under a window of `sizes` at places `strides` apart, its elements `rates` apart, as channels:

        result[n, (i * sizes[1] + j) * C + c, y, x]
            = input[n, c, y * strides[0] + i * rates[0], x * strides[1] + j * rates[1]]

    Around the input there are zeros, as many as `auto_pad` needs.

        %y = nn.extract_image_patches %x {sizes = array<i64: 3, 3>, strides = array<i64: 2, 2>,
              rates = array<i64: 1, 1>, auto_pad = "valid"} : (tensor<1x2x7x7xf32>) -> tensor<1x18x3x3xf32>
    """

    name = "nn.extract_image_patches"
    NAMES: ClassVar = Names("ExtractImagePatches-3")

    sizes = integers_prop()
    strides = integers_prop()
    rates = integers_prop()
    auto_pad = word_prop()

    traits = traits_def(MovesOrFillsWithZero(), HasWindow())
    assembly_format = "$input attr-dict `:` functional-type(operands, results)"

    @property
    def window(self) -> Window:
        """Where the window lies."""
        sizes, strides, rates = (
            tuple(part.get_values()) for part in (self.sizes, self.strides, self.rates)
        )
        mode = choice(self, "auto_pad", "valid", "same_upper", "same_lower")
        if {len(sizes), len(strides), len(rates)} != {2} or min(*sizes, *strides, *rates) < 1:
            raise self.op_error(
                f"sizes {list(sizes)}, strides {list(strides)} and rates {list(rates)}; each is two "
                "numbers of 1 or more"
            )
        return Window(sizes, strides, rates, (0, 0), (0, 0), mode, "floor")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, window = shape_of(self.input), self.window
        if len(shape) != 4:
            raise self.op_error(f"input {spelled(shape)} is not [batch, channels, y, x]")
        batch, channels, *spatial = shape
        height, width = window.kernel
        depth = channels if channels == DYNAMIC_INDEX else channels * height * width
        positions = (
            size if size == DYNAMIC_INDEX else max(size, 0) for size in window.positions(spatial)
        )
        return (batch, depth, *positions)

    def decompose(self, write: Writer) -> SSAValue:
        spatial, window = static_shape(self.input)[2:], self.window
        (above, below), (left, right) = window.padding(spatial)
        value = self.input
        if above or below or left or right:
            begin, end = write.integers(0, 0, above, left), write.integers(0, 0, below, right)
            mode = StringAttr("constant")
            value = write(PadOp, value, begin, end, write.scalar_like(value, 0), pad_mode=mode)
        counts = window.positions(spatial)
        parts: list[SSAValue] = []
        for i in range(window.kernel[0]):
            for j in range(window.kernel[1]):
                firsts = i * window.dilations[0], j * window.dilations[1]
                stops = (
                    first + max((count - 1) * step + 1, 0)
                    for first, count, step in zip(firsts, counts, window.strides, strict=True)
                )
                steps, axes = write.integers(*window.strides), write.integers(2, 3)
                limits = write.integers(*firsts), write.integers(*stops), steps, axes
                parts.append(write(SliceOp, value, *limits))
        return write(ConcatOp, *parts, axis=1)
