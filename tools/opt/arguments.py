"""
The command line of `opt-tool`: a flag for each pass, and mlir-opt's options by mlir-opt's names. Those that xDSL's
driver calls otherwise are understood, but not listed.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from xdsl.transforms import get_all_passes

from ...passes.digits import natural
from ...passes.registry import PASSES, aliases
from ..options import file
from ..version import add_version
from .expected_diagnostics import WHICH
from .timing import DISPLAYS

EXAMPLES = """\
examples:
  opt-tool --low-latency2 --lpt in.mlir -o out.mlir
  opt-tool --reshape X=1x1x40 --low-latency2 in.xml -o stream.onnx
  opt-tool --lpt='preset=cpu-x86' --precision-report=file=report.csv in.mlir
  opt-tool -p 'low-latency2{use-const-initializer=false},lpt' in.mlir
  opt-tool --lpt --verify-numerics=inputs=3,steps=4,seed=0 in.mlir
  opt-tool --lower-to-kernels --mlir-print-ir-after=fuse-kernels in.mlir
  opt-tool --lpt --mlir-print-ir-tree-dir=dumps --mlir-timing in.mlir
  opt-tool --lpt --mlir-pass-pipeline-crash-reproducer=crash.mlir in.mlir
  opt-tool --run-reproducer crash.mlir
  opt-tool --split-input-file --verify-diagnostics errors.mlir
"""

USAGE = "[pass …] [option …] [input] [-o output]"

SIZES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

ONLY_OPTION = {"reshape": "inputs"}
"""Passes that do nothing without one option, whose value may stand alone: `--reshape X=1x1x40`, as in every tool."""

ALSO_FLAGS = {"reshape": ["--shape"]}
"""Other flags of passes, as every tool has them."""

OF_XDSL = {
    "input_file": "the model: a file of any format that translate reads; - or none is .mlir from standard input",
    "frontend": "read the file as text of MLIR, whatever its ending",
    "allow_unregistered_dialect": "keep operations of dialects that are not registered, in the generic form",
    "no_implicit_module": "the text has a builtin.module of its own, or is refused",
    "print_no_properties": "print properties as attributes, for tools that know none",
    "syntax_highlight": "print in colours",
    "target": "print for another of xDSL's targets, such as wat or riscv-asm (default: mlir)",
    "disable_verify": "leave the module unverified, between passes too",
}
"""What options say that xDSL's driver has, by where it keeps them."""

OPTIONAL = (
    "verify-numerics",
    "verify-diagnostics",
    "remarks-filter",
    "split-input-file",
    "mlir-print-ir-before",
    "mlir-print-ir-after",
)
"""Options whose value may be left away."""


Add = Callable[..., object]
"""What adds an option to a group."""


