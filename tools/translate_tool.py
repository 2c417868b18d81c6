"""`translate-tool`: models from one format to another, by their endings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .diagnostics import one_line_errors
from .version import add_version

DESCRIPTION = """\
Translates a model from one format to another; the endings of both paths say which.

  .mlir   lowstream's own text; constants of more than 4 KiB go into a .safetensors
          file beside it, and stay inline on standard output
  .xml    OpenVINO IR with its .bin beside it (needs the openvino package)
  .onnx   ONNX, read only (needs the onnx package)
  .tflite LiteRT (needs the ai-edge-litert package)
  .pb     a frozen graph of TensorFlow, .pdmodel a model of PaddlePaddle, read only
          (need the openvino package)

A directory is a saved model of TensorFlow, read only (needs the tensorflow package).
"""

EXAMPLES = """\
examples:
  translate-tool model.xml -o model.mlir     writes model.mlir and model.safetensors
  translate-tool model.xml                   prints the module
  translate-tool model.mlir -o model.xml     writes model.xml and model.bin
  translate-tool old.mlir -o new.mlir        copies a model with its weights
  translate-tool saved_model -o model.tflite converts a model of TensorFlow for LiteRT

exit status: 0, 1 (the input is wrong: one line says what) or 2 (usage)
"""


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="translate-tool",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "model",
        type=Path,
        help="the model to read: a file of one of these formats, or a saved model",
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="output",
        type=Path,
        help="the file to write (.mlir, .xml, .tflite); without it the module is printed",
    )
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    add_version(parser)
    return parser


def main(args: Sequence[str] | None = None) -> None:
    """The command line."""
    options = arguments().parse_args(args)
    with one_line_errors(str(options.model), options.debug):
        _translate(options.model, options.output)


def _translate(source: Path, target: Path | None) -> None:
    from ..interop.model import read_model, writer_for

    if target is not None:
        write = writer_for(target)  # an ending that nothing writes is known before a long import
        write(read_model(source).module, target)
        return
    from xdsl.printer import Printer

    Printer(sys.stdout).print_op(read_model(source).module)
    print(flush=True)


if __name__ == "__main__":
    main()
