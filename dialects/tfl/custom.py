"""`tfl.custom`: an operation that only its user's runtime knows."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import NoneType, StringAttr, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..inferred import label
from .attributes import ConstBytesAttr


@irdl_op_definition
class CustomOp(IRDLOperation):
    """
    Whatever the kernel registered as `custom_code` computes; its options are bytes, a flexbuffer by custom.

        %y = "tfl.custom"(%x) <{custom_code = "my_op", custom_option = #tfl<const_bytes : "0x000000">}> : (…) -> …
    """

    name = "tfl.custom"

    input = var_operand_def(AnyAttr())
    custom_code = prop_def(StringAttr)
    custom_option = prop_def(ConstBytesAttr)
    output = var_result_def(AnyAttr())

    def __init__(
        self,
        inputs: Sequence[SSAValue],
        code: str,
        option: bytes,
        result_types: Sequence[Attribute],
    ):
        super().__init__(
            operands=[inputs],
            properties={
                "custom_code": StringAttr(code),
                "custom_option": ConstBytesAttr.of(option),
            },
            result_types=[result_types],
        )

    def verify_(self) -> None:
        if not self.custom_code.data:
            raise VerifyException(f"{label(self)}: custom_code is empty; name a registered kernel")
        for value in self.input:
            if not isinstance(value.type, TensorType | UnrankedTensorType | NoneType):
                raise VerifyException(
                    f"{label(self)}: takes a {value.type}; operands are tensors or none"
                )
        for value in self.output:
            if not isinstance(value.type, TensorType | UnrankedTensorType):
                raise VerifyException(f"{label(self)}: gives a {value.type}; results are tensors")
