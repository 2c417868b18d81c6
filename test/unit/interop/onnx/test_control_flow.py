"""Branches, loops and scans of ONNX give what ONNX Runtime gives."""

import numpy as np
import pytest
from onnx import GraphProto, ModelProto, helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import (
    BOOL,
    FLOAT,
    INT64,
    check,
    model,
    node,
    random,
)


def body(nodes, inputs, outputs):
    """A body whose inputs and outputs say only their element types, or nothing."""
    return helper.make_graph(
        nodes,
        "body",
        [helper.make_tensor_value_info(name, type, shape) for name, type, shape in inputs],
        [helper.make_tensor_value_info(name, type, shape) for name, type, shape in outputs],
    )


def test_control_flow():
    """A branch, a loop that ends by its condition, one that puts parts together, a scan; all read what is around."""
    then_branch = body([node("Add", "x x", "t")], [], [("t", FLOAT, [2, 3, 4])])
    else_branch = body([node("Mul", "x y", "e")], [], [("e", FLOAT, [2, 3, 4])])
    turn = body(
        [node("Add", "h y", "h_next"), node("Less", "i limit", "more")],
        [("i", INT64, []), ("go", BOOL, []), ("h", FLOAT, [4])],
        [("more", BOOL, []), ("h_next", FLOAT, [4])],
    )
    count = body(
        [node("Identity", "go", "on"), node("Add", "g y", "next"), node("Mul", "next y", "seen")],
        [("i", INT64, []), ("go", BOOL, []), ("g", FLOAT, [4])],
        [("on", BOOL, []), ("next", FLOAT, [4]), ("seen", FLOAT, [4])],
    )
    step = body(
        [node("Add", "s part", "s_next"), node("Mul", "s_next y", "put")],
        [("s", FLOAT, [2, 4]), ("part", FLOAT, [2, 4])],
        [("s_next", FLOAT, [2, 4]), ("put", FLOAT, [2, 4])],
    )
    proto = model(
        [
            node("If", "c", "branch", then_branch=then_branch, else_branch=else_branch),
            node("Loop", "five - y", "last", body=turn),
            node("Loop", "five - y", "end all", body=count),
            node(
                "Scan",
                "start x",
                "sum parts",
                body=step,
                num_scan_inputs=1,
                scan_input_axes=[1],
                scan_input_directions=[1],
                scan_output_axes=[1],
            ),
        ],
        {"c": (BOOL, []), "x": (FLOAT, [2, 3, 4]), "y": (FLOAT, [4])},
        "branch last end all sum parts",
        {
            "five": np.array(5, np.int64),
            "limit": np.array(2, np.int64),
            "start": random(2, 4, seed=3),
        },
    )
    for condition in (True, False):
        check(proto, {"c": np.array(condition), "x": random(2, 3, 4), "y": random(4)})


def doubling(constants: dict[str, np.ndarray] | None = None) -> ModelProto:
    """A loop whose trip count is `n`, an input unless it is a constant."""
    turn = body(
        [node("Identity", "go", "on"), node("Add", "h h", "next")],
        [("i", INT64, []), ("go", BOOL, []), ("h", FLOAT, [4])],
        [("on", BOOL, []), ("next", FLOAT, [4])],
    )
    ports = {"x": (FLOAT, [4])} | ({} if constants else {"n": (INT64, [])})
    return model([node("Loop", "n - x", "y", body=turn)], ports, "y", constants)


@pytest.mark.parametrize("trip", [-(1 << 63), -1, 0, 3])
def test_a_loop_of_a_negative_trip_count_has_no_iteration(trip: int):
    n = np.array(trip)
    check(doubling(), {"x": random(4), "n": n})
    check(doubling({"n": n}), {"x": random(4)})


