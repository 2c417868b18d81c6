"""What Model Explorer puts on nodes: the time that each layer takes, and how far quantization moves its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...dialects.origins import layer_name
from ...dialects.qnn import FakeQuantizeOp
from ...passes.view_op_graph import graph_of
from .graphs import AS_READ, Json, modules_of

if TYPE_CHECKING:
    import numpy.typing as npt

    Array = npt.NDArray[Any]

CALLS = 20
"""The number of calls, of whose times the median counts."""

GRADIENT = (("#ffffff", 0), ("#f6a57a", 0.5), ("#c0392b", 1))

TIME, ERROR = "time", "error"

NAMES = {TIME: "µs of a kernel", ERROR: "relative L2 error of quantization"}
"""The data there is, and what it is called."""


def node_data(path: Path, what: str) -> dict[str, Json]:
    """By the id of a graph, `GraphNodeData` of Model Explorer. Raises DiagnosticException where sizes are not known."""
    modules = modules_of(path)
    values = times_of(modules[AS_READ]) if what == TIME else errors_of(modules[AS_READ])
    return {id: data_json(NAMES[what], module, values) for id, module in modules.items()}


def data_json(name: str, module: ModuleOp, values: Mapping[str, float]) -> Json:
    """The values of layers on their nodes, the largest dark."""
    seen: set[str] = set()
    results: Json = {}
    for node in reversed(graph_of(module).nodes):  # of what a layer became, the last has its value
        if node.name in values and node.name not in seen and node.kind != "port":
            seen.add(node.name)
            results[node.id] = {"value": values[node.name]}
    gradient = [{"stop": stop, "bgColor": color} for color, stop in GRADIENT]
    return {"name": name, "results": results, "gradient": gradient}


def times_of(module: ModuleOp) -> dict[str, float]:
    """Microseconds of the layers that kernels are named for, on random inputs."""
    from ...runtime.compiler import compile_model
    from ...runtime.profiling.profiling import Status, typical

    request = compile_model(module, profiling=True).create_infer_request()
    request.infer(_random_inputs(module))
    profiles = [request.profiling_info]
    for _ in range(CALLS - 1):
        request.infer()
        profiles.append(request.profiling_info)
    return {
        info.node_name: info.nanoseconds / 1000
        for info in typical(profiles)
        if info.status == Status.EXECUTED
    }


def errors_of(module: ModuleOp) -> dict[str, float]:
    """
    How far each layer's values are from those of the same model without its FakeQuantize operations, on random
    inputs, in the reference. Of layers in loops the last iteration counts.
    """
    plain = module.clone()
    for op in list(plain.walk()):
        if isinstance(op, FakeQuantizeOp):
            op.result.replace_all_uses_with(op.input)
            op.detach()
    inputs = _random_inputs(module)
    wanted, found = (_values(each, inputs) for each in (plain, module))
    return {name: _apart(found[name], value) for name, value in wanted.items() if name in found}


def _values(module: ModuleOp, inputs: Sequence[Array]) -> dict[str, Array]:
    from ...reference.executor import Executor

    values: dict[str, Array] = {}

    def observe(op: Operation, _: Sequence[Array], results: Sequence[Array]) -> None:
        if (name := layer_name(op)) is not None and results and results[0].dtype.kind == "f":
            values[name] = results[0]

    Executor(module).run(inputs, observe)
    return values


def _apart(found: Array, wanted: Array) -> float:
    import numpy as np

    if found.shape != wanted.shape:
        return 0.0
    wide = wanted.astype(np.float64)
    norm = float(np.linalg.norm(wide)) or 1.0
    return float(np.linalg.norm(found.astype(np.float64) - wide)) / norm


def _random_inputs(module: ModuleOp) -> list[Array]:
    from ...runtime.build import ports_of
    from ...runtime.random_input import random_input

    return [random_input(port) for port in ports_of(module)[0]]
