"""Behaviours that programs from OpenVINO's samples and notebooks rely on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import openvino
from openvino import opset13

from .side import ONES, ROWS, A, B, Behaviour, Side, after

FOUR = np.arange(4, dtype=np.float32)
CODES = np.array([0x3F80, 0x4000], np.uint16)
"""1 and 2 in bf16."""


def shared(make: Callable[[Any, Any], Any]) -> Behaviour:
    """What a tensor of an array holds after the array was written."""

    def behaviour(s: Side) -> Any:
        array = np.zeros(4, np.float32)
        made = make(s.module.Tensor, array)
        array[0] = 7
        return made.data

    return behaviour


def made(make: Callable[[Any, Any], Any]) -> Behaviour:
    """Type, shape and elements of a tensor that is made of OpenVINO's arguments."""

    def behaviour(s: Side) -> Any:
        tensor = make(s.module.Tensor, s)
        return tensor.element_type.get_type_name(), list(tensor.shape), tensor.data.tolist()

    return behaviour


def said(name: str, **config: Any) -> Behaviour:
    """A property of a model compiled so."""
    return lambda s: str(s.module.compile_model(s.read(), "CPU", config).get_property(name))


def shape(change: Callable[[Any], Any], text: str = "?,2") -> Behaviour:
    """A partial shape after a change."""

    def behaviour(s: Side) -> Any:
        partial = s.module.PartialShape(text)
        change(partial)
        return str(partial), partial.is_dynamic, partial.rank.get_length()

    return behaviour


def port_stays(s: Side) -> Any:
    """A model whose shape was asked, and changed in the caller's hand."""
    model = s.read("unknown")
    asked = model.input(0).partial_shape
    asked[0] = 3
    before = str(model.input(0).partial_shape)
    model.reshape({model.input(0): asked})
    return before, str(model.input(0).partial_shape)


def with_layout(*layouts: str) -> Behaviour:
    """A model whose input has a layout of two dimensions, reshaped to three; or first without it."""

    def behaviour(s: Side) -> Any:
        model = s.read("unknown")
        parameter = model.get_parameters()[0]
        for layout in layouts:
            parameter.set_layout(s.module.Layout(layout))
        model.reshape({0: [2, 3]})
        return [list(model.input(0).shape), str(parameter.layout), str(parameter.get_layout())]

    return behaviour


def rank_changed(s: Side) -> Any:
    make: Any = openvino.Model
    x = opset13.parameter([-1, -1], np.float32, name="x")
    model: Any = make([opset13.relu(x)], [x], "relu")
    if not s.is_openvino:
        model = s.module.read_model(model)
    model.get_parameters()[0].set_layout(s.module.Layout("NC"))
    model.reshape([1, 2, 3])
    return list(model.input(0).shape)


def layout_of_a_sum(s: Side) -> Any:
    add = next(node for node in s.read().get_ops() if node.get_type_name() == "Add")
    return add.get_layout()


def states(s: Side) -> Any:
    return [node.get_variable_id() for node in s.read("sums").get_sinks()]


def state_of_a_sum(s: Side) -> Any:
    add = next(node for node in s.read().get_ops() if node.get_type_name() == "Add")
    return add.get_variable_id()


def saved(s: Side) -> Any:
    """The bytes of a state's four initial values."""
    path = s.folder / f"saved_{s.name}.xml"
    s.module.save_model(s.read("sums"), str(path))
    return path.with_suffix(".bin").stat().st_size >= ONES.nbytes


def properties_by_name(s: Side) -> Any:
    core = s.module.Core()
    core.set_property(properties={"ENABLE_MMAP": True})
    core.set_property(device_name="CPU", properties={"INFERENCE_NUM_THREADS": 1})
    return core.get_property("CPU", "INFERENCE_NUM_THREADS")


def refused_keeps_what_was_set_before(s: Side) -> Any:
    """The second input is wrong, and the first is set already."""
    request = s.request("two", A, B)
    try:
        request.infer({"a": B, "b": ROWS})
    except RuntimeError:
        return request.infer()["sum"]
    return "not refused"


