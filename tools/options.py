"""The one parser of all tools: the same options everywhere, and what was meant where there is no such flag."""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..dialects.verification import one_line
from ..passes.digits import natural
from ..passes.nearest import nearest
from .command_table import COMMANDS
from .diagnostics import one_line_errors
from .help import print_help
from .version import add_version

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

    from ..interop.model import Model

STATUS = "exit status: 0, 1 (the input is wrong: one line says what) or 2 (usage)\n"

EMPTY_PATH = "the path is empty; is a variable of the shell unset?"

STANDARD = Path("-")
"""Standard input or output in the place of a file."""


class Parser(argparse.ArgumentParser):
    """A tool's command line. Every tool shows its version, and with --debug the traceback of an error."""

    def __init__(self, prog: str, description: str, examples: str):
        super().__init__(
            prog=prog,
            description=description,
            epilog=f"{examples}\n{STATUS}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        self._words: Sequence[str] = ()
        self.add_argument("--debug", action="store_true", help="show the traceback of an error")
        add_version(self)

    def print_help(self, file: SupportsWrite[str] | None = None) -> None:
        print_help(self, file)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """argparse takes a `--` away, also one that is a value."""
        if action.nargs is None and arg_strings == ["--"]:
            self.error(f"argument {'/'.join(action.option_strings)}: expected one argument")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        flags = self._option_string_actions
        unknown = [
            word
            for word in self._words
            if word.startswith("--") and word.partition("=")[0] not in {*flags, "--"}
        ]
        if unknown and message.startswith(MISSING):  # of the two, what argparse says first
            message = f"unrecognized arguments: {' '.join(unknown)}"
        raise_usage(self.prog, with_suggestions(message, flags))

    def run(self, args: Sequence[str] | None, tool: Callable[[argparse.Namespace], None]) -> None:
        """Runs a tool with the options of a command line, errors in one line."""
        self._words = sys.argv[1:] if args is None else args
        with one_line_errors(self.prog):
            options = self.parse_args(args)
        with one_line_errors(
            _source_named(getattr(options, "model", Path(self.prog))), options.debug
        ):
            tool(options)


def _source_named(model: Path) -> str:
    """What messages call a model's source."""
    return "<stdin>" if model == STANDARD else str(model)


def raise_usage(prog: str, message: str) -> NoReturn:
    """Ends a tool whose command line is wrong: one line, as for every other error."""
    print(f"{prog}: error: {one_line(message)}", file=sys.stderr)
    raise SystemExit(2)


MISSING = "the following arguments are required"
"""How argparse begins to say which arguments are not there."""

_OF_SEVERAL_LETTERS = re.compile(r"argument (-\w)\b.*: ignored explicit argument '(.*)'")
"""What argparse says of `-hint`, as it knows `-h`."""


def with_suggestions(message: str, flags: Mapping[str, argparse.Action]) -> str:
    """A usage error, with what was meant by words that the tool does not know; else where its options are listed."""
    message = _OF_SEVERAL_LETTERS.sub(r"unrecognized arguments: \1\2", message)
    if message.startswith(MISSING):
        return f"{message}; --help shows examples"
    _, is_unknown, words = message.partition("unrecognized arguments: ")
    first, *following = words.split() or [""]
    unknown = [first, *(word for word in following if word.startswith("-"))]
    if first.startswith("--") and (others := _commands_with(first.partition("=")[0])):
        return f"{message}; {first.partition('=')[0]} is an option of lowstream {', '.join(others)}"
    near = [match for word in unknown for match in _meant(word, flags)]
    if near:
        return f"{message}; did you mean {' or '.join(dict.fromkeys(near))}?"
    return f"{message}; --help lists the options" if is_unknown else message


def _commands_with(flag: str) -> list[str]:
    """The commands that have an option which this one has not."""
    modules = {name: import_module(f"{__package__}.{COMMANDS[name][0]}") for name in COMMANDS}
    parsers = {name: each.arguments() for name, each in modules.items() if name != "opt"}
    return [name for name, each in parsers.items() if flag in each._option_string_actions]


def _meant(word: str, flags: Mapping[str, argparse.Action]) -> list[str]:
    """
    The long flags that are similar to an unknown one. A pass is a flag of opt-tool alone, and without dashes one more
    of the passes. A second array is another input, a second model one to write.
    """
    from ..passes.registry import all_factories

    if not word.startswith("-"):
        if "--input" in flags and ("=" in word or Path(word).suffix == ".npy"):
            return [f"--input {word}"]
        if "-p" in flags and word in all_factories():
            return [f"-p …,{word}"]
        writes_file = "-o" in flags and flags["-o"].metavar != FOLDER
        return [f"-o {word}"] if writes_file and Path(word).suffix else []
    word = word.partition("=")[0]
    name = word.removeprefix("--")
    if word == "-p":
        return ["opt-tool -p"]
    if name in all_factories():
        return [f"-p {name}" if "-p" in flags else f"opt-tool {word}"]
    known = [flag.removeprefix("--") for flag in flags if flag.startswith("--")]
    return _passes_with(name, flags) or [f"--{near}" for near in nearest(name, known)]


def _passes_with(option: str, flags: Mapping[str, argparse.Action]) -> list[str]:
    """The first two flags of passes with an option of this name; else the first that takes a file with such a key."""
    from ..passes.pipeline import is_key
    from ..passes.registry import all_factories

    loaded = ((f"--{name}", load) for name, load in all_factories().items() if f"--{name}" in flags)
    name = option.replace("-", "_")
    found: list[str] = []
    holders: list[str] = []
    for flag, load in loaded:
        options = fields(load())
        found += [f"{flag}={option}=…" for each in options if each.name == name]
        holders += [f"{flag}={each.name}=FILE" for each in options if is_key(name, each)]
    return found[:2] or [f"{holder} with {name} in the file" for holder in holders[:1]]


FOLDER = "DIR"
"""What help calls the output of a tool that writes several files."""


def add_output(add: Callable[..., object], metavar: str = "FILE", **options: Any) -> None:
    """The file that a tool writes, or the folder."""
    add("-o", "--output", dest="output", metavar=metavar, type=file, **options)


def require_folder(path: Path | None) -> None:
    """Raises SourceError where the folder of a file to write is not there: before a long run."""
    from ..interop.mlir import SourceError

    if path not in (None, STANDARD) and not path.parent.is_dir():
        raise SourceError(f"{path}: error: there is no folder {path.parent}")


def file(text: str) -> Path:
    """A path; an empty one would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError(EMPTY_PATH)
    return Path(text)


def count(text: str) -> int:
    """A number of at least one."""
    if not (number := natural(text)):
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of 1 or more")
    return number


def threads(text: str) -> int:
    """A number of threads. Warns where it is more than the cores of this process."""
    from ..runtime.host import usable_cores

    if (number := count(text)) > (cores := usable_cores()):
        warnings.warn(
            f"--threads {number} is more than the {cores} usable cores; threads then wait for each other",
            stacklevel=1,
        )
    return number


def seconds(text: str) -> float:
    """A positive number of seconds, at most a day."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 86400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return value


def add_model(parser: argparse.ArgumentParser) -> None:
    """The model that a tool is about, and new shapes for its inputs."""
    parser.add_argument(
        "model",
        type=file,
        help="the model: a file (lowstream translate --help lists formats), a saved model, or - for .mlir "
        "from standard input",
    )
    parser.add_argument(
        "--reshape",
        "--shape",
        metavar="NAME=SHAPE,…",
        action="append",
        default=[],
        help="new shapes for inputs, such as X=1x1x40, or 1x1x40 for the only one; an unknown dimension is ?",
    )


def add_compile_options(parser: argparse.ArgumentParser) -> None:
    """What every tool that compiles can be told."""
    add_model(parser)
    parser.add_argument(
        "-p",
        "--passes",
        dest="passes",
        metavar="PASSES",
        default="auto",
        help="passes to run before compiling, such as low-latency2,lpt "
        "(default: low precision for a quantized model)",
    )
    add_threads(parser)


def add_threads(parser: argparse.ArgumentParser) -> None:
    """How many threads may share one inference."""
    parser.add_argument(
        "--threads", type=threads, metavar="N", help="threads to use (default: all cores)"
    )


def model_of(options: argparse.Namespace) -> Model:
    """The model that a command line names, in its shapes."""
    from ..interop.model import Model, read_model
    from ..passes.reshape import parse_shapes

    path: Path = options.model
    if path != STANDARD:
        model = read_model(path)
    else:
        from ..dialects import context
        from ..interop.mlir import parse_module

        text = sys.stdin.buffer.read()
        model = Model(parse_module(text, "<stdin>", context()))
    for text in options.reshape:
        model.reshape(parse_shapes(text, model.module))
    return model


def source_of(options: argparse.Namespace) -> Path | Model:
    """The file, which compiling finds in its cache; where that is not all, the model."""
    if options.model == STANDARD or options.reshape:
        return model_of(options)
    path: Path = options.model
    return path


def read(source: Path | Model) -> Model:
    """What passes may change: the model in a file, or a copy of one that was read."""
    from ..interop.model import read_model

    return read_model(source) if isinstance(source, Path) else deepcopy(source)
