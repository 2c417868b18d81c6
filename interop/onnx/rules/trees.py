"""Ensembles of trees, of `ai.onnx.ml`."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import f64, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....reference.arrays import Array, array_of, blob_of
from ..node import Node, Values
from ..rule_table import of_lists, rule
from .elements import converted
from .tree_descent import REDUCTIONS, votes_of
from .tree_nodes import LEAF, MEMBER, MODES, Trees


@rule("ai.onnx.ml.TreeEnsemble")
@of_lists
def tree_ensemble(node: Node) -> Values:
    """Leaves are numbered separately from nodes; here, they come after these. Modes are numbers."""
    modes, splits = _numbers(node, "nodes_modes"), _numbers(node, "nodes_splits")
    weights, targets = _numbers(node, "leaf_weights"), _targets(node, "leaf_targetids")
    sides = [
        np.array(node.needed(f"nodes_{side}nodeids"))
        + len(modes) * np.array(node.needed(f"nodes_{side}leafs"))
        for side in ("false", "true")
    ]
    leaves = np.arange(len(modes), len(modes) + len(weights))
    missing = node("nodes_missing_value_tracks_true") or [0] * len(modes)
    votes = np.full((len(modes) + len(weights), node.needed("n_targets")), np.nan)
    votes[leaves, targets] = weights
    trees = Trees(
        np.array(node.needed("tree_roots")),
        np.concatenate([node.needed("nodes_featureids"), 0 * leaves]),
        np.concatenate([splits, np.zeros(len(leaves), splits.dtype)]),
        np.concatenate([modes, 0 * leaves]),
        np.stack([np.concatenate([each, leaves]) for each in sides], 1),
        np.concatenate([np.array(missing) != 0, leaves < 0]),
        votes,
        _sets(_numbers(node, "membership_values"), modes == MEMBER, len(modes) + len(weights)),
    )
    wide = np.float64 if node.element() == f64 else np.float32
    total = votes_of(node, trees, tuple(REDUCTIONS)[int(node("aggregate_function", 1))], wide)
    votes = transformed(node, total, TRANSFORMS[int(node("post_transform", 0))])
    return converted(node, votes, node.element())


@rule("ai.onnx.ml.TreeEnsembleRegressor")
@of_lists
def tree_ensemble_regressor(node: Node) -> Values:
    trees = _trees(node, "target", node("n_targets", 1))
    total = _based(node, votes_of(node, trees, node("aggregate_function")))
    return transformed(node, total, node("post_transform"))


@rule("ai.onnx.ml.TreeEnsembleClassifier")
@of_lists
def tree_ensemble_classifier(node: Node) -> Values:
    """
    The label with the most votes, and all votes. If only one of two classes has votes, the other one gets 1 minus these
    if no vote is negative, else their opposite, as for a logistic function; only that is applied then.
    """
    labels, write = labels_of(node, "classlabels_int64s"), node.write
    trees, transform = _trees(node, "class", len(labels)), node("post_transform")
    total = _based(node, votes_of(node, trees, "SUM"))
    only = set(node.needed("class_ids"))
    if len(labels) == 2 and len(only) == 1:
        second = write.slice(total, *((i := only.pop()), i + 1), 1)
        are_shares = bool((_numbers(node, "class_weights") >= 0).all())
        is_logistic = transform == "LOGISTIC"
        rest = 1.0 if are_shares and not is_logistic else 0.0
        first = write(nn.SubtractOp, rest, second)
        limit = 0.5 if are_shares else 0.0
        which = converted(node, write(nn.GreaterOp, second, limit), i64)
        total = write(nn.ConcatOp, first, second, axis=1)
        transform = "LOGISTIC" if is_logistic else "NONE"
    else:
        one = write.integer(1)
        which = write.all(
            nn.TopKOp, total, one, axis=1, mode="max", sort="value", index_element_type=i64
        )[1]
    names = write(nn.GatherOp, write.integers(*labels), which, write.integer(0), batch_dims=0)
    return [
        label_of(node, write(nn.SqueezeOp, names, write.integers(1))),
        transformed(node, total, transform),
    ]


def labels_of(node: Node, integers: str) -> list[int]:
    """The labels, numbers in the attribute `integers`. Strings are numbered where nothing reads which one it is."""
    if labels := node(integers):
        return labels
    if not (strings := node("classlabels_strings")):
        raise node.refuse(f"it has no labels; give it {integers}")
    if node.scope.readers(node.outputs[0]):
        raise node.refuse(
            "its labels are strings; train the model with numbers as labels, or take the scores alone as the output "
            "(onnx.utils.extract_model)"
        )
    return list(range(len(strings)))


def label_of(node: Node, label: SSAValue) -> SSAValue | None:
    """The label that a classifier gives: nothing where labels are strings."""
    return None if node("classlabels_strings") else label


def _trees(node: Node, votes: str, targets: int) -> Trees:
    """The nodes of each tree are numbered from 0. Leaves are nodes, and have any number of votes."""
    ids, voters = (
        np.stack([np.array(node.needed(f"{of}_{each}ids"), np.int64) for each in ("tree", "node")])
        for of in ("nodes", votes)
    )
    (kinds, own), (numbers, row) = (np.unique(each, return_inverse=True) for each in ids)
    codes = own * len(numbers) + row
    order = np.argsort(codes, kind="stable")

    def rows(trees: Array, nodes: Array) -> Array:
        """The places in the list of the nodes with these numbers, of these trees."""
        places = [np.searchsorted(of, each) for of, each in ((kinds, trees), (numbers, nodes))]
        found = np.searchsorted(codes, places[0] * len(numbers) + places[1], "right", order) - 1
        have = order[found]
        for wrong in np.flatnonzero((ids[0][have] != trees) | (ids[1][have] != nodes)):
            raise LookupError(f"tree {trees[wrong]} has no node {nodes[wrong]}")
        return have

    modes = [MODES[mode] for mode in node.needed("nodes_modes")]
    are_leaves, children = np.array(modes) == LEAF, np.stack([np.arange(len(modes))] * 2, 1)
    for side, name in enumerate(("false", "true")):
        below = np.array(node.needed(f"nodes_{name}nodeids"), np.int64)
        children[~are_leaves, side] = rows(ids[0][~are_leaves], below[~are_leaves])
    places = rows(*voters), _targets(node, f"{votes}_ids")
    weights = _numbers(node, f"{votes}_weights")
    if len({len(weights), *map(len, places)}) > 1:
        raise ValueError("lists of different lengths")
    table = np.full((len(modes), targets), np.nan)
    table[places] = 0
    np.add.at(table, places, weights)
    first = np.sort(np.unique(ids[0], return_index=True)[1])
    return Trees(
        rows(ids[0][first], np.zeros(len(first), np.int64)),
        np.array(node.needed("nodes_featureids")),
        _numbers(node, "nodes_values"),
        np.where(are_leaves, 0, modes),
        children,
        np.array(node("nodes_missing_value_tracks_true") or [0] * len(modes)) != 0,
        table,
        np.full((len(modes), 1), np.nan),
    )


def _targets(node: Node, name: str) -> Array:
    """What leaves vote for. Raises ValueError for a negative target, which NumPy would count from the last one."""
    targets = np.array(node.needed(name), np.int64)
    if (least := targets.min(initial=0)) < 0:
        raise ValueError(f"target {least}")
    return targets


def _sets(values: Array, have_set: Array, count: int) -> Array:
    """A row for each of so many nodes: the members of its set, which NaN ends, for those that have one."""
    sets = [each[~np.isnan(each)] for each in np.split(values, np.flatnonzero(np.isnan(values)))]
    if values.size and np.isnan(values[-1]):
        sets.pop()
    (places,) = np.nonzero(have_set)
    members = np.full((count, max(map(len, sets), default=1)), np.nan, values.dtype)
    for place, each in zip(places, sets if places.size else (), strict=True):
        members[place, : len(each)] = each
    return members


def _numbers(node: Node, name: str) -> Array:
    """An attribute that is a tensor, or a list."""
    value: Any = node(f"{name}_as_tensor", node(name))
    if value is None or isinstance(value, list):
        return np.array(value or [], np.float32)
    blob = nn.constant_of(node.scope.constant(value, ""))
    assert blob is not None
    return array_of(blob)


def _based(node: Node, total: SSAValue) -> SSAValue:
    """Votes, with the base values added."""
    base = _numbers(node, "base_values")
    if not base.size:
        return total
    return node.write(nn.AddOp, total, node.write.constant(blob_of(base.astype(np.float32))))


TRANSFORMS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")
"""Functions that are applied to votes, in the order of TreeEnsemble's numbers."""


