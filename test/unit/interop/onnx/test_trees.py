"""Ensembles of trees of `ai.onnx.ml`."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from xdsl.dialects.builtin import i64
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model
from lowstream.dialects import nn
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.test.unit.interop.onnx.graphs import FLOAT, model, runtime
from lowstream.test.unit.pairwise import each_pair

MODES = ["BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"]


def grown(random: np.random.Generator, modes: list[str], depth: int, nodes: list[Any]) -> int:
    """Numbers of nodes and what they ask, the root first; returns its number."""
    here = len(nodes)
    nodes.append(("LEAF", 0, 0.0, 0, 0))
    if depth and random.random() < 0.8:
        true, false = (grown(random, modes, depth - 1, nodes) for _ in range(2))
        value = float(random.integers(-8, 8) / 4)
        nodes[here] = (str(random.choice(modes)), int(random.integers(3)), value, true, false)
    return here


def ensemble(seed: int, modes: list[str], targets: int, votes: str) -> dict[str, Any]:
    """The attributes of trees whose leaves have a vote for each target."""
    random = np.random.default_rng(seed)
    rows: list[Any] = []
    leaves: list[Any] = []
    for tree in range(4):
        nodes: list[Any] = []
        grown(random, modes, int(random.integers(0, 5)), nodes)
        rows += [(tree, i, *each, int(random.random() < 0.5)) for i, each in enumerate(nodes)]
        ends = [i for i, each in enumerate(nodes) if each[0] == "LEAF"]
        leaves += [(tree, *each, float(random.normal())) for each in product(ends, range(targets))]
    names = (
        "treeids nodeids modes featureids values truenodeids falsenodeids missing_value_tracks_true"
    )
    return {
        **{
            f"nodes_{name}": list(of)
            for name, of in zip(names.split(), zip(*rows, strict=True), strict=True)
        },
        **{
            f"{votes}_{name}": list(of)
            for name, of in zip(
                ["treeids", "nodeids", "ids", "weights"], zip(*leaves, strict=True), strict=True
            )
        },
    }


def features() -> Any:
    x = (np.random.default_rng(5).integers(-8, 9, (7, 3)) / 4).astype(np.float32)
    x[0, 1] = np.nan
    return x


def regressor(attributes: dict[str, Any]) -> Any:
    """A model of seven rows."""
    nodes = [
        helper.make_node("TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **attributes)
    ]
    proto = model(nodes, {"x": (FLOAT, [7, 3])}, "y")
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    return proto


def check(type: str, outputs: str, **attributes: Any) -> None:
    """What ONNX Runtime gives, of any number of rows."""
    nodes = [helper.make_node(type, ["x"], outputs.split(), domain="ai.onnx.ml", **attributes)]
    proto = model(nodes, {"x": (FLOAT, ["rows", 3])}, outputs)
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    x = features()
    wanted = runtime(proto, {"x": x})
    for have, want in zip(compile_model(read_model(proto))([x]).values(), wanted, strict=True):
        assert np.asarray(have).dtype == want.dtype
        np.testing.assert_allclose(have, want, 1e-5, 1e-6)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("modes", [MODES[:1], MODES[-1:], MODES], ids=["one", "unequal", "all"])
def test_regression(seed: int, modes: list[str]):
    """Each way to a result with each choice of modes, of trees that differ."""
    base = {"base_values": [0.5, -1.0, 2.0]}
    ways: list[dict[str, Any]] = [
        {"aggregate_function": "SUM", **base},
        {"aggregate_function": "AVERAGE", **base},
        {"post_transform": "SOFTMAX"},
        {"post_transform": "LOGISTIC"},
    ]
    way = ways[(seed + len(modes)) % len(ways)]
    check("TreeEnsembleRegressor", "y", n_targets=3, **way, **ensemble(seed, modes, 3, "target"))


@pytest.mark.parametrize("how", ["SUM", "AVERAGE"])
@pytest.mark.parametrize("seed", range(3))
def test_trees_that_vote_for_one_target_each(seed: int, how: str):
    """As boosted trees of several classes do; and the nearest miss, one leaf that votes for another target."""
    trees = ensemble(seed, MODES, 1, "target")
    trees["target_ids"] = [tree % 3 for tree in trees["target_treeids"]]
    check("TreeEnsembleRegressor", "y", n_targets=4, aggregate_function=how, **trees)
    trees["target_ids"][-1] = 3
    check("TreeEnsembleRegressor", "y", n_targets=4, aggregate_function=how, **trees)
    trees["target_weights"][0] = float("inf")
    check("TreeEnsembleRegressor", "y", n_targets=4, aggregate_function=how, **trees)


def test_nodes_of_very_many_features_are_told_apart_by_64_bits():
    trees, count = ensemble(3, MODES[:1], 1, "target"), 1 << 25
    trees["nodes_featureids"] = [each * (count // 2 - 1) for each in trees["nodes_featureids"]]
    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", n_targets=1, **trees
    )
    proto = model([node], {"x": (FLOAT, [1, count])}, "y")
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    read = read_model(proto)
    taken = [op for op in read.module.walk() if isinstance(op, nn.GatherElementsOp)]
    assert {tensor(op.indices).element_type for op in taken} == {i64}
    x = np.zeros((1, count), np.float32)
    x[0, count - 2] = 1
    (wanted,) = runtime(proto, {"x": x})
    np.testing.assert_allclose(compile_model(read)([x])[0], wanted, 1e-5, 1e-6)


def test_trees_at_their_leaves_take_no_further_steps():
    """Of one tree of four steps, one leaf alone and six trees of one step, whose leaves name no feature."""
    sizes = [1, 3, 3, 9, 3, 3, 3, 3]
    ids = [(tree, i) for tree, size in enumerate(sizes) for i in range(size)]
    is_split = [i % 2 == 0 and i + 2 < sizes[tree] for tree, i in ids]
    attributes: dict[str, Any] = {
        "nodes_treeids": [tree for tree, _ in ids],
        "nodes_nodeids": [i for _, i in ids],
        "nodes_modes": ["BRANCH_LEQ" if split else "LEAF" for split in is_split],
        "nodes_featureids": [
            i // 2 % 3 if s else -1 for (_, i), s in zip(ids, is_split, strict=True)
        ],
        "nodes_values": [i / 4 - 1 for _, i in ids],
        "nodes_truenodeids": [i + 1 if s else 0 for (_, i), s in zip(ids, is_split, strict=True)],
        "nodes_falsenodeids": [i + 2 if s else 0 for (_, i), s in zip(ids, is_split, strict=True)],
        "target_treeids": [tree for (tree, _), s in zip(ids, is_split, strict=True) if not s],
        "target_nodeids": [i for (_, i), s in zip(ids, is_split, strict=True) if not s],
        "target_ids": [0] * is_split.count(False),
        "target_weights": [float(i) for i in range(is_split.count(False))],
    }
    check("TreeEnsembleRegressor", "y", n_targets=1, **attributes)
    each = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **attributes
    )
    proto = model([each], {"x": (FLOAT, [7, 3])}, "y")
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    taken = [op for op in read_model(proto).module.walk() if isinstance(op, nn.GatherElementsOp)]
    assert [shape_of(op.result) for op in taken] == [(7, 8), (7, 1), (7, 1), (7, 1)]


@each_pair(seed=range(4), how=["NONE", "SOFTMAX", "LOGISTIC"], votes=["three", "positive", "any"])
def test_classification(seed: int, how: str, votes: str):
    """By three classes, and by two of which one alone has votes, positive ones or any."""
    count = 3 if votes == "three" else 1
    trees = ensemble(seed, MODES, count, "class")
    if votes == "positive":
        trees["class_weights"] = [abs(each) for each in trees["class_weights"]]
    labels = {"classlabels_int64s": [7, 9, 4][: max(count, 2)], "post_transform": how}
    check("TreeEnsembleClassifier", "label y", **labels, **trees)


SHAPE = {
    "tree_roots": [0, 3],
    "nodes_featureids": [0, 1, 2, 0],
    "nodes_truenodeids": [1, 0, 2, 3],
    "nodes_trueleafs": [0, 1, 1, 1],
    "nodes_falsenodeids": [2, 1, 0, 3],
    "nodes_falseleafs": [0, 1, 1, 1],
    "leaf_targetids": [0, 1, 0, 1],
}
"""A tree of three nodes, and one of a single node."""


def test_an_ensemble_whose_leaves_are_apart():
    """Two trees, the second a leaf alone; only the package `onnx` has it."""
    numbers = {
        "nodes_splits": np.array([3.14, 1.2, 4.2, 0], np.float32),
        "nodes_modes": np.array([0, 3, 1, 0], np.uint8),
        "leaf_weights": np.array([5.23, 12.12, -12.23, 7.21], np.float32),
    }
    tensors = {name: numpy_helper.from_array(each) for name, each in numbers.items()}
    for how in range(4):
        attributes: Any = {**tensors, **SHAPE, "n_targets": 2, "aggregate_function": how}
        nodes = [helper.make_node("TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", **attributes)]
        proto = model(nodes, {"x": (FLOAT, [7, 3])}, "y")
        proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 5))
        wanted: Any
        (wanted,) = ReferenceEvaluator(proto).run(None, {"x": features()})
        np.testing.assert_allclose(
            compile_model(read_model(proto))([features()])["y"], wanted, 1e-6
        )


@pytest.mark.parametrize(("element", "dtype"), [(10, np.float16), (11, np.float64)])
def test_an_ensemble_gives_the_element_type_of_its_input(element: int, dtype: Any):
    numbers = {"nodes_splits": [3.5, 1, 4, 0], "leaf_weights": [5.1, 12.1, -12.2, 7.2]}
    tensors = {
        **{name: np.array(each, dtype) for name, each in numbers.items()},
        "nodes_modes": np.array([0, 3, 1, 0], np.uint8),
    }
    attributes: Any = {name: numpy_helper.from_array(each) for name, each in tensors.items()}
    nodes = [
        helper.make_node(
            "TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", n_targets=2, **SHAPE, **attributes
        )
    ]
    x = features().astype(dtype)
    proto = model(nodes, {"x": (element, x.shape)}, "y")
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 5))
    wanted: Any
    (wanted,) = ReferenceEvaluator(proto).run(None, {"x": x})
    given = compile_model(read_model(proto))([x])["y"]
    assert given.dtype == dtype
    np.testing.assert_allclose(given, wanted, 1e-12 if dtype == np.float64 else 1e-3)


def apart(members: list[float], x: Any) -> Any:
    """Trees of three and one nodes; the root of the first asks whether x is in a set, and the last, too."""
    tensors = {
        "nodes_splits": np.array([0, 1.2, 0, 0], np.float32),
        "nodes_modes": np.array([6, 3, 6, 0], np.uint8),
        "leaf_weights": np.array([5.23, 12.12, -12.23, 7.21], np.float32),
        "membership_values": np.array(members, np.float32),
    }
    attributes: Any = {
        **{name: numpy_helper.from_array(each) for name, each in tensors.items()},
        **SHAPE,
        "n_targets": 2,
    }
    nodes = [helper.make_node("TreeEnsemble", ["x"], ["y"], domain="ai.onnx.ml", **attributes)]
    proto = model(nodes, {"x": (FLOAT, x.shape)}, "y")
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 5))
    return proto


@pytest.mark.parametrize("end", [[np.nan], []], ids=["ended", "not ended"])
def test_sets_of_members(end: list[float]):
    """Of several members, and of one; nothing has to end the last set."""
    given = np.array([1.2, 3.7, 8, 9, 12, 7, 0, np.nan], np.float32)
    x = np.random.default_rng(0).choice(given, (20, 3))
    proto = apart([1.2, 3.7, 8, 9, np.nan, 7, np.nan], x)
    (wanted,) = runtime(proto, {"x": x})
    assert len(np.unique(wanted)) > 4
    given_so = read_model(apart([1.2, 3.7, 8, 9, np.nan, 7, *end], x))
    np.testing.assert_allclose(compile_model(given_so)([x])["y"], wanted, 1e-6)


@pytest.mark.parametrize("members", [[], [1, 2, 3], [1, np.nan, 2, np.nan, 3, np.nan]])
def test_other_numbers_of_sets_are_refused(members: list[float]):
    with pytest.raises(DiagnosticException, match="'y': its attributes do not fit together: "):
        read_model(apart(members, features()))


@pytest.mark.parametrize(
    ("name", "what"),
    [("tree_roots", "node -1"), ("nodes_truenodeids", "node -1"), ("leaf_targetids", "target -1")],
)
def test_negative_numbers_of_nodes_and_targets_are_refused(name: str, what: str):
    """NumPy would count them from the last one."""
    proto = apart([1, np.nan, 2], features())
    (attribute,) = (each for each in proto.graph.node[0].attribute if each.name == name)
    attribute.ints[0] = -1
    with pytest.raises(
        DiagnosticException, match=f"'y': its attributes do not fit together: {what}"
    ):
        read_model(proto)


def test_targets_without_a_vote_have_no_share():
    """SOFTMAX_ZERO; where no target has a vote, ONNX Runtime divides 0 by 0."""
    trees = ensemble(0, MODES, 3, "target")
    trees["target_weights"] = [
        0 if i % 3 == 1 else w for i, w in enumerate(trees["target_weights"])
    ]
    flags: Any = {"n_targets": 3, "post_transform": "SOFTMAX_ZERO"}
    check("TreeEnsembleRegressor", "y", **flags, **trees)
    trees["target_weights"] = [0.0] * len(trees["target_weights"])
    node = helper.make_node(
        "TreeEnsembleRegressor", ["x"], ["y"], domain="ai.onnx.ml", **flags, **trees
    )
    proto = model([node], {"x": (FLOAT, [7, 3])}, "y")
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    assert not np.asarray(compile_model(read_model(proto))([features()])["y"]).any()


def test_nodes_and_trees_are_numbered_in_any_order_and_votes_for_one_target_add_up():
    trees = ensemble(1, MODES, 2, "target")
    order = np.random.default_rng(0).permutation(len(trees["nodes_treeids"]))
    changed = {
        name: [each[i] for i in order] if name.startswith("nodes") else each * 2
        for name, each in trees.items()
    }
    for name in ("nodes_treeids", "target_treeids"):
        changed[name] = [(2**40, -3, 7, 0)[tree] for tree in changed[name]]
    once, twice = (
        compile_model(read_model(regressor(each | {"n_targets": 2})))([features()])[0]
        for each in (trees, changed)
    )
    assert np.abs(once).max() > 0
    np.testing.assert_allclose(twice, 2 * once, 1e-5, 1e-6)


def test_labels_that_are_strings_are_refused():
    trees = ensemble(0, MODES, 1, "class")
    nodes = [
        helper.make_node(
            "TreeEnsembleClassifier",
            ["x"],
            ["l", "y"],
            domain="ai.onnx.ml",
            classlabels_strings=["a", "b"],
            **trees,
        )
    ]
    proto = model(nodes, {"x": (FLOAT, [7, 3])}, "l y")
    proto.opset_import.append(helper.make_opsetid("ai.onnx.ml", 3))
    with pytest.raises(
        DiagnosticException, match="its labels are strings; train the model with numbers"
    ):
        read_model(proto)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"nodes_truenodeids": [1, 0, 0]}, "nodes that lead in a circle"),
        ({"nodes_truenodeids": [7, 2, 0]}, "tree 0 has no node 7"),
        ({"target_nodeids": [-1]}, "tree 0 has no node -1"),
        ({"target_treeids": [3]}, "tree 3 has no node 2"),
        ({"nodes_nodeids": [1, 2, 3]}, "tree 0 has no node 0"),
        ({"nodes_treeids": [0]}, "same shape"),
        ({"target_weights": [1.0, 2.0]}, "lists of different lengths"),
        ({"target_ids": [0, 0]}, "lists of different lengths"),
        ({"nodes_modes": ["LIKE", "BRANCH_LEQ", "LEAF"]}, "'LIKE'"),
        ({"nodes_featureids": [0, 9, 0]}, r"feature 9 of an input of shape \[7, 3\]"),
        ({"nodes_featureids": [-1, 0, 0]}, r"feature -1 of an input of shape \[7, 3\]"),
        ({"nodes_values": [0.0]}, "lists of different lengths"),
        ({"target_ids": [5]}, "index 5"),
        ({"target_ids": [-1]}, "target -1"),
    ],
)
def test_trees_that_do_not_fit_together_are_refused(changed: dict[str, Any], message: str):
    trees: dict[str, Any] = {
        "nodes_treeids": [0, 0, 0],
        "nodes_nodeids": [0, 1, 2],
        "nodes_modes": ["BRANCH_LEQ", "BRANCH_LEQ", "LEAF"],
        "nodes_featureids": [0, 1, 0],
        "nodes_values": [0.0, 0.0, 0.0],
        "nodes_truenodeids": [1, 2, 0],
        "nodes_falsenodeids": [2, 2, 0],
        "target_treeids": [0],
        "target_nodeids": [2],
        "target_ids": [0],
        "target_weights": [1.0],
    }
    proto = regressor(trees | changed)
    with pytest.raises(
        DiagnosticException, match=f"Regressor 'y': its attributes do not fit together: .*{message}"
    ):
        read_model(proto)
