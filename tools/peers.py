"""Other runtimes under the conditions ours runs in: one model, inputs set once, a call that only infers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.utils.exceptions import DiagnosticException

from ..interop.needs import needs
from ..interop.openvino.package import import_openvino

if TYPE_CHECKING:
    import numpy.typing as npt

    Arrays = Sequence[npt.NDArray[Any]]

Infer = Callable[[], Any]
"""One inference; gives its outputs by position."""


def openvino(path: Path, inputs: Arrays, threads: int, stateful: bool) -> Infer:
    """
    A request of OpenVINO's CPU plugin: one stream, latency hint, f32 where the model is not quantized. It reads
    `inputs` in place: they must outlive it.
    """
    ov = _installed("openvino")
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
    ort = _installed("onnxruntime")
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    _check_count(len(session.get_inputs()), inputs)
    binding = session.io_binding()
    for port, array in zip(session.get_inputs(), inputs, strict=True):
        binding.bind_cpu_input(port.name, array)
    for port in session.get_outputs():
        binding.bind_output(port.name)
    return lambda: session.run_with_iobinding(binding)


PEERS: Mapping[str, Callable[[Path, Arrays, int, bool], Infer]] = {
    "openvino": openvino,
    "onnxruntime": onnxruntime,
}

FORMATS = {"openvino": (".xml", ".onnx"), "onnxruntime": (".onnx",)}
"""The endings of what each peer reads."""


def started(peer: str, path: Path, inputs: Arrays, threads: int, stateful: bool) -> Infer:
    """
    The call of a peer, after a first one. Raises DiagnosticException where the peer is not installed, or does not
    run this model on these inputs.
    """
    try:
        infer = PEERS[peer](path, inputs, threads, stateful)
        infer()
    except NotInstalledError:
        raise
    except Exception as error:  # others raise what they like
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        what = " ".join(lines) or type(error).__name__
        raise DiagnosticException(f"{peer} does not run {path}: {what}") from error
    return infer


def _check_count(wanted: int, inputs: Arrays) -> None:
    if wanted != len(inputs):
        raise DiagnosticException(
            f"its model has {wanted} inputs, ours {len(inputs)}; measure the same model"
        )


def model_for(peer: str, model: Path) -> Path:
    """The model in a format that the peer reads: itself, or the file of the same name beside it."""
    for ending in FORMATS[peer]:
        if (candidate := model.with_suffix(ending)).is_file():
            return candidate
    endings = " or ".join(FORMATS[peer])
    raise DiagnosticException(
        f"{peer} reads {endings}; put the model beside {model} in such a file"
    )


class NotInstalledError(DiagnosticException):
    """A peer is missing."""


def _installed(module: str) -> Any:
    try:
        return import_openvino() if module == "openvino" else import_module(module)
    except ImportError:
        raise NotInstalledError(needs(f"measuring {module}", module)) from None
