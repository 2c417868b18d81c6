"""What opt-tool observes of the passes that run: times, counts, the IR around them, remarks, and what fails."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from io import StringIO
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...passes.instrumentation import PassInstrumentation
from ..diagnostics import REPORT_IT, Diagnostic
from ..options import require_folder
from .elision import TextPrinter, limit_for
from .reproducer import CrashReproducer

if TYPE_CHECKING:
    from .pass_statistics import PassStatistics
    from .timing import Timing


class FailedPass(PassInstrumentation):
    """Remembers the innermost pass that failed."""

    name: str | None = None

    def before_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self.name = None

    def after_pass(self, item: ModulePass, module: ModuleOp) -> None:
        self.name = None

    def after_pass_failed(self, item: ModulePass, module: ModuleOp, error: Exception) -> None:
        self.name = self.name or item.name


def named_passes(args: argparse.Namespace, when: str) -> set[str]:
    """The passes before or after which (`when`) the IR is printed by their names."""
    listed: list[str] = getattr(args, f"mlir_print_ir_{when}")
    return {name for names in listed for name in names.split(",") if name}


class Observation:
    """The instrumentations that the options ask for, and their reports."""

    def __init__(
        self, args: argparse.Namespace, prog: str, remark: Callable[[Operation, str], None]
    ):
        self.args = args
        self.prog = prog
        self.remark = remark
        self.failed_pass = FailedPass()
        self.reproducer: CrashReproducer | None = None
        self.timing: Timing | None = None
        self.statistics: PassStatistics | None = None

    def instrumentations(self) -> list[PassInstrumentation]:
        """What is called around passes. Raises SourceError where a file cannot lie where an option says."""
        args, found = self.args, list[PassInstrumentation]([self.failed_pass])
        if args.mlir_timing:
            from .timing import Timing

            self.timing = Timing()
            found.append(self.timing)
        if args.mlir_pass_statistics:
            from .pass_statistics import PassStatistics

            self.statistics = PassStatistics()
            found.append(self.statistics)
        if (path := args.mlir_pass_pipeline_crash_reproducer) is not None:
            require_folder(path)
            unregistered = " --allow-unregistered-dialect" * args.allow_unregistered_dialect
            command = f"{self.prog} --run-reproducer{unregistered}"
            self.reproducer = CrashReproducer(path, command)
            found.append(self.reproducer)
        if args.remarks_filter is not None:
            from .remarks import Remarks

            found.append(Remarks(re.compile(args.remarks_filter), self.remark))
        return [*found, *self._printing()]

    def _printing(self) -> list[PassInstrumentation]:
        from .print_ir import IRPrinting, Selection

        args = self.args
        before, after = (
            Selection(
                frozenset(names := named_passes(args, when)),
                getattr(args, f"mlir_print_ir_{when}_all")
                or (not names and bool(getattr(args, f"mlir_print_ir_{when}"))),
            )
            for when in ("before", "after")
        )
        conditions = args.mlir_print_ir_after_change or args.mlir_print_ir_after_failure
        if not after and (conditions or (args.mlir_print_ir_tree_dir and not before)):
            after = Selection(every=True)
        if not before and not after:
            return []
        printing = IRPrinting(
            before,
            after,
            self._text_of,
            args.mlir_print_ir_after_change,
            args.mlir_print_ir_after_failure,
            args.mlir_print_ir_tree_dir,
        )
        return [printing]

    def _text_of(self, module: ModuleOp) -> str:
        text = StringIO()
        printer = TextPrinter(
            text,
            print_generic_format=self.args.print_op_generic,
            print_debuginfo=self.args.print_debuginfo,
        )
        to_files = self.args.mlir_print_ir_tree_dir is not None
        stream = text if to_files else sys.stderr
        printer.limit = limit_for(stream, self.args.mlir_elide_elementsattrs_if_larger)
        printer.print_op(module)
        return f"{text.getvalue()}\n{printer.remark}"

    def begin_part(self) -> None:
        """The next part of a file that is split shares the timers of those before it."""
        if self.timing is not None:
            self.timing.total.begin()

    @contextmanager
    def timed(self, name: str) -> Generator[None]:
        """Inside, time counts as that of `name`."""
        with self.timing.scope(name) if self.timing is not None else nullcontext():
            yield

    def report(self) -> None:
        """Prints counts and times, where they are asked for, on standard error."""
        if self.statistics is not None:
            from ..table import print_table
            from .pass_statistics import COLUMNS
            from .timing import headed

            print(headed("Pass statistics report"), file=sys.stderr)
            print_table("", COLUMNS, self.statistics.rows(), sys.stderr)
        if self.timing is not None:
            print(self.timing.report(self.args.mlir_timing_display), file=sys.stderr)

    def with_reproducer(self, said: Diagnostic) -> Diagnostic:
        """With the file that reproduces it, if a pass failed; without one, a mistake of ours says how to get it."""
        if (name := self.failed_pass.name) is None:
            return said
        message, is_mistake = said.message, said.message.endswith(REPORT_IT)
        if is_mistake:
            message = f"{name}: {message}"
        if self.reproducer is not None and self.reproducer.is_written:
            message = (
                f"{message.removesuffix(f'; {REPORT_IT}')}; {self.reproducer.path} reproduces it"
            )
            message += ": please report it with that file" * is_mistake
        elif is_mistake:
            message += (
                ", or with what --mlir-pass-pipeline-crash-reproducer=FILE makes: all it takes"
            )
        return replace(said, message=message)
