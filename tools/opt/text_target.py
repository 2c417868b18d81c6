"""What opt-tool prints, and the files that it writes once all has succeeded."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, ClassVar, Protocol

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.targets.mlir import MLIRTarget

from ...interop.formats import READERS, WRITERS, writer_for
from .elision import FilePrinter, HighlightingPrinter, TextPrinter

if TYPE_CHECKING:
    from ...dialects.blob import Blob


class PendingOutput(StringIO):
    """What goes into the output file once all has succeeded, and the constants that go beside it."""

    def __init__(self, path: Path):
        super().__init__()
        self.path = path
        self.keys: dict[Blob, str] = {}
        others = {*READERS, *WRITERS, ".safetensors"} - {".mlir"}
        is_text = path.suffix.lower() not in others
        self.write_model = None if is_text else writer_for(path)
        self.module: ModuleOp | None = None

    def write_files(self) -> None:
        """Writes both files, each whole or not at all; or the module, in the format of the file's ending."""
        from ...interop.mlir_file import write_files

        if self.write_model is not None:
            assert self.module is not None, "the options that lead to no module are for text"
            self.write_model(self.module, self.path)
        else:
            write_files(self.path, self.getvalue(), self.keys)


class Driver(Protocol):
    """What the target asks of opt-tool."""

    pending: PendingOutput | None

    def limit_of(self, stream: IO[str]) -> int | None:
        """The elements that constants may have in what is printed to a stream."""
        ...


@dataclass(frozen=True)
class TextTarget(MLIRTarget):
    """MLIR text that keeps large constants out of it: in a file, or where people look at it."""

    tool: ClassVar[Driver]

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from ...interop.ir_version import saying_version
        from ...interop.mlir_file import weights_path

        if (pending := self.tool.pending) is not None:
            pending.module = module
            if pending.write_model is not None:
                return
            file = weights_path(pending.path).name
            printer = FilePrinter(output, file=file, keys=pending.keys)
        else:
            kind = HighlightingPrinter if self.syntax_highlight else TextPrinter
            printer = kind(output)
        printer.print_generic_format = self.print_generic_format
        printer.print_properties_as_attributes = self.print_properties_as_attributes
        printer.print_debuginfo = self.print_debuginfo
        printer.limit = self.tool.limit_of(sys.stdout if pending is None else pending)
        with saying_version(module) if pending is not None else nullcontext():
            printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        output.write(f"\n{printer.remark}")
