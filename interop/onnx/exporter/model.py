"""The whole model: ports, states, and a check by the `onnx` package."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra
from ....dialects.inferred import label
from ....dialects.module import entry_of, port_names
from ..package import import_onnx
from ..states import STATES
from .graph import OPSET, GraphWriter, Shared, info_of
from .legalize import legalize
from .states import ExportedStates
from .tensors import Tensors

IR_VERSION = 13
"""The version of files that came with the opset."""

_HERE = __name__.rpartition(".")[0]

for _family in iter_modules(import_module(_HERE).__path__):  # each fills the table
    import_module(f"{_HERE}.{_family.name}")


def exported(module: ModuleOp) -> tuple[Any, Tensors]:
    """
    The ModelProto, and its tensors, whose bytes are still to be stored (`settle`). Raises DiagnosticException, naming
    the operation, for what ONNX cannot express.
    """
    onnx = import_onnx()
    if onnx.defs.onnx_opset_version() < OPSET:
        raise DiagnosticException(
            f"writes opset {OPSET}, which onnx {onnx.__version__} does not know; install a newer onnx"
        )
    entry = entry_of(module)
    for op in module.ops:
        if op is not entry and not isinstance(op, infra.VariableOp):
            raise DiagnosticException(
                f"{label(op)}: functions are not written as ONNX; inline them first"
            )
    module = module.clone()
    legalize(module)
    entry, states = entry_of(module), ExportedStates.of(module)
    graph = GraphWriter(Shared(states=states))
    block, function = entry.body.block, entry.function_type
    inputs = _names(graph, "input", port_names(entry.arg_attrs, len(block.args)))
    outputs = _names(graph, "output", port_names(entry.res_attrs, len(function.outputs)))
    graph.values.update(zip(block.args, inputs, strict=True))
    results = list(zip(graph.write(block), outputs, function.outputs.data, strict=True))
    for id, state in states.found.items():
        if state.input in states.values:
            results.append((states.values[state.input], state.output, states.variables[id].type))
        else:
            state.output = ""
    given, renamed = list[Any](), dict[str, str]()
    for value, name, type in results:
        graph.result(renamed.get(value, value), name, set(renamed.values()))
        renamed.setdefault(value, name)
        given.append(info_of(name, cast(TensorType[Any], type)))
    taken = [
        info_of(name, cast(TensorType[Any], type))
        for name, type in zip(inputs, function.inputs.data, strict=True)
    ]
    return _checked(graph, [*taken, *states.inputs], given), graph.shared.tensors


def _names(graph: GraphWriter, what: str, ports: Sequence[Sequence[str]]) -> list[str]:
    """A name for each port that nothing else has."""
    return [
        graph.shared.name(names[0] if names else f"{what}_{i}") for i, names in enumerate(ports)
    ]


def _checked(graph: GraphWriter, inputs: Sequence[Any], outputs: Sequence[Any]) -> Any:
    """The model. Raises DiagnosticException where ONNX does not allow it: mostly for an element type."""
    onnx = import_onnx()
    proto = graph.proto("main", inputs, outputs)
    proto.initializer.extend(graph.shared.tensors.read_by(proto))
    model = onnx.helper.make_model(
        proto,
        opset_imports=[onnx.helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
        producer_name="lowstream",
    )
    if graph.shared.states.found:
        onnx.helper.set_model_props(model, {STATES: graph.shared.states.metadata()})
    try:
        checked = graph.shared.tensors.without_large(model)
        onnx.checker.check_model(checked)
        onnx.shape_inference.infer_shapes(checked, check_type=True, strict_mode=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        said = " ".join(str(error).split())
        raise DiagnosticException(
            f"opset {OPSET} of ONNX does not take it: {said}; convert what it refuses to another type first"
        ) from None
    return model
