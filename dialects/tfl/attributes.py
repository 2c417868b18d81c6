"""What only `tfl` has: bytes of a custom operation's options, the kind of LSTM kernel, and the type of handles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from xdsl.dialects.builtin import BytesAttr, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

_HEX = re.compile(r"0x(?:[0-9A-Fa-f]{2})*")

KERNEL_TYPES = ("FULL", "BASIC")
"""LiteRT's kinds of LSTM kernels."""


@irdl_attr_definition
class ConstBytesAttr(ParametrizedAttribute, SpacedOpaqueSyntaxAttribute):
    """
    Bytes that only the kernel understands.

        #tfl<const_bytes : "0x00010203">
    """

    name = "tfl.const_bytes"

    content: BytesAttr

    @classmethod
    def of(cls, content: bytes) -> ConstBytesAttr:
        """The attribute that holds these bytes."""
        return cls(BytesAttr(content))

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f': "0x{self.content.data.hex().upper()}"')

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parser.parse_punctuation(":")
        start = parser.pos
        text = parser.parse_str_literal()
        if not _HEX.fullmatch(text):
            parser.raise_error('expected "0x" and an even number of hexadecimal digits', start)
        return [BytesAttr(bytes.fromhex(text[2:]))]


@irdl_attr_definition
class LstmKernelTypeAttr(ParametrizedAttribute, SpacedOpaqueSyntaxAttribute):
    """
    Which kernel an LSTM runs on: `FULL` has all 24 operands.

        #tfl<lstm_kernel_type_attr FULL>
    """

    name = "tfl.lstm_kernel_type_attr"

    kind: StringAttr

    @classmethod
    def of(cls, kind: str) -> LstmKernelTypeAttr:
        """The attribute of this kind."""
        return cls(StringAttr(kind))

    def verify(self) -> None:
        if self.kind.data not in KERNEL_TYPES:
            raise VerifyException(
                f"{self.name}: '{self.kind.data}' is none of {', '.join(KERNEL_TYPES)}"
            )

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(self.kind.data)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return [StringAttr(parser.parse_identifier("the kind of kernel"))]


@irdl_attr_definition
class ResourceType(ParametrizedAttribute, TypeAttribute):
    """
    The element type of a handle.

        tensor<!tfl.resource>
    """

    name = "tfl.resource"
