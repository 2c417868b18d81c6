"""Rules of random models: what moves numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerAttr

from lowstream.dialects import nn
from lowstream.test.unit.lowering.graph_writer import Graph, Known, unit_of


def split(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: any(size > 1 for size in known.shape))
    if x is None:
        return []
    axis = g.one([i for i, size in enumerate(x.shape) if size > 1])
    parts = g.one([n for n in range(2, x.shape[axis] + 1) if x.shape[axis] % n == 0])
    where = g.constant(np.array(axis - g.one([0, len(x.shape)])))
    op = nn.SplitOp.of(x.value, where, num_splits=IntegerAttr(parts, 64))
    g.add(op)
    return [replace(x, value=result) for result in op.results]


def concat(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: len(known.shape) > 0 and math.prod(known.shape) <= 24)
    if x is None:
        return []
    axis = g.number(0, len(x.shape) - 1)

    def fits(y: Known) -> bool:
        return (
            y.element == x.element
            and len(y.shape) == len(x.shape)
            and all(
                m == n for i, (m, n) in enumerate(zip(x.shape, y.shape, strict=True)) if i != axis
            )
            and y.shape[axis] <= 8
        )

    parts = [x, *(g.one([y for y in g.pool if fits(y)]) for _ in range(g.number(1, 2)) if fits(x))]
    parts = parts[:: g.one([1, -1])]
    value = g.add(nn.ConcatOp.of(*(part.value for part in parts), axis=IntegerAttr(axis, 64)))
    unit = unit_of(min, *parts)
    return [x.bounded(value, max(p.bound for p in parts), unit, max(part.error for part in parts))]


def slice_(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: any(size > 1 for size in known.shape))
    if x is None:
        return []
    axis = g.one([i for i, size in enumerate(x.shape) if size > 1])
    start, stop, step = g.one([(0, -1, 1), (1, 100, 1), (0, 100, 2), (-1, -100, -1), (-1, 0, -2)])
    limits = [g.indices(n) for n in (start, stop, step, axis - g.one([0, len(x.shape)]))]
    return [replace(x, value=g.add(nn.SliceOp.of(x.value, *limits)))]


def transpose(g: Graph) -> Sequence[Known]:
    x = g.one(g.pool)
    order = g.draw(st.permutations(range(len(x.shape))))
    return [replace(x, value=g.add(nn.TransposeOp.of(x.value, g.indices(*order))))]


def reshape(g: Graph) -> Sequence[Known]:
    x = g.one(g.pool)
    size = int(math.prod(x.shape))
    front = g.one([n for n in range(1, size + 1) if size % n == 0])
    shape = g.one([(-1,), (front, -1), (1, front, -1), (size // front, 1, front)])
    return [replace(x, value=g.add(nn.ReshapeOp.of(x.value, g.indices(*shape))))]


def squeeze(g: Graph) -> Sequence[Known]:
    x = g.one(g.pool)
    return [replace(x, value=g.add(nn.SqueezeOp.of(x.value)))]


def unsqueeze(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: len(known.shape) < 4)
    if x is None:
        return []
    axis = g.number(0, len(x.shape))
    return [replace(x, value=g.add(nn.UnsqueezeOp.of(x.value, g.indices(axis))))]


def broadcast(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: math.prod(known.shape) <= 16)
    if x is None:
        return []
    lead = g.one([(), (2,)])
    target = [*lead, *(2 if size == 1 and g.chance() else size for size in x.shape)]
    return [replace(x, value=g.add(nn.BroadcastOp.of(x.value, g.indices(*target))))]
