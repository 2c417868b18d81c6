"""Models that ONNX Runtime saved at its highest level, where channels of images lie in blocks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import ModelProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import (
    FLOAT,
    Array,
    check,
    model,
    node,
    random,
    runtime,
)
from lowstream.test.unit.interop.onnx.sessions import one_thread, session_of

IMAGE = random(2, 3, 9, 8)
NEAREST = {
    "mode": "nearest",
    "coordinate_transformation_mode": "asymmetric",
    "nearest_mode": "floor",
}
BLOCKED = "com.microsoft.nchwc"


def optimized(proto: ModelProto, folder: Path) -> ModelProto:
    """The model that ONNX Runtime saves."""
    options = one_thread()
    options.optimized_model_filepath = str(folder / "saved.onnx")
    options.log_severity_level = 3  # it warns that the file is for this CPU
    session_of(proto.SerializeToString(), options)
    return onnx.load(folder / "saved.onnx")


def filters(outputs: int, inputs: int, size: int, seed: int) -> Array:
    return random(outputs, inputs, size, size, seed=seed)


def test_a_network_that_was_optimized(tmp_path: Path):
    """Of 24 channels, so that the last block is full or half full, as blocks are of 8 or 16."""
    proto = model(
        [
            node("Conv", "x w", "c", kernel_shape=[3, 3], pads=[1, 1, 1, 1]),
            node("Relu", "c", "a"),
            node("Conv", "a d b", "e", kernel_shape=[3, 3], pads=[1, 1, 1, 1], group=24),
            node("Add", "e a", "s"),
            node("Conv", "s p", "q", kernel_shape=[1, 1]),
            node("Sigmoid", "q", "t"),
            node("MaxPool", "t", "m", kernel_shape=[2, 2], strides=[2, 2]),
            node("AveragePool", "m", "v", kernel_shape=[2, 2], pads=[1, 1, 1, 1]),
            node("Resize", "v - f", "y", **NEAREST),
            node("GlobalAveragePool", "q", "g"),
            node("GlobalMaxPool", "v", "h"),
        ],
        {"x": (FLOAT, IMAGE.shape)},
        "y g h",
        {
            "w": filters(24, 3, 3, 1),
            "d": filters(24, 1, 3, 2),
            "b": random(24),
            "p": filters(32, 24, 1, 3),
            "f": np.array([1, 1, 2, 3], np.float32),
        },
    )
    saved = optimized(proto, tmp_path)
    kinds = {each.op_type for each in saved.graph.node if each.domain == BLOCKED}
    assert kinds >= {"Conv", "MaxPool", "AveragePool", "Upsample", "GlobalMaxPool"}
    check(saved, {"x": IMAGE})


def test_an_image_with_channels_last_and_a_linear_upsample(tmp_path: Path):
    """What ONNX Runtime moves into ReorderInput and ReorderOutput."""
    proto = model(
        [
            node("Transpose", "x", "t", perm=[0, 3, 1, 2]),
            node("Conv", "t w", "c", kernel_shape=[3, 3]),
            node("Resize", "c - f", "u", mode="linear"),
            node("Transpose", "u", "y", perm=[0, 2, 3, 1]),
        ],
        {"x": (FLOAT, [1, 5, 6, 20])},
        "y",
        {"w": filters(24, 20, 3, 1), "f": np.array([1, 1, 2, 2], np.float32)},
    )
    saved = optimized(proto, tmp_path)
    assert {each.op_type for each in saved.graph.node} >= {
        "ReorderInput",
        "ReorderOutput",
        "Upsample",
    }
    check(saved, {"x": random(1, 5, 6, 20)})


def test_a_model_that_does_not_say_its_blocks_is_one_of_this_cpu(tmp_path: Path):
    proto = model(
        [node("Conv", "x w", "y", kernel_shape=[1, 1])],
        {"x": (FLOAT, [1, 32, 2, 2])},
        "y",
        {"w": filters(32, 32, 1, 1)},
    )
    with pytest.warns(UserWarning, match="nothing in the model says how many channels its blocks"):
        check(optimized(proto, tmp_path), {"x": random(1, 32, 2, 2)})


def in_blocks(block: int, weights: Array, **attributes: Any) -> ModelProto:
    """A convolution whose filters, and their inputs where they fill blocks, lie in blocks of a size."""
    outputs, inputs, *kernel = weights.shape
    missing = np.zeros((-outputs % block, *weights.shape[1:]), np.float32)
    whole = np.concatenate([weights, missing])
    if inputs < block:
        apart = whole.reshape(-1, block, inputs, *kernel).transpose(0, 2, 3, 4, 1)
    else:
        apart = whole.reshape(-1, block, inputs // block, block, *kernel).transpose(
            0, 2, 4, 5, 3, 1
        )
    proto = model(
        [
            helper.make_node("ReorderInput", ["x"], ["r"], domain=BLOCKED),
            helper.make_node("Conv", ["r", "w"], ["c"], domain=BLOCKED, **attributes),
            helper.make_node("ReorderOutput", ["c"], ["y"], domain=BLOCKED, channels=outputs),
        ],
        {"x": (FLOAT, [1, inputs, 4, 4])},
        "y",
        {"w": np.ascontiguousarray(apart).reshape(whole.shape)},
    )
    proto.opset_import.append(helper.make_opsetid(BLOCKED, 1))
    return proto


@pytest.mark.parametrize(("block", "outputs"), [(8, 24), (8, 8), (16, 24), (16, 36)])
def test_filters_prove_the_size_of_blocks(block: int, outputs: int):
    weights, x = filters(outputs, 16, 2, 1), random(1, 16, 4, 4)
    (wanted,) = runtime(
        model([node("Conv", "x w", "y")], {"x": (FLOAT, x.shape)}, "y", {"w": weights}), {"x": x}
    )
    found = compile_model(read_model(in_blocks(block, weights)))({"x": x})[0]
    np.testing.assert_allclose(found, wanted, 1e-5, 1e-5)


def conflicting() -> ModelProto:
    proto = in_blocks(8, filters(24, 16, 2, 1))
    other = in_blocks(16, filters(24, 16, 2, 1))
    other.graph.initializer[0].name = "v"
    proto.graph.initializer.append(other.graph.initializer[0])
    proto.graph.node.append(helper.make_node("Conv", ["r", "v"], ["z"], domain=BLOCKED))
    return proto


def unknown_filters() -> ModelProto:
    """Beside filters that are known, whose blocks are of 8."""
    proto = in_blocks(8, filters(24, 16, 2, 1))
    proto.graph.node.append(helper.make_node("Conv", ["r", "r"], ["z"], domain=BLOCKED))
    return proto


def changed(index: int, **changes: Any) -> ModelProto:
    """A convolution of 24 channels, one of whose nodes has another type, inputs or attributes."""
    proto = in_blocks(8, filters(24, 16, 2, 1))
    old = proto.graph.node[index]
    given: dict[str, Any] = {
        "op_type": old.op_type,
        "inputs": list(old.input),
        "outputs": list(old.output),
    }
    proto.graph.node[index].CopyFrom(helper.make_node(**given | changes, domain=BLOCKED))
    return proto


@pytest.mark.parametrize(
    ("proto", "message"),
    [
        (conflicting(), "filters lie in blocks of 8 and of 16 channels"),
        (changed(2, channels=25), "channels is 25, and the image has 24"),
        (unknown_filters(), r"filters \(input 1\) of shape \[1, 16, 4, 4\]"),
        (
            changed(2, op_type="Softmax"),
            "this operator of ONNX Runtime is not supported; give the ",
        ),
    ],
)
def test_models_that_no_cpu_writes(proto: ModelProto, message: str):
    with pytest.raises(DiagnosticException, match=message):
        read_model(proto)
