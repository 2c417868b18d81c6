"""Behaviours of `Core`, models, and compiled models."""

from __future__ import annotations

import copy
import io
from typing import Any

import numpy as np

from .side import ONES, A, B, Behaviour, Side, after

CONFIGS: tuple[dict[str, Any], ...] = (
    {},
    {"PERFORMANCE_HINT": "LATENCY"},
    {"PERFORMANCE_HINT": "THROUGHPUT"},
    {"PERFORMANCE_HINT": "CUMULATIVE_THROUGHPUT"},
    {"INFERENCE_NUM_THREADS": 1},
    {"NUM_STREAMS": "1"},
    {"NUM_STREAMS": "AUTO"},
    {"PERF_COUNT": True},
    {"PERF_COUNT": "NO"},
    {"INFERENCE_PRECISION_HINT": "f32"},
    {"EXECUTION_MODE_HINT": "ACCURACY"},
    {"EXECUTION_MODE_HINT": "PERFORMANCE"},
    {"PERFORMANCE_HINT_NUM_REQUESTS": "2"},
    {"ENABLE_CPU_PINNING": False},
    {"ENABLE_HYPER_THREADING": True},
    {"SCHEDULING_CORE_TYPE": "ANY_CORE"},
    {"ENABLE_MMAP": True},
    {"PERFORMANCE_HINT": "FAST"},
    {"PERF_COUNT": 3},
    {"INFERENCE_NUM_THREADS": -1},
    {"COLOUR": "red"},
)


def config(given: dict[str, Any]) -> Behaviour:
    return lambda s: s.module.compile_model(s.path("two"), "CPU", given)([A, B])[0]


def bad_file(s: Side) -> Any:
    path = s.folder / f"bad_{s.name}.xml"
    path.write_text("<net>")
    return s.core.read_model(str(path))


def exported(s: Side) -> Any:
    return s.core.import_model(s.two.export_model(), "CPU")([A, B])["product"]


def exported_stream(s: Side) -> Any:
    stream = io.BytesIO()
    s.two.export_model(stream)
    stream.seek(0)
    return s.core.import_model(stream, "CPU")([A, B])["product"]


def exported_states(s: Side) -> Any:
    imported = s.core.import_model(s.sums.export_model(), "CPU").create_infer_request()
    return [imported.infer([ONES])[0] for _ in range(2)]


