"""
`lowstream`: all tools as one command.

Nothing is imported before the words are looked at but what Python has loaded by then, so that Ctrl-C ends a tool
quietly while it starts, too.
"""

from __future__ import annotations

import atexit
import gc
import io
import os
import sys
from importlib import import_module

from . import INTERRUPTED
from .command_table import ALSO_CALLED, COMMANDS

TYPE_CHECKING = False  # typing itself takes milliseconds
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from types import ModuleType
    from typing import NoReturn

EXAMPLES = """\
examples:
  lowstream run model.onnx                       does it run?
  lowstream explain model.onnx                   which layers are in 8 bits?
  lowstream benchmark model.onnx --vs openvino   how fast is it?
  lowstream opt --help                           the options of a command

opt-tool, translate-tool, run-tool and benchmark-tool are the same commands.
"""

SHELLS = ("bash", "zsh", "fish", "tcsh")


def arguments() -> argparse.ArgumentParser:
    """The command line up to the command."""
    import argparse
    from functools import partial

    from .help import print_help
    from .options import STATUS
    from .version import add_version

    listed = "\n".join(f"  {name:<10} {what}" for name, (_, what) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="lowstream",
        usage="lowstream COMMAND …",
        description=f"Compiles quantized models to native functions.\n\ncommands:\n{listed}",
        epilog=f"{EXAMPLES}\n{STATUS}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--completion", choices=SHELLS, help="print what makes a shell complete these commands"
    )
    add_version(parser)
    parser.print_help = partial(print_help, parser)
    parser.error = partial(_refuse, parser)
    return parser


def _refuse(parser: argparse.ArgumentParser, message: str) -> NoReturn:
    from .options import raise_usage, with_suggestions

    raise_usage("lowstream", with_suggestions(message, parser._option_string_actions))


def main(args: Sequence[str] | None = None) -> None:
    """The command line."""
    try:
        _main(args)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _main(args: Sequence[str] | None) -> None:
    have_output()
    words = sys.argv[1:] if args is None else list(args)
    name = words[0] if words else ""
    if name in COMMANDS:
        start(name, f"lowstream {name}", words[1:])
        return
    parser = arguments()
    if name == "help":
        if (name := words[1] if words[1:] else "") in COMMANDS:
            start(name, f"lowstream {name}", ["--help"])
        words = ["--help"]
    if name and not name.startswith("-"):
        parser.error(f"there is no command '{name}'; {_meant(name)}")
    try:
        options = parser.parse_args(words)
        if options.completion is None:
            parser.print_help(sys.stderr)
            raise SystemExit(2)
        print(completion(options.completion), flush=True)
    except OSError:
        from .diagnostics import one_line_errors

        with one_line_errors("lowstream"):
            raise


def _meant(name: str) -> str:
    """What somebody means who gives the name of no command: a command, a pass or neither."""
    from ..passes.nearest import nearest
    from ..passes.registry import all_factories

    if name in all_factories():
        return f"it is a pass: lowstream opt --{name}"
    if near := ALSO_CALLED.get(name) or " or ".join(nearest(name, COMMANDS)):
        return f"did you mean {near}?"
    return f"commands: {', '.join(COMMANDS)}"


def start(name: str, prog: str, args: Sequence[str] | None = None) -> None:
    """
    Runs a command under the name that its messages show. When the process ends, Python collects no garbage: after a
    compilation that takes a quarter of a second.
    """
    have_output()
    atexit.register(gc.freeze)
    try:
        _tool(name).main(sys.argv[1:] if args is None else args, prog)
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
    except RuntimeError as error:  # Python's, of a class whose definition is interrupted
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise SystemExit(INTERRUPTED) from None
        raise


def have_output() -> None:
    """
    A process that was started with its standard output or error closed writes nowhere. What the encoding of the output
    does not have is written as an escape, as to standard error.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 (it stays open to the end)
    output: object = sys.stdout
    if isinstance(output, io.TextIOWrapper):
        output.reconfigure(errors="backslashreplace")


def opt_tool() -> None:
    """`opt-tool`."""
    start("opt", "opt-tool")


def translate_tool() -> None:
    """`translate-tool`."""
    start("translate", "translate-tool")


def run_tool() -> None:
    """`run-tool`."""
    start("run", "run-tool")


def benchmark_tool() -> None:
    """`benchmark-tool`."""
    start("benchmark", "benchmark-tool")


def _tool(name: str) -> ModuleType:
    return import_module(f"{__package__}.{COMMANDS[name][0]}")


def completion(shell: str) -> str:
    """The script for a shell, made by the shtab package."""
    from .diagnostics import one_line_errors

    with one_line_errors("lowstream"):
        return _completion(shell)


def _completion(shell: str) -> str:
    try:
        shtab = import_module("shtab")
    except ImportError:
        from xdsl.utils.exceptions import DiagnosticException

        from ..passes.needs import needs

        raise DiagnosticException(needs("completing commands", "shtab")) from None
    parser = arguments()
    commands = parser.add_subparsers()
    for name, (_, what) in COMMANDS.items():
        commands.add_parser(name, help=what, parents=[_tool(name).arguments()], add_help=False)
    return shtab.complete(parser, shell=shell)


if __name__ == "__main__":
    main()
