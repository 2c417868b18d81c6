"""Behaviours of what programs seldom ask models, shapes and devices for, and of what they may say to a device."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .side import A, B, Behaviour, Side, after

CONFIGS: list[dict[Any, Any]] = [
    {"NUM_STREAMS": -1},
    {"NUM_STREAMS": "NUMA"},
    {"INFERENCE_NUM_THREADS": "x"},
    {"INFERENCE_NUM_THREADS": 1.5},
    {"PERFORMANCE_HINT": ""},
    {"PERFORMANCE_HINT_NUM_REQUESTS": -1},
    {"PERFORMANCE_HINT_NUM_REQUESTS": "x"},
    {"MODEL_PRIORITY": "HIGH"},
    {"SCHEDULING_CORE_TYPE": "X"},
    {"ENABLE_CPU_PINNING": "maybe"},
    {"INFERENCE_PRECISION_HINT": "i8"},
    {"INFERENCE_PRECISION_HINT": "undefined"},
    {"EXECUTION_MODE_HINT": "X"},
    {"LOG_LEVEL": "X"},
    {"AUTO_BATCH_TIMEOUT": 100},
    {"WORKLOAD_TYPE": "DEFAULT"},
    {"CPU_BIND_THREAD": "NO"},
    {"NETWORK_NAME": "x"},
    {5: 1},
]

DEVICES = (
    "AUTO:-GPU",
    "AUTO:-CPU",
    "AUTO:GPU,CPU",
    "HETERO:GPU,CPU",
    "CPU.1",
    "CPU,CPU",
    "",
    " CPU",
)

ASKED = ("MODEL_NAME", "PERFORMANCE_HINT_NUM_REQUESTS", "CPU_DENORMALS_OPTIMIZATION")


def compiled(device: str, config: dict[Any, Any] | None = None) -> Behaviour:
    return lambda s: len(s.core.compile_model(s.path("two"), device, config or {}).outputs)


def model(look: Callable[[Any], Any], name: str = "two") -> Behaviour:
    return lambda s: look(s.read(name))


def constant(look: Callable[[Any], Any]) -> Behaviour:
    """Of the first Constant of a model."""
    return model(
        lambda m: look(next(n for n in m.get_ops() if n.get_type_name() == "Constant")), "sums"
    )


def shape(look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: look(s.module.Shape([2, 3]))


def reshaped(shapes: dict[Any, Any]) -> Behaviour:
    return model(
        lambda m: after(m.reshape(shapes), m.output(0).get_partial_shape().to_string()),
    )


def dimension(*limits: Any) -> Callable[[Callable[[Any], Any]], Behaviour]:
    return lambda look: lambda s: look(s.module.Dimension(*limits))


def by_ports(s: Side) -> Any:
    read = s.read()
    read.reshape({read.input("a"): [4, 3], read.input("b"): [4, 3]})
    return list(read.output(0).shape)


def evaluated(s: Side, *inputs: Any) -> Any:
    outputs = [s.module.Tensor(s.module.Type.f32, [1, 3]) for _ in range(2)]
    s.read().evaluate(outputs, [s.module.Tensor(each) for each in inputs])
    return [each.data for each in outputs]


def serialized(*more: str) -> Behaviour:
    def write(s: Side) -> Any:
        path = s.folder / f"{s.name}_serialized.xml"
        s.module.serialize(s.read(), str(path), str(path.with_suffix(".bin")), *more)
        return path.exists()

    return write


def of_streams(s: Side) -> Any:
    path = Path(s.path("two"))
    weights = io.BytesIO(path.with_suffix(".bin").read_bytes())
    return len(s.core.read_model(io.BytesIO(path.read_bytes()), weights).inputs)


def of_bytearray(s: Side) -> Any:
    path = Path(s.path("two"))
    weights = path.with_suffix(".bin").read_bytes()
    return len(s.core.read_model(bytearray(path.read_bytes()), weights).inputs)


def many_properties(s: Side) -> Any:
    core = s.module.Core()
    core.set_property("CPU", {"NUM_STREAMS": "2", "PERFORMANCE_HINT": "LATENCY"})
    return str(core.get_property("CPU", "NUM_STREAMS"))


def job(s: Side, *inputs: Any, **options: Any) -> Any:
    queue = s.module.AsyncInferQueue(s.two, 1)
    queue[0].set_tensors({"a": s.tensor(A), "b": s.tensor(B)})
    queue.start_async(*inputs, **options)
    queue.wait_all()
    return queue[0].get_output_tensor(0).data


ASKING: dict[str, Behaviour] = {
    **{f"compile_model, said {config}": compiled("CPU", config) for config in CONFIGS},
    **{f"compile_model for {device!r}": compiled(device) for device in DEVICES},
    **{f"{key} of a compiled model": lambda s, k=key: str(s.two.get_property(k)) for key in ASKED},
    "compile_model: pairs": lambda s: s.core.compile_model(s.path("two"), "CPU", [("A", 1)]),
    "compile_model: text": lambda s: s.core.compile_model(s.path("two"), "CPU", "PERF_COUNT"),
    "Core.set_property: several": many_properties,
    "Core.set_property: none": lambda s: s.module.Core().set_property({}),
    "Core.get_versions of a device that there is not": lambda s: s.core.get_versions("GPU"),
    "SUPPORTED_PROPERTIES of a model: PERF_COUNT": lambda s: (
        "PERF_COUNT" in s.two.get_property("SUPPORTED_PROPERTIES")
    ),
    "Core.read_model of streams": of_streams,
    "Core.read_model of a bytearray": of_bytearray,
    "Core.read_model of None": lambda s: s.core.read_model(None),
    "Core.read_model of no text": lambda s: s.core.read_model(""),
    "serialize: IR_V11": serialized("IR_V11"),
    "serialize: IR_V10": serialized("IR_V10"),
    "serialize: a version that there is not": serialized("IR_V99"),
    "save_model of a compiled one": lambda s: s.module.save_model(s.two, "m.xml"),
    "save_model of nothing": lambda s: s.module.save_model(None, "m.xml"),
    "convert_model of a compiled one": lambda s: s.module.convert_model(s.two),
    "Core.add_extension of no library": lambda s: s.core.add_extension("no.so"),
    "Model.get_ordered_ops: the last": model(lambda m: m.get_ordered_ops()[-1].get_type_name()),
    "Model.get_ordered_ops: as many as get_ops": model(
        lambda m: len(m.get_ordered_ops()) == len(m.get_ops())
    ),
    "Model.get_output_size": model(lambda m: m.get_output_size()),
    "Model.get_output_element_type": model(lambda m: m.get_output_element_type(0).to_string()),
    "Model.get_output_partial_shape": model(lambda m: m.get_output_partial_shape(0).to_string()),
    "Model.sinks": model(lambda m: len(m.sinks), "sums"),
    "Model.parameters": model(lambda m: len(m.parameters)),
    "Model.results": model(lambda m: len(m.results)),
    "Model in a set": model(lambda m: len({m, m})),
    "Model: repr has its inputs": model(lambda m: "a" in repr(m)),
    "Model.set_friendly_name": model(
        lambda m: after(m.set_friendly_name("x y"), m.get_friendly_name())
    ),
    "Model.clone: reshaped": model(
        lambda m: after(m.clone().reshape({"a": [2, 3], "b": [2, 3]}), list(m.input(0).shape))
    ),
    "Model.reshape: by ports of a model": by_ports,
    "Model.reshape: -1 by name": reshaped({"a": [-1, 3], "b": [-1, 3]}),
    "Model.reshape: text by name": reshaped({"a": "[?,3]", "b": "?,3"}),
    "Model.reshape: nothing": reshaped({}),
    "Model.reshape: no rows": reshaped({"a": [0, 3], "b": [0, 3]}),
    "Model.reshape: an input twice": reshaped({"a": [2, 3], 0: [2, 3], "b": [2, 3]}),
    "Model.evaluate of two inputs": lambda s: evaluated(s, A, B),
    "Model.evaluate of one of two": lambda s: evaluated(s, A),
    "Constant.data": constant(lambda c: c.data),
    "Constant.get_data": constant(lambda c: c.get_data()),
    "Constant.get_vector": constant(lambda c: c.get_vector()),
    "Constant.get_byte_size": constant(lambda c: c.get_byte_size()),
    "Port.rt_info[name] = text": model(
        lambda m: after(m.input(0).rt_info.__setitem__("k", "v"), m.input(0).rt_info["k"])
    ),
    "InferRequest, CompiledModel, Model are classes": lambda s: [
        isinstance(s.two.create_infer_request(), s.module.InferRequest),
        isinstance(s.two, s.module.CompiledModel),
        isinstance(s.read(), s.module.Model),
    ],
    "str(Dimension)": lambda s: [str(s.module.Dimension(n)) for n in (3, -1)],
    "Dimension(5).is_static": dimension(5)(lambda d: d.is_static),
    "Dimension().is_dynamic": dimension()(lambda d: d.is_dynamic),
    "Dimension().get_length()": dimension()(lambda d: d.get_length()),
    "str of each dimension": lambda s: [str(d) for d in s.module.PartialShape([1, -1])],
    "bool(PartialShape([]))": lambda s: bool(s.module.PartialShape([])),
    "PartialShape == tuple": lambda s: s.module.PartialShape([1, 2]) == (1, 2),
    "PartialShape.rank.get_length()": lambda s: s.module.PartialShape([1, -1]).rank.get_length(),
    "PartialShape.get_shape()": lambda s: list(s.module.PartialShape([1, 2]).get_shape()),
    "PartialShape.get_shape(), unknown": lambda s: s.module.PartialShape([-1, 2]).get_shape(),
    "number in Shape": shape(lambda x: 2 in x),
    "numpy.prod(Shape)": shape(lambda x: int(np.prod(x))),
    "a, b = Shape": shape(lambda x: (lambda a, b: [a, b])(*x)),
    "reversed(Shape)": shape(lambda x: list(reversed(x))),
    "Shape[::2]": shape(lambda x: list(x[::2])),
    "AsyncInferQueue: number of jobs is 0": lambda s: (
        len(s.module.AsyncInferQueue(s.two, 0))
        == s.two.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS")
    ),
    "AsyncInferQueue: number of jobs is a fraction": lambda s: s.module.AsyncInferQueue(s.two, 2.0),
    "AsyncInferQueue: start_async() on set tensors": job,
    "AsyncInferQueue: start_async of one of two": lambda s: job(s, {"a": B}),
    "infer of a number for a row": lambda s: s.request("sums").infer(np.float32(3)),
    "infer of text in an array": lambda s: s.request("sums").infer(
        np.array([["a", "b", "c", "d"]])
    ),
    "infer of a list of numbers": lambda s: s.request("sums").infer([[1.0, 2.0, 3.0, 4.0]])[0],
    "infer: {True: array}": lambda s: s.request("two").infer({False: A, True: B})[0],
    "request: inputs before a call": lambda s: [
        list(t.shape) for t in s.request("two").input_tensors
    ],
    "request: results before a call": lambda s: len(s.request("two").results),
    "request.start_async, wait_for a second": lambda s: after(
        r := s.request("two"), r.start_async([A, B]), r.wait_for(1000)
    ),
    "VariableState.name = text": lambda s: setattr(s.request("sums").query_state()[0], "name", "x"),
}