def damaged(s: Side) -> Any:
    data = bytearray(s.two.export_model())
    return s.core.import_model(bytes(data[: len(data) // 3]), "CPU")


def reshaped(s: Side) -> Any:
    model = s.read("unknown")
    model.reshape({"X": [3, 2]})
    return s.core.compile_model(model, "CPU")(np.ones((3, 2), np.float32))[0]


def reshape_of_the_only_input(s: Side) -> Any:
    model = s.read("unknown")
    model.reshape([4, 2])
    return list(model.inputs[0].shape)


def bad_reshape(s: Side) -> Any:
    model = s.read("two")
    return model.reshape({"a": [1, 2]})


def cloned(s: Side) -> Any:
    model = s.read("unknown")
    model.clone().reshape({"X": [3, 2]})
    return str(model.inputs[0].partial_shape)


def deeply_copied(s: Side) -> Any:
    return s.core.compile_model(copy.deepcopy(s.read()), "CPU")([A, B])[0]


def refreshed_property(s: Side) -> Any:
    return s.compiled("two", PERF_COUNT=True).get_property("PERF_COUNT") in (True, "YES")


COMPILING: dict[str, Behaviour] = {
    **{f"config {given}": config(given) for given in CONFIGS},
    "Core().available_devices": lambda s: s.core.available_devices,
    "Core().get_available_devices()": lambda s: s.core.get_available_devices(),
    "Core: full name of the device": lambda s: bool(s.core.get_property("CPU", "FULL_DEVICE_NAME")),
    "Core: asynchronous range": lambda s: len(
        s.core.get_property("CPU", "RANGE_FOR_ASYNC_INFER_REQUESTS")
    ),
    "Core: unknown property": lambda s: s.core.get_property("CPU", "COLOUR"),
    "Core: unknown device": lambda s: s.core.compile_model(s.path("two"), "TPU"),
    "Core.set_property": lambda s: after(
        s.module.Core().set_property("CPU", {"PERFORMANCE_HINT": "LATENCY"}), True
    ),
    "Core.get_versions": lambda s: list(s.core.get_versions("CPU")),
    "Core.compile_model without a device": lambda s: s.core.compile_model(s.path("two"))([A, B])[0],
    "compile_model: AUTO": lambda s: s.core.compile_model(s.path("two"), "AUTO")([A, B])[0],
    "compile_model: device_name, config by name": lambda s: s.core.compile_model(
        model=s.path("two"), device_name="CPU", config={}
    )([A, B])[0],
    "compile_model of a Path": lambda s: s.core.compile_model(s.folder / "two.xml", "CPU")([A, B])[
        0
    ],
    "compile_model of a model": lambda s: s.core.compile_model(s.read(), "CPU")([A, B])[0],
    "compile_model of None": lambda s: s.core.compile_model(None, "CPU"),
    "module.compile_model": lambda s: s.module.compile_model(s.path("two"), "CPU")([A, B])[0],
    "read_model: no such file": lambda s: s.core.read_model("nothing.xml"),
    "read_model: no XML": bad_file,
    "read_model: an unknown ending": lambda s: s.core.read_model("nothing.abc"),
    "query_model": lambda s: {
        name: s.core.query_model(s.read(), "CPU")[name] for name in ("add", "times")
    },
    "export_model, import_model": exported,
    "import_model of a stream": exported_stream,
    "export_model keeps states apart": exported_states,
    "import_model of damaged bytes": damaged,
    "Model.inputs": lambda s: s.read().inputs,
    "Model.outputs": lambda s: s.read().outputs,
    "Model.input(name)": lambda s: s.read().input("b"),
    "Model.input(number)": lambda s: s.read().input(1),
    "Model.input() of two": lambda s: s.read().input(),
    "Model.input() of one": lambda s: "X" in s.read("sums").input().names,
    "Model.input(unknown)": lambda s: s.read().input("z"),
    "Model.output(unknown)": lambda s: s.read().output(7),
    "Model.is_dynamic()": lambda s: [s.read(name).is_dynamic() for name in ("two", "unknown")],
    "Model.clone": cloned,
    "Model: deep copy": deeply_copied,
    "Model.reshape": reshaped,
    "Model.reshape of the only input": reshape_of_the_only_input,
    "Model.reshape that does not fit": bad_reshape,
    "Model: shape, type of an input": lambda s: [
        list(s.read().input("a").shape),
        s.read().input("a").element_type,
    ],
    "CompiledModel.inputs": lambda s: s.two.inputs,
    "CompiledModel.outputs": lambda s: s.two.outputs,
    "CompiledModel.input(name)": lambda s: s.two.input("b"),
    "CompiledModel.input(number)": lambda s: s.two.input(0),
    "CompiledModel.input() of two": lambda s: s.two.input(),
    "CompiledModel.input(unknown)": lambda s: s.two.input("z"),
    "CompiledModel.output(number)": lambda s: s.two.output(1),
    "CompiledModel.output(beyond)": lambda s: s.two.output(2),
    "Port.shape": lambda s: list(s.two.input(0).shape),
    "Port.get_shape()": lambda s: list(s.two.input(0).get_shape()),
    "Port.partial_shape": lambda s: str(s.two.input(0).partial_shape),
    "Port.partial_shape, unknown": lambda s: str(s.unknown.input(0).partial_shape),
    "Port.get_partial_shape()": lambda s: str(s.unknown.input(0).get_partial_shape()),
    "Port.shape, unknown": lambda s: s.unknown.input(0).shape,
    "Port.names": lambda s: s.sums.input().names,
    "Port.get_names()": lambda s: s.sums.input().get_names(),
    "Port.any_name": lambda s: s.two.output(0).any_name,
    "Port.get_any_name()": lambda s: s.two.output(0).get_any_name(),
    "Port.element_type": lambda s: [s.two.input(0).element_type, s.whole.input(0).element_type],
    "Port.get_element_type()": lambda s: s.two.input(0).get_element_type(),
    "Port.element_type.to_dtype()": lambda s: np.dtype(s.two.input(0).element_type.to_dtype()).name,
    "Port.get_index()": lambda s: [port.get_index() for port in s.two.outputs],
    "CompiledModel.get_property: number of requests": lambda s: (
        s.two.get_property("OPTIMAL_NUMBER_OF_INFER_REQUESTS") >= 1
    ),
    "CompiledModel.get_property: PERF_COUNT": refreshed_property,
    "CompiledModel.get_property: unknown": lambda s: s.two.get_property("COLOUR"),
    "CompiledModel.get_property: NETWORK_NAME": lambda s: isinstance(
        s.two.get_property("NETWORK_NAME"), str
    ),
    "CompiledModel.get_property: EXECUTION_DEVICES": lambda s: s.two.get_property(
        "EXECUTION_DEVICES"
    ),
    "CompiledModel.get_runtime_model": lambda s: bool(s.two.get_runtime_model()),
    "CompiledModel.release_memory": lambda s: after(s.two.release_memory(), s.two([A, B])[0]),
    "CompiledModel(…) by name": lambda s: s.two({"a": A, "b": B})["sum"],
    "CompiledModel(…) keeps its states": lambda s: [
        s.compiled("sums", PERF_COUNT=False)([ONES])[0] for _ in range(2)
    ],
    "CompiledModel.infer_new_request": lambda s: [
        s.sums.infer_new_request([ONES])[0] for _ in range(2)
    ],
    "CompiledModel.infer_new_request, names": lambda s: s.sums.infer_new_request({"X": ONES})["Y"],
}
