"""`explain-tool`: for each layer its precision, what decided, what to change, and what that gains and costs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .options import (
    STANDARD,
    Parser,
    add_model,
    add_output,
    add_threads,
    count,
    file,
    model_of,
    require_folder,
)
from .run_tool import add_input, read_steps

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..interop.model import Model

    Array = npt.NDArray[Any]

DESCRIPTION = """\
Runs passes on a model (by default those that compiling runs), and lists the
precision of each layer and the rule that decided it. For a layer in floating
point it gives the reason, the node at fault, and the change that would help.
--measure also measures the time of each kernel, and tries each change on a
copy: what it gains and costs.
"""

EXAMPLES = """\
examples:
  lowstream explain model.xml
  lowstream explain model.onnx -p low-latency2,lpt
  lowstream explain model.mlir --measure --input image.npy
  lowstream explain int8.onnx --measure --input image.npy --reference f32.onnx
  lowstream explain model.mlir --measure -o report.html   or .json, .csv, .txt
"""


def arguments(prog: str = "lowstream explain") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_model(parser)
    parser.add_argument(
        "-p",
        "--passes",
        dest="passes",
        metavar="PASSES",
        help="passes to run (default: those that compiling runs)",
    )
    add_output(parser.add_argument, help="write it, as .html, .json, .csv, .txt")
    parser.add_argument(
        "--measure",
        action="store_true",
        help="compile the model, measure its kernels, and carry out changes on copies",
    )
    parser.add_argument(
        "--reference",
        metavar="FILE",
        type=file,
        help="with --measure: the model in f32 that this one was quantized from, to compare with",
    )
    add_input(parser)
    add_threads(parser)
    parser.add_argument(
        "--top",
        type=count,
        metavar="N",
        help="the number of changes to try, those of the slowest layers first (default: 5)",
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "lowstream explain") -> None:
    """The command line."""
    parser = arguments(prog)

    def run(options: argparse.Namespace) -> None:
        given = {
            "--input": options.inputs,
            "--reference": options.reference,
            "--threads": options.threads,
            "--top": options.top,
        }
        for flag, value in given.items():
            if value and not options.measure:
                parser.error(f"{flag} is for --measure")
        _explain(options)

    parser.run(args, run)


def _explain(options: argparse.Namespace) -> None:
    from rich.console import Console

    from ..passes.pipeline import parse_pipeline
    from ..runtime.explanation.build import COMPILING, TOP, explain
    from ..runtime.explanation.rows import writer_of
    from ..runtime.explanation.text import print_to
    from .progress import progress

    if options.output is not None:
        writer_of(options.output)  # what cannot be written is known before a long run
        require_folder(options.output)
    passes = COMPILING if options.passes is None else options.passes
    parse_pipeline(passes)
    with progress(options.model.name):
        model = model_of(options)
        explanation = explain(
            model,
            passes,
            measure=options.measure,
            inputs=_samples(options, model) if options.inputs else None,
            num_threads=options.threads,
            top=options.top or TOP,
            reference=_reference(options),
            name="<stdin>" if options.model == STANDARD else str(options.model),
        )
    if options.output is not None:
        explanation.save(options.output)
        print(explanation.summary)
    elif (console := Console()).is_terminal:
        print_to(explanation, console)
    else:
        print(explanation.as_text(console.width), end="")


def _reference(options: argparse.Namespace) -> Path | Model | None:
    """The model to compare with, in the shapes of the other."""
    from ..interop.model import read_model
    from ..passes.reshape import parse_shapes

    if options.reference is None or not options.reshape:
        return options.reference
    model = read_model(options.reference)
    for text in options.reshape:
        model.reshape(parse_shapes(text, model.module))
    return model


def _samples(options: argparse.Namespace, model: Model) -> list[dict[str, Array]]:
    """The inputs of each call that the files hold."""
    from ..passes.legalize import legalized
    from ..runtime.build import ports_of

    ports, _ = ports_of(legalized(model.module))
    return read_steps(ports, options.inputs, None)


if __name__ == "__main__":
    main()
