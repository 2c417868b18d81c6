"""Sizes that a model computes of its inputs follow new shapes, whoever reads it; what cannot follow is refused."""

from io import BytesIO
from typing import Any

import numpy as np
import openvino
import pytest
from onnx import ModelProto
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, model, node, runtime

LAST = np.array([2])


def by_onnx(proto: ModelProto) -> Model:
    return lowstream.read_model(proto)


def by_openvino(proto: ModelProto) -> Model:
    return lowstream.read_model(openvino.Core().read_model(BytesIO(proto.SerializeToString())))


READERS = pytest.mark.parametrize("read", [by_onnx, by_openvino], ids=["onnx", "openvino"])


def padded(shape: list[Any]) -> ModelProto:
    """The second half of the last dimension, behind so many zeros that there are ten, and a number for each of them."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Gather", "shape last", "size", axis=0),
        node("Div", "size two", "half"),
        node("Slice", "x half size last", "part"),
        node("Sub", "ten half", "missing"),
        node("Concat", "none missing", "pads", axis=0),
        node("Pad", "part pads", "wide"),
        node("Shape", "part", "parts"),
        node("ConstantOfShape", "parts", "zeros"),
        node("Concat", "wide zeros", "y", axis=2),
    ]
    constants = {"last": LAST, "two": LAST, "ten": np.array([10]), "none": np.zeros(5, np.int64)}
    return model(nodes, {"x": (FLOAT, shape)}, "y", constants)


@READERS
def test_sizes_follow_the_inputs(read: Any):
    ours = read(padded([2, 3, 4]))
    assert ours.outputs[0].shape == (2, 3, 12)
    ours.reshape({"x": [1, 3, 8]})
    x = np.arange(24, dtype=np.float32).reshape(1, 3, 8)
    (wanted,) = runtime(padded([1, 3, 8]), {"x": x})
    np.testing.assert_array_equal(lowstream.compile_model(ours)([x])["y"], wanted)


@READERS
def test_of_a_shape_only_what_was_read_keeps_its_size(read: Any):
    """The axis is the second size less two; the first one may be any."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Gather", "shape one", "size", axis=0),
        node("Sub", "size two", "axis"),
        node("ReduceSum", "x axis", "y", keepdims=0),
    ]
    constants = {"one": np.array([1]), "two": np.array([2])}
    ours = read(model(nodes, {"x": (FLOAT, ["N", 3])}, "y", constants))
    for batch in (1, 4):
        ours.reshape({"x": [batch, 3]})
        assert ours.outputs[0].shape == (batch,)
    with pytest.raises(DiagnosticException, match=r"for the sizes of 'x', a tensor<\?x3xf32>"):
        ours.reshape({"x": [4, 2]})


@READERS
def test_what_was_read_for_sizes_keeps_them(read: Any):
    """The axis is a size less one, and an operation is made for its axes."""
    nodes = [
        node("Shape", "x", "shape"),
        node("Gather", "shape zero", "size", axis=0),
        node("Sub", "size one", "axis"),
        node("ReduceSum", "x axis", "y", keepdims=0),
        node("Relu", "b", "z"),
    ]
    constants = {"zero": np.array([0]), "one": np.array([1])}
    ours = read(model(nodes, {"x": (FLOAT, [2, 3]), "b": (FLOAT, [4])}, "y z", constants))
    assert ours.outputs[0].shape == (2,)
    ours.reshape({"b": [5]})
    with pytest.raises(
        DiagnosticException, match="was read for the sizes of 'x', a tensor<2x3xf32>"
    ):
        ours.reshape({"x": [1, 3]})
    ours.reshape({"x": [2, 3]})


def test_what_was_read_for_sizes_of_an_erased_value_keeps_the_inputs():
    """Nothing but its sizes is read of what Relu gives."""
    nodes = [
        node("Relu", "x", "positive"),
        node("Shape", "positive", "shape"),
        node("Gather", "shape zero", "size", axis=0),
        node("Sub", "size one", "axis"),
        node("ReduceSum", "x axis", "y", keepdims=0),
    ]
    constants = {"zero": np.array([0]), "one": np.array([1])}
    ours = by_onnx(model(nodes, {"x": (FLOAT, [2, 3])}, "y", constants))
    assert ours.outputs[0].shape == (2,)
    with pytest.raises(DiagnosticException, match="was read for the sizes of 'x'"):
        ours.reshape({"x": [1, 3]})
    ours.reshape({"x": [2, 3]})
