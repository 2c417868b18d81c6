"""Behaviours of the small things that programs hold: tensors, element types, shapes, layouts, names of properties."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from .side import ONES, A, B, Behaviour, Side, after

TYPES = ("f32", "f16", "bf16", "f64", "i8", "i32", "i64", "u8", "u16", "boolean", "i4", "u4")

LAYOUTS = ("NCHW", "NHWC", "N...C", "N?HW", "[batch,height,width,channels]", "", "...")


def tensor(look: Callable[[Any, Any], Any], *arguments: Any, **options: Any) -> Behaviour:
    """Of `Tensor` of these arguments, and of its class."""
    return lambda s: look(s.module.Tensor(*arguments, **options), s.module.Tensor)


def typed(name: str, shape: Any, look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: look(s.module.Tensor(getattr(s.module.Type, name), s.module.Shape(shape)))


def of_type(look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: [look(getattr(s.module.Type, name)) for name in TYPES]


def layout(text: str, look: Callable[[Any], Any]) -> Behaviour:
    return lambda s: look(s.module.Layout(text))


def shape(look: Callable[[Any], Any], *sizes: Any) -> Behaviour:
    return lambda s: look(s.module.Shape(*sizes))


@cache
def properties(s: Side) -> Any:
    return import_module(f"{s.name}.properties")


@cache
def hint(s: Side) -> Any:
    return import_module(f"{s.name}.properties.hint")


def configured(config: Callable[[Side], Any]) -> Behaviour:
    return lambda s: s.core.compile_model(s.path("two"), "CPU", config(s))([A, B])[0]


def region(s: Side) -> Any:
    big = s.module.Tensor(np.arange(30, dtype=np.float32).reshape(5, 6))
    return s.module.Tensor(big, [1, 2], [2, 5])


def copied_to(s: Side) -> Any:
    target = s.module.Tensor(s.module.Type.f32, s.module.Shape([1, 3]))
    s.module.Tensor(A).copy_to(target)
    return target.data


def copied_from(s: Side) -> Any:
    target = s.module.Tensor(s.module.Type.f32, s.module.Shape([1, 3]))
    target.copy_from(s.module.Tensor(A))
    return target.data


def own(s: Side) -> Any:
    """A tensor of an array, to which is written afterwards."""
    mine = A.copy()
    made = s.module.Tensor(mine)
    mine[...] = 7
    return made.data


def shared(s: Side) -> Any:
    mine = A.copy()
    made = s.module.Tensor(mine, shared_memory=True)
    mine[...] = 7
    return made.data


def filled(s: Side) -> Any:
    """The loop of OpenVINO's samples."""
    request = s.request("two")
    request.get_input_tensor(0).data[:] = A
    request.get_input_tensor(1).data[:] = B
    request.infer()
    return request.get_output_tensor(1).data


def preallocated(s: Side) -> Any:
    request = s.request("two")
    out = s.module.Tensor(np.zeros((1, 3), np.float32), shared_memory=True)
    request.set_output_tensor(0, out)
    request.infer({0: s.module.Tensor(A), 1: s.module.Tensor(B)})
    return out.data


