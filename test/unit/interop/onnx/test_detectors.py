"""What detectors of torchvision end with: candidates of which only a run knows how many there are."""

from typing import Any

import numpy as np
import pytest
from onnx import NodeProto, TensorProto, helper

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.graphs import FLOAT, Array, check, model, node, random

BOXES = 12

SCORES = [
    np.linspace(0.05, 0.95, BOXES),
    np.linspace(0.95, 0.45, BOXES),
    np.full(BOXES, 0.7),
    np.linspace(0.9, -0.9, BOXES),
]

CONSTANTS: dict[str, Array] = {
    "zero": np.array([0]),
    "one": np.array([1]),
    "first": np.array(0),
    "step": np.array(1),
    "threshold": np.array(0.5, np.float32),
    "most": np.array([5]),
    "many": np.array([100]),
    "overlap": np.array(0.3, np.float32),
    "leading": np.array([0, 1]),
    "two": np.array([2]),
}

KEPT = [
    node("Greater", "scores threshold", "is_kept"),
    node("NonZero", "is_kept", "row"),
    node("Transpose", "row", "rows", perm=[1, 0]),
    node("GatherND", "scores rows", "kept"),
    node("GatherND", "boxes rows", "kept_boxes"),
    node("Shape", "kept", "kept_shape"),
]
"""The boxes whose scores are above a threshold."""

BEST = [
    node("Concat", "most kept_shape", "counts", axis=0),
    node("ReduceMin", "counts", "count", keepdims=0),
    node("Reshape", "count one", "k"),
    node("TopK", "kept k", "best order"),
    node("Gather", "kept_boxes order", "best_boxes"),
]
"""Of those at most five."""

SUPPRESSED = [
    node("Unsqueeze", "best_boxes zero", "batch"),
    node("Unsqueeze", "best leading", "classes"),
    node("NonMaxSuppression", "batch classes many overlap", "selected"),
    node("Gather", "selected two", "numbers", axis=1),
    node("Squeeze", "numbers one", "number"),
    node("Gather", "best_boxes number", "y"),
    node("Gather", "best number", "best_scores"),
]


def boxes() -> Array:
    corners = np.abs(random(BOXES, 2))
    return np.concatenate([corners, corners + 0.2 + np.abs(random(BOXES, 2, seed=1))], 1)


def detector(nodes: list[NodeProto], outputs: str, **constants: Array) -> Any:
    shapes = {"scores": (FLOAT, [BOXES]), "boxes": (FLOAT, [BOXES, 4])}
    return model([*KEPT, *nodes], shapes, outputs, CONSTANTS | constants)


@pytest.mark.parametrize("scores", SCORES, ids=["some", "most", "ties", "few"])
def test_best_of_those_that_are_kept(scores: Array):
    proto = detector([*BEST, *SUPPRESSED], "y best_scores order selected")
    check(proto, {"scores": scores.astype(np.float32), "boxes": boxes()})


@pytest.mark.parametrize("largest", [0, 1])
def test_all_of_them_in_order(largest: int):
    """As many as there are: nothing that is not there comes in between, even of infinite scores."""
    given = random(BOXES, seed=2)
    given[[1, 3]] = [-np.inf, np.inf]
    nodes = [
        node("GatherND", "given rows", "values"),
        node("TopK", "values kept_shape", "sorted places", largest=largest),
    ]
    proto = detector(nodes, "sorted places", given=given)
    check(proto, {"scores": SCORES[1].astype(np.float32), "boxes": boxes()})


@pytest.mark.parametrize("scores", SCORES, ids=["some", "most", "ties", "few"])
def test_small_boxes_go_after_others(scores: Array):
    """What is left of those that are left, and numbers as large as that."""
    nodes = [
        node("Split", "kept_boxes", "left top right bottom", axis=1, num_outputs=4),
        node("Sub", "right left", "width"),
        node("Squeeze", "width one", "widths"),
        node("GreaterOrEqual", "widths least", "is_large"),
        node("NonZero", "is_large", "large"),
        node("Squeeze", "large zero", "larges"),
        node("Gather", "kept_boxes larges", "y"),
        node("Shape", "larges", "shape"),
        node("ConstantOfShape", "shape", "zeros"),
        node("Add", "zeros larges_", "sum"),
        node("Squeeze", "shape zero", "size"),
        node("Range", "first size step", "numbers"),
        node("Concat", "shape rest", "flat", axis=0),
        node("Reshape", "y flat", "again"),
        node("Flatten", "y", "flattened", axis=1),
    ]
    nodes.insert(9, node("Cast", "larges", "larges_", to=TensorProto.FLOAT))
    constants = {"least": np.array(0.8, np.float32), "rest": np.array([-1])}
    proto = detector(nodes, "y sum numbers again flattened", **constants)
    check(proto, {"scores": scores.astype(np.float32), "boxes": boxes()})


