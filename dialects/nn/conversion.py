"""What gives its input again: as it is, or as elements of another type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ..inferred import Constants, shape_of, tensor
from ..names import Names
from ..traits import DataMovement, Elementwise
from .derived import DerivedOp
from .elementwise import ConvertOp
from .writer import Writer


@irdl_op_definition
class IdentityOp(DerivedOp):
    """
    `result = input`

        %y = nn.identity %x : tensor<4xf32>
    """

    name = "nn.identity"
    NAMES: ClassVar = Names("Identity-16", "", "", "Identity-25")

    TYPE: ClassVar = VarConstraint("TYPE", base(TensorType))

    input = operand_def(TYPE)
    result = result_def(TYPE)

    traits = traits_def(Pure(), Elementwise(), DataMovement())
    assembly_format = "$input attr-dict `:` type($input)"

    def decompose(self, write: Writer) -> SSAValue:
        return self.input


@irdl_op_definition
class ConvertLikeOp(DerivedOp):
    """
    The input, converted (`nn.convert`) to the element type of `like`.

        %y = nn.convert_like %x, %like : (tensor<4xi8>, tensor<2xf32>) -> tensor<4xf32>
    """

    name = "nn.convert_like"
    NAMES: ClassVar = Names("ConvertLike-1", "", "", "CastLike-25")

    ELEMENT: ClassVar = VarConstraint("ELEMENT", AnyAttr())

    input = operand_def(TensorType)
    like = operand_def(TensorType.constr(ELEMENT))
    result = result_def(TensorType.constr(ELEMENT))

    traits = traits_def(Pure())
    assembly_format = "$input `,` $like attr-dict `:` functional-type(operands, results)"

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        return [TensorType(tensor(self.like).element_type, shape_of(self.input))]

    def decompose(self, write: Writer) -> SSAValue:
        return write(ConvertOp, self.input, destination_type=tensor(self.like).element_type)
