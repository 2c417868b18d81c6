"""The nodes of an ensemble of trees, however an operator of `ai.onnx.ml` lists them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ....dialects import nn
from ....dialects.inferred import InferredOp
from ....reference.arrays import Array

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
