"""Sequences as results, and optionals as inputs and results, are tensors here."""

from __future__ import annotations

import numpy as np
import pytest
from onnx import ModelProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, Array, model, node, random, runtime

X = random(4, 3)


def optional(proto: ModelProto, name: str) -> ModelProto:
    """The model with a port that may be empty, of a tensor of 4 by 3."""
    type = helper.make_optional_type_proto(helper.make_tensor_type_proto(FLOAT, [4, 3]))
    for port in (*proto.graph.input, *proto.graph.output):
        if port.name == name:
            port.type.CopyFrom(type)
    return proto


def test_each_tensor_of_a_sequence_is_a_result():
    """Behind each other, where the sequence is."""
    nodes = [
        node("Relu", "x", "a"),
        node("SplitToSequence", "x n", "parts", axis=0),
        node("Neg", "x", "b"),
    ]
    proto = model(nodes, {"x": (FLOAT, X.shape)}, "a parts b", {"n": np.array([1, 3])})
    proto.graph.output[1].type.CopyFrom(
        helper.make_sequence_type_proto(helper.make_tensor_type_proto(FLOAT, None))
    )
    read = read_model(proto)
    assert [port.any_name for port in read.outputs] == ["a", "parts/0", "parts/1", "b"]
    first, parts, last = runtime(proto, {"x": X})
    wanted: list[Array] = [first, *parts, last]
    for found, each in zip(compile_model(read)(X).values(), wanted, strict=True):
        np.testing.assert_array_equal(found, each)


def test_an_optional_input_is_given():
    nodes = [
        node("OptionalHasElement", "x", "has"),
        node("OptionalGetElement", "x", "y"),
    ]
    proto = optional(model(nodes, {"x": (FLOAT, X.shape)}, "has y"), "x")
    assert [str(port.partial_shape) for port in read_model(proto).inputs] == ["[4,3]"]
    has, y = compile_model(read_model(proto))(X).values()
    assert has
    np.testing.assert_array_equal(y, X)


def test_an_optional_result_is_a_tensor():
    nodes = [node("Neg", "x", "n"), node("Optional", "n", "y")]
    proto = optional(model(nodes, {"x": (FLOAT, X.shape)}, "y"), "y")
    np.testing.assert_array_equal(compile_model(read_model(proto))(X)[0], -X)


@pytest.mark.parametrize(
    ("size", "given", "message"),
    [
        (1 << 30, "x -", "1073741824 parts, and at most 65536 are made"),
        (4, "x none", "parts of 0 elements are none"),
    ],
)
def test_a_sequence_has_some_parts_and_not_too_many(size: int, given: str, message: str):
    nodes = [node("SplitToSequence", given, "parts"), node("SequenceLength", "parts", "y")]
    with pytest.raises(DiagnosticException, match=message):
        read_model(model(nodes, {"x": (FLOAT, [size])}, "y", {"none": np.array(0)}))
