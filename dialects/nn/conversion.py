"""Identity and conversions: the same elements, in the same or another type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import Float8E4M3FNType, Float8E5M2Type, TensorType, f8E4M3FN, f16
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import base, operand_def, opt_operand_def, prop_def, result_def, traits_def

from ..elements import largest_of
from ..inferred import SAME_ELEMENT, SAME_TYPE, Constants, broadcast, floating, shape_of, tensor
from ..names import Names
from ..operation import op_definition
from ..traits import DataMovement, Elementwise
from .derived import DerivedOp
from .elementwise import AddOp, ConvertOp, DivideOp, MultiplyOp, SubtractOp
from .shaped import InputOp
from .writer import Writer


@op_definition
class IdentityOp(DerivedOp):
    """
    `result = input`

        %y = nn.identity %x : tensor<4xf32>
    """

    name = "nn.identity"
    NAMES: ClassVar = Names("Identity-16", "", "", "Identity-25")

    input = operand_def(SAME_TYPE)
    result = result_def(SAME_TYPE)

    traits = traits_def(Elementwise(), DataMovement())

    def decompose(self, write: Writer) -> SSAValue:
        return self.input


@op_definition
class ConvertLikeOp(DerivedOp):
    """
    The input, converted (`nn.convert`) to the element type of `like`.

        %y = nn.convert_like %x, %like : (tensor<4xi8>, tensor<2xf32>) -> tensor<4xf32>
    """

    name = "nn.convert_like"
    NAMES: ClassVar = Names("ConvertLike-1", "", "", "CastLike-25")

    input = operand_def(TensorType)
    like = operand_def(SAME_ELEMENT)
    result = result_def(SAME_ELEMENT)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        return [TensorType(tensor(self.like).element_type, shape_of(self.input))]

    def decompose(self, write: Writer) -> SSAValue:
        return write(ConvertOp, self.input, destination_type=tensor(self.like).element_type)


@op_definition
class FakeConvertOp(InputOp, DerivedOp):
    """
    What is left of a number in 8 bits: `result = (convert(input * scale - shift) + shift) / scale`, where convert
    rounds to f16, and that to the nearest number of `destination_type`, the largest one where it is beyond that.

        %y = nn.fake_convert %x, %scale {destination_type = f8E4M3FN}
            : (tensor<2x4xf32>, tensor<1xf32>) -> tensor<2x4xf32>
    """

    name = "nn.fake_convert"
    NAMES: ClassVar = Names("FakeConvert-13")

    scale = operand_def(SAME_ELEMENT)
    shift = opt_operand_def(SAME_ELEMENT)
    destination_type = prop_def(
        base(Float8E4M3FNType) | base(Float8E5M2Type), default_value=f8E4M3FN
    )

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.input)
        return broadcast(self, *map(shape_of, self.operands))

    def decompose(self, write: Writer) -> SSAValue:
        small = self.destination_type
        scaled = write(MultiplyOp, self.input, self.scale)
        if self.shift is not None:
            scaled = write(SubtractOp, scaled, self.shift)
        element, limit = tensor(scaled).element_type, largest_of(small)
        half = write.converted(write.clamp(scaled, -limit, limit), f16)
        converted = write(ConvertOp, half, destination_type=small)
        result = write(ConvertOp, converted, destination_type=element)
        if self.shift is not None:
            result = write(AddOp, result, self.shift)
        return write(DivideOp, result, self.scale)
