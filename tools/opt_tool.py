"""
`opt-tool`: runs passes on a module, in the order of the flags.

xDSL's driver with the passes as flags, mlir-opt's options, errors in one line, weights beside the output file and
numerical verification.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass, PassPipeline
from xdsl.targets import get_all_targets
from xdsl.utils.exceptions import (
    ArgSpecParseError,
    DiagnosticException,
    PassFailedException,
    ShrinkException,
    VerifyException,
)
from xdsl.xdsl_opt_main import xDSLOptMain

from ..dialects import context
from ..dialects.installed import installed_targets
from ..dialects.locations import blamed, blamed_on
from ..dialects.verification import verify as verify_module
from ..dialects.verification import what_is_wrong
from ..interop.formats import READERS
from ..interop.missing_file import require_path
from ..interop.mlir import Resource, SourceError, parse_module, verify
from ..passes.anchor import without_anchor
from ..passes.instrumentation import apply_pass, instrumented
from ..passes.pipeline import parse_pipeline, require_pass, syntax_error
from ..passes.registry import all_factories
from .diagnostics import Diagnostic, about, diagnostics_of, one_line_errors, warnings_to
from .help import print_help
from .opt.arguments import (
    EXAMPLES,
    USAGE,
    Help,
    add_options,
    add_pass_flags,
    listing,
    spelled_out,
)
from .opt.elision import limit_for
from .opt.expected_diagnostics import WHICH, ExpectedDiagnostics
from .opt.observation import Observation, named_passes
from .opt.reproducer import pipeline_of, pipeline_text
from .opt.round_trip import verify_round_trip
from .opt.split_input import MARKER, parts
from .opt.text_target import PendingOutput, TextTarget
from .opt.usage import usage_error
from .options import EMPTY_PATH, STATUS, raise_usage, require_folder

READS_TEXT = ("split_input_file", "verify_diagnostics", "verify_roundtrip", "run_reproducer")
"""Options that ask something of the text that is read."""

WRITES_TEXT = (
    "split_input_file", "verify_diagnostics", "target", "print_op_generic", "print_debuginfo", "print_no_properties",
    "syntax_highlight", "mlir_elide_elementsattrs_if_larger",
)  # fmt: skip
"""Options that ask something of the text that is written."""

Numerics = Callable[[ModulePass | None, ModuleOp, ModulePass | None], None]


class OptTool(xDSLOptMain):
    """xDSL's driver, extended where it allows."""

    def __init__(self, args: Sequence[str], prog: str = "opt-tool"):
        self.words = list(args)
        self.prog = prog
        self.pending: PendingOutput | None = None
        self.expected: ExpectedDiagnostics | None = None
        self.has_failed = False
        self.part = b""
        try:
            super().__init__("Runs passes on a module, in the order of their flags.", self.words)
        except ArgSpecParseError as error:
            raise_usage(prog, f"argument --target: {syntax_error(error, self.args.target)}")
        self.observation = Observation(self.args, prog, self._remark)
        for name in ("input_file", "output_file"):  # standard input and output, as without them
            if getattr(self.args, name) == "-":
                setattr(self.args, name, None)
            if getattr(self.args, name) == "":
                self._fail(EMPTY_PATH)

    # --- what there is, as in every other tool ----------------------------------------------

    def register_all_dialects(self) -> None:
        self.ctx = context()

    def register_all_passes(self) -> None:
        self.available_passes.update(all_factories())

    def register_all_targets(self) -> None:
        known = get_all_targets()
        self.available_targets.update({**known, **installed_targets(known)})

    # --- the command line -------------------------------------------------------------------

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        self.arg_parser = arg_parser
        arg_parser.prog = self.prog
        arg_parser.error = self._fail
        arg_parser.print_help = partial(print_help, arg_parser)
        arg_parser.usage = f"{self.prog} {USAGE}"
        arg_parser.formatter_class = Help
        arg_parser.allow_abbrev = False
        arg_parser.epilog = f"{EXAMPLES}\n{STATUS}"
        super().register_all_arguments(arg_parser)
        add_options(arg_parser)
        add_pass_flags(arg_parser, self.available_passes)
        self.words[:] = spelled_out(self.words, arg_parser)

    def _fail(self, message: str) -> NoReturn:
        flags = self.arg_parser._option_string_actions  # pyright: ignore[reportPrivateUsage]
        raise_usage(self.prog, usage_error(message, self.words, self.available_passes, flags))

    def setup_pipeline(self) -> None:
        args = self.args
        ways = {
            "-p": args.passes,
            "--pass-pipeline": args.pass_pipeline,
            "--run-reproducer": args.run_reproducer,
            f"--{args.flagged[0] if args.flagged else ''}": args.flagged,
        }
        used = [way for way, value in ways.items() if value]
        if len(used) > 1:
            self._fail(f"{used[0]} cannot be mixed with {used[1]}; use one of both")
        if args.verify_each and args.disable_verify:
            self._fail("--verify-each contradicts --disable-verify")
        if args.verify_diagnostics and args.verify_diagnostics not in WHICH:
            self._fail(f"--verify-diagnostics takes {' or '.join(WHICH)}, or nothing")
        try:
            re.compile(args.remarks_filter or "")
        except re.error as error:
            self._fail(f"--remarks-filter: {error}")
        if args.max_bytes is not None:
            from ..dialects import blob

            blob.MAX_BYTES = args.max_bytes
        try:
            text = args.passes or ",".join(args.flagged)
            if args.pass_pipeline:
                text = without_anchor(args.pass_pipeline)
            passes = parse_pipeline(text, self.available_passes)
            for name in named_passes(args, "before") | named_passes(args, "after"):
                require_pass(name, self.available_passes)
        except DiagnosticException as error:
            self._fail(str(error))
        self.pipeline = PassPipeline(tuple(passes))
        self.numerics = self._numerics()

    def _numerics(self) -> Numerics | None:
        if self.args.verify_numerics is None:
            return None
        from ..passes.numerics import NumericsCheck

        try:
            return NumericsCheck.parse(self.args.verify_numerics)
        except ValueError as error:
            self._fail(f"--verify-numerics: {error}")

    # --- running ----------------------------------------------------------------------------

    def run(self) -> None:
        """Reads, runs the passes, writes; an output file appears only if all went well."""
        if self.args.output_file is not None:
            require_folder(Path(self.args.output_file))
        output = self.prepare_output()
        instrumentations = self.observation.instrumentations()
        if self.args.dump_pass_pipeline:
            print(pipeline_text(self.pipeline.passes), file=sys.stderr)
        try:
            with instrumented(*instrumentations):
                self._run_parts(output)
        except ShrinkException:
            if not self.args.shrink:
                raise
            print("Success, can shrink")
            return
        finally:
            self.observation.report()
            if output is not sys.stdout and self.pending is None:
                output.close()
        if self.args.shrink:
            print("Failure, can't shrink")
            raise SystemExit(1)
        if self.has_failed:
            raise SystemExit(1)
        if self.pending is not None:
            self.pending.write_files()

    def _run_parts(self, output: IO[str]) -> None:
        text = self._read()
        name = self.get_input_name()
        with warnings_to(lambda what: self._say(Diagnostic("warning", name, None, what))):
            marker: str | None = self.args.split_input_file
            for number, part in enumerate(
                [text] if marker is None else parts(text, marker or MARKER)
            ):
                if number:
                    output.write(f"{MARKER}\n")
                if self.args.verify_diagnostics is not None:
                    self.expected = self._expected_in(part)
                self.observation.begin_part()
                self._run_part(part, output)
                output.flush()
                if self.expected is not None:
                    for wrong in self.expected.finish():
                        self.has_failed = True
                        print(wrong, file=sys.stderr)

    def _run_part(self, part: bytes, output: IO[str]) -> None:
        resources: dict[str, Mapping[str, Resource]] = {}
        self.part = part
        try:
            with self.observation.timed("Parser"):
                module = self._parse(part, resources)
            if self.args.run_reproducer:
                passes = parse_pipeline(pipeline_of(resources), self.available_passes)
                self.pipeline = PassPipeline(tuple(passes))
            if self.args.verify_roundtrip:
                verify_round_trip(module, self.ctx)
            self.apply_passes(module)
            with self.observation.timed("Output"):
                output.write(self.output_resulting_program(module))
        except (BrokenPipeError, ShrinkException):
            raise
        except Exception as error:
            if self.args.debug and self.expected is None:
                raise
            for said in diagnostics_of(error, self.get_input_name(), lambda: part):
                self._say(self.observation.with_reproducer(said))

    def apply_passes(self, prog: ModuleOp) -> None:
        if not self.args.disable_verify:
            with self.observation.timed("Verifier"):
                verify(prog)
        if self.numerics is not None:
            self.numerics(None, prog, None)
        for item in self.pipeline.passes:
            apply_pass(item, self.ctx, prog, partial(self._check, item, prog))

    def _check(self, item: ModulePass, module: ModuleOp) -> None:
        """What a pass left is valid, and computes the same."""
        try:
            if not self.args.disable_verify:
                verify_module(module)
        except VerifyException as error:
            what = f"{item.name} left an invalid module: {what_is_wrong(error)}"
            raise blamed_on(PassFailedException(what), blamed(error)) from error
        if self.numerics is not None:
            self.numerics(item, module, None)

    # --- what is said -----------------------------------------------------------------------

    def _say(self, said: Diagnostic) -> None:
        if self.expected is not None:
            self.expected.take(said)
            return
        self.has_failed |= said.severity == "error"
        if said.severity != "note":
            print(said, file=sys.stderr)

    def _remark(self, op: Operation, what: str) -> None:
        self._say(about(op, "remark", what, self.get_input_name(), lambda: self.part))

    def _expected_in(self, part: bytes) -> ExpectedDiagnostics:
        which = self.args.verify_diagnostics or WHICH[0]
        text = part.decode(errors="replace")
        try:
            return ExpectedDiagnostics.of(text, self.get_input_name(), which)
        except DiagnosticException as error:
            raise SourceError(str(error)) from None

    # --- input and output -------------------------------------------------------------------

    def _model_file(self) -> Path | None:
        """The input where it is a model of another format, which has no text to split and no comments."""
        if self.args.frontend or self.args.input_file is None:
            return None
        path = Path(self.args.input_file)
        return path if path.is_dir() or path.suffix.lower() in READERS.keys() - {".mlir"} else None

    def _require_unset(self, options: Sequence[str], path: Path) -> None:
        """Raises SourceError where one of these options is given beside a model that is no text."""
        for action in self.arg_parser._actions:  # pyright: ignore[reportPrivateUsage]
            if action.dest in options and getattr(self.args, action.dest) != action.default:
                flag = action.option_strings[-1]
                raise SourceError(f"{path}: error: {flag} is for .mlir; leave it out")

    def _read(self) -> bytes:
        if (path := self._model_file()) is not None:
            self._require_unset(READS_TEXT, path)
            return b""
        if self.args.input_file is not None:
            require_path(Path(self.args.input_file))
        stream, ending = self.get_input_stream()
        with stream:
            if (self.args.frontend or ending) not in self.available_frontends:
                endings = ", ".join(READERS)
                raise SourceError(
                    f"{self.get_input_name()}: error: its ending is none of {endings}; say -f mlir if it is "
                    "text of MLIR"
                )
            return stream.read()

    def _parse(self, part: bytes, resources: dict[str, Mapping[str, Resource]]) -> ModuleOp:
        if (path := self._model_file()) is not None:
            from ..interop.model import read_model

            return read_model(path).module
        implicit = not self.args.no_implicit_module
        return parse_module(part, self.get_input_name(), self.ctx, implicit, resources)

    def limit_of(self, stream: IO[str]) -> int | None:
        """The elements that constants may have in what is printed to a stream."""
        return limit_for(stream, self.args.mlir_elide_elementsattrs_if_larger)

    def prepare_output(self) -> IO[str]:
        class Target(TextTarget):
            tool = self

        self.available_targets["mlir"] = lambda: Target
        if self.args.output_file is None:
            return sys.stdout
        path = Path(self.args.output_file)
        if path.exists() and not path.is_file():  # /dev/null and the like
            return super().prepare_output()
        self.pending = PendingOutput(path)
        if self.pending.write_model is not None:
            self._require_unset(WRITES_TEXT, path)
        return self.pending


def arguments(prog: str = "opt-tool") -> argparse.ArgumentParser:
    """The command line."""
    return OptTool([], prog).arg_parser


def main(args: Sequence[str] | None = None, prog: str = "opt-tool") -> None:
    """The command line."""
    words = sys.argv[1:] if args is None else args
    with one_line_errors(prog, "--debug" in words):
        tool = OptTool(words, prog)
    with one_line_errors(tool.get_input_name(), tool.args.debug):
        if tool.args.list_passes:
            print(listing(tool.available_passes))
        elif tool.args.show_dialects:
            print(f"Available Dialects: {','.join(sorted(tool.ctx.registered_dialect_names))}")
        else:
            tool.run()


if __name__ == "__main__":
    main()