@pytest.mark.parametrize("scores", SCORES, ids=["some", "most", "ties", "few"])
@pytest.mark.parametrize("ratio", [2, 0])
def test_regions_are_pooled_level_by_level(scores: Array, ratio: int):
    """Each box is read on one of two levels; what levels give is put where the box was."""
    nodes = [node("Less", "kept middle", "is_near"), node("Not", "is_near", "is_far")]
    for level, flag in (("a", "is_near"), ("b", "is_far")):
        nodes += [
            node("NonZero", flag, f"{level}_row"),
            node("Squeeze", f"{level}_row zero", f"{level}_of"),
            node("Gather", f"kept_boxes {level}_of", f"{level}_boxes"),
            node("Shape", f"{level}_of", f"{level}_shape"),
            node(
                *("ConstantOfShape", f"{level}_shape", f"{level}_images"),
                value=helper.make_tensor("", TensorProto.INT64, [1], [0]),
            ),
            node(
                *("RoiAlign", f"image_{level} {level}_boxes {level}_images", f"{level}_pooled"),
                output_height=2,
                output_width=2,
                sampling_ratio=ratio,
                spatial_scale=4.0,
            ),
            node("Concat", f"{level}_shape pooled", f"{level}_wide", axis=0),
            node("Reshape", f"{level}_of column", f"{level}_column"),
            node("Expand", f"{level}_column {level}_wide", f"{level}_places"),
        ]
    nodes += [
        node("Concat", "kept_shape pooled", "shape", axis=0),
        node("ConstantOfShape", "shape", "empty"),
        node("ScatterElements", "empty a_places a_pooled", "half", axis=0),
        node("ScatterElements", "half b_places b_pooled", "regions", axis=0),
        node("Flatten", "regions", "rows_"),
        node("MatMul", "rows_ weight", "y"),
        node("Softmax", "y", "chances", axis=-1),
    ]
    constants = {
        "middle": np.array(0.75, np.float32),
        "pooled": np.array([3, 2, 2]),
        "column": np.array([-1, 1, 1, 1]),
        "image_a": random(1, 3, 16, 16),
        "image_b": random(1, 3, 16, 16, seed=1),
        "weight": random(12, 4),
    }
    proto = detector(nodes, "regions y chances", **constants)
    check(proto, {"scores": scores.astype(np.float32), "boxes": boxes()})


@pytest.mark.parametrize("scores", SCORES, ids=["some", "most", "ties", "few"])
def test_a_branch_for_no_boxes(scores: Array):
    """As torchvision asks whether there are any: either body may be the larger one."""
    nothing = helper.make_tensor("", TensorProto.FLOAT, [0, 4], [])
    empty = helper.make_graph(
        [helper.make_node("Constant", [], ["none"], value=nothing)],
        "empty",
        [],
        [helper.make_empty_tensor_value_info("none")],
    )
    some = helper.make_graph(
        [*BEST, helper.make_node("Mul", ["best_boxes", "threshold"], ["half"])],
        "some",
        [],
        [helper.make_empty_tensor_value_info("half")],
    )
    nodes = [
        node("Size", "kept", "elements"),
        node("Equal", "elements first", "is_empty"),
        node("If", "is_empty", "y", then_branch=empty, else_branch=some),
        node("ReduceSum", "y zero", "sum"),
    ]
    proto = detector(nodes, "y sum")
    given = {"boxes": boxes()}
    check(proto, given | {"scores": scores.astype(np.float32)})
    request = compile_model(read_model(proto)).create_infer_request()
    none = request.infer(given | {"scores": np.zeros(BOXES, np.float32)})
    assert np.asarray(none[0]).shape == (0, 4)
    np.testing.assert_array_equal(none[1], np.zeros((1, 4)))


@pytest.mark.parametrize("scores", SCORES, ids=["some", "most", "ties", "few"])
def test_rows_are_padded_to_a_fixed_number(scores: Array):
    """So many elements are appended as are missing: the size of the result is known again."""
    nodes = [
        node("Reshape", "kept_boxes flat_shape", "flat"),
        node("Gather", "kept_shape first", "count", axis=0),
        node("Sub", "all count", "missing"),
        node("Mul", "missing four", "more"),
        node("Reshape", "more one", "end"),
        node("Concat", "zero end", "pads", axis=0),
        node("Pad", "flat pads other", "full"),
        node("Reshape", "full rows_of_four", "rows_of_all"),
        node("Expand", "rows_of_all whole", "y"),
        node("Concat", "end zero", "pads_in_front", axis=0),
        node("Pad", "flat pads_in_front", "z"),
        node("Slice", "boxes zero zero one", "nothing"),
        node("GatherND", "nothing rows", "no_columns"),
        node("Concat", "kept_boxes no_columns", "joined", axis=1),
    ]
    constants: dict[str, Array] = {
        "flat_shape": np.array([-1]),
        "rows_of_four": np.array([-1, 4]),
        "all": np.array(BOXES),
        "four": np.array(4),
        "other": np.array(-1, np.float32),
        "whole": np.array([1, BOXES, 4]),
    }
    proto = detector(nodes, "y z joined", **constants)
    check(proto, {"scores": scores.astype(np.float32), "boxes": boxes()})
