"""Behaviours of programs that change models, and of what is around them: other formats, plugins, versions."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper

from .inspecting import name_of, node
from .modelling import changed, model, texts
from .side import ONES, A, B, Behaviour, Side, after


def onnx_model() -> Any:
    """Y = X + X, of [1, 4]."""
    x, y = (helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [1, 4]) for n in "XY")
    graph = helper.make_graph([helper.make_node("Add", ["X", "X"], ["Y"])], "doubles", [x], [y])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def onnx_path(s: Side) -> str:
    path = s.folder / "doubles.onnx"
    path.write_bytes(onnx_model().SerializeToString())
    return str(path)


def doubled(load: Callable[[Side], Any]) -> Behaviour:
    """What a model in ONNX gives."""
    return lambda s: s.core.compile_model(load(s), "CPU")([ONES])[0]


def serialized(s: Side) -> Any:
    path = s.folder / f"serialized_{s.name}.xml"
    s.module.serialize(s.read("sums"), path)
    return s.core.compile_model(path, "CPU")([ONES])[0]


def serialized_apart(s: Side) -> Any:
    xml, weights = (s.folder / f"apart_{s.name}{ending}" for ending in (".xml", ".weights"))
    s.module.serialize(s.read("sums"), str(xml), str(weights))
    return s.core.compile_model(s.core.read_model(xml, weights), "CPU")([ONES])[0]


def run(m: Any, s: Side, inputs: Any = (A, B)) -> Any:
    return list(s.core.compile_model(m, "CPU")(list(inputs)).values())


def edited(change: Callable[[Any], Any], inputs: Any = (A, B)) -> Behaviour:
    """What a changed model gives."""

    def behave(s: Side) -> Any:
        read = s.read("two")
        change(read)
        return run(read, s, inputs)

    return behave


def op(m: Any, name: str) -> Any:
    return next(n for n in m.get_ops() if n.get_friendly_name() == name)


def rewired(m: Any) -> None:
    """The product is b · b."""
    op(m, "times").input(0).replace_source_output(m.parameters[1].output(0))


def profile(look: Callable[[Any], Any]) -> Behaviour:
    def behave(s: Side) -> Any:
        request = s.compiled("two", PERF_COUNT=True).create_infer_request()
        request.infer([A, B])
        return look(request.profiling_info)

    return behave


EDITING: dict[str, Behaviour] = {
    "Core.compile_model of ONNX": doubled(onnx_path),
    "Core.read_model of ONNX": doubled(lambda s: s.core.read_model(onnx_path(s))),
    "Core.read_model of ONNX in bytes": doubled(
        lambda s: s.core.read_model(onnx_model().SerializeToString())
    ),
    "Core.read_model of ONNX in a stream": doubled(
        lambda s: s.core.read_model(io.BytesIO(onnx_model().SerializeToString()))
    ),
    "Core.compile_model of text and weights": lambda s: s.core.compile_model(
        texts(s)[0].decode(), texts(s)[1], "CPU"
    )([ONES])[0],
    "Core.compile_model of bytes and weights": lambda s: s.core.compile_model(
        model=texts(s)[0], weights=texts(s)[1], device_name="CPU"
    )([ONES])[0],
    "Core.compile_model: a device by its number": lambda s: s.core.compile_model(
        s.path("two"), "CPU.0"
    )([A, B])[0],
    "convert_model of a file": doubled(lambda s: s.module.convert_model(onnx_path(s))),
    "convert_model of ONNX in memory": doubled(lambda s: s.module.convert_model(onnx_model())),
    "convert_model: a shape": lambda s: str(
        s.module.convert_model(onnx_path(s), input=[2, 4]).input(0).partial_shape
    ),
    "convert_model: a shape by name": lambda s: str(
        s.module.convert_model(onnx_path(s), input=("X", [2, 4])).input(0).partial_shape
    ),
    "convert_model: shapes by name": lambda s: str(
        s.module.convert_model(onnx_path(s), input={"X": [3, 4]}).input(0).partial_shape
    ),
    "convert_model: no such file": lambda s: s.module.convert_model("nothing.onnx"),
    "serialize": serialized,
    "serialize, weights elsewhere": serialized_apart,
    "get_version": lambda s: isinstance(s.module.get_version(), str),
    "Core.add_extension of nothing": lambda s: s.core.add_extension("nothing.so"),
    "Core.register_plugin: no such": lambda s: s.core.unload_plugin("nothing"),
    "Core.create_context": lambda s: s.core.create_context("CPU", {}),
    "Core.get_default_context": lambda s: s.core.get_default_context("CPU"),
    "Core.import_model of text": lambda s: s.core.import_model("text", "CPU"),
    "Core.query_model: names": lambda s: {"add", "times"} <= {*s.core.query_model(s.read(), "CPU")},
    "Core.get_property: all of them": lambda s: (
        "PERF_COUNT" in dict.fromkeys(s.core.get_property("CPU", "SUPPORTED_PROPERTIES"))
    ),
    "Core.set_property: AUTO": lambda s: s.module.Core().set_property(
        "AUTO", {"PERFORMANCE_HINT": "LATENCY"}
    ),
    "Core.set_property of a wrong value": lambda s: after(
        c := s.module.Core(),
        c.set_property("CPU", {"PERFORMANCE_HINT": "FAST"}),
        c.compile_model(s.path("two"), "CPU"),
    ),
    "Core.set_property counts for compile_model": lambda s: after(
        c := s.module.Core(),
        c.set_property("CPU", {"PERF_COUNT": True}),
        c.compile_model(s.path("two"), "CPU").get_property("PERF_COUNT"),
    ),
    "compile_model's config wins": lambda s: after(
        c := s.module.Core(),
        c.set_property("CPU", {"PERF_COUNT": True}),
        c.compile_model(s.path("two"), "CPU", {"PERF_COUNT": False}).get_property("PERF_COUNT"),
    ),
    "Core.set_property: CACHE_DIR, get_property": lambda s: after(
        c := s.module.Core(),
        c.set_property({"CACHE_DIR": str(s.folder / "cache")}),
        c.get_property("CACHE_DIR") == str(s.folder / "cache"),
    ),
    "CACHE_DIR: files appear": lambda s: after(
        folder := s.folder / f"cache_{s.name}",
        c := s.module.Core(),
        c.set_property({"CACHE_DIR": str(folder)}),
        c.compile_model(s.path("two"), "CPU"),
        bool(list(folder.iterdir())),
    ),
    "CACHE_DIR of compile_model": lambda s: after(
        folder := s.folder / f"cached_{s.name}",
        s.core.compile_model(s.path("two"), "CPU", {"CACHE_DIR": str(folder)}),
        bool(list(folder.iterdir())),
    ),
    "CACHE_DIR: a Path": lambda s: s.core.compile_model(
        s.path("two"), "CPU", {"CACHE_DIR": Path(s.folder) / "cache"}
    )([A, B])[0],
    "CACHE_DIR of a model of unknown shapes": lambda s: s.core.compile_model(
        s.path("unknown"), "CPU", {"CACHE_DIR": str(s.folder / "cache")}
    )([np.ones((2, 2), np.float32)])[0],
    "CACHE_MODE": lambda s: s.core.compile_model(
        s.path("two"), "CPU", {"CACHE_MODE": "OPTIMIZE_SIZE"}
    )([A, B])[0],
    "CompiledModel.get_property: CACHE_DIR": lambda s: s.core.compile_model(
        s.path("two"), "CPU", {"CACHE_DIR": ""}
    ).get_property("CACHE_DIR"),
    "CompiledModel.set_property": lambda s: s.core.compile_model(s.path("two"), "CPU").set_property(
        {"PERF_COUNT": True}
    ),
    "CompiledModel.get_runtime_model, counters": lambda s: (
        len(s.compiled("two", PERF_COUNT=True).get_runtime_model().get_ops()) > 0
    ),
    "CompiledModel.release_memory": lambda s: s.two.release_memory(),
    "Model.add_outputs of an operation by name": edited(lambda m: m.add_outputs("add")),
    "Model.add_outputs of a pair": edited(lambda m: m.add_outputs(("times", 0))),
    "Model.add_outputs of nothing": edited(lambda m: m.add_outputs("nothing")),
    "Model.add_outputs of a number": edited(lambda m: m.add_outputs(0)),
    "Model.add_outputs twice": changed(
        lambda m: (m.add_outputs("sum"), m.add_outputs("sum")), lambda m: len(m.outputs), "two"
    ),
    "Model.remove_result: the rest": edited(lambda m: m.remove_result(m.results[0])),
    "Model.remove_parameter that is used": edited(
        lambda m: m.remove_parameter(m.parameters[0]), (B,)
    ),
    "Input.replace_source_output": edited(rewired),
    "Input.replace_source_output: another shape": edited(
        lambda m: op(m, "times").input(0).replace_source_output(op(m, "times").output(0))
    ),
    "Output.replace": edited(lambda m: op(m, "add").output(0).replace(m.parameters[0].output(0))),
    "Node.set_argument": edited(
        lambda m: op(m, "times").set_argument(0, m.parameters[1].output(0))
    ),
    "Output.target_inputs: replaced": edited(
        lambda m: [
            each.replace_source_output(m.parameters[1].output(0))
            for each in m.parameters[0].output(0).get_target_inputs()
        ]
    ),
    "Model.validate_nodes_and_infer_types": edited(lambda m: m.validate_nodes_and_infer_types()),
    "Model.clone: edited": edited(lambda m: rewired(m.clone())),
    "Model.get_parameter_index": model(lambda m: m.get_parameter_index(m.parameters[1])),
    "Model.get_result_index": model(lambda m: m.get_result_index(m.results[1])),
    "Model.friendly_name = text": changed(
        lambda m: setattr(m, "friendly_name", "mine"), lambda m: m.get_friendly_name(), "two"
    ),
    "Model.name": model(lambda m: isinstance(m.name, str)),
    "Model.dynamic": model(lambda m: m.dynamic, "unknown"),
    "Model.evaluate": lambda s: after(
        m := s.read(),
        outs := [s.module.Tensor(np.zeros((1, 3), np.float32), shared_memory=True) for _ in "12"],
        m.evaluate(outs, [s.module.Tensor(A), s.module.Tensor(B)]),
        [each.data for each in outs],
    ),
    "Node.get_type_info().name": node(lambda n: n.get_type_info().name),
    "Node.type_info.version_id": node(lambda n: n.type_info.version_id),
    "Node.get_name": node(lambda n: isinstance(n.get_name(), str)),
    "Node.name": node(lambda n: isinstance(n.name, str)),
    "Node.friendly_name = text": node(
        lambda n: after(setattr(n, "friendly_name", "mine"), n.get_friendly_name())
    ),
    "Node.get_attributes(): those that are said": node(
        lambda n: n.get_attributes(), "NonZero", "places"
    ),
    "Node.get_attributes of a Constant": node(lambda n: n.get_attributes(), "Constant", "sums"),
    "Node.get_attributes of a Parameter": lambda s: s.read().get_parameters()[0].get_attributes(),
    "Node.get_attributes of a Result": lambda s: s.read().get_results()[0].get_attributes(),
    "Node.get_input_tensor": node(lambda n: n.get_input_tensor(0).get_element_type()),
    "Node.get_output_partial_shape": node(lambda n: str(n.get_output_partial_shape(0))),
    "Node.get_output_element_type": node(lambda n: n.get_output_element_type(0)),
    "Node.input(…).get_source_output().get_node()": node(
        lambda n: name_of(n.input(0).get_source_output())
    ),
    "Output.node.get_type_name()": node(lambda n: n.output(0).node.get_type_name()),
    "Output == Output": node(lambda n: n.output(0) == n.output(0)),
    "Output.get_target_inputs: indices": node(
        lambda n: sorted(i.get_index() for i in n.output(0).get_target_inputs()), "a"
    ),
    "Output: str": node(lambda n: isinstance(str(n.output(0)), str)),
    "Output.add_names": changed(
        lambda m: m.input(0).tensor.add_names({"other"}), lambda m: m.input("other"), "two"
    ),
    "Output.set_names": changed(
        lambda m: m.output(0).tensor.set_names({"other"}), lambda m: m.output("other"), "two"
    ),
    "profiling_info: is Status.EXECUTED": profile(
        lambda p: any(each.status == type(each).Status.EXECUTED for each in p)
    ),
    "profiling_info: node_type": profile(lambda p: isinstance(p[0].node_type, str)),
    "profiling_info: total_seconds": profile(lambda p: p[0].real_time.total_seconds() >= 0),
    "set_batch": lambda s: s.module.set_batch(s.read(), 4),
    "get_batch": lambda s: s.module.get_batch(s.read()),
}
