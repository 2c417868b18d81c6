"""`lowstream quantize`: a model in f32 becomes one whose products are in 8 bits, calibrated on samples."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .options import Parser, add_model, add_output, model_of, require_folder
from .run_tool import add_input, read_steps

DESCRIPTION = """\
Quantizes a model after training: runs it on samples, records the range of each
value (calibration), and writes the model with 8-bit weights and FakeQuantize
operations over those ranges. Low precision (lpt) then computes its
convolutions, matrix products and recurrent layers in integers.

The .npy file of an input has a further first dimension: the samples.
"""

EXAMPLES = """\
examples:
  lowstream quantize model.onnx --input frames=samples.npy -o int8.mlir
  lowstream quantize model.xml --input a=a.npy --input b=b.npy -o int8.xml
  lowstream explain int8.mlir                  which products are in 8 bits then
"""


def arguments(prog: str = "lowstream quantize") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_model(parser)
    add_input(parser, "samples of an input, an .npy file", required=True)
    add_output(
        parser.add_argument, required=True, help="the file to write; its ending says the format"
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "lowstream quantize") -> None:
    """The command line."""
    arguments(prog).run(args, _quantize)


def _quantize(options: argparse.Namespace) -> None:
    from ..interop.formats import writer_for
    from ..interop.model import save_model
    from ..passes.legalize import legalized
    from ..passes.precision_report import precision_summary
    from ..runtime.build import AUTO, ports_of, prepare
    from ..runtime.quantization import quantize
    from .progress import progress

    writer_for(options.output)  # what cannot be written is known before a long run
    require_folder(options.output)
    with progress(options.model.name):
        model = model_of(options)
        inputs, _ = ports_of(legalized(model.module))
        samples = read_steps(inputs, options.inputs, None)
        quantized = quantize(model, samples)
    save_model(quantized, options.output)
    shapes = {number: samples[0][port.any_name].shape for number, port in enumerate(inputs)}
    quantized.reshape(shapes)
    prepare(quantized.module, AUTO)
    print(precision_summary(quantized.module))


if __name__ == "__main__":
    main()
