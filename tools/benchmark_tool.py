"""`benchmark-tool`: how long an inference takes, and how long other runtimes take for the same model."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from .options import Parser, add_compile_options, file, seconds, source_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..interop.model import Model
    from ..runtime.compiled import CompiledModel
    from .measure import Contender
    from .tuning import Tuning

    Array = npt.NDArray[Any]

PEER_NAMES = ("openvino", "onnxruntime", "litert")

DESCRIPTION = """\
Compiles a model and measures single inferences: inputs are set once, then only
the call is timed. Others (--vs) run the same model in the same process, taking
turns, so that a busy machine slows all of them; what counts is the ratio.
Inputs are random, from a fixed seed.

Times are microseconds. p50 is the median; p99.9 is what one call in a thousand
exceeds.
"""

EXAMPLES = """\
examples:
  lowstream benchmark model.mlir
  lowstream benchmark model.xml -p low-latency2,lpt --threads 1 --vs openvino
  lowstream benchmark model.mlir --vs openvino,onnxruntime
      on model.xml and model.onnx beside it, or on what translate makes
  lowstream benchmark model.mlir --plot latency.svg
      draws the distributions
  lowstream benchmark model.xml --tune --threads 1
      measures schedules, keeps the fastest

With low-latency2 among the passes, OpenVINO's own LowLatency2 is applied to its
model.

--tune measures, inside of the model, other schedules than the cost model
chooses: how many rows and vectors of sums each convolution and matrix product
keeps in registers. It compiles the model about ten times. Then the model as it
was and the model with what won by more than 2 % take turns; if it is faster,
the winners are stored beside the cache, for this CPU and this number of
threads. Every later compilation uses them. Results are the same bits.
"""


def peer_names(text: str) -> list[str]:
    """A list of peers, separated by commas."""
    names = text.split(",")
    for name in names:
        if name not in PEER_NAMES:
            raise argparse.ArgumentTypeError(f"'{name}' is none of {', '.join(PEER_NAMES)}")
    return names


def arguments(prog: str = "benchmark-tool") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_compile_options(parser)
    parser.add_argument(
        "--time",
        type=seconds,
        metavar="SECONDS",
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
        "--plot", metavar="FILE", type=file, help="draw the distributions (.svg, .png, .pdf)"
    )
    parser.add_argument(
        "--tune",
        action="store_true",
        help="first measure schedules for as long as --time says, and store what is faster",
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "benchmark-tool") -> None:
    """The command line."""
    arguments(prog).run(args, _run)


def _run(options: argparse.Namespace) -> None:
    from ..runtime.host import usable_cores
    from ..runtime.random_input import random_input
    from .measure import Contender, take_turns
    from .table import print_table

    if options.plot is not None:
        from .plot import check_plot

        check_plot(options.plot)
    if options.peers:
        from .peers import package_of

        for name in options.peers:
            package_of(name)  # one that is missing is told before a long run
    threads: int = options.threads or usable_cores()
    source = source_of(options)
    tuning = _tuning(options, source, threads) if options.tune else None
    programs = tuning.programs() if tuning else _programs(options, source)
    ports = next(iter(programs.values())).inputs
    inputs = [random_input(port) for port in ports]
    contenders = [
        Contender.started(name, _call(program, inputs)) for name, program in programs.items()
    ]
    failures = list[DiagnosticException]()
    with TemporaryDirectory() as folder:
        for name in options.peers:
            try:
                contenders.append(_peer(name, options, source, inputs, Path(folder)))
            except DiagnosticException as error:  # what was measured is shown all the same
                failures.append(error)
        take_turns(contenders, options.time)
    print_table(f"{options.model.name}: µs per inference", *latency_table(contenders))
    firsts = ", ".join(f"{each.name} {each.first:.1f} µs" for each in contenders)
    print(f"first calls, which do not count: {firsts}")
    if tuning is not None:
        tuning.keep(contenders)
    if options.plot is not None:
        from .plot import plot_latencies

        plot_latencies(options.model.name, contenders, options.plot)
    for failure in failures:
        raise failure


def _peer(
    name: str,
    options: argparse.Namespace,
    source: Path | Model,
    inputs: Sequence[Array],
    folder: Path,
) -> Contender:
    from ..runtime.host import usable_cores
    from .peers import model_for, started

    stateful = "low-latency2" in options.passes
    path = model_for(name, source, options.model, stateful, folder)
    return started(name, path, inputs, options.threads or usable_cores(), stateful)


def _tuning(options: argparse.Namespace, source: Path | Model, threads: int) -> Tuning:
    from .tuning import Tuning

    return Tuning.of(source, options.model.name, options.passes, threads, options.time)


def _programs(options: argparse.Namespace, source: Path | Model) -> dict[str, CompiledModel]:
    from ..runtime.compiler import compile_model
    from .progress import progress

    with progress(options.model.name):
        compiled = compile_model(source, num_threads=options.threads, pipeline=options.passes)
        return {"lowstream": compiled}


def _call(program: CompiledModel, inputs: Sequence[Array]) -> Callable[[], object]:
    """A call of a request that reads these arrays."""
    request = program.create_infer_request()
    for index, array in enumerate(inputs):
        request.set_tensor(index, array)
    return request.infer


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


if __name__ == "__main__":
    main()
