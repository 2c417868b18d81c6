"""Operations whose text follows from a format."""

from __future__ import annotations

from abc import ABC
from functools import cache
from typing import Self

from xdsl.irdl import OpDef
from xdsl.irdl.declarative_assembly_format import FormatProgram
from xdsl.parser import Parser
from xdsl.printer import Printer

from .operation import Op


class FormattedOp(Op, ABC):
    """
    An operation whose text is its `assembly_format`. The parser and the printer of a class are made when first needed:
    for all classes, they would be half of the import time.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.assembly_format is not None:
            _FORMATS[cls], cls.assembly_format = cls.assembly_format, None

    @classmethod
    def default_format(cls, definition: OpDef) -> str:
        """The format of a class that has none, and whose bases have none."""
        raise AssertionError(f"{cls.__name__} says no assembly_format")

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return cls._text().parse(parser, cls)

    def print(self, printer: Printer) -> None:
        self._text().print(printer, self)

    @classmethod
    @cache
    def _text(cls) -> FormatProgram:
        definition = cls.get_irdl_definition()
        written = next((_FORMATS[base] for base in cls.__mro__ if base in _FORMATS), None)
        return FormatProgram.from_str(written or cls.default_format(definition), definition)


_FORMATS: dict[type, str] = {}
"""The `assembly_format` of each class that says one."""
