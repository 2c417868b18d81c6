"""
`opt-tool`: runs passes on a module, in the order of the flags.

xDSL's driver with the passes as flags, errors in one line, weights beside the output file and
numerical verification.
"""

from __future__ import annotations

import argparse
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, ClassVar, NoReturn, cast

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.targets.mlir import MLIRTarget
from xdsl.transforms import get_all_passes
from xdsl.utils.exceptions import (
    DiagnosticException,
    PassFailedException,
    VerifyException,
)
from xdsl.xdsl_opt_main import xDSLOptMain

from ..dialects import context
from ..dialects.verification import what_is_wrong
from ..interop.mlir import SourceError, parse_module, verify
from ..passes.pipeline import parse_pipeline
from ..passes.registry import PASSES, aliases, all_factories
from .diagnostics import one_line_errors
from .options import with_suggestions
from .version import VersionLine

EXAMPLES = """\
examples:
  opt-tool --low-latency2 --lpt in.mlir -o out.mlir
  opt-tool --lpt='preset=cpu-x86' --precision-report=file=report.csv in.mlir
  opt-tool -p 'low-latency2{use-const-initializer=false},lpt' in.mlir
  opt-tool --lpt --verify-numerics=inputs=3,steps=4,seed=0 in.mlir
"""

if TYPE_CHECKING:
    from ..dialects.blob import Blob

SIZES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

ONLY_OPTION = {"reshape": "inputs"}
"""Passes that do nothing without one option, whose value may stand alone: `--reshape X=1x1x40`, as in every tool."""

Callback = Callable[[ModulePass | None, ModuleOp, ModulePass | None], None]


class PassFlag(argparse.Action):
    """`--name` or `--name='option=value …'` appends to the pipeline."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        assert option_string is not None
        name = option_string.removeprefix("--")
        if (only := ONLY_OPTION.get(name)) and not values.startswith(f"{only}="):
            values = f'{only}="{values}"'
        namespace.flagged.append(f"{name}{{{values}}}" if values else name)


class Help(argparse.RawDescriptionHelpFormatter):
    """Shows a pass with its options, and `-p` without the list of all passes."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not isinstance(action, PassFlag):
            return super()._format_action_invocation(action)
        options = f"[='{action.metavar}']" if action.metavar else ""
        return f"{action.option_strings[0]}{options}"

    def _get_help_string(self, action: argparse.Action) -> str | None:
        if action.dest == "passes":
            return "the passes as one text: name{option=value …},name,…"
        return super()._get_help_string(action)


class PendingOutput(StringIO):
    """
    What goes into the output file once all has succeeded, and the constants that go beside it.

    The driver closes its stream whatever happened, so closing does not end it.
    """

    def __init__(self, path: Path):
        super().__init__()
        self.path = path
        self.keys: dict[Blob, str] = {}

    def close(self) -> None:
        pass

    def write_files(self) -> None:
        """Writes both files, each whole or not at all."""
        from ..interop.mlir_file import write_files

        write_files(self.path, self.getvalue(), self.keys)


@dataclass(frozen=True)
class FileTarget(MLIRTarget):
    """MLIR text that keeps large constants out of it."""

    pending: ClassVar[PendingOutput]

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        from ..interop.ir_version import saying_version
        from ..interop.mlir_file import WeightsPrinter, weights_path

        printer = WeightsPrinter(
            output,
            print_generic_format=self.print_generic_format,
            print_properties_as_attributes=self.print_properties_as_attributes,
            print_debuginfo=self.print_debuginfo,
            file=weights_path(self.pending.path).name,
            keys=self.pending.keys,
        )
        with saying_version(module):
            printer.print_op(module)
        printer.print_metadata(ctx.loaded_dialects)
        output.write("\n")


def byte_count(text: str) -> int:
    """`1024`, `256M`, `4G` … in bytes."""
    digits, unit = (text[:-1], SIZES[text[-1]]) if text[-1:] in SIZES else (text, 1)
    if not digits.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of bytes")
    return int(digits) * unit


