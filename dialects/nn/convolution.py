"""Convolutions and their transposes, plain and in groups; in floating point and exact in 8 bits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType, f32, i32
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, opt_operand_def, opt_prop_def, result_def, traits_def
from xdsl.utils.hints import isa

from ..blob import BlobAttr
from ..compatible import compatible_dims
from ..elements import is_unsigned
from ..inferred import INDEX, Constants, Shape, check_bytes, shape_of, spelled, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import INTEGER, integers_prop
from ..tensor_types import typed
from ..traits import Multiplies
from .matrix import product_element
from .window import WindowedOp, checked_positions, sizes_of


class Filters(NamedTuple):
    """What a filter's shape says: each group takes `inputs` channels to `outputs` channels."""

    groups: int
    inputs: int
    outputs: int
    kernel: Shape


class ConvolutionBase(WindowedOp, ABC):
    """A sum over the window and the input channels of a group, for each output channel."""

    GROUPED: ClassVar[bool]

    result = result_def(TensorType)

    traits = traits_def(Multiplies((("input", "filters"),)))

    def split_filters(self, shape: Shape) -> Filters:
        """What `shape`, that of the filters, says of this operation."""
        groups, (first, second, *kernel) = (shape[0], shape[1:]) if self.GROUPED else (1, shape)
        return self._named(groups, first, second, tuple(kernel))

    @abstractmethod
    def _named(self, groups: int, first: int, second: int, kernel: Shape) -> Filters: ...

    @abstractmethod
    def _spatial(self, constants: Constants, kernel: Shape, sizes: Shape) -> Shape: ...

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, filters = map(shape_of, self.operands[:2])
        if len(shape) < 3 or len(filters) != len(shape) + self.GROUPED:
            raise self.op_error(
                f"input {spelled(shape)} and filters {spelled(filters)} do not fit; "
                f"channels and spatial dimensions need {'groups and ' if self.GROUPED else ''}as many "
                "dimensions in the filters"
            )
        parts = self.split_filters(filters)
        channels = _times(parts.groups, parts.inputs)
        if not compatible_dims(channels, shape[1]):
            raise self.op_error(
                f"input {spelled(shape)} has {shape[1]} channels, filters "
                f"{spelled(filters)} take {channels}"
            )
        element = product_element(self, *(tensor(v).element_type for v in self.operands[:2]))
        spatial = self._spatial(constants, parts.kernel, shape[2:])
        return [typed(element, (shape[0], _times(parts.groups, parts.outputs), *spatial))]


def _holds(element: Attribute, number: int) -> bool:
    """Whether codes of this type have such a number."""
    if not isa(element, IntegerType) or element.width.data != 8:
        return False
    return 0 <= number < 256 if is_unsigned(element) else -128 <= number < 128


def _times(groups: int, channels: int) -> int:
    return DYNAMIC_INDEX if DYNAMIC_INDEX in (groups, channels) else groups * channels


