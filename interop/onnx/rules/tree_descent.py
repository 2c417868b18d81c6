"""
The votes of an ensemble of trees. All trees of all rows take one step at a time, from their roots to their leaves, by
lookups in tables of the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, f32, f64, i32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import InferredOp, shape_of, spelled, tensor
from ....reference.arrays import Array, blob_of
from ..node import Node
from .elements import converted
from .tree_nodes import COMPARISONS, MEMBER, MODES, Trees

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


def votes_of(
    node: Node, trees: Trees, how: str, of_votes: type[np.floating[Any]] = np.float32
) -> SSAValue:
    """The votes of all trees for each row of the input, `[row, target]`, combined as `how` says, in type `of_votes`."""
    write, kind = node.write, f64 if trees.values.dtype == np.float64 else f32
    x = converted(node, node[0], f64 if node.element() == f64 else kind)
    _check_features(trees, x)
    tables = NodeTables.of(
        trees, np.dtype(np.float64 if tensor(x).element_type == f64 else np.float32)
    )
    descent = Descent(node, x, tables)
    leaves = descent.leaves()
    reduction, nothing = REDUCTIONS[how]
    voted = np.where(np.isnan(trees.votes), nothing, trees.votes)
    votes = voted.astype(of_votes)[tables.nodes]
    targets = trees.targets if how in ("SUM", "AVERAGE") else None
    if targets is not None and np.isfinite(votes).all():  # infinity times 0 is no number
        count = len(tables.order)
        shares = np.zeros((count, votes.shape[1]), of_votes)
        shares[np.arange(count), targets[tables.order]] = 1 if how == "SUM" else 1 / count
        return write(nn.MatMulOp, descent.of_nodes(votes.sum(1), leaves), descent.constant(shares))
    return write(reduction, descent.of_nodes(votes, leaves), write.integers(1))


def _check_features(trees: Trees, x: SSAValue) -> None:
    """Raises ValueError where a node asks for a feature that rows do not have."""
    shape, features = shape_of(x), _features(trees)
    for each in (int(features.min()), int(features.max())):
        if each < 0 or len(shape) != 2 or each >= shape[1] != DYNAMIC_INDEX:
            raise ValueError(f"feature {each} of an input of shape {spelled(shape)}")


def _features(trees: Trees) -> Array:
    """The feature that each node asks for; of leaves any that there is."""
    return np.where(trees.are_leaves, 0, trees.features)


@dataclass(frozen=True)
class NodeTables:
    """
    What is looked up of a node by its place. The roots have the first places, those of trees with longer paths before
    others. Behind them lie both children of each node side by side, the second one for rows that meet its condition.
    """

    order: Array
    """The trees, in the order of their roots' places."""
    depths: Array
    """The longest path of each of these trees, in steps."""
    nodes: Array
    """The node at each place."""
    limits: Array
    """What a feature is compared with. Leaves have NaN: no comparison but != holds, so that they lead to themselves."""
    members: Array
    """`[place, member]`: the sets, filled up with NaN."""
    modes: Array
    asked: list[int]
    """All modes of nodes, sorted."""
    packed: Array
    """The place of the first child, and in the bits below whether its feature may be missing, and the feature."""
    bits: int
    """The number of bits of `packed` that tell the feature."""
    may_be_missing: bool
    """Whether a missing feature meets a node's condition anywhere."""

    @classmethod
    def of(cls, trees: Trees, dtype: np.dtype[np.floating]) -> NodeTables:
        """The tables of trees, with limits of this type."""
        order, inner = np.argsort(-trees.depths, kind="stable"), ~trees.are_leaves
        nodes = np.concatenate([trees.roots[order], trees.children[inner].reshape(-1)])
        children = len(order) + 2 * (np.cumsum(inner) - 1)[nodes]
        children = np.where(inner[nodes], children, np.arange(len(nodes)))
        modes = set(trees.modes[inner].tolist())
        mode_of_leaves = min(modes - {MODES["BRANCH_NEQ"]}, default=0)
        features, are_missing_true = _features(trees), trees.are_missing_true & inner
        bits = int(features.max()).bit_length()
        below = are_missing_true.astype(np.int64) << bits | features
        packed = children << bits + 1 | below[nodes]
        return cls(
            order,
            trees.depths[order],
            nodes,
            np.where(inner, trees.values.astype(dtype), np.nan).astype(dtype)[nodes],
            trees.members.astype(dtype)[nodes],
            np.where(inner, trees.modes, mode_of_leaves)[nodes],
            sorted({*modes, mode_of_leaves}),
            packed.astype(np.int32 if packed.max() <= np.iinfo(np.int32).max else np.int64),
            bits,
            bool(are_missing_true.any()),
        )

    @cached_property
    def words(self) -> Array | None:
        """Limits above `packed` in words of 64 bits, which one lookup finds; None where one has more than 32 bits."""
        if self.packed.dtype != np.int32 or self.limits.dtype != np.float32:
            return None
        return self.limits.view(np.int32).astype(np.int64) << 32 | self.packed


