"""Tree ensembles of `ai.onnx.ml`. All trees of all rows take one step at a time, from the roots on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, f32, f64, i32, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import InferredOp, shape_of, spelled, tensor
from ....reference.arrays import Array, array_of, blob_of
from ..node import Node, Values
from ..rule_table import of_lists, rule
from .elements import converted

COMPARISONS: dict[str, type[InferredOp]] = {
    "BRANCH_LEQ": nn.LessEqualOp,
    "BRANCH_LT": nn.LessOp,
    "BRANCH_GTE": nn.GreaterEqualOp,
    "BRANCH_GT": nn.GreaterOp,
    "BRANCH_EQ": nn.EqualOp,
    "BRANCH_NEQ": nn.NotEqualOp,
}
"""The comparison of a feature with a node's value, in the order of TreeEnsemble's numbers."""

MEMBER = len(COMPARISONS)
"""TreeEnsemble's number for nodes that test whether a feature is in a set: the next of its values, with NaN behind."""

LEAF = MEMBER + 1
MODES = {"LEAF": LEAF, **{name: number for number, name in enumerate(COMPARISONS)}}
"""The modes of nodes that are not listed apart from leaves."""

REDUCTIONS: dict[str, tuple[type[InferredOp], float]] = {
    "AVERAGE": (nn.ReduceMeanOp, 0.0),
    "SUM": (nn.ReduceSumOp, 0.0),
    "MIN": (nn.ReduceMinOp, float(np.finfo(np.float32).max)),
    "MAX": (nn.ReduceMaxOp, float(np.finfo(np.float32).min)),
}
"""
How the votes of trees are combined, in the order of TreeEnsemble's numbers, and the vote of a tree that has none for a
target.
"""


LOW_HALF = (1 << 32) - 1
"""The bits of a word of 64 that tell where a node leads; those above are the limit's."""

STILL_GOING = 0.75
"""Where at most this part of the trees goes on, those at their leaves are left out of a step; else they stay there."""


@dataclass(frozen=True)
class Trees:
    """The nodes of all trees. The successor of a leaf is itself."""

    roots: Array
    features: Array
    values: Array
    modes: Array
    children: Array
    """`[node, condition]`"""
    are_missing_true: Array
    votes: Array
    """`[node, target]`"""
    members: Array
    """`[node, member]`: the sets, filled up with NaN."""

    def __post_init__(self) -> None:
        each = (
            self.features,
            self.values,
            self.modes,
            self.are_missing_true,
            self.votes,
            self.members,
        )
        if {len(numbers) for numbers in each} != {len(self.children)}:
            raise ValueError("lists of different lengths")
        if (first := min(self.roots.min(initial=0), self.children.min(initial=0))) < 0:
            raise ValueError(f"node {first}")

    @cached_property
    def are_leaves(self) -> Array:
        return (self.children == np.arange(len(self.children))[:, None]).all(1)

    @cached_property
    def levels(self) -> list[Array]:
        """The nodes that each number of steps leads to. Raises ValueError where there is a cycle."""
        levels = [np.unique(self.roots)]
        while (inner := levels[-1][~self.are_leaves[levels[-1]]]).size:
            if len(levels) > len(self.children):
                raise ValueError("nodes that lead in a circle")
            levels.append(np.unique(self.children[inner]))
        return levels

    def of_trees(self, of_leaves: Array, join: Callable[[Array], Array]) -> Array:
        """What `join` makes of the numbers `[node, child]` of both children, and of those of leaves, for each tree."""
        of_nodes = of_leaves.copy()
        for level in reversed(self.levels):
            inner = level[~self.are_leaves[level]]
            of_nodes[inner] = join(of_nodes[self.children[inner]])
        return of_nodes[self.roots]

    @cached_property
    def depths(self) -> Array:
        """The number of steps of the longest path of each tree. Raises ValueError where there is a cycle."""
        return self.of_trees(np.zeros(len(self.children), np.int64), lambda each: 1 + each.max(1))

    @property
    def targets(self) -> Array | None:
        """The target that each tree votes for; None where a tree votes for several, or there is only one anyway."""
        count: int = self.votes.shape[1]
        if count == 1:
            return None
        voted = ~np.isnan(self.votes)
        of_least: Array = np.where(voted, np.arange(count), count).min(1)
        of_most: Array = np.where(voted, np.arange(count), -1).max(1)
        least = self.of_trees(of_least, lambda each: each.min(1))
        most = self.of_trees(of_most, lambda each: each.max(1))
        return np.maximum(most, 0) if (least >= most).all() else None


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
    total = _votes(node, trees, tuple(REDUCTIONS)[int(node("aggregate_function", 1))])
    return transformed(node, total, TRANSFORMS[int(node("post_transform", 0))])


@rule("ai.onnx.ml.TreeEnsembleRegressor")
@of_lists
def tree_ensemble_regressor(node: Node) -> Values:
    trees = _trees(node, "target", node("n_targets", 1))
    total = _based(node, _votes(node, trees, node("aggregate_function")))
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
    total = _based(node, _votes(node, trees, "SUM"))
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


