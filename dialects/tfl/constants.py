"""`tfl.pseudo_const` and `tfl.no_value`: operands that are known, and operands that are absent."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    DenseResourceAttr,
    NoneType,
    TensorType,
    UnitAttr,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, result_def, traits_def
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from ..blob import BlobAttr
from ..compatible import compatible
from ..inferred import label
from ..quant import storage_of


@irdl_op_definition
class NoValueOp(IRDLOperation):
    """
    Stands where an optional operand is absent.

        %none = "tfl.no_value"() <{value}> : () -> none
    """

    name = "tfl.no_value"

    value = prop_def(UnitAttr)
    none_val = result_def(NoneType)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self):
        super().__init__(properties={"value": UnitAttr()}, result_types=[NoneType()])


@irdl_op_definition
class PseudoConstOp(IRDLOperation):
    """
    A tensor known while converting, which a file has as a buffer; of a quantized one the codes.

        %w = "tfl.pseudo_const"() <{value = dense<[1.0, 2.0]> : tensor<2xf32>}> : () -> tensor<2xf32>
    """

    name = "tfl.pseudo_const"

    value = prop_def(DenseIntOrFPElementsAttr | DenseResourceAttr | BlobAttr)
    output = result_def(TensorType)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: DenseIntOrFPElementsAttr | BlobAttr, type: Attribute | None = None):
        Operation.__init__(self, properties={"value": value}, result_types=[type or value.type])

    def verify_(self) -> None:
        held, type = cast(TensorType[Any], self.value.type), self.output.type
        codes = TensorType(storage_of(type.element_type), type.get_shape())
        if not compatible(held, codes):
            raise VerifyException(f"{label(self)}: data of type {held} for a result of {type}")
