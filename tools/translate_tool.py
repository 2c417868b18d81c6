"""`translate-tool`: writes a model in another format, by the endings of the files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .options import STANDARD, Parser, add_model, add_output, model_of, require_folder

DESCRIPTION = """\
Translates a model from one format to another; the endings of both paths say
which.

  .mlir   lowstream's own text; constants of more than 4 KiB go into a
          .safetensors file beside it, and stay inline on standard output
  .xml    OpenVINO IR with its .bin beside it (needs the openvino package)
  .onnx   ONNX (needs the onnx package)
  .ort    a model in ONNX Runtime's own format, read only (needs the onnx
          package)
  .tflite LiteRT (needs the ai-edge-litert package)
  .pb     a frozen graph of TensorFlow, read only (needs the openvino package)
  .pdmodel
          a model of PaddlePaddle, read only (needs the openvino package)
  .keras, .h5
          a model that Keras saved, read only (needs the tensorflow package)
  .pt2    a program of torch.export, read only (needs the packages torch and
          openvino)
  .svg    a picture of the model, coloured by precision (needs Graphviz),
          written only; .dot is the same in Graphviz's language

A directory is a saved model of TensorFlow, read only (needs the tensorflow
package).
"""

EXAMPLES = """\
examples:
  lowstream translate model.xml -o model.mlir      with its weights beside it
  lowstream translate model.xml                    prints the module
  lowstream translate model.mlir -o model.xml      writes model.xml, model.bin
  lowstream translate old.mlir -o new.mlir         copies it with its weights
  lowstream translate saved_model -o model.tflite  from TensorFlow for LiteRT
  lowstream translate model.xml -o model.svg       draws it
  lowstream translate model.onnx --reshape X=1x1x40 -o model.xml
                                                   with a fixed shape
  cat model.mlir | lowstream translate - -o model.onnx
                                                   from standard input
"""


def arguments(prog: str = "translate-tool") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_model(parser)
    add_output(
        parser.add_argument,
        default=STANDARD,
        help="the file to write (.mlir, .xml, .onnx, .tflite, .svg, .dot); without it, or as -, the module is printed",
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "translate-tool") -> None:
    """The command line."""
    arguments(prog).run(args, _translate)


def _translate(options: argparse.Namespace) -> None:
    target: Path = options.output
    if target != STANDARD:
        from ..interop.formats import writer_for

        write = writer_for(target)  # what cannot be written is known before a long import
        require_folder(target)
        write(model_of(options).module, target)
        return
    from xdsl.printer import Printer

    Printer(sys.stdout).print_op(model_of(options).module)
    print(flush=True)


if __name__ == "__main__":
    main()