class PassFlag(argparse.Action):
    """`--name` or `--name='option=value …'` appends to the pipeline."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        name = self.option_strings[0].removeprefix("--")
        if only := ONLY_OPTION.get(name):
            value = values.removeprefix(f"{only}=")
            values = f"{only}={value}" if value.startswith('"') else f'{only}="{value}"'
        namespace.flagged.append(f"{name}{{{values}}}" if values else name)


class Help(argparse.RawDescriptionHelpFormatter):
    """Shows a pass, and an option whose value may be left away, with what it takes."""

    def _format_action_invocation(self, action: argparse.Action) -> str:
        flag = action.option_strings[0] if action.option_strings else ""
        if flag.removeprefix("--") in ONLY_OPTION:
            return f"{', '.join(action.option_strings)} NAME=SHAPE,…"
        if not isinstance(action, PassFlag) and flag.removeprefix("--") not in OPTIONAL:
            return super()._format_action_invocation(action)
        value = f"'{action.metavar}'" if isinstance(action, PassFlag) else str(action.metavar)
        return f"{flag}[={value}]" if action.metavar else flag


def _most_elements(text: str) -> int:
    """The most elements of a constant that is printed whole; -1 prints any."""
    if text == "-1":
        return -1
    if (number := natural(text)) is None:
        raise argparse.ArgumentTypeError(f"'{text}' is neither a number of elements nor -1")
    return number


def byte_count(text: str) -> int:
    """`1024`, `256M`, `4G` … in bytes."""
    digits, unit = (text[:-1], SIZES[text[-1]]) if text[-1:] in SIZES else (text, 1)
    if (number := natural(digits)) is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of bytes")
    return number * unit


def add_options(parser: argparse.ArgumentParser) -> None:
    """mlir-opt's options and ours, in the place of xDSL's where there are such."""
    parser._optionals.conflict_handler = parser.conflict_handler = "resolve"  # pyright: ignore[reportPrivateUsage]
    add_version(parser)
    add = parser.add_argument
    _add_pipeline(add)
    _add_verification(add)
    add("--debug", action="store_true", help="show the traceback of an error")
    add("--list-passes", action="store_true", help="list all passes with their options")
    add("--show-dialects", action="store_true", help="list all dialects")
    for action in parser._actions:  # pyright: ignore[reportPrivateUsage]
        action.help = OF_XDSL.get(action.dest, action.help)
    for hidden in ("--shrink", "--parsing-diagnostics"):
        add(hidden, action="store_true", help=argparse.SUPPRESS)
    groups = {
        "text": _add_printing,
        "the IR between passes, those within others too": _add_dumps,
        "what passes take and do, on standard error": _add_measuring,
        "errors": _add_errors,
    }
    for title, add_some in groups.items():
        add_some(parser.add_argument_group(title).add_argument)


def _add_pipeline(add: Add) -> None:
    add(
        "-o",
        "--output",
        "--output-file",
        dest="output_file",
        metavar="FILE",
        help="the file to write, in the format that its ending says (default: standard output, as text)",
    )
    add(
        "-p",
        "--passes",
        metavar="PASSES",
        default="",
        help="the passes as one text: name{option=value …},name,…",
    )
    add(
        "--pass-pipeline",
        metavar="'builtin.module(PASSES)'",
        help="the same as mlir-opt spells it",
    )
    add(
        "--dump-pass-pipeline",
        action="store_true",
        help="print the passes with their options on standard error, as --pass-pipeline takes them",
    )
    add(
        "--max-bytes",
        type=byte_count,
        help="the largest size of a constant in bytes (suffixes: K, M, G)",
    )


def _add_verification(add: Add) -> None:
    add(
        "--verify-each",
        action="store_true",
        help="verify the module after each pass (so it is, without --disable-verify)",
    )
    add(
        "--verify-numerics",
        metavar="inputs=3,steps=4,seed=0",
        help="run the module through the reference after each pass, states included, and name "
        "the pass that changed a result",
    )
    add(
        "--verify-roundtrip",
        action="store_true",
        help="verify that what is printed of the module is read as the same module",
    )


def _add_printing(add: Add) -> None:
    for name, what in (
        ("print-op-generic", "print operations in the generic form, which plain mlir-opt reads"),
        ("print-debuginfo", "print the location of each operation"),
    ):
        add(f"--mlir-{name}", dest=name.replace("-", "_"), action="store_true", help=what)
        add(f"--{name}", action="store_true", help=argparse.SUPPRESS)
    add(
        "--mlir-elide-elementsattrs-if-larger",
        metavar="N",
        type=_most_elements,
        help="leave out the elements of constants that have more than N (on a terminal 16, "
        "otherwise and with -1 none are left out); what was left out cannot be read back",
    )


def _add_dumps(add: Add) -> None:
    for when, what in (("before", "is given"), ("after", "leaves")):
        add(
            f"--mlir-print-ir-{when}",
            metavar="PASS,…",
            action="append",
            default=[],
            help=f"print what each of these passes {what} on standard error; without names, each pass",
        )
        add(f"--mlir-print-ir-{when}-all", action="store_true", help=f"what each pass {what}")
    add(
        "--print-between-passes",
        dest="mlir_print_ir_after_all",
        action="store_true",
        help=argparse.SUPPRESS,
    )
    add(
        "--mlir-print-ir-after-change",
        action="store_true",
        help="print only after passes that changed something",
    )
    add(
        "--mlir-print-ir-after-failure",
        action="store_true",
        help="print only after passes that failed",
    )
    add(
        "--mlir-print-ir-tree-dir",
        metavar="DIR",
        type=file,
        help="write files into this folder, numbered in order, instead (after each pass, where nothing else is said)",
    )


def _add_measuring(add: Add) -> None:
    add(
        "--mlir-timing", action="store_true", help="the time that passes and those within them take"
    )
    add(
        "--mlir-timing-display",
        choices=DISPLAYS,
        default=DISPLAYS[0],
        help="as a tree in the order of the passes, or as a list, the longest first (default: tree)",
    )
    add(
        "--mlir-pass-statistics",
        "--pass-statistics",
        action="store_true",
        help="the operations that each pass was given and left, and how often each pattern rewrote",
    )
    add(
        "--remarks-filter",
        metavar="REGEX",
        help="a remark on each operation that a pass, one of a name that this matches, left as it was: why",
    )
    add("--time-passes", dest="mlir_timing", action="store_true", help=argparse.SUPPRESS)


def _add_errors(add: Add) -> None:
    add(
        "--split-input-file",
        metavar="MARKER",
        help="the parts of a file between lines of `// -----`, or this marker, each by itself; an error in one "
        "does not keep the others back",
    )
    add(
        "--verify-diagnostics",
        metavar="|".join(WHICH),
        help="succeed where exactly what `// expected-error@+1 {{part of the message}}` and the like expect is said "
        "(error, warning, note, remark; error-re with {{regular expressions}} in it; @+N, @-N, @above, @below, "
        "@unknown: lines), or at least that",
    )
    add(
        "--mlir-pass-pipeline-crash-reproducer",
        metavar="FILE",
        type=file,
        help="where a pass fails, write what it was given and its options into a file",
    )
    add("--run-reproducer", action="store_true", help="run the passes that such a file names on it")


def add_pass_flags(parser: argparse.ArgumentParser, available: Iterable[str]) -> None:
    """A flag for each pass, ours with a word on each."""
    parser.set_defaults(flagged=[])
    ours = parser.add_argument_group("lowstream's passes")
    for info in PASSES:
        names = [f"--{info.name}", *ALSO_FLAGS.get(info.name, ())]
        ours.add_argument(*names, action=PassFlag, metavar=info.options, help=info.summary)
    for alias in aliases():
        ours.add_argument(f"--{alias}", action=PassFlag, help=argparse.SUPPRESS)
    for title, names in others(available).items():
        flags = " ".join(f"--{name}" for name in names)
        listed = textwrap.fill(flags, 76, break_on_hyphens=False)
        group = parser.add_argument_group(title, listed)
        for name in names:
            group.add_argument(f"--{name}", action=PassFlag, help=argparse.SUPPRESS)


def others(available: Iterable[str]) -> Mapping[str, Sequence[str]]:
    """Passes that are not ours, by whose they are."""
    names = {*available} - {info.name for info in PASSES} - aliases().keys()
    xdsl = get_all_passes().keys()
    found = {
        "xDSL's passes": sorted(names & xdsl),
        "passes of other installed packages": sorted(names - xdsl),
    }
    return {title: listed for title, listed in found.items() if listed}


def spelled_out(words: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """
    The words of a command line as argparse wants them: a bare flag does not take the word after it, the input file,
    for its value, and `-mlir-timing` is `--mlir-timing`, as LLVM's tools have it.
    """
    actions = parser._option_string_actions  # pyright: ignore[reportPrivateUsage]
    optional = {f"--{name}" for name in OPTIONAL}
    optional |= {
        flag
        for flag, action in actions.items()
        if isinstance(action, PassFlag)
        and action.option_strings[0].removeprefix("--") not in ONLY_OPTION
    }
    found: list[str] = []
    for word in words:
        flag = word.partition("=")[0]
        if flag not in actions and len(flag) > 2 and f"-{flag}" in actions:
            word = f"-{word}"
        found.append(f"{word}=" if word in optional else word)
    return found


def listing(available: Iterable[str]) -> str:
    """What `--list-passes` prints."""
    lines = ["Available Passes:"]
    for info in PASSES:
        options = f"{{{info.options}}}" if info.options else ""
        lines += textwrap.wrap(
            f"{info.name}{options}  {info.summary}",
            80,
            initial_indent="  ",
            subsequent_indent="      ",
            break_on_hyphens=False,
        )
    for title, names in others(available).items():
        lines += ["", f"{title}:", *(f"  {name}" for name in names)]
    return "\n".join(lines)