class OptTool(xDSLOptMain):
    """xDSL's driver, extended where it allows."""

    version_format = VersionLine("opt-tool")

    def __init__(self, args: Sequence[str], prog: str = "opt-tool"):
        self.words = list(args)
        self.prog = prog
        self.pending: PendingOutput | None = None
        super().__init__("Runs passes on a module, in the order of their flags.", self.words)
        for name in ("input_file", "output_file"):  # standard input and output, as without them
            if getattr(self.args, name) == "-":
                setattr(self.args, name, None)

    # --- what there is, as in every other tool ----------------------------------------------

    def register_all_dialects(self) -> None:
        self.ctx = context()

    def register_all_passes(self) -> None:
        self.available_passes.update(all_factories())

    # --- the command line -------------------------------------------------------------------

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        self.arg_parser = arg_parser
        arg_parser.prog = self.prog
        arg_parser.error = self._fail
        arg_parser.usage = f"{self.prog} [pass …] [option …] [input.mlir] [-o output.mlir]"
        arg_parser.formatter_class = Help
        arg_parser.allow_abbrev = False
        arg_parser.epilog = EXAMPLES
        super().register_all_arguments(arg_parser)
        arg_parser.add_argument(
            "--verify-each",
            action="store_true",
            help="Verify the module after each pass (so it is, without --disable-verify)",
        )
        arg_parser.add_argument(
            "--verify-numerics",
            metavar="inputs=3,steps=4,seed=0",
            help="Run the module through the reference after each pass, states included, and name "
            "the pass that changed a result",
        )
        arg_parser.add_argument(
            "--max-bytes",
            type=byte_count,
            help="What one constant may occupy (K, M and G are understood)",
        )
        arg_parser.add_argument(
            "--debug", action="store_true", help="Show the traceback of an error"
        )
        self._register_pass_flags(arg_parser)
        # A bare flag must not take the word after it, the input file, for its options.
        alone = (*self.available_passes.keys() - ONLY_OPTION.keys(), "verify-numerics")
        bare = {f"--{name}" for name in alone}
        self.words[:] = [f"{word}=" if word in bare else word for word in self.words]

    def _fail(self, message: str) -> NoReturn:
        flags = [flag for action in self.arg_parser._actions for flag in action.option_strings]  # pyright: ignore[reportPrivateUsage]
        argparse.ArgumentParser.error(self.arg_parser, with_suggestions(message, flags))

    def _register_pass_flags(self, arg_parser: argparse.ArgumentParser) -> None:
        arg_parser.set_defaults(flagged=[])
        ours = arg_parser.add_argument_group("lowstream's passes")
        for info in PASSES:
            ours.add_argument(
                f"--{info.name}", action=PassFlag, metavar=info.options, help=info.summary
            )
        for alias in aliases():
            ours.add_argument(f"--{alias}", action=PassFlag, help=argparse.SUPPRESS)
        others = self.available_passes.keys() - {info.name for info in PASSES} - aliases().keys()
        xdsl = get_all_passes().keys()
        self._list_pass_flags(arg_parser, "xDSL's passes", others & xdsl)
        if installed := others - xdsl:
            self._list_pass_flags(arg_parser, "passes of other installed packages", installed)

    def _list_pass_flags(
        self, arg_parser: argparse.ArgumentParser, title: str, names: Iterable[str]
    ) -> None:
        flags = " ".join(f"--{name}" for name in sorted(names))
        listed = textwrap.fill(flags, 96, break_on_hyphens=False)
        group = arg_parser.add_argument_group(title, listed)
        for name in names:
            group.add_argument(f"--{name}", action=PassFlag, help=argparse.SUPPRESS)

    def setup_pipeline(self) -> None:
        flagged: list[str] = self.args.flagged
        if self.args.passes and flagged:
            self.arg_parser.error(f"-p cannot be mixed with --{flagged[0]}; use one of both")
        if self.args.verify_each and self.args.disable_verify:
            self.arg_parser.error("--verify-each contradicts --disable-verify")
        if self.args.max_bytes is not None:
            from ..dialects import blob

            blob.MAX_BYTES = self.args.max_bytes
        try:
            passes = parse_pipeline(self.args.passes or ",".join(flagged), self.available_passes)
        except DiagnosticException as error:
            self.arg_parser.error(str(error))
        self.args.passes = ""
        super().setup_pipeline()  # for its callback
        self.pipeline = PassPipeline(tuple(passes), self._instrumented())

    def _instrumented(self) -> Callback:
        """xDSL's callback, which verifies, with the pass in its message; then the numerics."""
        inner = cast(Callback, self.pipeline.callback)
        numerics = self._numerics()

        def callback(before: ModulePass | None, module: ModuleOp, after: ModulePass | None) -> None:
            if before is None and not self.args.disable_verify:
                verify(module)
            try:
                inner(before, module, after)
            except VerifyException as error:
                if before is None:
                    raise
                raise PassFailedException(
                    f"{before.name} left an invalid module: {what_is_wrong(error)}"
                ) from error
            if numerics is not None:
                numerics(before, module, after)

        return callback

    def _numerics(self) -> Callback | None:
        if self.args.verify_numerics is None:
            return None
        from ..passes.numerics import NumericsCheck

        try:
            return NumericsCheck.parse(self.args.verify_numerics)
        except ValueError as error:
            self.arg_parser.error(f"--verify-numerics: {error}")

    # --- input and output -------------------------------------------------------------------

    def register_all_frontends(self) -> None:
        super().register_all_frontends()

        def parse_mlir(io: IO[bytes]) -> ModuleOp:
            implicit = not self.args.no_implicit_module
            return parse_module(io.read(), self.get_input_name(), self.ctx, implicit)

        self.available_frontends["mlir"] = parse_mlir

    def prepare_input(self) -> tuple[list[tuple[IO[bytes], int]], str]:
        try:
            return super().prepare_input()
        except ValueError:
            raise SourceError(
                f"{self.get_input_name()}: error: opt-tool reads .mlir; say -f mlir if it is such "
                "text, or make one with translate-tool"
            ) from None

    def prepare_output(self) -> IO[str]:
        if self.args.output_file is None:
            return sys.stdout
        path = Path(self.args.output_file)
        if path.exists() and not path.is_file():  # /dev/null and the like
            return super().prepare_output()
        self.pending = PendingOutput(path)

        class Target(FileTarget):
            pending = self.pending

        self.available_targets["mlir"] = lambda: Target
        return self.pending

    def run(self) -> None:
        """Reads, runs the passes, writes; an output file appears only if all went well."""
        folder = Path(self.args.output_file or ".").parent
        if not folder.is_dir():
            raise SourceError(f"{self.args.output_file}: error: there is no folder {folder}")
        super().run()
        if self.pending is not None:
            self.pending.write_files()


def arguments(prog: str = "opt-tool") -> argparse.ArgumentParser:
    """The command line."""
    return OptTool([], prog).arg_parser


def main(args: Sequence[str] | None = None, prog: str = "opt-tool") -> None:
    """The command line."""
    words = sys.argv[1:] if args is None else args
    with one_line_errors(prog, "--debug" in words):
        tool = OptTool(words, prog)
    with one_line_errors(tool.get_input_name(), tool.args.debug):
        tool.run()


if __name__ == "__main__":
    main()
