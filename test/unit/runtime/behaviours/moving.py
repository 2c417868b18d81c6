"""What programs do around a model: devices, files, graphs that OpenVINO builds, shapes, steps before and behind it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import openvino

from .side import ONES, ROWS, A, B, Behaviour, Side, after

OPS: Any = import_module("openvino.opset13")
MODEL: Any = openvino.Model
HINT: Any = openvino.properties.hint


def core(look: Callable[[Any], Any]) -> Behaviour:
    """Of a core of its own."""
    return lambda s: look(s.module.Core())


def on(device: str) -> Behaviour:
    return lambda s: s.core.compile_model(s.read(), device)([A, B])[0]


def with_config(*given: dict[Any, Any]) -> Behaviour:
    return lambda s: s.core.compile_model(s.read(), "CPU", *given)([A, B])[0]


def said(config: dict[Any, Any], name: Any) -> Behaviour:
    """A property of what was compiled with a configuration."""
    return lambda s: str(s.core.compile_model(s.read(), "CPU", config).get_property(name))


def of_two(look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: look(s.two)


def of_model(look: Callable[[Any], Any], name: str = "two") -> Behaviour:
    return lambda s: look(s.read(name))


def of_port(look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: look(s.read().input(0))


def saved(name: str, **options: Any) -> Behaviour:
    """A model that was saved so, read again and computed."""

    def run(s: Side) -> Any:
        path = s.folder / s.name / name
        s.module.save_model(s.read(), path, **options)
        return after(
            s.core.compile_model(path, "CPU")([A, B])[0], path.with_suffix(".bin").exists()
        )

    return run


def serialized(*names: str) -> Behaviour:
    def run(s: Side) -> Any:
        places = [s.folder / f"{s.name}_{name}" for name in names]
        s.module.serialize(s.read(), *places)
        return s.core.compile_model(places[0], "CPU")([A, B])[0]

    return run


def built(make: Callable[[], Any], *inputs: Any) -> Behaviour:
    """A graph that was built with OpenVINO's operations, computed."""
    return lambda s: s.core.compile_model(make(), "CPU")(list(inputs))[0]


def graph(*results: Any, parameters: list[Any]) -> Any:
    return MODEL(list(results), parameters, "built")


def parameter(*shape: int, dtype: Any = np.float32, name: str = "x") -> Any:
    return OPS.parameter(shape, dtype, name)


def affine() -> Any:
    x = parameter(1, 4)
    return graph(OPS.relu(OPS.add(OPS.multiply(x, np.float32(2)), np.float32(-3))), parameters=[x])


def arithmetic() -> Any:
    """By Python's operators."""
    x = parameter(1, 4)
    return graph((x * np.float32(3) - np.float32(1)) / np.float32(2), parameters=[x])


def product() -> Any:
    x = parameter(1, 4)
    weights = OPS.constant(np.arange(8, dtype=np.float32).reshape(4, 2))
    return graph(OPS.softmax(OPS.matmul(x, weights, False, False), 1), parameters=[x])


def pooled() -> Any:
    x = parameter(1, 1, 4, 4)
    return graph(
        OPS.avg_pool(x, [2, 2], [0, 0], [0, 0], [2, 2], True, "floor", "explicit"), parameters=[x]
    )


def convolved() -> Any:
    x = parameter(1, 1, 4, 4)
    taps = OPS.constant(np.ones((1, 1, 3, 3), np.float32))
    return graph(OPS.convolution(x, taps, [1, 1], [1, 1], [1, 1], [1, 1]), parameters=[x])


def split() -> Any:
    x = parameter(1, 4)
    first, second = OPS.split(x, 1, 2).outputs()
    return graph(OPS.concat([second, first], 1), parameters=[x])


def with_state() -> Any:
    x = parameter(1, 4)
    info = import_module("openvino.op.util").VariableInfo()
    info.data_shape, info.data_type, info.variable_id = (
        openvino.PartialShape([1, 4]),
        openvino.Type.f32,
        "sum",
    )
    variable = import_module("openvino.op.util").Variable(info)
    read = OPS.read_value(OPS.constant(np.zeros((1, 4), np.float32)), variable)
    added = OPS.add(x, read)
    return MODEL([OPS.result(added)], [OPS.assign(added, variable)], [x], "state")


def reshaped(arguments: Callable[[Any], Any]) -> Behaviour:
    """The shapes of a model of X [?, 2] that was reshaped so."""

    def run(s: Side) -> Any:
        model = s.read("unknown")
        model.reshape(arguments(model))
        return [str(port.partial_shape) for port in (*model.inputs, *model.outputs)]

    return run