HOLDING: dict[str, Behaviour] = {
    "Tensor(array).data": tensor(lambda t, _: t.data, A),
    "Tensor(array).shape": tensor(lambda t, _: list(t.shape), A),
    "Tensor(array).get_shape()": tensor(lambda t, _: list(t.get_shape()), A),
    "Tensor(array).element_type": tensor(lambda t, _: t.element_type.get_type_name(), A),
    "Tensor(array).get_element_type()": tensor(
        lambda t, _: t.get_element_type().get_type_name(), A.astype(np.int64)
    ),
    "Tensor(array).size": tensor(lambda t, _: t.size, A),
    "Tensor(array).get_size()": tensor(lambda t, _: t.get_size(), A),
    "Tensor(array).byte_size": tensor(lambda t, _: t.byte_size, A),
    "Tensor(array).get_byte_size()": tensor(lambda t, _: t.get_byte_size(), A),
    "Tensor(array).strides": tensor(lambda t, _: list(t.strides), A),
    "Tensor(array).get_strides()": tensor(lambda t, _: list(t.get_strides()), A),
    "Tensor(array).is_continuous()": tensor(lambda t, _: t.is_continuous(), A),
    "Tensor(array): its own memory": own,
    "Tensor(array, shared_memory=True)": shared,
    "Tensor of a strided array, shared": lambda s: (
        s.module.Tensor(np.repeat(A, 2, 1)[:, ::2], shared_memory=True).data
    ),
    "Tensor of a transposed array": tensor(lambda t, _: t.data, np.asfortranarray(np.ones((2, 3)))),
    "Tensor of a list": lambda s: s.module.Tensor([[1.0, 2.0]]).data,
    "Tensor of text": lambda s: s.module.Tensor(["a", "b"]).str_data,
    "Tensor of a number": lambda s: s.module.Tensor(3.5),
    "Tensor of None": lambda s: s.module.Tensor(None),
    "Tensor(type, shape)": typed("f32", [2, 3], lambda t: [list(t.shape), t.data.dtype.name]),
    "Tensor(type, list)": lambda s: list(s.module.Tensor(s.module.Type.i64, [2]).shape),
    "Tensor(numpy type, shape)": lambda s: (
        s.module.Tensor(np.int32, s.module.Shape([2])).data.dtype.name
    ),
    "Tensor(array, shape, type)": lambda s: list(
        s.module.Tensor(np.zeros(6, np.uint8), s.module.Shape([1, 6]), s.module.Type.u8).shape
    ),
    "Tensor(tensor, begin, end)": lambda s: region(s).data,
    "Tensor(tensor, begin, end): continuous": lambda s: region(s).is_continuous(),
    "Tensor(tensor, begin, beyond)": lambda s: s.module.Tensor(s.module.Tensor(A), [0, 0], [1, 9]),
    "Tensor(port)": lambda s: list(s.module.Tensor(s.two.input(0)).shape),
    "Tensor(port, array)": lambda s: s.module.Tensor(s.two.input(0), A).data,
    "Tensor.copy_to": copied_to,
    "Tensor.copy_from": copied_from,
    "Tensor.copy_from an array": lambda s: after(
        t := s.module.Tensor(np.zeros((1, 3), np.float32)), t.copy_from(A), t.data
    ),
    "Tensor.copy_from of another shape": lambda s: after(
        t := s.module.Tensor(np.zeros((1, 3), np.float32)), t.copy_from(ONES), list(t.shape)
    ),
    "Tensor.copy_from of another type": lambda s: s.module.Tensor(A).copy_from(
        s.module.Tensor(A.astype(np.int32))
    ),
    "Tensor.copy_to a part": lambda s: after(
        board := s.module.Tensor(np.zeros((3, 5), np.float32)),
        s.module.Tensor(A).copy_to(s.module.Tensor(board, [1, 1], [2, 4])),
        board.data,
    ),
    "Tensor.set_shape of its own shape": lambda s: after(
        t := s.module.Tensor(A), t.set_shape([1, 3]), t.data
    ),
    "Tensor.set_shape": lambda s: after(
        t := s.module.Tensor(s.module.Type.f32, s.module.Shape([2, 3])),
        t.set_shape([3, 2]),
        list(t.shape),
    ),
    "Tensor.data[…] = array": lambda s: after(
        t := s.module.Tensor(s.module.Type.f32, s.module.Shape([1, 3])),
        t.data.__setitem__(slice(None), A),
        t.data,
    ),
    "Tensor: copied deeply": lambda s: after(
        t := s.module.Tensor(A.copy()), c := copy.deepcopy(t), t.data.fill(0), c.data
    ),
    "numpy.array(tensor.data)": lambda s: np.array(s.module.Tensor(A).data),
    "tensor.data.copy()": lambda s: s.request("two", A, B).get_output_tensor(0).data.copy(),
    "get_tensor(…).data": lambda s: s.request("two", A, B).get_tensor("product").data,
    "get_tensor(…).data[0]": lambda s: s.request("two", A, B).get_tensor("product").data[0],
    "get_tensor(…).element_type": lambda s: (
        s.request("two", A, B).get_tensor("sum").element_type.get_type_name()
    ),
    "get_tensor(…).byte_size": lambda s: s.request("two", A, B).get_tensor("sum").byte_size,
    "get_tensor(…).get_shape()": lambda s: list(s.request("two", A, B).get_tensor("a").get_shape()),
    "get_input_tensor(…).data[:] = array": filled,
    "input_tensors[…].data": lambda s: s.request("two", A, B).input_tensors[1].data,
    "output_tensors[…].data": lambda s: [t.data for t in s.request("two", A, B).output_tensors],
    "infer: tensors": lambda s: s.request("two").infer([s.module.Tensor(A), s.module.Tensor(B)])[0],
    "infer(tensor) of one input": lambda s: s.request("sums").infer(s.module.Tensor(ONES))[0],
    "infer: a region": lambda s: s.request("two").infer({0: region(s), 1: s.module.Tensor(B)})[0],
    "set_output_tensor of a tensor": preallocated,
    "set_tensor, get_tensor: the same memory": lambda s: after(
        t := s.module.Tensor(A.copy()),
        r := s.request("two", A, B),
        r.set_tensor("a", t),
        t.data.fill(2),
        r.get_tensor("a").data,
    ),
    "state.state.data": lambda s: s.request("sums", ONES).query_state()[0].state.data,
    "state = Tensor": lambda s: after(
        r := s.request("sums"),
        setattr(r.query_state()[0], "state", s.module.Tensor(ONES * 5)),
        r.infer([ONES])[0],
    ),
    "AsyncInferQueue: get_output_tensor(…).data in a callback": lambda s: after(
        seen := [],
        q := s.module.AsyncInferQueue(s.two, 1),
        q.set_callback(lambda r, _: seen.append(r.get_output_tensor(0).data.copy())),
        q.start_async([A, B]),
        q.wait_all(),
        seen,
    ),
    "Type: names": of_type(lambda t: t.get_type_name()),
    "Type: to_dtype": lambda s: [
        np.dtype(getattr(s.module.Type, name).to_dtype()).name
        for name in ("f32", "f16", "i8", "u16", "boolean")
    ],
    "Types of codes": lambda s: [
        (t.bitwidth, t.size, t.real, t.integral, t.signed, t.quantized, t.integral_number)
        for t in (getattr(s.module.Type, name) for name in ("nf4", "u3", "u6"))
    ],
    "Type.bitwidth": of_type(lambda t: t.bitwidth),
    "Type.size": of_type(lambda t: t.size),
    "Type.is_real()": of_type(lambda t: t.is_real()),
    "Type.is_integral()": of_type(lambda t: t.is_integral()),
    "Type.is_integral_number()": of_type(lambda t: t.is_integral_number()),
    "Type.is_signed()": of_type(lambda t: t.is_signed()),
    "Type.is_quantized()": of_type(lambda t: t.is_quantized()),
    "Type.to_string()": of_type(lambda t: t.to_string()),
    "Type.is_static(), the dynamic one": lambda s: [
        s.module.Type.f32.is_static(),
        s.module.Type.dynamic.is_dynamic(),
    ],
    "Type(text)": lambda s: s.module.Type("i32") == s.module.Type.i32,
    "Type(numpy type)": lambda s: s.module.Type(np.float32).get_type_name(),
    "Type(numpy.dtype)": lambda s: s.module.Type(np.dtype("int64")).get_type_name(),
    "Type(unknown)": lambda s: s.module.Type("f31"),
    "Type ==": lambda s: [
        s.module.Type.f32 == s.module.Type.f32,
        s.module.Type.f32 == s.module.Type.f16,
    ],
    "Type == numpy type": lambda s: s.module.Type.f32 == np.float32,
    "Type: hash": lambda s: {s.module.Type.f32: 5}[s.two.input(0).element_type],
    "Type of a port": lambda s: s.two.input(0).element_type == s.module.Type.f32,
    "Type.compatible": lambda s: [
        s.module.Type.f32.compatible(s.module.Type.f32),
        s.module.Type.f32.compatible(s.module.Type.i32),
        s.module.Type.f32.compatible(s.module.Type.dynamic),
    ],
    "Shape: list": shape(list, [1, 2, 3]),
    "Shape of text": shape(list, "[1, 2]"),
    "Shape: str": shape(str, [1, 2, 3]),
    "Shape.to_string()": shape(lambda p: p.to_string(), [1, 2, 3]),
    "Shape == list": shape(lambda p: p == [1, 2], [1, 2]),
    "Shape == tuple": shape(lambda p: p == (1, 2), [1, 2]),
    "Shape[-1]": shape(lambda p: p[-1], [1, 2]),
    "Shape[:1]": shape(lambda p: list(p[:1]), [1, 2]),
    "len(Shape)": shape(len, [1, 2]),
    "Shape()": shape(list),
    "Shape of a tuple": shape(list, (4, 5)),
    "Shape == Shape": lambda s: s.module.Shape([1]) == s.module.Shape([1]),
    "Port.shape == Shape": lambda s: s.two.input(0).shape == s.module.Shape([1, 3]),
    "Port.get_shape() == list": lambda s: s.two.input(0).get_shape() == [1, 3],
    "Model.input().shape == list": lambda s: s.read().input(0).shape == [1, 3],
    "tuple(Port.shape)": lambda s: tuple(s.two.input(0).shape) == (1, 3),
    "numpy.zeros(Port.shape)": lambda s: np.zeros(s.two.input(0).shape),
    "Port.shape: str": lambda s: str(s.two.input(0).shape),
    "PartialShape.to_shape() == Shape": lambda s: (
        s.module.PartialShape([1, 2]).to_shape() == s.module.Shape([1, 2])
    ),
    "PartialShape == Shape": lambda s: s.module.PartialShape([1, 2]) == s.module.Shape([1, 2]),
    "PartialShape(Shape)": lambda s: str(s.module.PartialShape(s.module.Shape([1, 2]))),
    **{f"Layout({text!r}): str": layout(text, str) for text in LAYOUTS},
    **{f"Layout({text!r}).to_string()": layout(text, lambda p: p.to_string()) for text in LAYOUTS},
    "Layout.has_name": layout("NCHW", lambda p: [p.has_name("C"), p.has_name("D")]),
    "Layout.has_name: in words": layout("NCHW", lambda p: p.has_name("batch")),
    "Layout.get_index_by_name": layout(
        "NCHW", lambda p: [p.get_index_by_name(name) for name in "NCHW"]
    ),
    "Layout.get_index_by_name behind dots": layout("N...C", lambda p: p.get_index_by_name("C")),
    "Layout.get_index_by_name: unknown": layout("NCHW", lambda p: p.get_index_by_name("D")),
    "Layout.empty": lambda s: [s.module.Layout().empty, s.module.Layout("NC").empty],
    "Layout.scalar()": lambda s: str(s.module.Layout.scalar()),
    "Layout ==": layout("NCHW", lambda p: [p == type(p)("NCHW"), p == type(p)("NHWC")]),
    "Layout == text": layout("NCHW", lambda p: p == "NCHW"),
    "Layout of other text": layout("N!W", str),
    "Layout that names twice": layout("NN", str),
    "properties: a cache": lambda s: str(properties(s).cache_dir),
    "properties: threads": configured(lambda s: {properties(s).inference_num_threads: 1}),
    "properties: a pair": configured(lambda s: dict([properties(s).inference_num_threads(1)])),
    "properties: a name by a call": lambda s: properties(s).inference_num_threads(),
    "properties: performance_mode": configured(
        lambda s: {hint(s).performance_mode: hint(s).PerformanceMode.LATENCY}
    ),
    "properties: performance_mode, a pair": configured(
        lambda s: dict([hint(s).performance_mode(hint(s).PerformanceMode.THROUGHPUT)])
    ),
    "properties: execution_mode": configured(
        lambda s: {hint(s).execution_mode: hint(s).ExecutionMode.ACCURACY}
    ),
    "properties: inference_precision": configured(
        lambda s: {hint(s).inference_precision: s.module.Type.f32}
    ),
    "properties: num_requests": configured(lambda s: {hint(s).num_requests: "2"}),
    "properties: enable_profiling": configured(lambda s: {properties(s).enable_profiling: True}),
    "properties: num_streams": configured(
        lambda s: {properties(s).num_streams: properties(s).streams.Num.AUTO}
    ),
    "properties: scheduling_core_type": configured(
        lambda s: {hint(s).scheduling_core_type: hint(s).SchedulingCoreType.ANY_CORE}
    ),
    "properties: enable_cpu_pinning": configured(lambda s: {hint(s).enable_cpu_pinning: False}),
    "properties: asked of a model": lambda s: (
        s.two.get_property(properties(s).optimal_number_of_infer_requests) > 0
    ),
    "properties: asked of the device": lambda s: isinstance(
        s.core.get_property("CPU", properties(s).device.full_name), str
    ),
    "properties: all that a device has": lambda s: (
        "PERFORMANCE_HINT" in s.core.get_property("CPU", properties(s).supported_properties)
    ),
    "properties: a name in words": lambda s: [
        str(hint(s).performance_mode),
        str(properties(s).enable_profiling),
        str(hint(s).num_requests),
        str(properties(s).num_streams),
        str(hint(s).inference_precision),
    ],
}
