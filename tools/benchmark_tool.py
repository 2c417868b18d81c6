"""`benchmark-tool`: how long an inference takes, and how long other runtimes take for the same model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .diagnostics import one_line_errors
from .run_tool import add_compile_options

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..runtime.ports import Port
    from .measure import Contender

    Array = npt.NDArray[Any]

PEER_NAMES = ("openvino", "onnxruntime")

DESCRIPTION = """\
Compiles a model and measures single inferences: inputs are set once, then only the call is
timed. Others (--vs) run the same model in the same process, taking turns, so that a busy
machine slows all of them; what counts is the ratio. Inputs are random, from a fixed seed.

Times are microseconds. p50 is the median; p99.9 is what one call in a thousand exceeds.
"""

EXAMPLES = """\
examples:
  benchmark-tool model.mlir
  benchmark-tool model.xml -p low-latency2,lpt --threads 1 --vs openvino --time 10
  benchmark-tool model.mlir --vs openvino,onnxruntime     reads model.xml and model.onnx beside it
  benchmark-tool model.mlir --plot latency.svg            draws the distributions

With low-latency2 among the passes, OpenVINO's own LowLatency2 is applied to its model.

exit status: 0, 1 (the input is wrong: one line says what) or 2 (usage)
"""


def seconds(text: str) -> float:
    """A positive number of seconds, at most a day."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 86400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds")
    return value


def peer_names(text: str) -> list[str]:
    """A list of peers, separated by commas."""
    names = text.split(",")
    for name in names:
        if name not in PEER_NAMES:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(PEER_NAMES)}")
    return names


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="benchmark-tool",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("model", type=Path, help="the model (.mlir, .xml)")
    parser.add_argument(
        "--time",
        type=seconds,
        default=5.0,
        help="seconds to measure, for all together (default: 5)",
    )
    parser.add_argument(
        "--vs",
        dest="peers",
        metavar="PEERS",
        type=peer_names,
        default=[],
        help=f"runtimes to measure against: {', '.join(PEER_NAMES)}",
    )
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="draw the distributions (.svg, .png, .pdf)"
    )
    add_compile_options(parser)
    parser.add_argument("--debug", action="store_true", help="show the traceback of an error")
    return parser


def main(args: Sequence[str] | None = None) -> None:
    """The command line."""
    options = arguments().parse_args(args)
    with one_line_errors(str(options.model), options.debug):
        _run(options)


def _run(options: argparse.Namespace) -> None:
    from ..runtime.compiled import compile_model
    from ..runtime.executable import usable_cores
    from .measure import Contender, take_turns
    from .table import print_table

    if options.plot is not None:
        from .plot import check_plot

        check_plot(options.plot)
    compiled = compile_model(options.model, options.threads, options.passes)
    inputs = [random_input(port) for port in compiled.inputs]
    request = compiled.create_infer_request()
    for index, array in enumerate(inputs):
        request.set_tensor(index, array)
    contenders = [Contender("lowstream", request.infer)]
    threads: int = options.threads or usable_cores()
    for name in options.peers:
        from .peers import PEERS, model_for

        path = model_for(name, options.model)
        contenders.append(
            Contender(name, PEERS[name](path, inputs, threads, "low-latency2" in options.passes))
        )
    take_turns(contenders, options.time)
    print_table(f"{options.model.name}: µs per inference", *latency_table(contenders))
    if options.plot is not None:
        from .plot import plot_latencies

        plot_latencies(options.model.name, contenders, options.plot)


def latency_table(contenders: Sequence[Contender]) -> tuple[list[str], list[list[str]]]:
    """Columns and rows: percentiles in microseconds, and medians as multiples of the first one's."""
    from .measure import PERCENTILES

    columns = ["runtime", "calls", *(f"p{percent:g}" for percent in PERCENTILES), "ratio"]
    base = contenders[0].percentiles[0]
    rows = [
        [
            contender.name,
            str(len(contender.samples)),
            *(f"{value:.2f}" for value in contender.percentiles),
            f"{contender.percentiles[0] / base:.2f}",
        ]
        for contender in contenders
    ]
    return columns, rows


def random_input(port: Port) -> Array:
    """
    Numbers for an input, the same each time: floats from -1 to 1, small integers. Raises
    DiagnosticException where its shape is not known.
    """
    import numpy as np
    from xdsl.utils.exceptions import DiagnosticException

    if -1 in port.shape:
        raise DiagnosticException(f"{port} has unknown dimensions; reshape the model to measure it")
    rng = np.random.default_rng(0)
    if port.dtype.kind == "f":
        return rng.uniform(-1, 1, port.shape).astype(port.dtype)
    return rng.integers(0, 2, port.shape).astype(port.dtype)


if __name__ == "__main__":
    main()
