"""`explain-tool`: which layers of a model are in low precision, and why others are not."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .options import Parser, add_model, model_of

DESCRIPTION = """\
Runs passes on a model, low precision where none are named, and prints a row for each operation:
its name, its type, the precisions of inputs and outputs, and why it is not in low precision.
"""

EXAMPLES = """\
examples:
  lowstream explain model.xml
  lowstream explain model.onnx -p low-latency2,lpt
  lowstream explain model.mlir -o report.csv         or report.json
"""


def arguments(prog: str = "lowstream explain") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_model(parser)
    parser.add_argument(
        "-p", dest="passes", metavar="PASSES", default="lpt", help="passes to run (default: lpt)"
    )
    parser.add_argument(
        "-o", dest="output", metavar="FILE", type=Path, help="write the rows, as .csv or .json"
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "lowstream explain") -> None:
    """The command line."""
    arguments(prog).run(args, _explain)


def _explain(options: argparse.Namespace) -> None:
    from ..passes.legalize import legalized
    from ..passes.pipeline import parse_pipeline, run_passes
    from ..passes.precision_report import (
        precision_report,
        precision_summary,
        print_table,
        write_report,
    )

    passes = parse_pipeline(options.passes)  # a typo is known before a long import
    module = legalized(model_of(options).module)
    run_passes(module, passes)
    rows = precision_report(module)
    if options.output is not None:
        write_report(rows, options.output)
    else:
        print_table(rows, sys.stdout)
    print(precision_summary(module))


if __name__ == "__main__":
    main()
