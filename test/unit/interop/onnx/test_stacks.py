"""Loops that append to a sequence, as scripted recurrent layers do, where only a run knows how often they run."""

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import read_model
from lowstream.dialects import infra
from lowstream.test.unit.interop.onnx.graphs import BOOL, FLOAT, INT64, check, model, node, random

CONSTANTS: dict[str, Any] = {
    "first": np.array(0),
    "true": np.array(True),
    "half": np.array(0.5, np.float32),
    "limit": np.array(2.0, np.float32),
    "last": np.array(-1),
}


def looped(condition: str = "true") -> list[Any]:
    """`h = (h + x[t]) / 2`, step by step; of each step something is appended."""
    body = helper.make_graph(
        [
            node("Gather", "x t", "x_t"),
            node("Add", "h x_t", "sum"),
            node("Mul", "sum half", "h_next"),
            node("SequenceInsert", "steps h_next", "steps_next"),
            node("ReduceSum", "h_next", "total", keepdims=0),
            node("Less", "total limit", "is_small"),
            node("Identity", condition, "go_on"),
        ],
        "body",
        [
            helper.make_tensor_value_info("t", INT64, []),
            helper.make_tensor_value_info("runs", BOOL, []),
            helper.make_tensor_value_info("h", FLOAT, [2, 3]),
            helper.make_tensor_sequence_value_info("steps", FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("go_on", BOOL, []),
            helper.make_tensor_value_info("h_next", FLOAT, [2, 3]),
            helper.make_tensor_sequence_value_info("steps_next", FLOAT, None),
        ],
    )
    return [
        node("Shape", "x", "whole"),
        node("Gather", "whole first", "count"),
        node("SequenceEmpty", "", "none", dtype=TensorProto.FLOAT),
        node("Loop", "count true h0 none", "h_last steps_", body=body),
    ]


def of(nodes: list[Any], outputs: str) -> ModelProto:
    return model(nodes, {"x": (FLOAT, ["T", 2, 3]), "h0": (FLOAT, [2, 3])}, outputs, CONSTANTS)


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("new_axis", [0, 1])
def test_what_is_appended_is_put_together(axis: int, new_axis: int):
    axis = min(axis, 1 + new_axis)
    nodes = [
        *looped(),
        node("ConcatFromSequence", "steps_", "y", axis=axis, new_axis=new_axis),
        node("SequenceLength", "steps_", "length"),
        node("SequenceAt", "steps_ last", "z"),
    ]
    proto = of(nodes, "h_last y length z")
    for count in (5, 3):
        check(proto, {"x": random(count, 2, 3), "h0": random(2, 3)})


def test_a_run_says_when_it_ends():
    nodes = [*looped(condition="is_small"), node("ConcatFromSequence", "steps_", "y", axis=1)]
    x = np.abs(random(6, 2, 3))
    proto = of(nodes, "h_last y")
    for scale in (0.1, 0.5, 3):
        check(proto, {"x": np.float32(scale) * x, "h0": random(2, 3)})


@pytest.mark.parametrize("held", ["h0", "h0 half_of_h0"])
def test_what_is_appended_stands_behind_what_the_sequence_held(held: str):
    """As lists that begin with a first state do; a second loop appends to what the first one gave."""
    *sizes, _, first = looped()
    again = node("Loop", "count true h0 steps_", "h_again more_steps", body=first.attribute[0].g)
    nodes = [
        *sizes,
        node("Mul", "h0 half", "half_of_h0"),
        node("SequenceConstruct", held, "none"),
        first,
        again,
        node("ConcatFromSequence", "more_steps", "y", axis=0, new_axis=1),
        node("SequenceLength", "more_steps", "length"),
    ]
    proto = of(nodes, "h_last h_again y length")
    for count in (5, 0):
        check(proto, {"x": random(count, 2, 3), "h0": random(2, 3)})


def test_values_of_other_shapes_in_front_are_refused():
    """Nearest miss: values that do not lie side by side in one tensor."""
    *sizes, _, appending = looped()
    nodes = [
        *sizes,
        node("ReduceSum", "h0", "total_h0", keepdims=0),
        node("SequenceConstruct", "total_h0", "none"),
        appending,
        node("SequenceLength", "steps_", "y"),
    ]
    with pytest.raises(DiagnosticException, match="Loop"):
        read_model(of(nodes, "y"))


def test_the_loop_stays_one():
    """So that its body is compiled once, and `low-latency2` makes states of it."""
    nodes = [*looped(), node("ConcatFromSequence", "steps_", "y", axis=0)]
    read = read_model(of(nodes, "y"))
    assert any(isinstance(op, infra.LoopOp) for op in read.module.walk())


def test_a_sequence_that_is_read_is_known_or_refused():
    """Nearest miss: what it holds would have to be known while the model is read."""
    nodes = [
        *looped(),
        node("SequenceErase", "steps_", "less"),
        node("SequenceLength", "less", "y"),
    ]
    with pytest.raises(DiagnosticException, match="only a run knows how many values the sequence"):
        read_model(of(nodes, "y"))


def test_a_sequence_of_unknown_length_is_no_result():
    with pytest.raises(DiagnosticException, match=r"'steps_' is a sequence, whose values Concat"):
        read_model(of(looped(), "steps_"))


def bags(index: str) -> ModelProto:
    """`y[i] = sum(x[offsets[i] : offsets[i + 1]])`, as PyTorch exports EmbeddingBag; it counts from `index`."""
    body = helper.make_graph(
        [
            node("Reshape", "i last", "place"),
            node("Add", "place one", "after"),
            node("Add", "after one", "end_of_after"),
            node("Slice", "offsets place after", "start"),
            node("Slice", "offsets after end_of_after", "end"),
            node("Slice", "x start end", "rows"),
            node("ReduceSum", "rows zero", "row"),
            node("SequenceInsert", "sums row", "sums_next"),
            node("Add", "i one_", "i_next"),
            node("Less", "i_next count", "go_on"),
        ],
        "body",
        [
            helper.make_tensor_value_info("iteration", INT64, []),
            helper.make_tensor_value_info("runs", BOOL, []),
            helper.make_tensor_sequence_value_info("sums", FLOAT, None),
            helper.make_empty_tensor_value_info("i"),
        ],
        [
            helper.make_tensor_value_info("go_on", BOOL, []),
            helper.make_tensor_sequence_value_info("sums_next", FLOAT, None),
            helper.make_empty_tensor_value_info("i_next"),
        ],
    )
    constants = {"offsets": np.array([0, 2, 3, 5]), "one": np.array([1]), "one_": np.array(1)}
    constants |= {"last": np.array([-1]), "zero": np.array([0]), "true": np.array(True)}
    nodes = [
        node("SequenceEmpty", "", "none", dtype=TensorProto.FLOAT),
        node("Loop", f"- true none {index}", "sums_ i_last", body=body),
        node("ConcatFromSequence", "sums_", "y", axis=0),
    ]
    inputs = {"x": (FLOAT, [5, 2]), "given": (INT64, list[int | str]())}
    return model(nodes, inputs, "y", constants | {"count": np.array(3), "first": np.array(0)})


def test_a_body_that_needs_the_number_of_the_iteration_is_unrolled():
    check(bags("first"), {"x": random(5, 2), "given": np.array(0)})


def test_a_body_that_only_a_run_can_number_is_refused():
    """Nearest miss: the number that it counts from is an input."""
    with pytest.raises(DiagnosticException, match="how many dimensions it slices is unknown"):
        read_model(bags("given"))