class ForwardConvolution(ConvolutionBase, ABC):
    """
    `result[n, o, p] = sum_{i, k} input[n, i, p * stride + k * dilation - pad] * filters[o, i, k]`

    What lies outside of the input is 0, or the code `pad_value` where codes have a zero point.

    With a `column_scale`, of the shape of the filters or with a 1 instead of some sizes, inputs and the kernel but its
    last dimension always, codes are summed apart for each index `c` of that dimension. The result is in f32:

        result[n, o, p] = sum_c column_scale[o, c] * sum_{i, k with k[-1] = c} input[…] * filters[o, i, k]
    """

    input = operand_def(TensorType)
    filters = operand_def(TensorType)
    pad_value = opt_prop_def(INTEGER)
    column_scale = opt_prop_def(BlobAttr)

    @property
    def outside(self) -> int:
        """What the window reads outside of the input."""
        return 0 if self.pad_value is None else self.pad_value.value.data

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        element = tensor(self.operands[0]).element_type
        if self.pad_value is not None and not _holds(element, self.outside):
            raise self.op_error(
                f"pad_value {self.outside} is not a code of {element}; it is for inputs of codes"
            )
        (result,) = super().infer_types(constants)
        if self.column_scale is None:
            return [result]
        return [self._scaled(self.column_scale, result)]

    def _scaled(self, scale: BlobAttr, sums: Attribute) -> Attribute:
        """The type of sums of codes times the scales of their columns."""
        assert isa(sums, TensorType)
        shape, filters = scale.type.get_shape(), shape_of(self.filters)
        first_tap = 2 + self.GROUPED
        summed = range(first_tap - 1, len(filters) - 1)
        if (
            scale.type.element_type != f32
            or len(shape) != len(filters)
            or any(size not in (1, whole) for size, whole in zip(shape, filters, strict=True))
            or any(shape[axis] != 1 for axis in summed)
        ):
            wanted = [1 if axis in summed else size for axis, size in enumerate(filters)]
            raise self.op_error(
                f"column_scale is {scale.type}; it must be f32 and fit into {spelled(wanted)}"
            )
        if sums.element_type != i32:
            raise self.op_error(
                f"column_scale is for sums of 8-bit codes, these are of {sums.element_type}"
            )
        return typed(f32, sums.get_shape())

    def _named(self, groups: int, first: int, second: int, kernel: Shape) -> Filters:
        return Filters(groups, second, first, kernel)

    def _spatial(self, constants: Constants, kernel: Shape, sizes: Shape) -> Shape:
        return checked_positions(self, self.window(kernel), sizes)


@op_definition
class ConvolutionOp(ForwardConvolution):
    """
    `result[n, o, p] = sum_{i, k} input[n, i, p * stride + k * dilation - pad] * filters[o, i, k]`

    `p` and `k` have 1 to 3 or more dimensions. What lies outside of the input is 0, or the code `pad_value`
    where codes have a zero point (an extension). Both operands have one
    type, which the result shares, or both are 8-bit integers and the result is exact in i32.

        %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>,
              pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
            : (tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) -> tensor<1x16x8x8xf32>
    """

    name = "nn.convolution"
    NAMES: ClassVar = Names("Convolution-1", "Conv2D Conv3D", "CONV_2D CONV_3D", "Conv-22")
    GROUPED: ClassVar[bool] = False


@op_definition
class GroupConvolutionOp(ForwardConvolution):
    """
    A convolution of each group of channels with its own filters `[group, outputs, inputs, …]`. That of codes may
    have a `column_scale` (an extension, `ForwardConvolution`).

        %y = nn.group_convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>,
              pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>}
            : (tensor<1x16x8x8xf32>, tensor<16x1x1x3x3xf32>) -> tensor<1x16x8x8xf32>
    """

    name = "nn.group_convolution"
    NAMES: ClassVar = Names(
        "GroupConvolution-1", "DepthwiseConv2dNative", "DEPTHWISE_CONV_2D", "Conv-22"
    )
    GROUPED: ClassVar[bool] = True


