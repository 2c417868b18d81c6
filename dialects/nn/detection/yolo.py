"""The last layers of YOLO, versions 2 and 3."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import traits_def

from ...inferred import Constants, floating, normalize_axis, shape_of, spelled, static_shape
from ...names import Names
from ...operation import op_definition
from ...properties import flag_prop, integer_prop, integers_prop, numbers_prop
from ...traits import DataMovement
from ..derived import DerivedOp
from ..elementwise import SigmoidOp
from ..expression import Expression, concatenated
from ..normalization import SoftmaxOp
from ..shaped import InputOp
from ..writer import Writer


@op_definition
class RegionYoloOp(InputOp, DerivedOp):
    """
    Sigmoids of what a cell says of each region: of its place, whether there is an object, and of classes; its extent
    stays as it is. Channels are those of one region after the other: `coords` numbers (the first two a
    place), one for an object, `classes` ones.

    With `do_softmax` there are `num` regions, classes are a softmax, and dimensions `axis` to `end_axis` become one;
    else there are as many regions as `mask` has elements. `anchors` are not used.

        %y = nn.region_yolo %x {coords = 4 : i64, classes = 3 : i64, num = 2 : i64, do_softmax = false,
              mask = array<i64: 0, 1>, axis = 1 : i64, end_axis = 3 : i64, anchors = []}
            : tensor<1x16x2x3xf32> -> tensor<1x16x2x3xf32>
    """

    name = "nn.region_yolo"
    NAMES: ClassVar = Names("RegionYolo-1")

    coords = integer_prop()
    classes = integer_prop()
    num = integer_prop()
    do_softmax = flag_prop()
    mask = integers_prop()
    axis = integer_prop()
    end_axis = integer_prop()
    anchors = numbers_prop(())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = floating(self, self.input).get_shape()
        regions = self.num.value.data if self.do_softmax else len(self.mask)
        entries = self.coords.value.data + 1 + self.classes.value.data
        if len(shape) != 4 or shape[1] not in (regions * entries, DYNAMIC_INDEX):
            raise self.op_error(
                f"input {spelled(shape)} must be [batch, {regions} regions * {entries} numbers, "
                "height, width]"
            )
        if not self.do_softmax:
            return shape
        first, last = (
            normalize_axis(self, axis.value.data, 4) for axis in (self.axis, self.end_axis)
        )
        joined = shape[first : last + 1]
        size = DYNAMIC_INDEX if DYNAMIC_INDEX in joined else prod(joined)
        return (*shape[:first], size, *shape[last + 1 :])

    def decompose(self, write: Writer) -> SSAValue:
        batch, channels, height, width = static_shape(self.input)
        coords, classes = self.coords.value.data, self.classes.value.data
        entries = coords + 1 + classes
        x = Expression(write, self.input)
        x = x.reshaped(batch, channels // entries, entries, height, width)
        place, extent, rest = x.slice(2, 0, 2), x.slice(2, 2, coords), x.slice(2, coords, entries)
        parts = [x.on(write(SigmoidOp, place.value)), extent]
        if self.do_softmax:
            kinds = rest.slice(2, 1, classes + 1)
            parts.append(x.on(write(SigmoidOp, rest.slice(2, 0, 1).value)))
            parts.append(x.on(write(SoftmaxOp, kinds.value, axis=2)))
        else:
            parts.append(x.on(write(SigmoidOp, rest.value)))
        (type,) = self.infer_types(lambda value: None)
        assert isinstance(type, TensorType)
        return concatenated(2, *parts).reshaped(*type.get_shape()).value


@op_definition
class ReorgYoloOp(InputOp, DerivedOp):
    """
    Blocks of `stride` times `stride` elements become channels, as Darknet has it: the memory of the
    input is read as `[C / stride², H * stride, W * stride]`, and channel `k * C / stride² + c` of the result is
    element `(k / stride, k mod stride)` of each of its blocks in channel c.

        %y = nn.reorg_yolo %x {stride = array<i64: 2>} : tensor<1x8x4x6xf32> -> tensor<1x32x2x3xf32>
    """

    name = "nn.reorg_yolo"
    NAMES: ClassVar = Names("ReorgYolo-2")

    stride = integers_prop()

    traits = traits_def(DataMovement())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, strides = shape_of(self.input), set(self.stride.get_values())
        if len(shape) != 4 or len(strides) != 1 or min(strides) < 1:
            raise self.op_error(
                f"takes images [batch, channels, height, width] and one stride, not {spelled(shape)} "
                f"and {sorted(strides)}"
            )
        (stride,) = strides
        batch, channels, *sizes = shape
        for size, block in ((channels, stride**2), (sizes[0], stride), (sizes[1], stride)):
            if size != DYNAMIC_INDEX and size % block:
                raise self.op_error(f"{size} of {spelled(shape)} is not a multiple of {block}")
        halves = [size if size == DYNAMIC_INDEX else size // stride for size in sizes]
        more = channels if channels == DYNAMIC_INDEX else channels * stride**2
        return (batch, more, *halves)

    def decompose(self, write: Writer) -> SSAValue:
        """As many elements as the input has are read as one channel of blocks, and written one after the other."""
        batch, channels, height, width = static_shape(self.input)
        stride = int(self.stride.get_values()[0])
        kept = channels // stride**2
        x = Expression(write, self.input).reshaped(batch, kept, height, stride, width, stride)
        x = x.transposed(0, 3, 5, 1, 2, 4)
        return x.reshaped(batch, channels * stride**2, height // stride, width // stride).value
