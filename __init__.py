"""Makes trained, quantized models stateful, low precision and native to the host CPU."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # typing itself takes milliseconds, in which Ctrl-C is nobody's
if TYPE_CHECKING:
    from typing import Any

    from .interop.mlir import SourceError
    from .interop.model import (
        Model,
        read_model,
        run_passes,
        save_model,
    )
    from .interop.port import Port
    from .passes.lpt.config import LptConfig
    from .passes.port_names import Type
    from .passes.precision_report import precision_report
    from .passes.preprocess.names import Layout
    from .passes.shapes.partial_shape import Dimension, PartialShape, Shape
    from .passes.view_op_graph.graph import Graph
    from .runtime.cache.cache import cache
    from .runtime.compiled import CompiledModel, import_model
    from .runtime.compiler import compile_model
    from .runtime.converter import Converter, OpsSet, Optimize, TargetSpec
    from .runtime.explanation.build import explain
    from .runtime.explanation.rows import Explanation
    from .runtime.openvino.core import Core
    from .runtime.openvino.functions import (
        convert_model,
        get_batch,
        get_version,
        serialize,
        set_batch,
        tensor_from_file,
    )
    from .runtime.openvino.tensor import Tensor
    from .runtime.ports import DiagnosticException
    from .runtime.profiling.files import save_profile
    from .runtime.profiling.profiling import Profile, ProfilingInfo
    from .runtime.quantization import quantize
    from .runtime.requests.async_queue import AsyncInferQueue
    from .runtime.requests.request import InferRequest
    from .runtime.requests.results import Results
    from .runtime.requests.state import VariableState
    from .runtime.streams.pool import Stream, StreamPool

    __version__: str

__all__ = [
    "AsyncInferQueue",
    "CompiledModel",
    "Converter",
    "Core",
    "DiagnosticException",
    "Dimension",
    "Explanation",
    "Graph",
    "InferRequest",
    "Layout",
    "LptConfig",
    "Model",
    "OpsSet",
    "Optimize",
    "PartialShape",
    "Port",
    "Profile",
    "ProfilingInfo",
    "Results",
    "Shape",
    "SourceError",
    "Stream",
    "StreamPool",
    "TargetSpec",
    "Tensor",
    "Type",
    "VariableState",
    "cache",
    "compile_model",
    "convert_model",
    "explain",
    "get_batch",
    "get_version",
    "import_model",
    "precision_report",
    "quantize",
    "read_model",
    "run_passes",
    "save_model",
    "save_profile",
    "serialize",
    "set_batch",
    "tensor_from_file",
]

_PLACES = {
    "AsyncInferQueue": "runtime.requests.async_queue",
    "CompiledModel": "runtime.compiled",
    "Converter": "runtime.converter",
    "Core": "runtime.openvino.core",
    "DiagnosticException": "runtime.ports",
    "Dimension": "passes.shapes.partial_shape",
    "Explanation": "runtime.explanation.rows",
    "Graph": "passes.view_op_graph.graph",
    "InferRequest": "runtime.requests.request",
    "Layout": "passes.preprocess.names",
    "LptConfig": "passes.lpt.config",
    "Model": "interop.model",
    "OpsSet": "runtime.converter",
    "Optimize": "runtime.converter",
    "PartialShape": "passes.shapes.partial_shape",
    "Port": "interop.port",
    "Profile": "runtime.profiling.profiling",
    "ProfilingInfo": "runtime.profiling.profiling",
    "Results": "runtime.requests.results",
    "Shape": "passes.shapes.partial_shape",
    "SourceError": "interop.mlir",
    "Stream": "runtime.streams.pool",
    "StreamPool": "runtime.streams.pool",
    "TargetSpec": "runtime.converter",
    "Tensor": "runtime.openvino.tensor",
    "Type": "passes.port_names",
    "VariableState": "runtime.requests.state",
    "cache": "runtime.cache.cache",
    "compile_model": "runtime.compiler",
    "convert_model": "runtime.openvino.functions",
    "explain": "runtime.explanation.build",
    "get_batch": "runtime.openvino.functions",
    "get_version": "runtime.openvino.functions",
    "import_model": "runtime.compiled",
    "precision_report": "passes.precision_report",
    "quantize": "runtime.quantization",
    "read_model": "interop.model",
    "run_passes": "interop.model",
    "save_model": "interop.model",
    "save_profile": "runtime.profiling.files",
    "serialize": "runtime.openvino.functions",
    "set_batch": "runtime.openvino.functions",
    "tensor_from_file": "runtime.openvino.functions",
}
"""Where each public name is defined; it is imported when first used."""


_OPENVINO = {
    "op": "models are read, not built: read_model",
    **{f"opset{n}": "models are read, not built: read_model" for n in range(1, 18)},
    "AxisSet": "axes are lists of integers",
    "AxisVector": "axes are lists of integers",
    "ConstOutput": "ports of compiled models are lowstream.Port, too",
    "Coordinate": "corners are lists of integers",
    "CoordinateDiff": "paddings are lists of integers",
    "DiscreteTypeInfo": "node.type_info has the name and the opset",
    "Extension": "an operation of your own is a dialect in a package (docs/examples/dialect)",
    "Input": "node.inputs() gives them, and users give none",
    "Node": "model.get_ops() gives nodes, and users give none",
    "OVAny": "properties and notes are values of Python",
    "Op": "an operation of your own is a dialect in a package (docs/examples/dialect)",
    "OpExtension": "an operation of your own is a dialect in a package (docs/examples/dialect)",
    "Output": "ports are lowstream.Port",
    "RTMap": "notes are what rt_info gives",
    "RemoteContext": "tensors are arrays in memory",
    "RemoteTensor": "tensors are arrays in memory",
    "Strides": "strides are lists of integers",
    "Symbol": "dimensions are known, or -1",
    "TensorVector": "tensors are in lists",
    "VAContext": "tensors are arrays in memory",
    "VASurfaceTensor": "tensors are arrays in memory",
    "Version": "get_version() is text",
    "exceptions": "a user's mistake is a lowstream.DiagnosticException",
    "experimental": "passes are run by run_passes",
    "frontend": "read_model reads all formats",
    "helpers": "tensors are arrays: codes of 4 bits have a byte each",
    "package_utils": "it has no native libraries of its own",
    "shutdown": "there is nothing to shut down",
    "utils": "element types have to_dtype()",
}
"""What OpenVINO's users look for that is called otherwise here."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        found: Any = version("lowstream")
    elif name in ("layout_helpers", "preprocess", "properties"):
        found = import_module(f".{name}", __name__)
    elif name in _PLACES:
        from .runtime.collector import collector_paused, count_as_old
        from .runtime.imports import methods_compiled_later, threads_sleep_soon

        with collector_paused(), methods_compiled_later(), threads_sleep_soon():
            found = getattr(import_module(f".{_PLACES[name]}", __name__), name)
            count_as_old()
    else:
        hint = f"; {_OPENVINO[name]}" if name in _OPENVINO else ""
        if hint and _is_import():
            raise ImportError(f"cannot import name '{name}' from 'lowstream'{hint}")
        raise AttributeError(f"module 'lowstream' has no attribute '{name}'{hint}")
    globals()[name] = found
    return found


def _is_import() -> bool:
    """Whether `from lowstream import name` asked for a name, which would drop the text of an AttributeError."""
    from inspect import stack

    _, _, caller, *_ = stack(context=0)
    return caller.function == "_handle_fromlist"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