class BackwardConvolution(ConvolutionBase, ABC):
    """
    `result[n, o, p * stride + k * dilation - pad] = sum_{i, p, k} input[n, i, p] * filters[i, o, k]`

    A `zero_point`, the code of 0, is subtracted from each input where these are codes.
    """

    input = operand_def(TensorType)
    filters = operand_def(TensorType)
    output_shape = opt_operand_def(INDEX)
    output_padding = integers_prop()
    zero_point = opt_prop_def(INTEGER)

    @property
    def code_of_zero(self) -> int:
        """The code of the input that means 0."""
        return 0 if self.zero_point is None else self.zero_point.value.data

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        element = tensor(self.input).element_type
        if self.zero_point is not None and not _holds(element, self.code_of_zero):
            raise self.op_error(
                f"zero_point {self.code_of_zero} is not a code of {element}; it is for inputs of codes"
            )
        return super().infer_types(constants)

    def _named(self, groups: int, first: int, second: int, kernel: Shape) -> Filters:
        return Filters(groups, first, second, kernel)

    def _spatial(self, constants: Constants, kernel: Shape, sizes: Shape) -> Shape:
        if self.output_shape is None:
            return self.spatial(None, kernel, sizes)
        known = constants(self.output_shape)
        return (
            (DYNAMIC_INDEX,) * len(sizes) if known is None else self.spatial(known, kernel, sizes)
        )

    def spatial(self, known: Sequence[int] | None, kernel: Shape, sizes: Shape) -> Shape:
        """The result's spatial sizes; `known` is the output shape. Raises VerifyException on shape errors."""
        window = self.window(kernel)
        more = sizes_of(self, "output_padding", kernel, 0)
        spans = _spans(sizes, window.strides, window.extents, more)
        type = tensor(self.input)
        check_bytes(
            self, "its result before padding is left out", TensorType(type.element_type, spans)
        )
        if known is not None:
            if len(known) != len(sizes) or any(size < 1 for size in known):
                raise self.op_error(
                    f"output_shape {list(known)} must be {len(sizes)} positive sizes, "
                    "those of the spatial dimensions"
                )
            return tuple(known)
        explicit = window.auto_pad == "explicit"
        pads = [b + e for b, e in zip(window.pads_begin, window.pads_end, strict=True)]
        result: list[int] = []
        for i, span in enumerate(spans):
            size = span - pads[i] if explicit and span != DYNAMIC_INDEX else span
            if span != DYNAMIC_INDEX and size < 1:
                raise self.op_error(
                    f"padding leaves nothing of the {span} elements of dimension {i}"
                )
            result.append(size)
        return tuple(result)

    def pads_before(self, kernel: Shape, sizes: Shape, result: Shape) -> Shape:
        """How many of the first elements are left out to make a result of these sizes."""
        window = self.window(kernel)
        if window.auto_pad == "explicit":
            return window.pads_begin
        if window.auto_pad == "valid":
            return (0,) * len(sizes)
        more = sizes_of(self, "output_padding", kernel, 0)
        totals = [
            max(span - size, 0)
            for span, size in zip(
                _spans(sizes, window.strides, window.extents, more), result, strict=True
            )
        ]
        upper = window.auto_pad == "same_upper"
        return tuple(total - total // 2 if upper else total // 2 for total in totals)


def _spans(sizes: Shape, strides: Shape, extents: Shape, more: Shape) -> Shape:
    """What all positions of the kernel span together."""
    return tuple(
        DYNAMIC_INDEX if DYNAMIC_INDEX in (size, extent) else (size - 1) * stride + extent + padding
        for size, stride, extent, padding in zip(sizes, strides, extents, more, strict=True)
    )


@op_definition
class ConvolutionBackpropDataOp(BackwardConvolution):
    """
    `result[n, o, p * stride + k * dilation - pad] = sum_{i, p, k} input[n, i, p] * filters[i, o, k]`
    (also called deconvolution)

    Its spatial sizes are `output_shape`, or what input, padding and `output_padding` give. A `zero_point` is subtracted
    from inputs that are codes (an extension).

        %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>,
              pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>}
            : (tensor<1x8x5xf32>, tensor<8x4x2xf32>) -> tensor<1x4x10xf32>
    """

    name = "nn.convolution_backprop_data"
    NAMES: ClassVar = Names(
        "ConvolutionBackpropData-1", "Conv2DBackpropInput", "TRANSPOSE_CONV", "ConvTranspose-22"
    )
    GROUPED: ClassVar[bool] = False


@op_definition
class GroupConvolutionBackpropDataOp(BackwardConvolution):
    """
    `convolution_backprop_data` of each group of channels with its own filters `[group, inputs, outputs, …]`. It may
    have a `zero_point` (an extension).

        %y = nn.group_convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>,
              pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>}
            : (tensor<1x8x5xf32>, tensor<2x4x2x2xf32>) -> tensor<1x4x10xf32>
    """

    name = "nn.group_convolution_backprop_data"
    NAMES: ClassVar = Names("GroupConvolutionBackpropData-1", "", "", "ConvTranspose-22")
    GROUPED: ClassVar[bool] = True
