"""
`--mlir-pass-pipeline-crash-reproducer`: a file that holds what a pass was given when it failed, and the pass; and
`--run-reproducer`, which runs it again. The format is MLIR's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.verification import one_line
from ...interop.mlir import Resource
from ...interop.mlir_file import WeightsPrinter, weights_path, write_files
from ...passes.anchor import without_anchor
from ...passes.instrumentation import PassInstrumentation

RESOURCE = "mlir_reproducer"


class CrashReproducer(PassInstrumentation):
    """Keeps what each pass is given until it is done, and writes that of the innermost one that fails."""

    def __init__(self, path: Path, command: str):
        self.path = path
        self.command = command
        self.is_written = False
        self._given: list[ModuleOp] = []

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._given.append(module.clone())

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self._given.pop()

    def after_pass_failed(self, item: ModulePass, module: ModuleOp, error: Exception) -> None:
        given = self._given.pop()
        if self.is_written:
            return
        self.is_written = True
        text = StringIO()
        text.write(
            f"// What {item.name} was given when it failed: {type(error).__name__}: {one_line(str(error))}\n"
            f"// {self.command} {self.path.name}\n"
        )
        printer = WeightsPrinter(text, file=weights_path(self.path).name)
        printer.print_op(given)
        text.write(
            "\n\n{-#\n  external_resources: {\n"
            f"    {RESOURCE}: {{\n"
            f"      pipeline: {_literal(pipeline_text([item]))},\n"
            "      disable_threading: true,\n"
            "      verify_each: true\n"
            "    }\n  }\n#-}\n"
        )
        write_files(self.path, text.getvalue(), printer.keys)


def pipeline_text(passes: Sequence[ModulePass]) -> str:
    """Passes with their options, as `--pass-pipeline` takes them."""
    return f"builtin.module({','.join(map(str, passes))})"


def _literal(text: str) -> str:
    stream = StringIO()
    WeightsPrinter(stream, file="").print_string_literal(text)
    return stream.getvalue()


def pipeline_of(resources: Mapping[str, Mapping[str, Resource]]) -> str:
    """The pipeline that a reproducer runs. Raises DiagnosticException where a file is none."""
    pipeline = resources.get(RESOURCE, {}).get("pipeline")
    if not isinstance(pipeline, str):
        raise DiagnosticException(
            "holds no pipeline, so it is not a reproducer; leave --run-reproducer out and say which passes to run"
        )
    return without_anchor(pipeline)
