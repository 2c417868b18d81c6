"""Normalizations with numbers for each channel (dimension 1), or over neighbours, in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def

from ..compatible import compatible_shapes
from ..inferred import INDEX, SAME_ELEMENT, Constants, TensorOp, floating, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import integer_prop, number_prop
from .blocks import PadOp
from .derived import DerivedOp
from .elementwise import AddOp, DivideOp, MultiplyOp, PowerOp, SubtractOp
from .functions import SqrtOp
from .reduction import ReduceMeanOp, ReduceSumOp, constant_axes
from .shaped import InputOp, SameTypeOp
from .writer import Writer


def _check_channels(op: TensorOp, input: SSAValue, **vectors: SSAValue) -> None:
    """Raises VerifyException, naming `op`, where an operand has not one number for each channel."""
    shape = floating(op, input).get_shape()
    if len(shape) < 2:
        raise op.op_error(f"input {spelled(shape)} has no channels (dimension 1)")
    for name, vector in vectors.items():
        size = shape_of(vector)
        if not compatible_shapes(size, shape[1:2]):
            raise op.op_error(
                f"{name} {spelled(size)} must have one number for each of {shape[1]} channels"
            )


def _along_channels(write: Writer, vector: SSAValue, rank: int) -> SSAValue:
    """A number for each channel, as it broadcasts."""
    return write.reshaped(vector, (shape_of(vector)[0], *[1] * (rank - 2)))


@op_definition
class BatchNormInferenceOp(InputOp, DerivedOp):
    """
    `result = (input - mean) / √(variance + epsilon) * gamma + beta`, all but the input and epsilon of its channel.

        %y = nn.batch_norm_inference %x, %gamma, %beta, %mean, %variance {epsilon = 1.0e-05 : f64}
            : (tensor<1x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<1x3x4xf32>
    """

    name = "nn.batch_norm_inference"
    NAMES: ClassVar = Names("BatchNormInference-5", "", "", "BatchNormalization-15")

    gamma = operand_def(SAME_ELEMENT)
    beta = operand_def(SAME_ELEMENT)
    mean = operand_def(SAME_ELEMENT)
    variance = operand_def(SAME_ELEMENT)
    epsilon = number_prop()

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        parts = {"gamma": self.gamma, "beta": self.beta, "mean": self.mean}
        _check_channels(self, self.input, **parts, variance=self.variance)
        return shape_of(self.input)

    def decompose(self, write: Writer) -> SSAValue:
        """`input * a + (beta - mean * a)`"""
        deviation = write(SqrtOp, write(AddOp, self.variance, self.epsilon.value.data))
        factor = write(DivideOp, self.gamma, deviation)
        offset = write(SubtractOp, self.beta, write(MultiplyOp, self.mean, factor))
        rank = len(shape_of(self.input))
        scaled = write(MultiplyOp, self.input, _along_channels(write, factor, rank))
        return write(AddOp, scaled, _along_channels(write, offset, rank))


@op_definition
class GroupNormalizationOp(InputOp, DerivedOp):
    """
    `result = (input - mean) / √(variance + epsilon) * scale + bias`: mean and variance are those of a group of
    channels of one batch entry, scale and bias of the channel.

        %y = nn.group_normalization %x, %scale, %bias {num_groups = 2 : i64, epsilon = 1.0e-05 : f64}
            : (tensor<1x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x3xf32>
    """

    name = "nn.group_normalization"
    NAMES: ClassVar = Names("GroupNormalization-12")
    NEEDS_KNOWN_SHAPES: ClassVar = True

    scale = operand_def(SAME_ELEMENT)
    bias = operand_def(SAME_ELEMENT)
    num_groups = integer_prop()
    epsilon = number_prop()

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        _check_channels(self, self.input, scale=self.scale, bias=self.bias)
        channels, groups = shape_of(self.input)[1], self.num_groups.value.data
        if groups < 1 or (channels != DYNAMIC_INDEX and channels % groups):
            raise self.op_error(f"num_groups {groups} does not divide {channels} channels")
        return shape_of(self.input)

    def decompose(self, write: Writer) -> SSAValue:
        shape, groups = shape_of(self.input), self.num_groups.value.data
        each = (groups, shape[1] // groups, *[1] * (len(shape) - 2))

        def by_channel(value: SSAValue) -> SSAValue:
            """A number for each channel of a batch entry, as it broadcasts to the input."""
            spread = write.broadcast(value, (shape[0], *each))
            return write.reshaped(spread, (shape[0], shape[1], *each[2:]))

        grouped = write.reshaped(self.input, (shape[0], groups, shape[1] // groups, *shape[2:]))
        axes = write.integers(*range(2, len(shape) + 1))
        mean = write(ReduceMeanOp, grouped, axes, keep_dims=True)
        centered = write(SubtractOp, grouped, mean)
        square = write(MultiplyOp, centered, centered)
        variance = write(ReduceMeanOp, square, axes, keep_dims=True)
        deviation = write(SqrtOp, write(AddOp, variance, self.epsilon.value.data))
        scale = write.reshaped(self.scale, each)
        factor = by_channel(write(MultiplyOp, write(DivideOp, 1, deviation), scale))
        scaled = write(MultiplyOp, write(SubtractOp, self.input, by_channel(mean)), factor)
        return write(AddOp, scaled, _along_channels(write, self.bias, len(shape)))


@op_definition
class GrnOp(SameTypeOp, DerivedOp):
    """
    `result = input / √(sum input² + bias)`, the sum over channels.

        %y = nn.grn %x {bias = 1.0e-04 : f64} : tensor<1x3x4xf32>
    """

    name = "nn.grn"
    NAMES: ClassVar = Names("GRN-1")

    bias = number_prop()

    def check(self, constants: Constants) -> None:
        _check_channels(self, self.input)

    def decompose(self, write: Writer) -> SSAValue:
        square = write(MultiplyOp, self.input, self.input)
        total = write(ReduceSumOp, square, write.integers(1), keep_dims=True)
        return write(DivideOp, self.input, write(SqrtOp, write(AddOp, total, self.bias.value.data)))


@op_definition
class LrnOp(SameTypeOp, DerivedOp):
    """
    `result = input / (bias + alpha / size ** n * sum input²) ** beta`, the sum over a window of `size` around the
    element along each of the n constant `axes`. An even size is that of a window of one less.

        %axes = nn.constant dense<[1]> : tensor<1xi64>
        %y = nn.lrn %x, %axes {alpha = 1.0e-04 : f64, beta = 0.75 : f64, bias = 1.0 : f64, size = 3 : i64}
            : tensor<1x6x4xf32>, tensor<1xi64>
    """

    name = "nn.lrn"
    NAMES: ClassVar = Names("LRN-1")
    NEEDS_KNOWN_SHAPES: ClassVar = True

    axes = operand_def(INDEX)
    alpha = number_prop()
    beta = number_prop()
    bias = number_prop()
    size = integer_prop()

    def check(self, constants: Constants) -> None:
        constant_axes(self, self.axes, len(floating(self, self.input).get_shape()), constants)
        if (size := self.size.value.data) < 1:
            raise self.op_error(f"size {size} must be at least 1")

    def decompose(self, write: Writer) -> SSAValue:
        shape, size = shape_of(self.input), self.size.value.data
        axes = [axis % len(shape) for axis in self.known(self.axes, "axes")]
        total = write(MultiplyOp, self.input, self.input)
        reach = (size - 1) // 2
        for axis in axes if reach else []:
            ends = (reach * (i == axis) for i in range(len(shape)))
            pads = write.integers(*ends)
            padded = write(PadOp, total, pads, pads, pad_mode="constant")
            total, *parts = (
                write.slice(padded, i, i + shape[axis], axis) for i in range(2 * reach + 1)
            )
            for part in parts:
                total = write(AddOp, total, part)
        mean = write(MultiplyOp, total, self.alpha.value.data / size ** len(axes))
        base = write(AddOp, mean, self.bias.value.data)
        return write(DivideOp, self.input, write(PowerOp, base, self.beta.value.data))
