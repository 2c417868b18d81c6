"""Behaviours of programs that go from ports to nodes and back, rewire them, retype inputs, and compute single nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .inspecting import name_of, node, users
from .side import ROWS, A, B, Behaviour, Side, after


def model(look: Callable[[Any, Side], Any], name: str = "two") -> Behaviour:
    return lambda s: look(s.read(name), s)


def tensors(s: Side, *arrays: Any) -> list[Any]:
    return [s.module.Tensor(each) for each in arrays]


def room(s: Side, *shape: int) -> Any:
    return s.module.Tensor(s.module.Type.f32, s.module.Shape(shape))


def add(given: Any) -> Any:
    """The operation of `two` that adds."""
    return next(op for op in given.get_ops() if op.get_friendly_name() == "add")


def evaluated(s: Side, *inputs: Any) -> Any:
    s.kept.append(read := s.read())
    return after(add(read).evaluate(out := [room(s, 1, 3)], tensors(s, *inputs)), out[0].data)


def retyped(
    change: Callable[[Any, Side], Any], name: str = "unknown", given: Any = ROWS
) -> Behaviour:
    """Types of a model whose Parameters were changed so, and what it computes."""

    def run(s: Side) -> Any:
        read = s.read(name)
        for parameter in read.get_parameters():
            change(parameter, s)
        read.validate_nodes_and_infer_types()
        ports = [*read.inputs, *read.outputs]
        return [
            (str(p.partial_shape), p.get_element_type().get_type_name()) for p in ports
        ], s.core.compile_model(read, "CPU")([given] * len(read.inputs))[0]

    return run


def rewired(arguments: Callable[[Any], list[Any]]) -> Behaviour:
    """What `add` gives from other sources."""
    return model(
        lambda m, s: after(
            add(m).set_arguments(arguments(m)), s.core.compile_model(m, "CPU")([A, B])[0]
        )
    )


REWIRING: dict[str, Behaviour] = {
    "Model.input: target_inputs": model(lambda m, s: users(m.input(0))),
    "Model.input: target_inputs of the second": model(lambda m, s: len(m.input(1).target_inputs)),
    "Model.output: target_inputs": model(lambda m, s: len(m.output(0).get_target_inputs())),
    "Model.results[0].output(0): target_inputs": model(
        lambda m, s: len(m.get_results()[0].output(0).get_target_inputs())
    ),
    "Model.output: its node's source": model(
        lambda m, s: name_of(m.output(1).get_node().input_value(0))
    ),
    "Model.input: outputs of its node": model(lambda m, s: m.input(0).node.get_output_size()),
    "Model.input: its node is the Parameter": model(
        lambda m, s: m.input(1).get_node() == m.get_parameters()[1]
    ),
    "Model.output: its node is the Result": model(
        lambda m, s: m.output(1).get_node() == m.get_results()[1]
    ),
    "Model.get_parameter_index of a port's node": model(
        lambda m, s: [m.get_parameter_index(port.get_node()) for port in m.inputs]
    ),
    "Model.input(…).replace": model(
        lambda m, s: after(
            m.input(0).replace(m.input(1)),
            users(m.input(0)),
            s.core.compile_model(m, "CPU")([A, B])[1],
        )
    ),
    "Model.output(…).replace": model(
        lambda m, s: after(
            m.output(0).replace(m.output(1)), s.core.compile_model(m, "CPU")([A, B])[0]
        )
    ),
    "Model.input(…).node.set_layout": model(
        lambda m, s: after(
            m.input(0).node.set_layout(s.module.Layout("NC")), str(m.get_parameters()[0].layout)
        )
    ),
    "Node.evaluate": lambda s: evaluated(s, A, B),
    "Node.evaluate: too few": lambda s: evaluated(s, A),
    "Node.evaluate of a Parameter": node(
        lambda n: n.evaluate([np.zeros((1, 3), np.float32)], [A, B]), "Parameter"
    ),
    "Node.set_arguments": rewired(lambda m: [m.input(1), m.input(1)]),
    "Node.set_arguments of nodes": rewired(lambda m: m.get_parameters()[::-1]),
    "Node.set_arguments: its own result": rewired(lambda m: [m.input(0), add(m).output(0)]),
    "Parameter.set_partial_shape": retyped(
        lambda p, s: p.set_partial_shape(s.module.PartialShape([3, 2]))
    ),
    "Parameter.set_partial_shape of two": retyped(
        lambda p, s: p.set_partial_shape(s.module.PartialShape([3, 2])), "two"
    ),
    "Parameter.partial_shape = shape": retyped(
        lambda p, s: setattr(p, "partial_shape", s.module.PartialShape([3, 2]))
    ),
    "Parameter.set_partial_shape: misfit": retyped(
        lambda p, s: p.set_partial_shape(s.module.PartialShape([3, 5]))
    ),
    "Parameter.set_element_type": retyped(
        lambda p, s: after(
            p.set_element_type(s.module.Type.i32),
            p.set_partial_shape(s.module.PartialShape([3, 2])),
        ),
        "two",
        ROWS.astype(np.int32),
    ),
    "Parameter.element_type = unknown": retyped(lambda p, s: setattr(p, "element_type", "many")),
    "a port that was asked before the model was reshaped": model(
        lambda m, s: after(
            port := m.input(0), m.reshape([4, 2]), port.get_node() == m.get_parameters()[0]
        ),
        "unknown",
    ),
    "a port that was asked before: its targets": model(
        lambda m, s: after(port := m.input(0), m.reshape([4, 2]), users(port)), "unknown"
    ),
    "a node that was asked before the model was reshaped": model(
        lambda m, s: after(
            found := m.get_results()[0].input_value(0).get_node(),
            m.reshape([4, 2]),
            [list(found.get_output_shape(0)), len(users(found.output(0)))],
        ),
        "unknown",
    ),
    "Node.set_partial_shape of no Parameter": node(lambda n: n.set_partial_shape([1])),
}
