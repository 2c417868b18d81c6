"""SVMClassifier of the domain `ai.onnx.ml`: classifiers of two classes each that vote."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from xdsl.dialects.builtin import f32, i64
from xdsl.ir import SSAValue

from ....dialects import nn
from ....reference.arrays import Array, blob_of
from ..node import Node, Values
from ..rule_table import of_lists, rule
from .elements import converted
from .ml import rows
from .ml_margins import kernel, matrix
from .trees import label_of, labels_of, transformed

SURE = 1e-7
"""The least probability of a class beside another one, as ONNX Runtime has it."""


@rule("ai.onnx.ml.SVMClassifier")
@of_lists
def svm_classifier(node: Node) -> Values:
    """
    The label with the most votes of classifiers of two labels each, and their scores; of two labels the score and its
    opposite. With `prob_a` and `prob_b` the probabilities of all labels instead.
    """
    write, labels = node.write, labels_of(node, "classlabels_ints")
    if not (counts := node("vectors_per_class")):
        raise node.refuse("it has no support vectors; use LinearClassifier")
    if node("prob_a") and node("post_transform", "NONE") != "NONE":
        raise node.refuse("a post_transform of probabilities is not supported; leave it out")
    pairs = list(combinations(range(len(labels)), 2))
    x = kernel(node, rows(node), matrix(node.needed("support_vectors"), sum(counts)))
    weights = _weights(matrix(node.needed("coefficients"), len(labels) - 1), counts, pairs)
    scores = write(nn.MatMulOp, x, _known(node, weights), transpose_b=True)
    offsets = np.array(node.needed("rho")[: len(pairs)], np.float32)
    scores = write(nn.AddOp, scores, _known(node, offsets))
    names = write(
        nn.GatherOp,
        write.integers(*labels),
        _winner(node, scores, pairs),
        write.integer(0),
        batch_dims=0,
    )
    label = label_of(node, write(nn.SqueezeOp, names, write.integers(1)))
    if node("prob_a"):
        return [label, _probabilities(node, scores, pairs)]
    if len(pairs) == 1:
        scores = write(nn.ConcatOp, write(nn.NegativeOp, scores), scores, axis=1)
    return [label, transformed(node, scores, node("post_transform", "NONE"))]


def _known(node: Node, array: Array) -> SSAValue:
    return node.write.constant(blob_of(array.astype(np.float32)))


def _weights(coefficients: Array, counts: list[int], pairs: list[tuple[int, int]]) -> Array:
    """`[pair, support]`: a class has a row of coefficients for each other class, of which it leaves out its own."""
    spans = np.split(np.arange(sum(counts)), np.cumsum(counts)[:-1])
    weights = np.zeros((len(pairs), sum(counts)), np.float32)
    for row, (i, j) in zip(weights, pairs, strict=True):
        row[spans[i]] = coefficients[j - 1, spans[i]]
        row[spans[j]] = coefficients[i, spans[j]]
    return weights


def _winner(node: Node, scores: SSAValue, pairs: list[tuple[int, int]]) -> SSAValue:
    """`[row, 1]`: the class with the most votes, of several the first. A positive score is one for the first of two."""
    write = node.write
    first, second = (np.eye(pairs[-1][1] + 1)[list(each)] for each in zip(*pairs, strict=True))
    won = converted(node, write(nn.GreaterOp, scores, 0.0), f32)
    votes = write(nn.MatMulOp, won, _known(node, first - second))
    votes = write(nn.AddOp, votes, _known(node, second.sum(0)))
    top = {"axis": 1, "mode": "max", "sort": "value", "index_element_type": i64}
    return write.all(nn.TopKOp, votes, write.integer(1), **top)[1]


def _probabilities(node: Node, scores: SSAValue, pairs: list[tuple[int, int]]) -> SSAValue:
    """
    The p of sum 1 with the least `sum_{i != j} (r[j, i] p[i] - r[i, j] p[j])²`, where `r[i, j]` is the probability of
    `i` beside `j` (Wu, Lin, Weng, Probability Estimates for Multi-class Classification by Pairwise Coupling, 2004): the
    solution of linear equations, with one multiplier. ONNX Runtime stops near it, 0.005 / classes away.
    """
    write, size = node.write, pairs[-1][1] + 2
    place = np.zeros((len(pairs), size, size))
    base, border = np.zeros((size, size)), np.zeros((size, size))
    for number, (i, j) in enumerate(pairs):
        place[number, i, j], place[number, j, i], base[j, i] = 1, -1, 1
    border[-1, :-1] = border[:-1, -1] = 1
    a, b = (np.array(node.needed(name)[: len(pairs)]) for name in ("prob_a", "prob_b"))
    moved = write(nn.AddOp, write(nn.MultiplyOp, scores, _known(node, -a)), _known(node, -b))
    beside = write(nn.ClampOp, write(nn.SigmoidOp, moved), min=SURE, max=1 - SURE)
    flat = write(nn.MatMulOp, beside, _known(node, place.reshape(len(pairs), -1)))
    r = write(nn.AddOp, write.reshaped(flat, [-1, size, size]), _known(node, base))
    other = write(nn.TransposeOp, r, write.integers(0, 2, 1))
    squares = write(nn.ReduceSumOp, write(nn.MultiplyOp, r, r), write.integers(1), keep_dims=True)
    system = write(
        nn.SubtractOp,
        write(nn.MultiplyOp, squares, _known(node, np.eye(size))),
        write(nn.MultiplyOp, r, other),
    )
    solved = write(nn.InverseOp, write(nn.AddOp, system, _known(node, border)))
    classes = write.slice(write.slice(solved, 0, size - 1, 1), size - 1, size, 2)
    return write(nn.SqueezeOp, classes, write.integers(2))
