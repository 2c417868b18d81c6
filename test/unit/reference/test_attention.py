"""Attention averages values with the softmax of masked scores, as its equation says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

from lowstream.dialects import nn
from lowstream.dialects.nn.writer import Writer
from lowstream.reference.arrays import Array, blob_of
from lowstream.reference.executor import evaluate

ROWS, KEYS = 3, 5
UNMASKED, SCALE = np.zeros((), np.float32), np.array(0.3, np.float32)


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


QUERY, KEY, VALUE = random(4, ROWS, 8), random(2, KEYS, 8, seed=1), random(2, KEYS, 6, seed=2)


def attended(*operands: Array, **properties: Any) -> Array:
    """What the operation gives."""
    write = Writer(InsertPoint.at_end(Block()))
    constants = [write.constant(blob_of(each)) for each in operands]
    made = write(nn.ScaledDotProductAttentionOp, *constants, **properties).owner
    assert isinstance(made, nn.ScaledDotProductAttentionOp)
    return evaluate(made, operands)[0]


@pytest.mark.parametrize(
    "mask",
    [UNMASKED, random(ROWS, KEYS, seed=3), random(4, 1, KEYS) > 0.5, np.zeros((ROWS, KEYS), bool)],
    ids=["none", "numbers", "booleans", "nothing seen"],
)
def test_each_head_with_a_mask_a_scale_and_a_sink(mask: Array):
    """Two heads of queries share one of keys; a query that sees no key gives zeros, as the sink has no value."""
    sink = np.array([[[1.5]], [[-3]], [[0]], [[20]]], np.float32)
    key, value = (np.repeat(each, 2, 0).astype(np.float64) for each in (KEY, VALUE))
    scores = QUERY @ key.transpose(0, 2, 1) * SCALE
    scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    powers = np.exp(scores)
    wanted = powers / (powers.sum(-1, keepdims=True) + np.exp(sink)) @ value
    have = attended(QUERY, KEY, VALUE, mask, SCALE, sink)
    np.testing.assert_allclose(have, wanted, 1e-5, 1e-6)


def test_a_causal_one_ignores_its_mask():
    """It need not even fit."""
    have = attended(QUERY, KEY, VALUE, np.zeros((2, 7), bool), causal=True)
    earlier = np.tri(ROWS, KEYS, dtype=bool)
    np.testing.assert_array_equal(have, attended(QUERY, KEY, VALUE, earlier))
