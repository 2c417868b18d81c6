"""
States as inputs and outputs of a model: the input `X` is the state before a call, the output `X/next` the state after
it.

If the initial value of a state is constant, it is the default of the input. If it is computed, it counts as long as the
input `X/is_set` is false, which is its default.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType, i1
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import infra, nn
from ....dialects.inferred import label, tensor
from ....reference.arrays import blob_of, dtype_of
from ..states import NEXT, SET, StatePorts
from .graph import GraphWriter, info_of
from .handlers import Written, writes


@dataclass
class ExportedStates:
    """The states of a model by their ids, and the inputs for them."""

    variables: dict[str, infra.VariableOp]
    found: dict[str, StatePorts] = field(default_factory=dict[str, StatePorts])
    inputs: list[Any] = field(default_factory=list[Any])
    values: dict[str, str] = field(default_factory=dict[str, str])
    """The value of the last assign of each state."""

    @classmethod
    def of(cls, module: ModuleOp) -> ExportedStates:
        """The states that a module declares."""
        listed = [op for op in module.ops if isinstance(op, infra.VariableOp)]
        return cls({op.sym_name.data: op for op in listed})

    def metadata(self) -> str:
        """A note in the model, from which reading it makes states again."""
        return json.dumps([vars(state) for state in self.found.values()])


def _states(graph: GraphWriter, op: Operation) -> ExportedStates:
    """The states of the model. Raises DiagnosticException where an operation inside a body uses one."""
    if not isinstance(op.parent_op(), func.FuncOp):
        raise DiagnosticException(
            f"{label(op)}: is inside of a body, where ONNX has no states; unroll it, or run low-latency2"
        )
    states = graph.shared.states
    assert isinstance(states, ExportedStates)
    return states


def _state(graph: GraphWriter, op: infra.ReadValueOp | infra.AssignOp) -> StatePorts:
    states, id = _states(graph, op), op.variable.string_value()
    if id not in states.found:
        variable = states.variables[id]
        name = graph.shared.name(id)
        states.found[id] = StatePorts(str(variable), name, graph.shared.name(name + NEXT), "")
        states.inputs.append(info_of(name, variable.type))
    return states.found[id]


@writes(infra.ReadValueOp)
def read_value(graph: GraphWriter, op: infra.ReadValueOp) -> Written:
    state, init = _state(graph, op), nn.constant_of(op.init)
    tensors, type = graph.shared.tensors, tensor(op.result)
    known = tensors.defaults.get(state.input)
    if init is not None and (known == init or known is None) and not state.is_set:
        tensors.default(state.input, init)
        return state.input
    if known is not None and not state.is_set:
        raise DiagnosticException(
            f"{label(op)}: begins with another value than an earlier read of '{state.input}'; make them the same"
        )
    if not state.is_set:
        state.is_set = graph.shared.name(state.input + SET)
        flag: TensorType[Any] = TensorType(i1, [])
        graph.shared.states.inputs.append(info_of(state.is_set, flag))
        tensors.default(state.is_set, blob_of(np.zeros((), np.bool_)))
        if DYNAMIC_INDEX not in type.get_shape():
            zeros = np.zeros(type.get_shape(), dtype_of(type.element_type))
            tensors.default(state.input, blob_of(zeros, type.element_type))
    return graph("Where", state.is_set, state.input, graph[op.init])


@writes(infra.AssignOp)
def assign(graph: GraphWriter, op: infra.AssignOp) -> Written:
    state = _state(graph, op)
    _states(graph, op).values[state.input] = graph[op.value]
    return []