@pytest.mark.parametrize("holds", ["a tensor", "a sequence"])
def test_a_body_says_whether_its_iteration_and_condition_have_a_dimension(holds: str):
    """Slice and Concat need one. PyTorch's older exporter writes such loops, over sequences in models of video."""
    turn = body(
        [
            node("Add", "i one", "end"),
            node("Slice", "x i end", "part"),
            node("Concat", "go go", "twice", axis=0),
            node("Identity", "go", "more"),
            node("Add", "h part", "next")
            if holds == "a tensor"
            else node("SequenceInsert", "h part", "next"),
        ],
        [("i", INT64, [1]), ("go", BOOL, [1]), ("h", FLOAT, [1, 4])],
        [("more", BOOL, [1]), ("next", FLOAT, [1, 4]), ("twice", BOOL, [2])],
    )
    nodes = [node("Loop", "three true x_0", "y seen", body=turn)]
    if holds == "a sequence":
        turn.input[2].CopyFrom(helper.make_tensor_sequence_value_info("h", FLOAT, None))
        turn.output[1].CopyFrom(helper.make_tensor_sequence_value_info("next", FLOAT, None))
        nodes = [
            node("SequenceEmpty", "", "none", dtype=FLOAT),
            node("Loop", "three true none", "parts seen", body=turn),
            node("ConcatFromSequence", "parts", "y", axis=1),
        ]
    constants = {
        "three": np.array(3),
        "true": np.array([True]),
        "one": np.array([1]),
        "x_0": random(1, 4),
    }
    check(model(nodes, {"x": (FLOAT, [5, 4])}, "y seen", constants), {"x": random(5, 4)})


def squeezed_where_one(changed: str = "Squeeze", otherwise: str = "Identity") -> ModelProto:
    """What exporters make of `squeeze(x, 1)`: an If, as the size of the dimension is unknown."""
    squeeze = body([node(changed, "x one", "t")], [], [("t", FLOAT, None)])
    other = body([node(otherwise, "x", "e")], [], [("e", FLOAT, None)])
    return model(
        [
            node("Shape", "x", "size", start=1, end=2),
            node("Equal", "size one", "is_one"),
            node("If", "is_one", "y", then_branch=squeeze, else_branch=other),
        ],
        {"x": (FLOAT, [2, "n", 4])},
        "y",
        {"one": np.array([1], np.int64)},
    )


def test_a_branch_that_squeezes_where_a_size_is_one():
    check(squeezed_where_one(), {"x": random(2, 1, 4)})
    for others, ranks in ((("Squeeze", "Neg"), "[2] and [3]"), (("Unsqueeze",), "[4] and [3]")):
        with pytest.raises(DiagnosticException) as caught:
            read_model(squeezed_where_one(*others))
        assert f"its branches give {ranks} dimensions, and only a run" in str(caught.value)


def test_a_branch_that_does_not_fit_fails_when_it_is_taken():
    product = body([node("MatMul", "x weights", "t")], [], [("t", FLOAT, None)])
    other = body([node("Neg", "x", "e")], [], [("e", FLOAT, None)])
    ports = {"c": (BOOL, []), "x": (FLOAT, [2, 3])}

    def branches(then_branch: GraphProto, else_branch: GraphProto) -> ModelProto:
        branch = node("If", "c", "y", then_branch=then_branch, else_branch=else_branch)
        return model([branch], ports, "y", {"weights": random(4, 3)})

    x = random(2, 3)
    for proto, taken in ((branches(product, other), False), (branches(other, product), True)):
        request = compile_model(read_model(proto)).create_infer_request()
        np.testing.assert_array_equal(request.infer({"c": np.array(taken), "x": x})[0], -x)
    request = compile_model(read_model(branches(product, other))).create_infer_request()
    with pytest.raises(DiagnosticException, match=r"took a branch that does not fit.* MatMul 't'"):
        request.infer({"c": np.array(True), "x": x})
    with pytest.raises(DiagnosticException, match=r"MatMul 't'"):
        read_model(branches(product, product))


def test_nodes_may_stand_in_front_of_what_their_bodies_read():
    """As ONNX Runtime's quantizer leaves them, which sorts nodes by their own inputs."""
    turn = body(
        [node("Add", "sum doubled", "next"), node("Identity", "runs", "on")],
        [("i", INT64, []), ("runs", BOOL, []), ("sum", FLOAT, [4])],
        [("on", BOOL, []), ("next", FLOAT, [4])],
    )
    nodes = [node("Loop", "five - x", "y", body=turn), node("Add", "x x", "doubled")]
    proto = model(nodes, {"x": (FLOAT, [4])}, "y", {"five": np.array(5)})
    check(proto, {"x": random(4)})


def test_nodes_that_wait_for_each_other_are_refused():
    nodes = [node("Add", "x b", "a"), node("Add", "x a", "b")]
    with pytest.raises(DiagnosticException, match="Add 'a': reads 'b', which nothing before it"):
        read_model(model(nodes, {"x": (FLOAT, [4])}, "b", {}))
