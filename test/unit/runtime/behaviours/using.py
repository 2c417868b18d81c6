"""Behaviours of `Core`, compiled models, requests, results, queues and preprocessing, as programs use them."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import openvino

from .modelling import texts
from .side import ONES, ROWS, A, B, Behaviour, Side, after, outcome

PROPERTIES: Any = openvino.properties
MODE: Any = PROPERTIES.hint.PerformanceMode


def held(s: Side) -> Any:
    """The weights of `sums` as a tensor, or as what takes its place."""
    weights = np.frombuffer(texts(s)[1], np.uint8)
    return openvino.Tensor(weights) if s.is_openvino else weights


def elsewhere(s: Side) -> Any:
    place = s.folder / f"elsewhere_{s.name}.bin"
    place.write_bytes(texts(s)[1])
    return s.core.compile_model(s.core.read_model(s.path("sums"), place), "CPU")([ONES])[0]


def compiled(config: dict[Any, Any]) -> Behaviour:
    return lambda s: s.core.compile_model(s.path("two"), "CPU", config)([A, B])[0]


def core(change: Callable[[Any], Any], look: Callable[[Any], Any]) -> Behaviour:
    """Of a core of its own."""

    def run(s: Side) -> Any:
        changed = s.module.Core()
        change(changed)
        return look(changed)

    return run


def into_a_folder(s: Side) -> Any:
    own = s.module.Core()
    own.set_property({"CACHE_DIR": str(s.folder / "cache")})
    return own.compile_model(s.path("two"), "CPU")([A, B])[0]


def queue(*steps: Callable[[Any, Side], Any]) -> Behaviour:
    """The last of several steps with a queue of one job."""

    def run(s: Side) -> Any:
        made = s.module.AsyncInferQueue(s.two, 1)
        return after(*[step(made, s) for step in steps])

    return run


def start(*inputs: Any, **options: Any) -> Callable[[Any, Side], Any]:
    return lambda q, s: q.start_async(*inputs, **options)


def wait(q: Any, s: Side) -> Any:
    return q.wait_all()


def wrong(q: Any, s: Side) -> Any:
    return outcome(lambda _: q.start_async({"nothing": A}), s)


def result(q: Any, s: Side) -> Any:
    return q[0].results[1]


@cache
def preprocess(s: Side) -> Any:
    return import_module(f"{s.name}.preprocess")


def prepared(*steps: Callable[[Any, Side], Any], array: Any = A) -> Behaviour:
    """The first result of a model after steps of preprocessing."""

    def run(s: Side) -> Any:
        pipeline = preprocess(s).PrePostProcessor(s.read())
        for step in steps:
            step(pipeline, s)
        return s.core.compile_model(pipeline.build(), "CPU")([array, B])[0]

    return run


def layout(s: Side, text: str) -> Any:
    return openvino.Layout(text) if s.is_openvino else text


USING: dict[str, Behaviour] = {
    "Core.read_model by keywords": lambda s: (
        s.core.read_model(model=s.path("two"), weights="").inputs
    ),
    "Core.read_model of text": lambda s: s.core.read_model(texts(s)[0].decode(), held(s)).inputs,
    "Core.read_model: weights elsewhere": elsewhere,
    "Core.read_model: weights as a Path": lambda s: (
        s.core.read_model(Path(s.path("sums")), Path(s.path("sums")).with_suffix(".bin")).inputs
    ),
    "Core.read_model: a tensor of weights": lambda s: (
        s.core.read_model(texts(s)[0], openvino.Tensor(np.frombuffer(texts(s)[1], np.uint8))).inputs
    ),
    "Core.read_model: bytes without weights": lambda s: s.core.read_model(texts(s)[0]).inputs,
    "Core.read_model: damaged bytes": lambda s: s.core.read_model(texts(s)[0][:200], texts(s)[1]),
    "Core.read_model: too few weights": lambda s: s.core.compile_model(
        s.core.read_model(texts(s)[0], texts(s)[1][:3]), "CPU"
    ),
    "Core.read_model of a folder": lambda s: s.core.read_model(str(s.folder)),
    "Core.read_model of a number": lambda s: s.core.read_model(3),
    "Core.read_model, config": lambda s: s.core.read_model(s.path("two"), config={}).inputs,
    "Core.compile_model by keywords": lambda s: s.core.compile_model(
        model=s.path("two"), device_name="CPU", config={}
    )([A, B])[0],
    "Core.get_property by a property": lambda s: (
        s.core.get_property("CPU", PROPERTIES.device.full_name) != ""
    ),
    "Core.get_property by a call": lambda s: after(
        s.core.get_property("CPU", PROPERTIES.inference_num_threads()), True
    ),
    "Core.set_property by a property": lambda s: s.module.Core().set_property(
        {PROPERTIES.enable_profiling: True}
    ),
    "Core.set_property of a pair": lambda s: s.module.Core().set_property(
        "CPU", dict([PROPERTIES.hint.performance_mode(MODE.LATENCY)])
    ),
    "Core.set_property: unknown": lambda s: s.module.Core().set_property("CPU", {"COLOUR": "red"}),
    "Core.set_property, get_property": core(
        lambda c: c.set_property("CPU", {"PERF_COUNT": True}),
        lambda c: c.get_property("CPU", "PERF_COUNT"),
    ),
    "Core.set_property by a property, get_property": core(
        lambda c: c.set_property("CPU", {PROPERTIES.enable_profiling: True}),
        lambda c: c.get_property("CPU", PROPERTIES.enable_profiling),
    ),
    "Core.set_property: CACHE_DIR": into_a_folder,
    "Core.query_model: devices": lambda s: sorted(
        set(s.core.query_model(s.read(), "CPU").values())
    ),
    "Core.import_model of an empty stream": lambda s: s.core.import_model(io.BytesIO(), "CPU"),
    "compile_model: a mode": compiled({PROPERTIES.hint.performance_mode: MODE.THROUGHPUT}),
    "compile_model: a type": compiled({PROPERTIES.hint.inference_precision: openvino.Type.f32}),
    "compile_model: streams": compiled({PROPERTIES.num_streams: PROPERTIES.streams.Num.AUTO}),
    "compile_model: a number of streams": compiled(
        {PROPERTIES.num_streams: PROPERTIES.streams.Num(2)}
    ),
    "CompiledModel.get_property by a property": lambda s: (
        s.two.get_property(PROPERTIES.optimal_number_of_infer_requests) > 0
    ),
    "CompiledModel.get_property by a call": lambda s: after(
        s.two.get_property(PROPERTIES.hint.performance_mode()), True
    ),
    "CompiledModel: share_outputs": lambda s: s.two([A, B], share_outputs=True)[0],
    "CompiledModel: share_inputs": lambda s: s.two([A, B], share_inputs=True)[0],
    "CompiledModel: len of inputs": lambda s: len(s.two.inputs),
    "CompiledModel: arrays side by side": lambda s: s.two(A, B),
    "CompiledModel: too many arrays": lambda s: s.two([A, B, A]),
    "CompiledModel: copied": lambda s: copy.copy(s.two)([A, B])[0],
    "CompiledModel: a request each time": lambda s: (
        s.two.create_infer_request() is s.two.create_infer_request()
    ),
    "start_async without inputs": lambda s: after(
        r := s.request("two", A, B), r.start_async(), r.wait(), r.results[0]
    ),
    "wait_for of a request that is done": lambda s: after(
        r := s.request("two"), r.start_async([A, B]), r.wait(), r.wait_for(1000)
    ),
    "wait_for after infer": lambda s: s.request("two", A, B).wait_for(1000),
    "infer(inputs=…)": lambda s: s.request("two").infer(inputs=[A, B])[1],
    "userdata of a new request": lambda s: s.request("two").userdata,
    "results of a new request: shapes": lambda s: [
        list(each.shape) for each in s.request("two").results.values()
    ],
    "set_tensor of an output, infer": lambda s: after(
        r := s.request("two"),
        out := np.zeros((1, 3), np.float32),
        r.set_tensor("sum", s.tensor(out)),
        r.infer([A, B]),
        out,
    ),
    "set_input_tensor, then infer of others": lambda s: after(
        r := s.request("unknown"),
        r.set_input_tensor(s.tensor(ROWS)),
        r.infer(),
        r.infer([ROWS[:1]])[0],
    ),
    "set_tensors by ports": lambda s: after(
        r := s.request("two"),
        r.set_tensors({s.two.input(0): s.tensor(A), s.two.input(1): s.tensor(B)}),
        r.infer()[0],
    ),
    "query_state: name": lambda s: [each.name for each in s.request("sums").query_state()],
    "results == results": lambda s: after(r := s.two([A, B]), r == r),
    "results: as a dict": lambda s: {
        key.any_name: value for key, value in dict(s.two([A, B])).items()
    },
    "number in results": lambda s: 0 in s.two([A, B]),
    "name in results": lambda s: "sum" in s.two([A, B]),
    "results.get(number)": lambda s: s.two([A, B]).get(0),
    "results[0] = array": lambda s: s.two([A, B]).__setitem__(0, A),
    "del results[0]": lambda s: s.two([A, B]).__delitem__(0),
    "results.popitem()": lambda s: s.two([A, B]).popitem(),
    "results.values(): types": lambda s: [each.dtype.name for each in s.two([A, B]).values()],
    "results.to_dict(): keys": lambda s: sorted(key.any_name for key in s.two([A, B]).to_dict()),
    "results: the first value": lambda s: next(iter(s.two([A, B]).values())),
    "results: copied": lambda s: len(copy.copy(s.two([A, B]))),
    "results: pickled": lambda s: pickle.loads(pickle.dumps(s.two([A, B])))[0],
    "results: written to": lambda s: after(r := s.two([A, B])[0], r.__setitem__((0, 0), 9), r),
    "AsyncInferQueue: results of a job": queue(start([A, B]), wait, result),
    "AsyncInferQueue: inputs by name": queue(start({"a": A, "b": B}), wait, result),
    "AsyncInferQueue: inputs stay": queue(start([A, B]), wait, start(), wait, result),
    "AsyncInferQueue: an unknown name": queue(start({"nothing": A})),
    "AsyncInferQueue: goes on after an unknown name": queue(wrong, start([A, B]), wait, result),
    "AsyncInferQueue: set_callback(None)": queue(lambda q, s: q.set_callback(None)),
    "AsyncInferQueue of a model": lambda s: s.module.AsyncInferQueue(s.read(), 1),
    "AsyncInferQueue: userdata of two jobs": lambda s: after(
        q := s.module.AsyncInferQueue(s.two, 2),
        [q.start_async([A, B], number) for number in range(2)],
        q.wait_all(),
        sorted(q.userdata),
    ),
    "PrePostProcessor: nothing": prepared(),
    "PrePostProcessor.input() of two": prepared(lambda p, s: p.input()),
    "PrePostProcessor.input(unknown)": prepared(lambda p, s: p.input("nothing")),
    "PrePostProcessor.output(beyond)": prepared(lambda p, s: p.output(7)),
    "PrePostProcessor: type of an input": prepared(
        lambda p, s: p.input("a").tensor().set_element_type(s.type("u8")), array=A.astype(np.uint8)
    ),
    "PrePostProcessor: type of an output": prepared(
        lambda p, s: p.output("sum").tensor().set_element_type(s.type("i32"))
    ),
    "PrePostProcessor: mean, scale": prepared(
        lambda p, s: p.input(0).preprocess().mean(1.0).scale(2.0)
    ),
    "PrePostProcessor: a mean for each channel, without layout": prepared(
        lambda p, s: p.input(0).preprocess().mean([1.0, 2.0, 3.0])
    ),
    "PrePostProcessor: a layout of another rank": prepared(
        lambda p, s: p.input(0).tensor().set_layout(layout(s, "NCHW")),
        lambda p, s: p.input(0).model().set_layout(layout(s, "NCHW")),
    ),
    "PrePostProcessor: resize without layout": prepared(
        lambda p, s: p.input(0).preprocess().resize(preprocess(s).ResizeAlgorithm.RESIZE_LINEAR)
    ),
}
