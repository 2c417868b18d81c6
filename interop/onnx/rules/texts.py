"""TfIdfVectorizer: counts how often n-grams of a pool occur in a text, whose words are numbers."""

from __future__ import annotations

from functools import reduce

import numpy as np
from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue

from ....dialects import nn
from ....dialects.inferred import shape_of, tensor
from ....reference.arrays import Array, blob_of, dtype_of
from ..node import Node, Values
from ..rule_table import of_lists, rule
from .elements import converted

WHOLE = 2**31 - 1
"""A stop behind all words."""


@rule("TfIdfVectorizer")
@of_lists
def tf_idf_vectorizer(node: Node) -> Values:
    """Counts (`TF`), whether there are any (`IDF`), or counts (`TFIDF`); the latter two times weights."""
    write, x, rank = node.write, node[0], node.rank()
    if node("pool_int64s") is None:
        raise node.refuse("its pool holds strings; use pool_int64s")
    if rank == 1:
        x = write(nn.UnsqueezeOp, x, write.integers(0))
    least, most = node.needed("min_gram_length"), node.needed("max_gram_length")
    places, mode, weights = node.needed("ngram_indexes"), node.needed("mode"), node("weights")
    total = write.constant(blob_of(np.zeros((1, max(places) + 1), np.float32)))
    for grams in _pool(node):
        own, places = places[: len(grams)], places[len(grams) :]
        if least <= grams.shape[1] <= most:
            columns = np.zeros((len(grams), shape_of(total)[1]), np.float32)
            columns[np.arange(len(grams)), own] = 1
            counts = write(nn.MatMulOp, _counts(node, x, grams), write.constant(blob_of(columns)))
            total = write(nn.AddOp, total, counts)
    if mode == "IDF":
        total = converted(node, write(nn.GreaterOp, total, 0.0), f32)
    if mode != "TF" and weights:
        total = write(nn.MultiplyOp, total, write.constant(blob_of(np.array(weights, np.float32))))
    return write(nn.SqueezeOp, total, write.integers(0)) if rank == 1 else total


def _pool(node: Node) -> list[Array]:
    """The n-grams `[n-gram, word]`, by length."""
    words, starts = np.array(node.needed("pool_int64s")), node.needed("ngram_counts")
    parts = list(enumerate(np.split(words, starts[1:]), 1))
    if any(part.size % size for size, part in parts) or sum(
        part.size // size for size, part in parts
    ) != len(node.needed("ngram_indexes")):
        raise node.refuse("its pool has other n-grams than places for them; export the model again")
    return [part.reshape(-1, size) for size, part in parts if part.size]


def _counts(node: Node, x: SSAValue, grams: Array) -> SSAValue:
    """How often each n-gram is in each text. Up to `max_skip_count` words may be skipped between two of its words."""
    size = grams.shape[1]
    skips = node.needed("max_skip_count") if size > 1 else 0
    counts = [_counts_apart(node, x, grams, step) for step in range(1, skips + 2)]
    return reduce(lambda a, b: node.write(nn.AddOp, a, b), counts)


def _counts_apart(node: Node, x: SSAValue, grams: Array, step: int) -> SSAValue:
    """The same for words at one distance: `[text, place, n-gram]` says where an n-gram begins."""
    write, size, element = node.write, grams.shape[1], tensor(x).element_type
    found: SSAValue | None = None
    for i in range(size):
        stop = -(size - 1 - i) * step or WHOLE
        words = write(nn.UnsqueezeOp, write.slice(x, i * step, stop, 1), write.integers(2))
        wanted = write.constant(blob_of(grams[:, i].astype(dtype_of(element)), element))
        same = write(nn.EqualOp, words, wanted)
        found = same if found is None else write(nn.LogicalAndOp, found, same)
    assert found is not None
    return write(nn.ReduceSumOp, converted(node, found, f32), write.integers(1))
