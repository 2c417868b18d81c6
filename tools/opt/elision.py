"""Modules as text that people look at: the elements of large constants are left out, as mlir-opt does on request."""

from __future__ import annotations

from typing import IO, Any, cast

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.syntax_printer import SyntaxPrinter

from ...dialects.blob import ELIDED
from ...interop.mlir_file import WeightsPrinter

OPTION = "--mlir-elide-elementsattrs-if-larger"

DEFAULT_LIMIT = 16
"""Elements that a terminal still shows of one constant."""


def limit_for(stream: IO[str], asked: int | None) -> int | None:
    """The elements that a constant may have in this stream; None for any number of them, which -1 asks for."""
    if asked is not None:
        return None if asked < 0 else asked
    return DEFAULT_LIMIT if stream.isatty() else None


class Eliding(Printer):
    """Leaves out the elements of constants that have more than `limit`, and counts those constants."""

    limit: int | None = None
    elided: int = 0

    def elides(self, count: int) -> bool:
        """Whether so many elements are left out."""
        return self.limit is not None and count > self.limit

    def print_elided(self, type: Attribute) -> None:
        """Prints what stands for the elements of a constant of this type."""
        self.elided += 1
        self.print_string(f"{ELIDED} : ")
        self.print_attribute(type)

    def print_attribute(self, attribute: Attribute) -> None:
        dense = cast(Any, attribute)
        is_dense = isinstance(cast(object, attribute), DenseIntOrFPElementsAttr)
        if is_dense and self.elides(len(dense)) and not dense.is_splat():
            self.print_elided(dense.type)
        else:
            super().print_attribute(attribute)

    @property
    def remark(self) -> str:
        """A comment that says what was left out, and how to see it; nothing where all is there."""
        if not self.elided:
            return ""
        constants = "constant has" if self.elided == 1 else "constants have"
        return (
            f"// {self.elided} {constants} more than {self.limit} elements, which are left out; "
            f"{OPTION}=-1 shows them\n"
        )


class TextPrinter(Eliding):
    """Text for a terminal or a pipe."""


class HighlightingPrinter(Eliding, SyntaxPrinter):
    """The same in colours."""


class FilePrinter(Eliding, WeightsPrinter):
    """Text for a file; what is not left out of large constants goes into another beside it."""