PORTING: dict[str, Behaviour] = {
    "Tensor(array=array)": made(lambda t, s: t(array=FOUR)),
    "Tensor(array=array, shared_memory=True)": shared(lambda t, a: t(array=a, shared_memory=True)),
    "Tensor(array, True)": shared(lambda t, a: t(a, True)),
    "Tensor(array, False)": shared(lambda t, a: t(a, False)),
    "Tensor(array, shape=shape)": made(lambda t, s: t(FOUR, shape=[2, 2])),
    "Tensor(array, shape, its type)": made(lambda t, s: t(FOUR, [2, 2], s.module.Type.f32)),
    "Tensor(array=array, shape=shape, type=type)": made(
        lambda t, s: t(array=FOUR, shape=s.module.Shape([2, 2]), type=s.module.Type.f32)
    ),
    "Tensor(array, shape, bf16)": lambda s: s.module.Tensor(
        CODES, [2], s.module.Type.bf16
    ).element_type.get_type_name(),
    "Tensor(array, shape, a larger type)": made(lambda t, s: t(FOUR, [4], s.module.Type.f64)),
    "Tensor(type=type, shape=shape)": lambda s: list(
        s.module.Tensor(type=s.module.Type.i64, shape=[2, 3]).shape
    ),
    "Tensor(port=port)": lambda s: list(s.module.Tensor(port=s.two.input(0)).shape),
    "Tensor(port, array=array)": made(lambda t, s: t(s.two.input(0), array=A)),
    "Tensor(other=tensor, begin=begin, end=end)": lambda s: list(
        s.module.Tensor(other=s.module.Tensor(ROWS), begin=[0, 1], end=[3, 2]).shape
    ),
    "Tensor(size=4)": made(lambda t, s: t(size=4)),
    "Tensor()": made(lambda t, s: t()),
    "said: THROUGHPUT": said("PERFORMANCE_HINT", PERFORMANCE_HINT="THROUGHPUT"),
    "said: LATENCY": said("PERFORMANCE_HINT", PERFORMANCE_HINT="LATENCY"),
    "said: no hint": said("PERFORMANCE_HINT"),
    "said: a number of requests": said(
        "PERFORMANCE_HINT_NUM_REQUESTS", PERFORMANCE_HINT_NUM_REQUESTS=2
    ),
    "said: no number of requests": said("PERFORMANCE_HINT_NUM_REQUESTS"),
    "said: one stream as text": said("NUM_STREAMS", NUM_STREAMS="1"),
    "said: one thread": said("INFERENCE_NUM_THREADS", INFERENCE_NUM_THREADS=1),
    "PartialShape[0] = 5, unknown before": shape(lambda p: p.__setitem__(0, 5)),
    "PartialShape[0] = -1": shape(lambda p: p.__setitem__(0, -1), "5,2"),
    "PartialShape[0] = text": shape(lambda p: p.__setitem__(0, "x")),
    "PartialShape: hashed": lambda s: hash(s.module.PartialShape([1])),
    "Port.partial_shape, changed, is a copy": port_stays,
    "Parameter.set_layout": with_layout("NC"),
    "Parameter.set_layout twice": with_layout("NC", "CN"),
    "Parameter.set_layout of another rank": with_layout("NCHW"),
    "Add.get_layout": layout_of_a_sum,
    "Model.reshape to a rank that its layout has not": rank_changed,
    "Assign.get_variable_id": states,
    "Add.get_variable_id": state_of_a_sum,
    "Core.get_versions: build_number": lambda s: (
        type(s.core.get_versions("CPU")["CPU"].build_number).__name__
    ),
    "Core.get_versions: numbers": lambda s: after(
        version := s.core.get_versions("CPU")["CPU"],
        [type(n).__name__ for n in (version.major, version.minor, version.patch)],
    ),
    "Core.get_versions: description": lambda s: bool(s.core.get_versions("CPU")["CPU"].description),
    "Core.query_model: inputs": lambda s: (
        {"a", "b", "add"} <= {*s.core.query_model(s.read(), "CPU")}
    ),
    "Core.query_model: a config": lambda s: (
        "add" in s.core.query_model(s.read(), "CPU", config={"PERFORMANCE_HINT": "LATENCY"})
    ),
    "Core.set_property: properties=…": properties_by_name,
    "save_model: constants of f32": saved,
    "infer that is refused: the next one": refused_keeps_what_was_set_before,
}