@dataclass(frozen=True)
class Descent:
    """Writes the steps of all trees on all rows of x, `[row, feature]`. Places of nodes are `[row, tree]`."""

    node: Node
    x: SSAValue
    tables: NodeTables

    def constant(self, array: Array) -> SSAValue:
        return self.node.write.constant(blob_of(array))

    def of_nodes(self, array: Array, places: SSAValue) -> SSAValue:
        """What a table holds for the nodes at these places."""
        write = self.node.write
        return write(nn.GatherOp, self.constant(array), places, write.integer(0), batch_dims=0)

    def leaves(self) -> SSAValue:
        """The places of the leaves that rows come to. Trees whose paths are shorter are left out of the last steps."""
        write, tables = self.node.write, self.tables
        count = len(tables.order)
        rows = write.slice(write(nn.ShapeOfOp, self.x), 0, 1, 0)
        shape = write(nn.ConcatOp, rows, write.integers(count), axis=0)
        roots = np.arange(count, dtype=tables.packed.dtype)
        here, at_leaves = write(nn.BroadcastOp, self.constant(roots), shape), list[SSAValue]()
        for step in range(tables.depths[0]):
            going, all_ = int((tables.depths > step).sum()), shape_of(here)[1]
            if going <= STILL_GOING * all_:
                at_leaves.append(write.slice(here, going, all_, 1))
                here = write.slice(here, 0, going, 1)
            here = self._step(here)
        return write.joined([here, *reversed(at_leaves)], 1)

    def _step(self, here: SSAValue) -> SSAValue:
        """The children that rows go to from the nodes at these places."""
        node, write, tables = self.node, self.node.write, self.tables
        found, limit = self._lookup(here)
        feature = write(nn.BitwiseAndOp, found, (1 << tables.bits) - 1)
        feature = write(nn.GatherElementsOp, self.x, feature, axis=1)
        is_met = self._is_met(here, feature, limit)
        if tables.may_be_missing:
            may_be = write(nn.NotEqualOp, write(nn.BitwiseAndOp, found, 1 << tables.bits), 0)
            missing = write(nn.LogicalAndOp, write(nn.IsNanOp, feature), may_be)
            is_met = write(nn.LogicalOrOp, is_met, missing)
        first = write(nn.BitwiseRightShiftOp, found, tables.bits + 1)
        return write(nn.AddOp, first, converted(node, is_met, tensor(found).element_type))

    def _lookup(self, here: SSAValue) -> tuple[SSAValue, SSAValue]:
        """`packed` and the limits of the nodes at these places."""
        node, write, tables = self.node, self.node.write, self.tables
        if tables.words is None:
            return self.of_nodes(tables.packed, here), self.of_nodes(tables.limits, here)
        word = self.of_nodes(tables.words, here)
        found = converted(node, write(nn.BitwiseAndOp, word, LOW_HALF), i32)
        high = converted(node, write(nn.BitwiseRightShiftOp, word, 32), i32)
        return found, write(nn.BitcastOp, high, destination_type=f32)

    def _is_met(self, here: SSAValue, feature: SSAValue, limit: SSAValue) -> SSAValue:
        """Whether features meet the conditions of the nodes at these places, each by the node's mode."""
        write, tables = self.node.write, self.tables
        first, *others = tables.asked
        is_met = self._compared(first, here, feature, limit)
        for mode in others:
            own = self._compared(mode, here, feature, limit)
            is_met = write(nn.SelectOp, self.of_nodes(tables.modes == mode, here), own, is_met)
        return is_met

    def _compared(self, mode: int, here: SSAValue, feature: SSAValue, limit: SSAValue) -> SSAValue:
        """Whether features meet the conditions of the nodes at these places if all have this mode."""
        write = self.node.write
        if mode != MEMBER:
            return write(tuple(COMPARISONS.values())[mode], feature, limit)
        each = write(nn.UnsqueezeOp, feature, write.integers(2))
        equal = write(nn.EqualOp, each, self.of_nodes(self.tables.members, here))
        return write(nn.ReduceLogicalOrOp, equal, write.integers(2))
