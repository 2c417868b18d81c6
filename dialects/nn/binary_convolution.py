"""`nn.binary_convolution`: convolutions of -1 and 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def

from ..compatible import compatible_dims
from ..inferred import Constants, choice, floating, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import number_prop, word_prop
from .convolution import ConvolutionOp
from .derived import DerivedOp
from .expression import Expression
from .shaped import InputOp
from .window import WindowedOp, checked_positions
from .writer import Writer


@op_definition
class BinaryConvolutionOp(InputOp, WindowedOp, DerivedOp):
    """
    The convolution (`nn.convolution`) of signs: 1 where the input is above 0 and the filter is true, else -1. So it is
    twice the number of elements where both agree, less that of all (`xnor-popcount`). Outside of the input there is
    `pad_value`.

        %w = nn.constant dense<[[[[true, false], [false, true]]]]> : tensor<1x1x2x2xi1>
        %y = nn.binary_convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>,
              pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, mode = "xnor-popcount", pad_value = 0.0 : f64}
            : (tensor<1x1x4x5xf32>, tensor<1x1x2x2xi1>) -> tensor<1x1x3x4xf32>
    """

    name = "nn.binary_convolution"
    NAMES: ClassVar = Names("BinaryConvolution-1")

    filters = operand_def(TensorType.constr(i1))
    mode = word_prop("xnor-popcount")
    pad_value = number_prop(0.0)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        choice(self, "mode", "xnor-popcount")
        floating(self, self.input)
        shape, filters = shape_of(self.input), shape_of(self.filters)
        if (
            len(shape) < 3
            or len(filters) != len(shape)
            or not compatible_dims(shape[1], filters[1])
        ):
            raise self.op_error(
                "takes images [batch, channel, …] and filters [output, channel, …], not "
                f"{spelled(shape)} and {spelled(filters)}"
            )
        positions = checked_positions(self, self.window(filters[2:]), shape[2:])
        return (shape[0], filters[0], *positions)

    def decompose(self, write: Writer) -> SSAValue:
        """
        `conv(signs - pad_value, weights) + pad_value * sum(weights)`: a convolution pads with 0, which here stands for
        `pad_value`.
        """
        x, filters = Expression(write, self.input), Expression(write, self.filters)
        filters = filters.to(x.element) * 2 - 1
        outside = self.pad_value.value.data
        signs = (x > 0).where(x.constant((), [1 - outside]), -1 - outside)
        names = ("strides", "pads_begin", "pads_end", "dilations", "auto_pad")
        window = {name: self.properties[name] for name in names}
        sums = x.on(write(ConvolutionOp, signs.value, filters.value, **window))
        if not outside:
            return sums.value
        rank = len(x.shape)
        weight = filters.sum(*range(1, rank)).reshaped(-1, *[1] * (rank - 2))
        return (sums + weight * outside).value