def prepared(change: Callable[[Any, Any], Any], array: Any, model: str = "sums") -> Behaviour:
    """The first output of a model with steps before or behind it."""

    def run(s: Side) -> Any:
        names = import_module(f"{s.name}.preprocess")
        steps = names.PrePostProcessor(s.read(model))
        change(steps, names)
        return s.core.compile_model(steps.build(), "CPU")([array])[0]

    return run


def stateful(*steps: Callable[[Any], Any]) -> Behaviour:
    """The last of several steps with a request of `sums` after one call."""
    return lambda s: [step(request) for request in [s.request("sums", ONES)] for step in steps][-1]


def state(request: Any) -> Any:
    return request.query_state()[0]


def tensor_of(s: Side, array: Any) -> Any:
    return s.module.Tensor(array, shared_memory=True)


MOVING: dict[str, Behaviour] = {
    # devices
    "Core.available_devices": core(lambda c: "CPU" in c.available_devices),
    "Core.get_available_devices()": core(lambda c: "CPU" in c.get_available_devices()),
    "compile_model on AUTO": on("AUTO"),
    "compile_model on AUTO:CPU": on("AUTO:CPU"),
    "compile_model on HETERO:CPU": on("HETERO:CPU"),
    "compile_model on MULTI:CPU": on("MULTI:CPU"),
    "compile_model on BATCH:CPU": on("BATCH:CPU"),
    "compile_model on CPU.0": on("CPU.0"),
    "compile_model on GPU": on("GPU"),
    "compile_model on NPU": on("NPU"),
    "compile_model on a device in small letters": on("cpu"),
    "compile_model on no device": on(""),
    "compile_model(model, config=…)": lambda s: s.core.compile_model(s.read(), config={})([A, B])[
        0
    ],
    "compile_model(model, device_name=…)": lambda s: s.core.compile_model(
        model=s.read(), device_name="CPU"
    )([A, B])[0],
    "openvino.compile_model": lambda s: s.module.compile_model(s.read(), "CPU")([A, B])[0],
    "openvino.compile_model of a path": lambda s: s.module.compile_model(s.path("two"))([A, B])[0],
    "compile_model of no file": lambda s: s.core.compile_model("nothing.xml", "CPU"),
    "compile_model of a folder": lambda s: s.core.compile_model(str(s.folder), "CPU"),
    "compile_model of a number": lambda s: s.core.compile_model(3, "CPU"),
    "compile_model twice": lambda s: [
        s.core.compile_model(model, "CPU")([A, B])[0] for model in [s.read()] for _ in range(2)
    ],
    "Core.get_property: FULL_DEVICE_NAME": core(
        lambda c: isinstance(c.get_property("CPU", "FULL_DEVICE_NAME"), str)
    ),
    "Core.get_property: OPTIMIZATION_CAPABILITIES": core(
        lambda c: {"FP32", "INT8"} <= {*c.get_property("CPU", "OPTIMIZATION_CAPABILITIES")}
    ),
    "Core.get_property: RANGE_FOR_STREAMS": core(
        lambda c: len(c.get_property("CPU", "RANGE_FOR_STREAMS"))
    ),
    "Core.get_property: AVAILABLE_DEVICES": core(
        lambda c: len(c.get_property("CPU", "AVAILABLE_DEVICES"))
    ),
    "Core.get_property: SUPPORTED_PROPERTIES": core(
        lambda c: "NUM_STREAMS" in c.get_property("CPU", "SUPPORTED_PROPERTIES")
    ),
    "Core.get_property of an unknown device": core(
        lambda c: c.get_property("TPU", "FULL_DEVICE_NAME")
    ),
    "Core.register_plugin of nothing": core(lambda c: c.register_plugin("nothing", "MINE")),
    "Core.query_model": lambda s: len({*s.core.query_model(s.read(), "CPU").values()}),
    "Core.unload_plugin": core(lambda c: c.unload_plugin("CPU")),
    # configurations
    "config: hints together": with_config(
        {HINT.performance_mode: HINT.PerformanceMode.THROUGHPUT, HINT.num_requests: 2}
    ),
    "config: a mode as text": with_config({"PERFORMANCE_HINT": "THROUGHPUT"}),
    "config: a mode in small letters": with_config({"PERFORMANCE_HINT": "latency"}),
    "config: an unknown mode": with_config({"PERFORMANCE_HINT": "FAST"}),
    "config: threads": with_config({"INFERENCE_NUM_THREADS": 1}),
    "config: threads as text": with_config({"INFERENCE_NUM_THREADS": "1"}),
    "config: -1 threads": with_config({"INFERENCE_NUM_THREADS": -2}),
    "config: streams as text": with_config({"NUM_STREAMS": "AUTO"}),
    "config: priority": with_config({"MODEL_PRIORITY": "HIGH"}),
    "config: f32": with_config({HINT.inference_precision: "f32"}),
    "config: an unknown key": with_config({"NOTHING": 1}),
    "config: None": with_config(),
    "said: PERFORMANCE_HINT": lambda s: (
        s.core.compile_model(s.read(), "CPU", {"PERFORMANCE_HINT": "LATENCY"}).get_property(
            "PERFORMANCE_HINT"
        )
        == HINT.PerformanceMode.LATENCY
    ),
    "said: INFERENCE_NUM_THREADS": said({"INFERENCE_NUM_THREADS": 1}, "INFERENCE_NUM_THREADS"),
    "said: NUM_STREAMS": said({"NUM_STREAMS": 1}, "NUM_STREAMS"),
    "said: PERF_COUNT": said({"PERF_COUNT": True}, "PERF_COUNT"),
    "said: OPTIMAL_NUMBER_OF_INFER_REQUESTS": of_two(
        lambda c: c.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS") >= 1
    ),
    "said: SUPPORTED_PROPERTIES": of_two(
        lambda c: "NETWORK_NAME" in c.get_property("SUPPORTED_PROPERTIES")
    ),
    "said: EXECUTION_DEVICES": of_two(lambda c: c.get_property("EXECUTION_DEVICES")),
    "said: something unknown": of_two(lambda c: c.get_property("NOTHING")),
    # files
    "save_model": saved("plain.xml"),
    "save_model in f16": saved("halves.xml", compress_to_fp16=True),
    "save_model into a folder that there is not": saved("a/b/plain.xml"),
    "save_model of another ending": saved("plain.txt"),
    "serialize: both files": serialized("ir.xml", "other.bin"),
    "read_model: bytes of both files": lambda s: s.core.compile_model(
        s.core.read_model(
            Path(s.path("two")).read_bytes(), Path(s.path("two")).with_suffix(".bin").read_bytes()
        ),
        "CPU",
    )([A, B])[0],
    "read_model: model=, weights=": lambda s: (
        s.core.read_model(model=s.path("two"), weights=str(Path(s.path("two")).with_suffix(".bin")))
        .inputs[0]
        .any_name
    ),
    "read_model of no file": lambda s: s.core.read_model("nothing.xml"),
    "read_model of no model": lambda s: s.core.read_model(b"<net/>"),
    "read_model of an unknown ending": lambda s: s.core.read_model("model.unknown"),
    "read_model of a number": lambda s: s.core.read_model(3),
    "openvino.Core() twice": lambda s: s.module.Core() is s.module.Core(),
    "import_model of nothing": lambda s: s.core.import_model(b"", "CPU"),
    # graphs that are built
    "built: relu(2x - 3)": built(affine, ONES),
    "built: operators of Python": built(arithmetic, ONES),
    "built: softmax of a product": built(product, ONES),
    "built: avg_pool": built(pooled, np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)),
    "built: convolution": built(convolved, np.ones((1, 1, 4, 4), np.float32)),
    "built: split, concat": built(split, np.arange(4, dtype=np.float32)[None]),
    "built: a state": built(with_state, ONES),
    "built: its name": lambda s: (
        s.module.Core().compile_model(affine(), "CPU").get_property("NETWORK_NAME")
    ),
    "built: query_model": lambda s: len(s.core.query_model(affine(), "CPU")) > 0,
    # shapes
    "reshape: [-1, 2]": reshaped(lambda m: [-1, 2]),
    "reshape: [3, 2]": reshaped(lambda m: [3, 2]),
    "reshape: a tuple": reshaped(lambda m: (3, 2)),
    "reshape by name": reshaped(lambda m: {"X": [3, 2]}),
    "reshape by index": reshaped(lambda m: {0: [3, 2]}),
    "reshape by port": reshaped(lambda m: {m.inputs[0]: [3, 2]}),
    "reshape: text by name": reshaped(lambda m: {"X": "[3,2]"}),
    "reshape: an array": reshaped(lambda m: {0: np.array([3, 2])}),
    "reshape: another rank": reshaped(lambda m: [3]),
    "reshape: an index beyond": reshaped(lambda m: {7: [3, 2]}),
    "reshape: fractions": reshaped(lambda m: {0: [1.5, 2]}),
    "reshape: None": reshaped(lambda m: None),
    "Model.input by index": of_model(lambda m: m.input(1).any_name),
    "Model.output by name": of_model(lambda m: m.output("product").any_name),
    "Model.output: unknown": of_model(lambda m: m.output("nothing")),
    "Port.get_shape": of_port(lambda p: list(p.get_shape())),
    "Port.get_partial_shape": of_port(lambda p: str(p.get_partial_shape())),
    "Port.get_element_type": of_port(lambda p: p.get_element_type().get_type_name()),
    "Port.get_any_name": of_port(lambda p: p.get_any_name()),
    "Port.get_index": of_port(lambda p: p.get_index()),
    "Port.get_node().get_type_name": of_port(lambda p: p.get_node().get_type_name()),
    "Port.get_tensor().any_name": of_port(lambda p: p.get_tensor().any_name),
    # steps before and behind
    "steps: reverse_channels without layout": prepared(
        lambda p, n: p.input().preprocess().reverse_channels(), ONES
    ),
    "steps: element type from u8": prepared(
        lambda p, n: p.input().tensor().set_element_type(openvino.Type.u8),
        np.full((1, 4), 3, np.uint8),
    ),
    "steps: scale, mean": prepared(lambda p, n: p.input().preprocess().scale(2.0).mean(1.0), ONES),
    "steps: by name": prepared(lambda p, n: p.input("X").preprocess().mean(1.0), ONES),
    "steps: by number": prepared(lambda p, n: p.input(0).preprocess().mean(1.0), ONES),
    "steps: an unknown name": prepared(
        lambda p, n: p.input("nothing").preprocess().mean(1.0), ONES
    ),
    "steps: output type": prepared(
        lambda p, n: p.output(0).tensor().set_element_type(openvino.Type.i32), ONES
    ),
    "steps: postprocess convert": prepared(
        lambda p, n: p.output(0).postprocess().convert_element_type(openvino.Type.f16), ONES
    ),
    "steps: output scale": prepared(lambda p, n: p.output(0).postprocess().scale(2.0), ONES),
    "steps: clamp": prepared(lambda p, n: p.output(0).postprocess().clamp(0.0, 2.0), ONES),
    "steps: input clamp": prepared(lambda p, n: p.input().preprocess().clamp(0.0, 0.5), ONES),
    "steps: set_shape": prepared(lambda p, n: p.input().tensor().set_shape([1, 4]), ONES),
    "steps: memory type": prepared(
        lambda p, n: p.input().tensor().set_memory_type("GPU_SURFACE"), ONES
    ),
    "steps: str": lambda s: isinstance(
        str(import_module(f"{s.name}.preprocess").PrePostProcessor(s.read())), str
    ),
    # states
    "state.state": stateful(lambda r: state(r).state),
    "state.state = tensor": lambda s: after(
        r := s.request("sums", ONES),
        setattr(state(r), "state", tensor_of(s, np.full((1, 4), 9, np.float32))),
        r.infer([ONES])[0],
    ),
    "state.reset()": stateful(lambda r: state(r).reset(), lambda r: r.infer([ONES])[0]),
    "reset_state()": stateful(lambda r: r.reset_state(), lambda r: r.infer([ONES])[0]),
    "query_state without states": lambda s: s.request("two", A, B).query_state(),
    "reset_state without states": lambda s: s.request("two", A, B).reset_state(),
    "profiling_info: fields": lambda s: after(
        r := s.compiled("two", PERF_COUNT=True).create_infer_request(),
        r.infer([A, B]),
        all(isinstance(each.node_name, str) for each in r.profiling_info),
        isinstance(r.profiling_info[0].real_time, timedelta),
    ),
    "request.model_inputs": lambda s: [port.any_name for port in s.request("two").model_inputs],
    "request.inputs": lambda s: [port.any_name for port in s.request("two").inputs],
    "request.input_tensors": lambda s: [list(t.shape) for t in s.request("two").input_tensors],
    "request.output_tensors": lambda s: [
        list(t.shape) for t in s.request("two", A, B).output_tensors
    ],
    "request.get_compiled_model": lambda s: (
        s.request("two").get_compiled_model().inputs[0].any_name
    ),
    "request: unknown sizes": lambda s: s.request("unknown", ROWS).get_output_tensor().data,
}
