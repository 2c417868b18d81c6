"""Other runtimes under the conditions ours runs in: one model, inputs set once, a call that only infers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from ..interop.model import Model, run_passes, save_model
from ..interop.openvino.package import import_openvino
from ..passes.needs import needs
from .measure import Contender
from .options import read

if TYPE_CHECKING:
    import numpy.typing as npt

    Arrays = Sequence[npt.NDArray[Any]]

_MODULES = {
    "openvino": ("openvino", "openvino"),
    "onnxruntime": ("onnxruntime", "onnxruntime"),
    "litert": ("ai_edge_litert.interpreter", "ai-edge-litert"),
}
"""What a peer is imported as, and the package that has it."""


def package_of(peer: str) -> Any:
    """The module of a peer. Raises DiagnosticException where it is not installed."""
    module, package = _MODULES[peer]
    try:
        return import_openvino() if peer == "openvino" else import_module(module)
    except ImportError:
        raise DiagnosticException(needs(f"measuring {peer}", package)) from None


Infer = Callable[[], Any]
"""One inference; gives its outputs by position."""


def openvino(path: Path, inputs: Arrays, threads: int, stateful: bool) -> Infer:
    """
    A request of OpenVINO's CPU plugin: one stream, latency hint, f32 where the model is not quantized. It reads
    `inputs` in place: they must outlive it.
    """
    ov = package_of("openvino")
    model = ov.Core().read_model(path)
    _check_count(len(model.inputs), inputs)
    if stateful:
        manager = import_module("openvino.passes").Manager()
        manager.register_pass(import_module("openvino.passes").LowLatency2())
        manager.run_passes(model)
    config = {
        "PERFORMANCE_HINT": "LATENCY",
        "NUM_STREAMS": "1",
        "INFERENCE_NUM_THREADS": str(threads),
        "INFERENCE_PRECISION_HINT": "f32",
    }
    request = ov.compile_model(model, "CPU", config).create_infer_request()
    for index, array in enumerate(inputs):
        request.set_input_tensor(index, ov.Tensor(array, shared_memory=True))
    return request.infer


def onnxruntime(path: Path, inputs: Arrays, threads: int, stateful: bool) -> Infer:
    """A session of ONNX Runtime's CPU provider with bound inputs and outputs; its states are inputs."""
    del stateful
    ort = package_of("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors: states of ours have initial values, which it warns of
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    _check_count(len(session.get_inputs()), inputs)
    binding = session.io_binding()
    for port, array in zip(session.get_inputs(), inputs, strict=True):
        binding.bind_cpu_input(port.name, array)
    for port in session.get_outputs():
        binding.bind_output(port.name)
    return lambda: session.run_with_iobinding(binding)


def litert(path: Path, inputs: Arrays, threads: int, stateful: bool) -> Infer:
    """LiteRT's interpreter with its default delegate, XNNPACK; its states are variables of its own."""
    del stateful
    interpreter = package_of("litert").Interpreter(model_path=str(path), num_threads=threads)
    interpreter.allocate_tensors()
    given = interpreter.get_input_details()
    _check_count(len(given), inputs)
    for port, array in zip(given, inputs, strict=True):
        interpreter.set_tensor(port["index"], array)
    return interpreter.invoke


PEERS: Mapping[str, Callable[[Path, Arrays, int, bool], Infer]] = {
    "openvino": openvino,
    "onnxruntime": onnxruntime,
    "litert": litert,
}

FORMATS = {"openvino": (".xml", ".onnx"), "onnxruntime": (".onnx",), "litert": (".tflite",)}
"""The endings of what each peer reads, first the one that is written for it."""


def started(peer: str, path: Path, inputs: Arrays, threads: int, stateful: bool) -> Contender:
    """
    A peer, after its first call. Raises DiagnosticException where it does not run this model on these inputs.
    """
    try:
        return Contender.started(peer, PEERS[peer](path, inputs, threads, stateful))
    except Exception as error:  # others raise what they like
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        what = " ".join(lines) or type(error).__name__
        raise DiagnosticException(f"{peer} does not run {path.name}: {what}") from error


def _check_count(wanted: int, inputs: Arrays) -> None:
    if wanted != len(inputs):
        raise DiagnosticException(
            f"its model has {wanted} inputs, ours {len(inputs)}; measure the same model"
        )


def model_for(peer: str, source: Path | Model, beside: Path, stateful: bool, folder: Path) -> Path:
    """
    The model in a format that the peer reads: the file, or the one of the same name beside it; else what `translate`
    makes of the source, in a folder. Stateful there, unless the peer makes states itself.

    Raises DiagnosticException where the format cannot say the model.
    """
    if isinstance(source, Path):
        for ending in FORMATS[peer]:
            if (candidate := beside.with_suffix(ending)).is_file():
                return candidate
    target = folder / f"{beside.stem}{FORMATS[peer][0]}"
    try:
        model = read(source)
        if stateful and peer != "openvino":
            run_passes(model, "low-latency2")
        save_model(model, target)
    except (DiagnosticException, OSError) as error:
        why = str(error).removeprefix(f"{target}: error: ")
        raise DiagnosticException(
            f"{peer} reads {' or '.join(FORMATS[peer])}, which cannot be written of {beside.name}: {why}"
        ) from error
    return target
