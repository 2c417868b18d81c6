"""Normalizations along axes, in floating point."""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.ir import SSAValue
from xdsl.irdl import operand_def

from ..inferred import INDEX, Constants, choice, floating, normalize_axis, shape_of
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, integer_prop, number_prop, word_prop
from .comparison import EqualOp, SelectOp
from .derived import DerivedOp
from .elementwise import AddOp, DivideOp, MaximumOp, MultiplyOp, SubtractOp
from .functions import ExpOp, LogOp, SqrtOp
from .reduction import ReduceMaxOp, ReduceMeanOp, ReduceOp, ReduceSumOp, constant_axes
from .shaped import SameTypeOp
from .writer import Writer


def _reduced(write: Writer, kind: type[ReduceOp], value: SSAValue, axes: SSAValue) -> SSAValue:
    """A reduction that keeps the dimensions."""
    return write(kind, value, axes, keep_dims=True)


class AlongAxisOp(SameTypeOp, DerivedOp, ABC):
    """Exponentials and what their sum along `axis` makes of them, of the input less its greatest element there."""

    EXAMPLE: ClassVar = "%y = {name} %x {{axis = -1 : i64}} : tensor<2x8xf32>"

    axis = integer_prop()

    def check(self, constants: Constants) -> None:
        normalize_axis(self, self.axis.value.data, len(shape_of(self.input)))
        floating(self, self.input)

    def exponentials(self, write: Writer) -> tuple[SSAValue, SSAValue, SSAValue]:
        """The input less its greatest element, exponentials of that, and their sum."""
        axes = write.integers(self.axis.value.data)
        below = write(SubtractOp, self.input, _reduced(write, ReduceMaxOp, self.input, axes))
        powers = write(ExpOp, below)
        return below, powers, _reduced(write, ReduceSumOp, powers, axes)


@op_definition
class SoftmaxOp(AlongAxisOp):
    """`result = exp(input) / sum exp(input)` along `axis`."""

    name = "nn.softmax"
    NAMES: ClassVar = Names("SoftMax-8", "Softmax", "SOFTMAX", "Softmax-13")

    def decompose(self, write: Writer) -> SSAValue:
        _, powers, total = self.exponentials(write)
        return write(MultiplyOp, powers, write(DivideOp, 1, total))


@op_definition
class LogSoftmaxOp(AlongAxisOp):
    """`result = input - ln sum exp(input)` along `axis`."""

    name = "nn.log_softmax"
    NAMES: ClassVar = Names("LogSoftmax-5", "LogSoftmax", "", "LogSoftmax-13")

    def decompose(self, write: Writer) -> SSAValue:
        below, _, total = self.exponentials(write)
        return write(SubtractOp, below, write(LogOp, total))


class NormalizationOp(SameTypeOp, DerivedOp, ABC):
    """The input, scaled by what a sum along the constant `axes` gives."""

    axes = operand_def(INDEX)
    eps = number_prop()
    eps_mode = word_prop()

    def check(self, constants: Constants) -> None:
        constant_axes(self, self.axes, len(shape_of(self.input)), constants)
        if not self.eps.value.data >= 0:
            raise self.op_error(f"eps {self.eps.value.data} must not be negative")
        floating(self, self.input)


@op_definition
class MvnOp(NormalizationOp):
    """
    `result = (input - mean) / √(variance + eps)` along `axes`, with `outside_sqrt`
    `(input - mean) / (√variance + eps)`, without `normalize_variance` `input - mean`.

        %axes = nn.constant dense<[2]> : tensor<1xi64>
        %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = true}
            : tensor<1x8x4xf32>, tensor<1xi64>
    """

    name = "nn.mvn"
    NAMES: ClassVar = Names("MVN-6", "", "", "MeanVarianceNormalization-13")

    normalize_variance = flag_prop()

    def check(self, constants: Constants) -> None:
        choice(self, "eps_mode", "inside_sqrt", "outside_sqrt")
        super().check(constants)

    def decompose(self, write: Writer) -> SSAValue:
        mean = _reduced(write, ReduceMeanOp, self.input, self.axes)
        centered = write(SubtractOp, self.input, mean)
        if not self.normalize_variance:
            return centered
        square = write(MultiplyOp, centered, centered)
        variance, eps = _reduced(write, ReduceMeanOp, square, self.axes), self.eps.value.data
        if self.eps_mode.data == "inside_sqrt":
            deviation = write(SqrtOp, write(AddOp, variance, eps))
        else:
            deviation = write(AddOp, write(SqrtOp, variance), eps)
        factor = write(DivideOp, 1, deviation)  # divisions are slow: one for all elements
        return write(MultiplyOp, centered, factor)


@op_definition
class NormalizeL2Op(NormalizationOp):
    """
    `result = input / √(sum input² + eps)` along `axes`, with `max` `input / √max(sum input², eps)`. Without
    axes, each element is divided by itself: 1, or 0 where it is 0.

        %axes = nn.constant dense<[1]> : tensor<1xi64>
        %y = nn.normalize_l2 %x, %axes {eps = 1.0e-06 : f64, eps_mode = "add"} : tensor<1x8x4xf32>, tensor<1xi64>
    """

    name = "nn.normalize_l2"
    NAMES: ClassVar = Names("NormalizeL2-1", "", "L2_NORMALIZATION", "LpNormalization-22")

    def check(self, constants: Constants) -> None:
        choice(self, "eps_mode", "add", "max")
        super().check(constants)

    def decompose(self, write: Writer) -> SSAValue:
        if not self.known(self.axes, "axes"):
            zero, one = (write.scalar_like(self.input, number) for number in (0, 1))
            return write(SelectOp, write(EqualOp, self.input, zero), zero, one)
        square = write(MultiplyOp, self.input, self.input)
        total = _reduced(write, ReduceSumOp, square, self.axes)
        kind = AddOp if self.eps_mode.data == "add" else MaximumOp
        return write(DivideOp, self.input, write(SqrtOp, write(kind, total, self.eps.value.data)))
