"""`explain-tool`: which layers of a model are in low precision, and why others are not."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from .options import Parser, add_model, source_of

DESCRIPTION = """\
Runs passes on a model, low precision where none are named, and prints a row for each operation:
its name, its type, the precisions of inputs and outputs, and why it is not in low precision.
"""

EXAMPLES = """\
examples:
  lowstream explain model.xml
  lowstream explain model.onnx -p low-latency2,lpt
  lowstream explain model.mlir -o report.html        or .json, .csv, .txt
"""


def arguments(prog: str = "lowstream explain") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_model(parser)
    parser.add_argument(
        "-p", dest="passes", metavar="PASSES", default="lpt", help="passes to run (default: lpt)"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        type=Path,
        help="write it, as .html, .json, .csv or .txt",
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "lowstream explain") -> None:
    """The command line."""
    arguments(prog).run(args, _explain)


def _explain(options: argparse.Namespace) -> None:
    from rich.console import Console

    from ..runtime.explanation.build import explain
    from ..runtime.explanation.rows import writer_of
    from ..runtime.explanation.text import print_to

    if options.output is not None:
        writer_of(options.output)  # an ending that nothing writes is known before a long run
    explanation = explain(source_of(options), options.passes)
    if options.output is not None:
        explanation.save(options.output)
        print(explanation.summary)
    elif (console := Console()).is_terminal:
        print_to(explanation, console)
    else:
        print(explanation.as_text(console.width), end="")


if __name__ == "__main__":
    main()
