"""Behaviours of nodes, of the parts of models, of shapes, dimensions and types, each asked closely."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from itertools import product
from typing import Any

from .modelling import changed, model, of_types
from .side import Behaviour, Side, after

SHAPES = ([1, 3], [-1, 3], [1, 4], [-1, -1], [1, 3, 5], [])

SIZES = (3, -1, 4, 0)


def node(look: Callable[[Any], Any], name: str = "add", of: str = "two") -> Behaviour:
    """Of the node of this name, or the first of this type."""

    def run(s: Side) -> Any:
        s.kept.append(read := s.read(of))  # OpenVINO's nodes do not keep their model
        return look(
            next(
                op for op in read.get_ops() if name in (op.get_friendly_name(), op.get_type_name())
            )
        )

    return run


def name_of(output: Any) -> str:
    return output.get_node().get_friendly_name()


def users(output: Any) -> list[str]:
    return sorted(map(name_of, output.get_target_inputs()))


def shape(sizes: Any, look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: look(s.module.PartialShape(sizes))


def shapes(look: Callable[[Any, Any], bool]) -> Behaviour:
    """Of each two shapes."""
    return lambda s: [
        look(s.module.PartialShape(a), s.module.PartialShape(b)) for a, b in product(SHAPES, SHAPES)
    ]


def dimension(look: Callable[..., Any], *sizes: Any) -> Behaviour:
    return lambda s: look(s.module.Dimension(*sizes))


def dimensions(look: Callable[[Any, Any], bool]) -> Behaviour:
    """Of each two sizes."""
    return lambda s: [
        look(s.module.Dimension(a), s.module.Dimension(b)) for a, b in product(SIZES, SIZES)
    ]


INSPECTING: dict[str, Behaviour] = {
    "Node.get_input_size": node(lambda n: n.get_input_size()),
    "Node.get_input_size of a Parameter": node(lambda n: n.get_input_size(), "Parameter"),
    "Node.get_input_element_type": node(lambda n: n.get_input_element_type(0)),
    "Node.get_input_partial_shape": node(lambda n: str(n.get_input_partial_shape(0))),
    "Node.get_input_shape": node(lambda n: list(n.get_input_shape(1))),
    "Node.get_input_shape(beyond)": node(lambda n: n.get_input_shape(7)),
    "Node.input_value": node(lambda n: name_of(n.input_value(1))),
    "Node.input_value(beyond)": node(lambda n: n.input_value(7)),
    "Node.input_value, of a Result": model(lambda m: name_of(m.results[0].input_value(0))),
    "Node.input_values": node(lambda n: list(map(name_of, n.input_values()))),
    "Node.input_values of a Parameter": node(lambda n: n.input_values(), "Parameter"),
    "Node.inputs: sources": node(lambda n: [name_of(i.get_source_output()) for i in n.inputs()]),
    "Node.inputs: types": node(lambda n: [i.get_element_type() for i in n.inputs()]),
    "Node.inputs: numbers": node(lambda n: [i.get_index() for i in n.inputs()]),
    "Node.inputs: nodes": node(lambda n: list(map(name_of, n.inputs()))),
    "Node.input: shape": node(lambda n: list(n.input(1).get_shape())),
    "Node.input(beyond)": node(lambda n: n.input(7)),
    "Node.output: shape": node(lambda n: list(n.output(0).get_shape())),
    "Node.output(beyond)": node(lambda n: n.output(3)),
    "Node.output: node": node(lambda n: name_of(n.output(0))),
    "Node.output: users": node(lambda n: users(n.output(0)), "Parameter"),
    "Node.output: users, a Result": node(lambda n: len(users(n.output(0)))),
    "Node.outputs: numbers": node(lambda n: [o.get_index() for o in n.outputs()]),
    "Node.get_output_shape": node(lambda n: list(n.get_output_shape(0))),
    "Node.get_output_shape(beyond)": node(lambda n: n.get_output_shape(4)),
    "Node.get_output_tensor: names": node(lambda n: n.get_output_tensor(0).get_names()),
    "Node.get_output_tensor: names of an input": node(
        lambda n: n.get_output_tensor(0).get_names(), "b"
    ),
    "Node.set_friendly_name": node(
        lambda n: after(n.set_friendly_name("mine"), n.get_friendly_name())
    ),
    "Node.shape": node(lambda n: list(n.shape)),
    "Node.get_element_type of a Parameter": node(lambda n: n.get_element_type(), "Parameter"),
    "Node.element_type of a Parameter": node(lambda n: n.element_type, "Parameter", "whole"),
    "Node.partial_shape of a Parameter": node(lambda n: str(n.partial_shape), "X", "unknown"),
    "Node.get_partial_shape of a Parameter": node(
        lambda n: str(n.get_partial_shape()), "X", "unknown"
    ),
    "Node == Node": lambda s: after(m := s.read(), m.get_ops()[0] == m.get_ops()[0]),
    "Node != Node": lambda s: after(m := s.read(), m.get_ops()[0] == m.get_ops()[1]),
    "Node: hash": lambda s: after(
        m := s.read(), len({*m.get_ops(), *m.get_ops()}) == len(m.get_ops())
    ),
    "Node.get_attributes": node(lambda n: "auto_broadcast" in n.get_attributes()),
    "Node.get_rt_info": node(lambda n: len(n.get_rt_info()) >= 0),
    "Model.result": model(lambda m: m.result.get_type_name(), "unknown"),
    "Model.get_result()": model(lambda m: m.get_result().get_type_name(), "unknown"),
    "Model.get_result() of two": model(lambda m: m.get_result()),
    "Model.variables": model(lambda m: [v.info.variable_id for v in m.variables], "sums"),
    "Model.get_variable_by_id": model(
        lambda m: m.get_variable_by_id("total").info.variable_id, "sums"
    ),
    "Model.get_variable_by_id: unknown": model(lambda m: m.get_variable_by_id("nothing"), "sums"),
    "Model.get_variables: shape": model(
        lambda m: str(m.get_variables()[0].info.data_shape), "sums"
    ),
    "Model.get_variables: type": model(lambda m: m.get_variables()[0].info.data_type, "sums"),
    "Model.get_sink_index": model(lambda m: m.get_sink_index(m.sinks[0]), "sums"),
    "Model.get_sink_index: another": model(lambda m: m.get_sink_index(m.results[0]), "sums"),
    "Model.get_output_op(beyond)": model(lambda m: m.get_output_op(7)),
    "Model.get_output_shape(beyond)": model(lambda m: m.get_output_shape(7)),
    "Model.get_ops: types of a stateful one": model(
        lambda m: sorted({op.get_type_name() for op in m.get_ops()}), "sums"
    ),
    "Model.input(beyond)": model(lambda m: m.input(7)),
    "Model.input(-1)": model(lambda m: m.input(-1)),
    "Model.input(port)": model(lambda m: m.input(m.inputs[0])),
    "Model.output() of two": model(lambda m: m.output()),
    "Model == Model": model(lambda m: m == m),
    "Model.is_dynamic() after reshape": changed(
        lambda m: m.reshape([4, 2]), lambda m: m.is_dynamic(), "unknown"
    ),
    "Model.reshape: a tuple": changed(
        lambda m: m.reshape((4, 2)), lambda m: str(m.output().partial_shape), "unknown"
    ),
    "Model.reshape: another rank": changed(
        lambda m: m.reshape([4, 2, 1]), lambda m: str(m.output().partial_shape), "unknown"
    ),
    "Model.reshape: None": model(lambda m: m.reshape(None), "unknown"),
    "Model.reshape of two": changed(
        lambda m: m.reshape({"a": [2, 3], "b": [2, 3]}), lambda m: list(m.output(0).shape), "two"
    ),
    "Model.add_outputs of a tensor": changed(
        lambda m: m.add_outputs(["sum"]), lambda m: len(m.outputs), "two"
    ),
    "Model.add_outputs of what a node gives": changed(
        lambda m: m.add_outputs(m.get_ordered_ops()[0].output(0)), lambda m: len(m.outputs), "two"
    ),
    "Model.add_outputs: its outputs": model(
        lambda m: len(m.add_outputs([("add", 0), ("times", 0)]))
    ),
    "Model.remove_result": changed(
        lambda m: m.remove_result(m.results[0]), lambda m: len(m.outputs), "two"
    ),
    "Model.clone: its name": model(
        lambda m: m.clone().get_friendly_name() == m.get_friendly_name()
    ),
    "Model: pickled": lambda s: pickle.loads(pickle.dumps(s.read())).input(0),
    "Port: str": lambda s: "a" in str(s.two.input(0)),
    "Port: node of a model's output": lambda s: s.read().output(0).get_node().get_type_name(),
    "Port: get_tensor().get_any_name()": lambda s: s.two.input(0).get_tensor().get_any_name(),
    "Port: tensor.names": lambda s: set(s.two.input(0).tensor.names),
    "Port of the model == of the compiled one": lambda s: after(
        m := s.read(), m.input(0) == s.core.compile_model(m, "CPU").input(0)
    ),
    "PartialShape.compatible": shapes(lambda a, b: a.compatible(b)),
    "PartialShape.refines": shapes(lambda a, b: a.refines(b)),
    "PartialShape.relaxes": shapes(lambda a, b: a.relaxes(b)),
    "PartialShape.same_scheme": shapes(lambda a, b: a.same_scheme(b)),
    "PartialShape ==": shapes(lambda a, b: a == b),
    "PartialShape !=": shapes(lambda a, b: a != b),
    "PartialShape.all_non_negative": shape([1, -1], lambda p: p.all_non_negative),
    "PartialShape.is_dynamic": shape([1, -1], lambda p: p.is_dynamic),
    "PartialShape.get_dimension": shape([1, 2], lambda p: str(p.get_dimension(1))),
    "PartialShape.dynamic()": lambda s: str(s.module.PartialShape.dynamic()),
    "PartialShape.dynamic(rank)": lambda s: str(s.module.PartialShape.dynamic(2)),
    "PartialShape of text": shape("[1,?,3]", str),
    "PartialShape of text without brackets": shape("1, ?, 3", str),
    "PartialShape of empty text": shape("[]", str),
    "PartialShape of other text": shape("[a]", str),
    "PartialShape of limits in text": shape("[1..4]", str),
    "PartialShape of dimensions": lambda s: str(
        s.module.PartialShape([s.module.Dimension(2), s.module.Dimension()])
    ),
    "PartialShape of ...": shape([...], str),
    "PartialShape of fractions": shape([1.5], str),
    "PartialShape[-1]": shape([1, 2], lambda p: str(p[-1])),
    "PartialShape[beyond]": shape([1, 2], lambda p: p[7]),
    "PartialShape[:1]": shape([1, 2], lambda p: list(map(str, p[:1]))),
    "PartialShape[0] = 5": shape([1, 2], lambda p: after(p.__setitem__(0, 5), str(p))),
    "PartialShape: copied": shape([1, -1], lambda p: str(copy.deepcopy(p))),
    "PartialShape: its sizes": shape([1, 2], lambda p: [size.get_length() for size in p]),
    "Dimension ==": dimensions(lambda a, b: a == b),
    "Dimension.compatible": dimensions(lambda a, b: a.compatible(b)),
    "Dimension.refines": dimensions(lambda a, b: a.refines(b)),
    "Dimension.relaxes": dimensions(lambda a, b: a.relaxes(b)),
    "Dimension.same_scheme": dimensions(lambda a, b: a.same_scheme(b)),
    "Dimension == number": dimension(lambda d: d == 3, 3),
    "Dimension of text": dimension(str, "3"),
    "Dimension of ?": dimension(lambda d: d.is_dynamic, "?"),
    "Dimension of other text": dimension(str, "many"),
    "Dimension.dynamic()": lambda s: s.module.Dimension.dynamic().is_dynamic,
    "Dimension(3, 3)": dimension(lambda d: d.is_static, 3, 3),
    "element_type.is_static()": of_types(lambda t: t.is_static()),
    "element_type.is_dynamic()": of_types(lambda t: t.is_dynamic()),
    "element_type.is_integral_number()": of_types(lambda t: t.is_integral_number()),
    "element_type.get_size()": of_types(lambda t: t.get_size()),
    "element_type.get_bitwidth()": of_types(lambda t: t.get_bitwidth()),
    "element_type: hash": lambda s: len({s.two.input(n).element_type for n in range(2)}),
}
