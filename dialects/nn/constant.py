"""`nn.constant`: the one operation that holds data."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import ConstantLike, Pure
from xdsl.utils.exceptions import VerifyException

from ..blob import BlobAttr
from ..inferred import label
from ..names import Names
from ..operation import Op, initialize, op_definition


@op_definition
class ConstantOp(Op):
    """
    A tensor known while compiling.

        %axis = nn.constant dense<1> : tensor<i64>

    What is large refers to a file beside that of the module:

        %w = nn.constant #nn.blob<"model.safetensors", "conv1.weight", "0f…"> : tensor<8x4xi8>
    """

    name = "nn.constant"
    NAMES: ClassVar = Names("Constant-1", "Const", "", "Constant-25")

    value = prop_def(BlobAttr)
    result = result_def(TensorType)

    traits = traits_def(Pure(), ConstantLike())

    def __init__(self, value: BlobAttr):
        initialize(self, properties={"value": value}, result_types=[value.type])

    def verify_(self) -> None:
        if self.result.type != self.value.type:
            raise VerifyException(
                f"{label(self)}: data of type {self.value.type} for a result of {self.result.type}"
            )

    def print(self, printer: Printer) -> None:
        printer.print_op_attributes(self.attributes)
        printer.print_string(" ")
        if self.value.is_reference(printer):
            printer.print_attribute(self.value)
            printer.print_string(" : ")
            printer.print_attribute(self.value.type)
        else:
            self.value.print_body(printer)

    @classmethod
    def parse(cls, parser: Parser) -> ConstantOp:
        attributes = parser.parse_optional_attr_dict()
        start = parser.pos
        if (blob := BlobAttr.parse_optional_dense(parser)) is not None:
            value = BlobAttr(blob)
        else:
            value = parser.parse_attribute()
            if not isinstance(value, BlobAttr):
                parser.raise_error("expected dense<…> or #nn.blob<…>", start)
            parser.parse_punctuation(":")
            start = parser.pos
            if (type := parser.parse_type()) != value.type:
                parser.raise_error(f"the weights file holds a {value.type}, not a {type}", start)
        op = cls(value)
        op.attributes.update(attributes)
        return op


def constant_of(value: SSAValue) -> BlobAttr | None:
    """The data of a value that an `nn.constant` gives."""
    return value.owner.value if isinstance(value.owner, ConstantOp) else None
