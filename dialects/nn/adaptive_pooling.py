"""Pooling to a given number of positions, whose windows differ in size and overlap."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, prop_def, result_def, traits_def

from ..inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    floating,
    shape_of,
    spelled,
    static_shape,
)
from ..names import Names
from ..operation import op_definition
from ..traits import HasWindow
from .derived import DerivedOp
from .elementwise import ConvertOp
from .expression import Expression, constant
from .pooling import AvgPoolOp
from .pooling_indices import flat_places, greatest
from .shaped import InputOp
from .window import sizes_attribute
from .writer import Writer


class AdaptivePoolingOp(InputOp, DerivedOp, ABC):
    """
    One element for each of as many positions as the constant `output_shape` says; position i of o sees
    elements `⌊i * size / o⌋` to `⌈(i + 1) * size / o⌉` of a dimension.
    """

    output_shape = operand_def(INDEX)

    traits = traits_def(HasWindow())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.input)
        shape, wanted = shape_of(self.input), constants(self.output_shape)
        if len(shape) < 3 or 0 in shape[2:]:
            raise self.op_error(f"input {spelled(shape)} has no spatial dimensions to pool over")
        if wanted is None:
            return (*shape[:2], *(DYNAMIC_INDEX,) * (len(shape) - 2))
        if len(wanted) != len(shape) - 2 or any(size < 1 for size in wanted):
            raise self.op_error(
                f"output_shape {list(wanted)} must be {len(shape) - 2} positive sizes, one for "
                "each spatial dimension"
            )
        return (*shape[:2], *wanted)

    def windows(self) -> list[list[range]]:
        """Of each spatial dimension, what each position sees."""
        sizes = static_shape(self.input)[2:]
        wanted = self.known(self.output_shape, "output_shape")
        return [
            [range(i * size // count, -(-(i + 1) * size // count)) for i in range(count)]
            for size, count in zip(sizes, wanted, strict=True)
        ]


@op_definition
class AdaptiveAvgPoolOp(AdaptivePoolingOp):
    """
    The mean of what each position sees: of o positions, number i sees elements `⌊i * size / o⌋` to
    `⌈(i + 1) * size / o⌉` of a dimension.

        %sizes = nn.constant dense<[3]> : tensor<1xi64>
        %y = nn.adaptive_avg_pool %x, %sizes : (tensor<1x8x7xf32>, tensor<1xi64>) -> tensor<1x8x3xf32>
    """

    name = "nn.adaptive_avg_pool"
    NAMES: ClassVar = Names("AdaptiveAvgPool-8")

    def decompose(self, write: Writer) -> SSAValue:
        """Windows of one size that do not overlap are pooled; others are gathered, then reduced."""
        value, windows = self.input, self.windows()
        sizes = static_shape(value)[2:]
        even = [
            size // len(seen) if size % len(seen) == 0 else 1
            for size, seen in zip(sizes, windows, strict=True)
        ]
        if prod(even) > 1:
            none, ones = (sizes_attribute([n] * len(sizes)) for n in (0, 1))
            value = write(
                AvgPoolOp,
                value,
                kernel=sizes_attribute(even),
                strides=sizes_attribute(even),
                pads_begin=none,
                pads_end=none,
                dilations=ones,
                exclude_pad=True,
            )
        for axis, (size, seen) in enumerate(zip(sizes, windows, strict=True), 2):
            if size % len(seen):
                value = _averaged(write, value, axis, seen)
        return value


def _averaged(write: Writer, value: SSAValue, axis: int, windows: Sequence[range]) -> SSAValue:
    """The means of what windows see along an axis; the places of a window that is short are outside, and 0."""
    x = Expression(write, value)
    outside, longest = x.shape[axis], max(map(len, windows))
    rows = [[*seen, *[outside] * (longest - len(seen))] for seen in windows]
    shape = (len(windows), longest)
    indices = x.on(constant(write, i64, shape, [i for row in rows for i in row]))
    after = [1] * (len(x.shape) - axis - 1)
    counts = x.constant([len(windows), *after], map(len, windows))
    return (x.gathered(indices, axis).sum(axis + 1) / counts).value


@op_definition
class AdaptiveMaxPoolOp(AdaptivePoolingOp):
    """
    The greatest of what each position sees, and its index in the flattened spatial dimensions, the first one of
    several: of o positions, number i sees elements `⌊i * size / o⌋` to `⌈(i + 1) * size / o⌉` of a dimension.

        %sizes = nn.constant dense<[3]> : tensor<1xi64>
        %y, %i = nn.adaptive_max_pool %x, %sizes {index_element_type = i64}
            : (tensor<1x8x7xf32>, tensor<1xi64>) -> (tensor<1x8x3xf32>, tensor<1x8x3xi64>)
    """

    name = "nn.adaptive_max_pool"
    NAMES: ClassVar = Names("AdaptiveMaxPool-8")

    result = result_def(SAME_ELEMENT)
    indices = result_def(TensorType)
    index_element_type = prop_def(IntegerType, default_value=i64)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        (values,) = super().infer_types(constants)
        return [values, TensorType(self.index_element_type, self.infer_shape(constants))]

    def decompose(self, write: Writer) -> Sequence[SSAValue]:
        batch, channels, *sizes = static_shape(self.input)
        x = write.reshaped(self.input, (batch, channels, prod(sizes)))
        places = flat_places(self.windows(), sizes)
        values, indices = greatest(write, write.transposed(x, (0, 2, 1)), places)
        indices = write(ConvertOp, indices, destination_type=self.index_element_type)
        shape = self.infer_shape(lambda value: self.known(value, "output_shape"))
        return [
            write.reshaped(write.transposed(each, (0, 2, 1)), shape) for each in (values, indices)
        ]
