"""`run-tool`: runs a model on arrays in files, once or step by step."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from .options import (
    FOLDER,
    STANDARD,
    Parser,
    add_compile_options,
    add_output,
    count,
    file,
    require_folder,
    source_of,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..interop.model import Model
    from ..runtime.compiled import CompiledModel
    from ..runtime.ports import Port
    from ..runtime.profiling.profiling import Profile
    from ..runtime.requests.request import InferRequest

    Array = npt.NDArray[Any]
    Steps = list[dict[str, Array]]

DESCRIPTION = """\
Compiles a model for this CPU and runs it. States stay from step to step.

An input comes from an .npy file. If the array has one dimension more than the
input, in front, each step takes the next entry along it: a whole signal in a
file, frame by frame. Without any --input, inputs are random numbers, the same
each time.
"""

EXAMPLES = """\
examples:
  lowstream run model.onnx --reshape X=1x3x224x224
      one inference on random numbers
  lowstream run model.mlir --input X=x.npy
      one inference, a table of its outputs
  lowstream run model.mlir --input frame=signal.npy -o out
      a step for each frame; out/<name>.npy holds all steps; where shapes
      differ, out/<name>.0.npy and so on
  lowstream run model.xml -p low-latency2,lpt --input X=x.npy --steps 100
      a hundred steps of the stream
  lowstream run model.mlir --steps 100 --report -
      what kernels took (median), as a table
  lowstream run model.mlir --input X=x.npy --report counters.csv
      what each operation took (median)
  lowstream run model.mlir --input X=x.npy --report trace.json
      what each thread did when, for Perfetto
  lowstream run model.xml --input X=x.npy --bisect
      layer by layer against the reference in NumPy: which one differs?
  lowstream run model.xml --input X=x.npy --bisect-kernels
      kernel by kernel