NO_VOTE = 1e-7
"""The greatest magnitude of a vote that SOFTMAX_ZERO takes for 0, as ONNX Runtime has it."""


def transformed(node: Node, votes: SSAValue, how: str) -> SSAValue:
    """Applies the function `how` to votes. Raises DiagnosticException for one that is not supported."""
    match how:
        case "NONE":
            return votes
        case "SOFTMAX":
            return node.write(nn.SoftmaxOp, votes, axis=1)
        case "LOGISTIC":
            return node.write(nn.SigmoidOp, votes)
        case "SOFTMAX_ZERO":
            return _softmax_of_others(node, votes)
        case _:
            raise node.refuse(
                f"post_transform '{how}' is not supported; use {', '.join(TRANSFORMS[:-1])}"
            )


def _softmax_of_others(node: Node, votes: SSAValue) -> SSAValue:
    """The softmax of those votes of a row that are not 0, and 0 for the others."""
    write, axis = node.write, node.write.integers(1)
    is_zero = write(nn.LessEqualOp, write(nn.AbsOp, votes), NO_VOTE)
    most = write(nn.ReduceMaxOp, votes, axis, keep_dims=True)
    powers = write(nn.ExpOp, write(nn.SubtractOp, votes, most))
    powers = write(nn.SelectOp, is_zero, write.scalar_like(votes, 0), powers)
    total = write(nn.ReduceSumOp, powers, axis, keep_dims=True)
    total = write(nn.SelectOp, write(nn.EqualOp, total, 0.0), write.scalar_like(votes, 1), total)
    return write(nn.DivideOp, powers, total)
