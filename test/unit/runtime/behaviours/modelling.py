"""Behaviours of models as graphs, of ports, shapes and types, and of properties."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import openvino

from .side import ONES, ROWS, A, B, Behaviour, Side, after

CONFIGS: tuple[dict[str, Any], ...] = (
    {"CACHE_DIR": ""},
    {"LOG_LEVEL": "LOG_NONE"},
    {"LOG_LEVEL": "LOG_ERROR"},
    {"CPU_DENORMALS_OPTIMIZATION": False},
    {"CPU_DENORMALS_OPTIMIZATION": True},
    {"DYNAMIC_QUANTIZATION_GROUP_SIZE": "0"},
    {"KV_CACHE_PRECISION": "f32"},
    {"INFERENCE_PRECISION_HINT": "bf16"},
    {"ENABLE_CPU_PINNING": True},
    {"NUM_STREAMS": 2},
    {"NUM_STREAMS": -1},
    {"INFERENCE_NUM_THREADS": "4"},
    {"CACHE_MODE": "OPTIMIZE_SPEED"},
    {"ALLOW_AUTO_BATCHING": False},
    {"DEVICE_ID": "3"},
    {"ENABLE_PROFILING": True},
)

PROPERTIES = (
    "NETWORK_NAME",
    "NUM_STREAMS",
    "INFERENCE_NUM_THREADS",
    "INFERENCE_PRECISION_HINT",
    "EXECUTION_MODE_HINT",
    "ENABLE_CPU_PINNING",
    "ENABLE_HYPER_THREADING",
    "SCHEDULING_CORE_TYPE",
    "PERFORMANCE_HINT_NUM_REQUESTS",
    "MODEL_DISTRIBUTION_POLICY",
    "LOG_LEVEL",
    "DYNAMIC_QUANTIZATION_GROUP_SIZE",
    "KV_CACHE_PRECISION",
    "CPU_DENORMALS_OPTIMIZATION",
    "SUPPORTED_PROPERTIES",
)

DEVICE_PROPERTIES = (
    "DEVICE_ARCHITECTURE",
    "OPTIMIZATION_CAPABILITIES",
    "RANGE_FOR_STREAMS",
    "NUM_STREAMS",
    "INFERENCE_NUM_THREADS",
    "PERFORMANCE_HINT",
    "PERF_COUNT",
    "EXECUTION_DEVICES",
    "DEVICE_TYPE",
)

DEVICES = ("AUTO:CPU", "HETERO:CPU", "MULTI:CPU", "BATCH:CPU", "AUTO:TPU", "GPU", "cpu")


def compiled(config: Any = None, device: str = "CPU") -> Behaviour:
    return lambda s: s.core.compile_model(s.path("two"), device, config or {})([A, B])[0]


def property_with_value(s: Side) -> Any:
    properties: Any = openvino.properties
    return compiled(dict([properties.inference_num_threads(2)]))(s)


def has(name: str) -> Behaviour:
    return lambda s: after(s.two.get_property(name), True)


def device_has(name: str) -> Behaviour:
    return lambda s: after(s.core.get_property("CPU", name), True)


def model(look: Callable[[Any], Any], name: str = "two") -> Behaviour:
    return lambda s: look(s.read(name))


def changed(change: Callable[[Any], Any], look: Callable[[Any], Any], name: str) -> Behaviour:
    def run(s: Side) -> Any:
        read = s.read(name)
        change(read)
        return look(read)

    return run


def reshaped(shapes: Callable[[Any], Any]) -> Behaviour:
    return changed(
        lambda m: m.reshape(shapes(m)), lambda m: str(m.input().partial_shape), "unknown"
    )


def port(look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: look(s.two.input(0))


def unknown(look: Callable[[Any], Any]) -> Behaviour:
    """Of a shape [?, 2]."""
    return lambda s: look(s.unknown.input(0).partial_shape)


def of_types(look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: [look(one.input(0).element_type) for one in (s.two, s.whole)]


def written(s: Side) -> Any:
    path = s.folder / f"written_{s.name}.xml"
    s.module.save_model(s.read(), path, compress_to_fp16=False)
    return s.core.compile_model(path, "CPU")([A, B])[0]


def named(s: Side) -> Any:
    path, given = s.folder / f"named_{s.name}.xml", s.read()
    given.set_friendly_name("pitch tracker")
    s.module.save_model(given, path)
    return s.core.read_model(path).friendly_name


def halves(s: Side) -> Any:
    path = s.folder / f"halves_{s.name}.xml"
    s.module.save_model(s.read("sums"), path, compress_to_fp16=True)
    return path.with_suffix(".bin").stat().st_size, s.core.compile_model(path, "CPU")([ONES])[0]


def texts(s: Side) -> tuple[bytes, bytes]:
    path = Path(s.path("sums"))
    return path.read_bytes(), path.with_suffix(".bin").read_bytes()


def timed(s: Side) -> Any:
    """In the callbacks of a queue, as benchmarks do."""
    queue, seen = s.module.AsyncInferQueue(s.two, 1), []
    queue.set_callback(lambda request, data: seen.append(request.latency > 0))
    for _ in range(2):
        queue.start_async([A, B])
    queue.wait_all()
    return seen


def named_by(listed: Any) -> list[str]:
    """OpenVINO gives what holds the text."""
    return str(getattr(listed, "value", listed)).split(",")


def counted(s: Side) -> Any:
    return s.compiled("two", PERF_COUNT=True)


MODELLING: dict[str, Behaviour] = {
    **{f"config: {one}": compiled(one) for one in CONFIGS},
    "config: a property with its value": property_with_value,
    **{f"compile_model for {device}": compiled(device=device) for device in DEVICES},
    **{f"get_property {name}": has(name) for name in PROPERTIES},
    **{f"Core.get_property {name}": device_has(name) for name in DEVICE_PROPERTIES},
    "Core.get_property of one argument": lambda s: after(s.core.get_property("CACHE_DIR"), True),
    "Core.create_context": lambda s: s.core.create_context("CPU", {}),
    "Core.get_default_context": lambda s: s.core.get_default_context("CPU"),
    "Core.add_extension": lambda s: s.core.add_extension("nothing.so"),
    "Core.import_model, config": lambda s: s.core.import_model(s.two.export_model(), "CPU", {})(
        [A, B]
    )[0],
    "CompiledModel.set_property": lambda s: s.two.set_property({"PERF_COUNT": True}),
    "read_model of bytes": lambda s: s.core.compile_model(s.core.read_model(*texts(s)), "CPU")(
        [ONES]
    )[0],
    "read_model of a stream": lambda s: s.core.read_model(io.BytesIO(texts(s)[0])).inputs,
    "read_model: weights of a file": lambda s: (
        s.core.read_model(s.path("sums"), s.path("sums").replace(".xml", ".bin")).inputs
    ),
    "read_model: weights that are not there": lambda s: (
        s.core.read_model(s.path("sums"), "nothing.bin").inputs
    ),
    "save_model, read again": written,
    "save_model: compress_to_fp16": halves,
    "Model.friendly_name": changed(
        lambda m: m.set_friendly_name("mine"),
        lambda m: [m.friendly_name, m.get_friendly_name()],
        "two",
    ),
    "Model.friendly_name of a file": named,
    "Model.name": model(lambda m: isinstance(m.name, str) and m.name == m.get_name()),
    "Model.dynamic": model(lambda m: m.dynamic, "unknown"),
    "Model.get_ops: names": model(
        lambda m: {"add", "times"} <= {op.get_friendly_name() for op in m.get_ops()}
    ),
    "Model.get_ops: types": model(lambda m: sorted(op.get_type_name() for op in m.get_ops())),
    "Model.get_ordered_ops": model(
        lambda m: [op.get_type_name() for op in m.get_ordered_ops()[:2]]
    ),
    "Model.parameters": model(lambda m: [op.friendly_name for op in m.parameters]),
    "Model.get_parameters()": model(lambda m: len(m.get_parameters())),
    "Model.results": model(lambda m: [op.get_type_name() for op in m.results]),
    "Model.get_results()": model(lambda m: len(m.get_results())),
    "Model.sinks": model(lambda m: [op.get_type_name() for op in m.sinks], "sums"),
    "Model.get_variables": model(
        lambda m: [one.get_info().variable_id for one in m.get_variables()], "sums"
    ),
    "Model.get_output_size": model(lambda m: m.get_output_size()),
    "Model.get_output_op": model(lambda m: m.get_output_op(1).get_type_name()),
    "Model.get_output_shape": model(lambda m: list(m.get_output_shape(0))),
    "Model.get_output_shape, unknown": model(lambda m: m.get_output_shape(0), "unknown"),
    "Model.get_output_partial_shape": model(
        lambda m: str(m.get_output_partial_shape(0)), "unknown"
    ),
    "Model.get_output_element_type": model(lambda m: m.get_output_element_type(0)),
    "Model.validate_nodes_and_infer_types": model(lambda m: m.validate_nodes_and_infer_types()),
    "Model.get_parameter_index": model(lambda m: m.get_parameter_index(m.get_parameters()[1])),
    "Model.get_result_index": model(lambda m: m.get_result_index(m.outputs[1])),
    "Model.add_outputs of an operation": changed(
        lambda m: m.add_outputs([("add", 0)]), lambda m: len(m.outputs), "two"
    ),
    "Model.add_outputs: unknown": model(lambda m: m.add_outputs("nothing")),
    "Model.get_rt_info": model(lambda m: isinstance(m.get_rt_info(), dict)),
    "Model.reshape by port": reshaped(lambda m: {m.input(0): [2, 2]}),
    "Model.reshape by number": reshaped(lambda m: {0: [2, 2]}),
    "Model.reshape: text": reshaped(lambda m: "[4,2]"),
    "Model.reshape: PartialShape": reshaped(lambda m: openvino.PartialShape([2, 2])),
    "Model.reshape: Dimension": reshaped(lambda m: {0: [openvino.Dimension(3), 2]}),
    "Model.reshape: unknown again": reshaped(lambda m: after(m.reshape([2, 2]), [-1, 2])),
    "Model.reshape: limits": reshaped(lambda m: {0: [(1, 8), 2]}),
    "Model.reshape: an unknown name": reshaped(lambda m: {"nothing": [2, 2]}),
    "Port.set_names": changed(
        lambda m: m.input(0).set_names({"new"}), lambda m: m.input("new").any_name, "two"
    ),
    "Port.get_tensor().set_names": changed(
        lambda m: m.output(1).get_tensor().set_names({"new"}),
        lambda m: m.output("new").get_names(),
        "two",
    ),
    "Port.add_names": changed(
        lambda m: m.input(0).add_names({"new"}), lambda m: m.input("new").get_names(), "two"
    ),
    "Port.set_names: a new name in a call": lambda s: after(
        m := s.read(),
        m.input(1).set_names({"new"}),
        s.core.compile_model(m, "CPU")({"a": A, "new": B})[0],
    ),
    "Port.index": port(lambda p: p.index),
    "Port.get_node(): name": port(lambda p: p.get_node().get_friendly_name()),
    "Port.node: type": port(lambda p: p.node.get_type_name()),
    "Port.node of an output: type": lambda s: s.two.output(1).node.get_type_name(),
    "Port.get_tensor(): names": port(lambda p: p.get_tensor().get_names()),
    "Port.shape[number]": port(lambda p: p.shape[1]),
    "Port.shape == list": port(lambda p: p.shape == [1, 3]),
    "Port == Port": lambda s: s.two.input(0) == s.two.input("a"),
    "Port: hash": lambda s: len({s.two.input(0), s.two.input("a"), s.two.input(1)}),
    "partial_shape.rank": unknown(lambda p: p.rank.get_length()),
    "partial_shape[0].is_dynamic": unknown(lambda p: p[0].is_dynamic),
    "partial_shape[1].get_length()": unknown(lambda p: p[1].get_length()),
    "partial_shape[0].get_length()": unknown(lambda p: p[0].get_length()),
    "partial_shape[0]: limits": unknown(lambda p: [p[0].min_length, p[0].get_max_length()]),
    "partial_shape: dimensions": unknown(lambda p: [str(size) for size in p]),
    "partial_shape.to_shape()": port(lambda p: list(p.partial_shape.to_shape())),
    "partial_shape.to_shape(), unknown": unknown(lambda p: p.to_shape()),
    "partial_shape.get_min_shape()": unknown(lambda p: list(p.get_min_shape())),
    "partial_shape.get_max_shape()": unknown(lambda p: list(p.get_max_shape())),
    "partial_shape: len": unknown(len),
    "partial_shape == list": port(lambda p: p.partial_shape == [1, 3]),
    "partial_shape.is_static": port(lambda p: p.partial_shape.is_static),
    "partial_shape.to_string()": unknown(lambda p: p.to_string()),
    "PartialShape of sizes": lambda s: str(s.module.PartialShape([1, -1, 3])),
    "Dimension": lambda s: [str(s.module.Dimension()), s.module.Dimension(3).get_length()],
    "element_type.size": of_types(lambda t: t.size),
    "element_type.bitwidth": of_types(lambda t: t.bitwidth),
    "element_type.is_real()": of_types(lambda t: t.is_real()),
    "element_type.is_integral()": of_types(lambda t: t.is_integral()),
    "element_type.integral": of_types(lambda t: [t.integral, t.integral_number]),
    "element_type.real": of_types(lambda t: [t.real, t.signed, t.quantized]),
    "element_type.is_signed()": of_types(lambda t: t.is_signed()),
    "element_type.to_string()": of_types(lambda t: t.to_string()),
    "element_type.type_name": of_types(lambda t: t.type_name),
    "element_type == a type of OpenVINO's": of_types(lambda t: t == openvino.Type.f32),
    "infer by ports of the model": lambda s: after(
        m := s.read(),
        c := s.core.compile_model(m, "CPU"),
        c.create_infer_request().infer({m.input(0): A, m.input(1): B})[0],
    ),
    "results by ports of the model": lambda s: after(
        m := s.read(), s.core.compile_model(m, "CPU")([A, B])[m.output(1)]
    ),
    "infer: an empty list": lambda s: s.request("two", A, B).infer([])[0],
    "infer: an empty dict": lambda s: s.request("two", A, B).infer({})[0],
    "infer: a number": lambda s: s.request("two").infer({"a": 1.0, "b": B})[0],
    "infer: {-1: array}": lambda s: s.request("two", A, B).infer({-1: A})[0],
    "infer: a generator": lambda s: s.request("two").infer(each for each in (A, B)),
    "results[-1]": lambda s: s.two([A, B])[-1],
    "results[1:]": lambda s: s.two([A, B])[1:],
    "results in a new dict": lambda s: len({**s.two([A, B])}),
    "results: truth": lambda s: bool(s.two([A, B])),
    "CompiledModel(inputs=…)": lambda s: s.two(inputs=[A, B])[1],
    "CompiledModel of other sizes": lambda s: [s.unknown([ROWS[:n]])[0].shape for n in (1, 3)],
    "state is set: a tensor of OpenVINO's": lambda s: after(
        request := s.request("sums"),
        setattr(request.query_state()[0], "state", openvino.Tensor(np.full((1, 4), 2, np.float32))),
        request.infer([ONES])[0],
    ),
    "AsyncInferQueue: latency": timed,
    "AsyncInferQueue: jobs by name": lambda s: len(s.module.AsyncInferQueue(model=s.two, jobs=3)),
    "AsyncInferQueue of -1 jobs": lambda s: s.module.AsyncInferQueue(s.two, -1),
    "get_runtime_model, counters": lambda s: len(counted(s).get_runtime_model().get_ops()) > 0,
    "get_runtime_model: names": lambda s: (
        {"add", "times"}
        <= {
            name
            for op in counted(s).get_runtime_model().get_ordered_ops()
            for name in named_by(op.get_rt_info()["originalLayersNames"])
        }
    ),
    "profiling: status": lambda s: after(
        request := counted(s).create_infer_request(),
        request.infer([A, B]),
        {each.status.name for each in request.profiling_info}
        <= {"EXECUTED", "NOT_RUN", "OPTIMIZED_OUT"},
    ),
}