"""


def named_file(text: str) -> tuple[str, Path]:
    """`X=x.npy`, or `x.npy` for the only input."""
    name, mark, path = text.rpartition("=")
    if not path or (mark and not name):
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=FILE")
    return name, Path(path)


def add_input(
    parser: Parser, what: str = "an .npy file for an input", *, required: bool = False
) -> None:
    """The files that inputs come from."""
    parser.add_argument(
        "--input",
        dest="inputs",
        metavar="NAME=FILE",
        type=named_file,
        action="append",
        default=[],
        required=required,
        help=f"{what}; once for each input (NAME= is optional if the model has one input)",
    )


def arguments(prog: str = "run-tool") -> Parser:
    """The command line."""
    parser = Parser(prog, DESCRIPTION, EXAMPLES)
    add_compile_options(parser)
    add_input(parser)
    parser.add_argument(
        "--steps",
        type=count,
        metavar="N",
        help="how often to run (default: as often as the files have entries, or once)",
    )
    add_output(parser.add_argument, metavar=FOLDER, help="write each output to DIR/<name>.npy")
    parser.add_argument(
        "--report",
        metavar="FILE",
        type=file,
        help="write what operations took, as .csv, or what threads did, as .json; - prints what "
        "kernels took",
    )
    parser.add_argument(
        "--bisect",
        action="store_true",
        help="run each layer alone on the reference's inputs, name the first that differs",
    )
    parser.add_argument(
        "--bisect-kernels",
        action="store_true",
        help="the same for each kernel of the compiled program, in the memory that the reference left",
    )
    return parser


def main(args: Sequence[str] | None = None, prog: str = "run-tool") -> None:
    """The command line."""
    parser = arguments(prog)

    def run(options: argparse.Namespace) -> None:
        if options.bisect or options.bisect_kernels:
            bisects = "--bisect" if options.bisect else "--bisect-kernels"
            for name in ("steps", "output", "report"):
                if getattr(options, name) is not None:
                    parser.error(
                        f"--{name} is not for {bisects}, which runs one step and writes nothing"
                    )
        _run(options)

    parser.run(args, run)


def _run(options: argparse.Namespace) -> None:
    from ..runtime.compiler import compile_model
    from ..runtime.profiling.files import save_profile, writer_of
    from ..runtime.profiling.profiling import typical
    from .progress import progress

    report: Path | None = options.report
    if report is not None and report != STANDARD:
        writer_of(report)  # what cannot be written is known before a long run
        require_folder(report)
    if options.output is not None:
        _require_no_file(options.output)
    with progress(options.model.name):
        source = source_of(options)
        compiled = compile_model(
            source,
            num_threads=options.threads,
            pipeline=options.passes,
            profiling=report is not None,
        )
    if options.inputs or not compiled.inputs:
        steps = read_steps(compiled.inputs, options.inputs, options.steps)
    else:
        steps = [random_inputs(compiled)] * (options.steps or 1)
    if options.bisect or options.bisect_kernels:
        _bisect(options, source, [port.accept(steps[0][port.any_name]) for port in compiled.inputs])
        return
    request = compiled.create_infer_request()
    is_compiled = compiled.static_shapes is not None
    waiting = nullcontext if is_compiled else partial(progress, options.model.name)
    outputs, microseconds, profiles = _stream(request, steps, report is not None, waiting)
    _summarize(compiled, outputs, microseconds)
    if options.output is not None:
        _write(compiled, outputs, options.output)
    if report == STANDARD:
        print(typical(profiles))
    elif report is not None:
        save_profile(typical(profiles), report)


# --- inputs ---------------------------------------------------------------------------------


def random_inputs(compiled: CompiledModel) -> dict[str, Array]:
    """What a step takes where no input is given, which is said."""
    from ..runtime.random_input import random_input

    print("inputs are random numbers; --input NAME=FILE.npy gives others")
    return {port.any_name: random_input(port) for port in compiled.inputs}


def read_steps(
    inputs: Sequence[Port], files: Sequence[tuple[str, Path]], wanted: int | None
) -> Steps:
    """
    The inputs of each step. Raises DiagnosticException where files and inputs do not go together, and where
    files hold different numbers of steps.
    """
    from xdsl.utils.exceptions import DiagnosticException

    paths: dict[str, Path] = {}
    for given, path in files:
        name = _input_name(inputs, given)
        if (other := paths.setdefault(name, path)) is not path:
            raise DiagnosticException(f"input '{name}' is given twice: {other} and {path}")
    arrays = {name: _load(path) for name, path in paths.items()}
    missing = [port.any_name for port in inputs if port.any_name not in arrays]
    if missing:
        listed = " ".join(f"--input {name}=FILE.npy" for name in missing)
        raise DiagnosticException(f"not all inputs are given; add {listed}")
    for port in inputs:
        _require_dimension_of_steps(port, arrays[port.any_name], paths[port.any_name])
    ranks = {port.any_name: len(port.shape) for port in inputs}
    streams = {name: array for name, array in arrays.items() if array.ndim == ranks[name] + 1}
    lengths = {name: len(array) for name, array in streams.items()}
    if empty := [name for name, length in lengths.items() if not length]:
        raise DiagnosticException(f"input '{empty[0]}' holds no steps: {paths[empty[0]]} is empty")
    if len(set(lengths.values())) > 1:
        listed = ", ".join(f"'{name}' {length}" for name, length in lengths.items())
        raise DiagnosticException(f"the inputs hold different numbers of steps: {listed}")
    have = next(iter(lengths.values()), None)
    if have is not None and wanted is not None and wanted > have:
        raise DiagnosticException(f"--steps {wanted}: the inputs hold {have}")
    number = wanted or (1 if have is None else have)
    return [
        {name: array[k] if name in streams else array for name, array in arrays.items()}
        for k in range(number)
    ]


def _require_dimension_of_steps(port: Port, array: Array, path: Path) -> None:
    """Raises DiagnosticException where an array holds many steps of a batch of 1 in the place of the batch."""
    from xdsl.utils.exceptions import DiagnosticException

    if array.ndim and len(array) > 1 and port.shape == (1, *array.shape[1:]):
        shape, given = "x".join(map(str, port.shape)), "x".join(map(str, array.shape))
        raise DiagnosticException(
            f"input '{port.any_name}' takes {shape}, {path} holds {given}; if that is one for each of {len(array)} "
            "steps or samples, their number has a dimension of its own: array[:, None]"
        )


def _input_name(inputs: Sequence[Port], name: str) -> str:
    """The first name of the input that is meant; nothing means the only one."""
    from ..runtime.requests.results import position_of

    if name:
        return inputs[position_of(name, inputs, "input")].any_name
    if len(inputs) == 1:
        return inputs[0].any_name
    from xdsl.utils.exceptions import DiagnosticException

    if not inputs:
        raise DiagnosticException("the model has no inputs; leave --input away")
    names = ", ".join(port.any_name for port in inputs)
    raise DiagnosticException(f"the model has the inputs {names}; write --input NAME=FILE.npy")


def _load(path: Path) -> Array:
    import numpy as np

    from ..interop.mlir import SourceError
    from ..runtime.ports import is_array

    with path.open("rb") as stream:
        try:
            array: Any = np.load(stream, allow_pickle=False)
        except OSError:
            raise
        except Exception:  # noqa: BLE001 - of a damaged file NumPy raises what its parsers do
            raise SourceError(
                f"{path}: error: not a whole .npy file of numbers; numpy.save writes one"
            ) from None
    if is_array(array):
        return array
    array.close()
    raise SourceError(f"{path}: error: holds several arrays; pass one .npy for each input")


# --- running --------------------------------------------------------------------------------


def _stream(
    request: InferRequest,
    steps: Steps,
    profiling: bool,
    waiting: Callable[[], AbstractContextManager[None]],
) -> tuple[list[list[Array]], list[float], list[Profile]]:
    """The outputs of each step, the microseconds it took, and its profile."""
    outputs: list[list[Array]] = []
    microseconds: list[float] = []
    profiles: list[Profile] = []
    for inputs in steps:
        with waiting():  # for a program of these shapes
            started = time.perf_counter_ns()
            results = request.infer(inputs)
        microseconds.append((time.perf_counter_ns() - started) / 1000)
        outputs.append(list(results))
        if profiling:
            profiles.append(request.profiling_info)
    return outputs, microseconds, profiles


def _bisect(options: argparse.Namespace, source: Path | Model, inputs: Sequence[Array]) -> None:
    """Compares the model part by part with the reference."""
    from .bisect import bisect_kernels, bisect_layers, prepared_module

    module = prepared_module(source, options.passes, inputs)
    if options.bisect:
        bisect_layers(module, inputs)
    if options.bisect_kernels:
        bisect_kernels(module, inputs, options.threads)


# --- results --------------------------------------------------------------------------------


def _summarize(
    compiled: CompiledModel, outputs: list[list[Array]], microseconds: Sequence[float]
) -> None:
    from .table import print_table

    rows: list[list[str]] = []
    for index, port in enumerate(compiled.outputs):
        last = outputs[-1][index]
        shape = "x".join(map(str, last.shape)) or "scalar"
        wide = last.astype(float)
        numbers = (wide.min(), wide.mean(), wide.max()) if wide.size else ()
        listed = [f"{number:.6g}" for number in numbers] or ["", "", ""]
        rows.append([port.any_name, str(last.dtype), shape, *listed])
    steps = f"step {len(outputs)} of {len(outputs)}" if len(outputs) > 1 else "outputs"
    print_table(steps, ["output", "type", "shape", "min", "mean", "max"], rows)
    times = f"first {microseconds[0]:.1f} µs, median {median(microseconds):.1f} µs"
    once = f"{microseconds[0]:.1f} µs, the first call; for the others, lowstream benchmark"
    print(f"{len(outputs)} steps: {times}" if len(outputs) > 1 else once)


def _write(compiled: CompiledModel, outputs: list[list[Array]], folder: Path) -> None:
    """
    Writes an .npy for each output; with more than one step, the steps lie along a new first dimension. Those of
    different shapes go into files of their own.
    """
    import numpy as np

    from ..passes.whole_file import replacing

    folder.mkdir(parents=True, exist_ok=True)
    for index, stem in enumerate(file_stems([port.any_name for port in compiled.outputs])):
        steps = [step[index] for step in outputs]
        arrays = {stem: steps[0]}
        if len({step.shape for step in steps}) > 1:
            arrays = {f"{stem}.{number}": step for number, step in enumerate(steps)}
        elif len(steps) > 1:
            arrays = {stem: np.stack(steps)}
        for name, array in arrays.items():
            with replacing(folder / f"{name}.npy") as draft, draft.open("wb") as stream:
                np.save(stream, array)


def _require_no_file(folder: Path) -> None:
    """Raises SourceError where a folder to write to is none: before a long run."""
    from ..interop.mlir import SourceError

    if folder.exists() and not folder.is_dir():
        raise SourceError(f"{folder}: error: this is not a folder; --output takes one")


def file_stems(names: Sequence[str]) -> list[str]:
    """The names as those of files, no two alike: `a/b` is `a_b`, or where there is such an output `a_b_2`."""
    found: list[str] = []
    for name in names:
        stem = unique = name.replace("/", "_")
        number = 1
        while unique in found or (unique != name and unique in names):
            number += 1
            unique = f"{stem}_{number}"
        found.append(unique)
    return found


if __name__ == "__main__":
    main()