def _votes(node: Node, trees: Trees, how: str) -> SSAValue:
    """The votes of all trees for each row, `[row, target]`."""
    write, kind = node.write, f64 if trees.values.dtype == np.float64 else f32
    x = converted(node, node[0], f64 if node.element() == f64 else kind)
    features = np.where(trees.are_leaves, 0, trees.features)
    shape, most = shape_of(x), int(features.max())
    for each in (int(features.min()), most):
        if each < 0 or len(shape) != 2 or each >= shape[1] != DYNAMIC_INDEX:
            raise ValueError(f"feature {each} of an input of shape {spelled(shape)}")

    def known(array: Array) -> SSAValue:
        return write.constant(blob_of(array))

    def of_nodes(array: Array, places: SSAValue) -> SSAValue:
        return write(nn.GatherOp, known(array), places, write.integer(0), batch_dims=0)

    dtype = np.float64 if tensor(x).element_type == f64 else np.float32
    values, members = trees.values.astype(dtype), trees.members.astype(dtype)
    order = np.argsort(-trees.depths, kind="stable")
    roots, depths = trees.roots[order], trees.depths[order]
    rows = write.slice(write(nn.ShapeOfOp, x), 0, 1, 0)
    shape = write(nn.ConcatOp, rows, write.integers(len(roots)), axis=0)
    # Both children of a node lie side by side in the tables, that for which its condition holds behind the other one.
    inner = ~trees.are_leaves
    nodes = np.concatenate([roots, trees.children[inner].reshape(-1)])
    children = len(roots) + 2 * (np.cumsum(inner) - 1)[nodes]
    # No comparison but != holds for NaN: a leaf leads to itself.
    children = np.where(inner[nodes], children, np.arange(len(nodes)))
    values, modes = np.where(inner, values, np.nan).astype(dtype), set(trees.modes[inner].tolist())
    mode_of_leaves = min(modes - {MODES["BRANCH_NEQ"]}, default=0)
    modes_of_nodes = np.where(inner, trees.modes, mode_of_leaves)
    # One lookup finds the first child and, in the bits below, the feature, and whether this may be missing.
    bits, are_missing_true = most.bit_length(), trees.are_missing_true & inner
    below = are_missing_true.astype(np.int64) << bits | features
    packed = children << bits + 1 | below[nodes]
    index = i32 if packed.max() <= np.iinfo(np.int32).max else i64
    integers = np.int32 if index == i32 else np.int64
    # Where both have 32 bits, it finds the limit, too.
    words: Array | None = None
    if index == i32 and dtype == np.float32:
        words = values[nodes].view(np.int32).astype(np.int64) << 32 | packed
    packed = packed.astype(integers)
    here, at_leaves = (
        write(nn.BroadcastOp, known(np.arange(len(roots), dtype=integers)), shape),
        list[SSAValue](),
    )
    for step in range(depths[0]):
        going, all_ = int((depths > step).sum()), shape_of(here)[1]
        if going <= STILL_GOING * all_:
            at_leaves.append(write.slice(here, going, all_, 1))
            here = write.slice(here, 0, going, 1)
        if words is not None:
            word = of_nodes(words, here)
            found = converted(node, write(nn.BitwiseAndOp, word, LOW_HALF), i32)
            high = converted(node, write(nn.BitwiseRightShiftOp, word, 32), i32)
            limit = write(nn.BitcastOp, high, destination_type=f32)
        else:
            found, limit = of_nodes(packed, here), of_nodes(values[nodes], here)
        feature = write(nn.BitwiseAndOp, found, (1 << bits) - 1)
        feature = write(nn.GatherElementsOp, x, feature, axis=1)
        met: SSAValue | None = None
        for mode in sorted({*modes, mode_of_leaves}):
            if mode == MEMBER:
                each = write(nn.UnsqueezeOp, feature, write.integers(2))
                equal = write(nn.EqualOp, each, of_nodes(members[nodes], here))
                own = write(nn.ReduceLogicalOrOp, equal, write.integers(2))
            else:
                own = write(tuple(COMPARISONS.values())[mode], feature, limit)
            if met is not None:
                own = write(nn.SelectOp, of_nodes((modes_of_nodes == mode)[nodes], here), own, met)
            met = own
        assert met is not None
        if are_missing_true.any():
            may_be = write(nn.NotEqualOp, write(nn.BitwiseAndOp, found, 1 << bits), 0)
            missing = write(nn.LogicalAndOp, write(nn.IsNanOp, feature), may_be)
            met = write(nn.LogicalOrOp, met, missing)
        first = write(nn.BitwiseRightShiftOp, found, bits + 1)
        here = write(nn.AddOp, first, converted(node, met, index))
    here = write.joined([here, *reversed(at_leaves)], 1)
    reduction, nothing = REDUCTIONS[how]
    given = np.where(np.isnan(trees.votes), nothing, trees.votes).astype(np.float32)[nodes]
    targets = trees.targets if how in ("SUM", "AVERAGE") else None
    if targets is not None and np.isfinite(given).all():  # infinity times 0 is no number
        shares = np.zeros((len(order), given.shape[1]), np.float32)
        shares[np.arange(len(order)), targets[order]] = 1 if how == "SUM" else 1 / len(order)
        return write(nn.MatMulOp, of_nodes(given.sum(1), here), known(shares))
    return write(reduction, of_nodes(given, here), write.integers(1))


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
