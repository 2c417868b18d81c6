"""Operations that move elements, or select them by index."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import openvino.opset15 as opset

from .case import FLOATS, INTEGERS, Array, Case, Draw

TYPES = (*FLOATS, *INTEGERS, bool)


def some(draw: Draw, low: int = 0, high: int = 6) -> Array:
    return draw.array(draw.one(*TYPES), *draw.shape(low, high))


def indices(draw: Draw, size: int, *shape: int) -> Array:
    """Of elements along a dimension, negative ones included."""
    kind = draw.one(np.int32, np.int64)
    if not size:
        return np.zeros((0,), kind)
    return draw.integers(-size if draw.flag() else 0, size - 1, *shape, dtype=kind)


def transpose(draw: Draw) -> Case:
    x = some(draw)
    order = np.array(draw.random.permutation(x.ndim), np.int64)
    return Case("transpose", [x, order], opset.transpose, (1,))


def reshape(draw: Draw) -> Case:
    x = some(draw)
    to = np.array(draw.reshaped(x), np.int64)
    return Case("reshape", [x, to], lambda x, s: opset.reshape(x, s, False), (1,))


def squeezed(draw: Draw) -> Case:
    x = some(draw, 0, 5)
    axes = draw.axes(x.ndim + 2)[:2]
    axes = np.array([*{a % (x.ndim + len(axes)): a for a in axes}.values()], np.int64)
    wide = np.expand_dims(x, tuple(a % (x.ndim + len(axes)) for a in axes))
    if draw.flag():
        given = np.array([a % wide.ndim for a in axes], np.int64)
        return Case("unsqueeze", [x, given], opset.unsqueeze, (1,))
    given = np.array([a % wide.ndim for a in axes], np.int64)
    return Case("squeeze", [wide, given], opset.squeeze, (1,), resizes=False)


def concat(draw: Draw) -> Case:
    x = some(draw, 1, 5)
    axis = draw.axis(x.ndim)
    others = [x]
    for _ in range(draw.number(0, 3)):
        shape = list(x.shape)
        shape[axis] = draw.number(0 if draw.empty else 1, 9)
        others.append(draw.array(x.dtype, *shape))
    return Case("concat", others, lambda *x: opset.concat(list(x), axis))


def split(draw: Draw) -> Case:
    x = some(draw, 1, 5)
    axis = draw.axis(x.ndim)
    size = x.shape[axis]
    where = np.array(axis, np.int64)
    if draw.flag():
        count = draw.one(*[d for d in range(1, size + 1) if size % d == 0] or [1])
        return Case("split", [x, where], lambda x, a: opset.split(x, a, count), (1,))
    lengths = np.diff([0, *sorted(draw.number(0, size) for _ in range(draw.number(0, 3))), size])
    if draw.flag(0.3):
        lengths[draw.number(0, len(lengths) - 1)] = -1
    given = [x, where, lengths.astype(np.int64)]
    name = f"variadic_split {lengths}"
    return Case(name, given, opset.variadic_split, (1, 2), resizes=False)


def sliced(draw: Draw) -> Case:
    x = some(draw, 1, 5)
    axes = [a % x.ndim for a in draw.axes(x.ndim, 1)]
    steps = [draw.one(1, 1, 2, 3, -1, -2) for _ in axes]
    ends = [[draw.number(-x.shape[a] - 2, x.shape[a] + 2) for a in axes] for _ in range(2)]
    given = [np.array(v, np.int64) for v in (*ends, steps, axes)]
    fixed = (1, 2, 3, 4) if draw.flag(0.7) else (3, 4)
    return Case(f"slice {ends} {steps} {axes}", [x, *given], opset.slice, fixed)


def strided_slice(draw: Draw) -> Case:
    x = some(draw, 1, 5)
    count = draw.number(1, x.ndim)
    steps = [draw.one(1, 1, 1, 2, -1) for _ in range(count)]
    masks = [[int(draw.flag(0.2)) for _ in range(count)] for _ in range(5)]
    if draw.flag():
        masks[2:] = [[0] * count] * 3
    if sum(masks[4]) > 1:
        masks[4] = [0] * count
    masks[3] = [s and not n for s, n in zip(masks[3], masks[2], strict=False)]
    masks[3:4] = [[int(v) for v in masks[3]]]
    masks[0] = [int(b and not s) for b, s in zip(masks[0], masks[3], strict=True)]
    begin = [
        draw.number(-x.shape[i], x.shape[i] - (x.shape[i] and masks[3][i])) for i in range(count)
    ]
    end = [draw.number(-x.shape[i], x.shape[i] + 2) for i in range(count)]
    given = [np.array(v, np.int64) for v in (begin, end, steps)]
    return Case(
        f"strided_slice {begin} {end} {steps} {masks}",
        [x, *given],
        lambda *v: opset.strided_slice(*v, *masks),
        (1, 2, 3),
    )


def pad(draw: Draw) -> Case:
    mode = draw.one("constant", "edge", "reflect", "symmetric")
    x = some(draw, 1, 5)
    if x.dtype == bool:
        x = x.astype(np.int32)
    most = [s - (mode == "reflect") if mode in ("reflect", "symmetric") else 3 for s in x.shape]
    low, high = ([draw.number(0, max(0, min(3, m))) for m in most] for _ in range(2))
    if mode == "constant" and draw.flag(0.3):
        low[0] = -min(1, max(x.shape[0] - 1, 0))
    value = np.nan_to_num(draw.array(x.dtype))  # OpenVINO takes 0 for NaN, and for what follows
    given = [x, np.array(low, np.int64), np.array(high, np.int64), value]
    fixed = (1, 2) if x.dtype == np.float32 else (1, 2, 3)
    return Case(
        f"pad {mode} {low} {high}", given, lambda x, p, q, v: opset.pad(x, p, q, mode, v), fixed
    )


def tile(draw: Draw) -> Case:
    x = some(draw, 0, 4)
    times = np.array([draw.number(1, 3) for _ in range(draw.number(0, x.ndim + 1))], np.int64)
    return Case(f"tile {times}", [x, times], opset.tile, (1,))


def broadcast(draw: Draw) -> Case:
    to = draw.shape(1, 5)
    x = draw.array(draw.one(*TYPES), *draw.broadcast(to))
    if draw.flag():
        wanted = [1 if draw.flag(0.2) and to[i] else s for i, s in enumerate(to)]
        given = [x, np.array(wanted, np.int64)]
        kind = draw.one("bidirectional")
        return Case(
            f"broadcast {kind}", given, lambda x, s: opset.broadcast(x, s, None, kind), (1,)
        )
    return Case("broadcast", [x, np.array(to, np.int64)], lambda x, s: opset.broadcast(x, s), (1,))


def gather(draw: Draw) -> Case:
    x = some(draw, 1, 4)
    batch = draw.number(0, min(x.ndim - 1, 2)) if draw.flag(0.4) else 0
    axis = draw.number(batch, x.ndim - 1)
    size = x.shape[axis]
    where = indices(draw, size, *x.shape[:batch], *draw.shape(0, 2))
    if not size:
        batch = 0
    given = [x, where, np.array(axis - x.ndim * draw.flag(0.3), np.int64)]
    return Case(f"gather {axis} {batch}", given, lambda x, i, a: opset.gather(x, i, a, batch), (2,))


def gather_elements(draw: Draw) -> Case:
    x = some(draw, 1, 4)
    axis = draw.axis(x.ndim)
    shape = list(x.shape)
    shape[axis] = draw.number(1, 6)
    where = indices(draw, x.shape[axis], *shape)
    if not x.size:
        where = np.zeros((*x.shape,), np.int64)
    return Case(
        f"gather_elements {axis}", [x, where], lambda x, i: opset.gather_elements(x, i, axis)
    )


def gather_nd(draw: Draw) -> Case:
    x = draw.array(draw.one(*FLOATS, np.int32), *draw.shape(1, 4))
    batch = draw.number(0, x.ndim - 1) if draw.flag(0.4) else 0
    depth = draw.number(1, x.ndim - batch)
    lead = (*x.shape[:batch], *draw.shape(0, 2))
    columns = [
        draw.integers(-size if draw.flag(0.3) else 0, max(size - 1, 0), *lead, 1)
        for size in x.shape[batch : batch + depth]
    ]
    where = np.concatenate(columns, -1).astype(draw.one(np.int32, np.int64))
    return Case(
        f"gather_nd {batch}", [x, where], lambda x, i: opset.gather_nd(x, i, batch), resizes=False
    )


def scatter_update(draw: Draw) -> Case:
    x = draw.array(draw.one(*FLOATS, np.int32, np.int64, np.uint8), *draw.shape(1, 4))
    axis = draw.number(0, x.ndim - 1)
    size = x.shape[axis]
    count = draw.number(1, max(size, 1))
    where = draw.random.permutation(max(size, 1))[:count].astype(np.int64)
    updates = draw.array(x.dtype, *x.shape[:axis], count, *x.shape[axis + 1 :])
    return Case(
        "scatter_update",
        [x, where, updates, np.array(axis, np.int64)],
        opset.scatter_update,
        (3,),
        resizes=False,
    )


def scatter_elements(draw: Draw) -> Case:
    x = draw.array(draw.one(np.float32, np.float32, np.int32, np.int64), *draw.shape(1, 4))
    axis = draw.axis(x.ndim)
    shape = [draw.number(1, max(s, 1)) for s in x.shape]
    reduction = draw.one("none", "sum", "prod", "min", "max", "mean")
    if reduction == "none":
        shape[axis] = 1
    if not x.size:
        shape = list(x.shape)
    where = indices(draw, x.shape[axis], *shape) if x.size else np.zeros(shape, np.int64)
    updates = draw.array(x.dtype, *shape)
    uses = draw.flag(0.7)
    return Case(
        f"scatter_elements {reduction} {uses} {x.dtype}",
        [x, where, updates, np.array(axis, np.int64)],
        lambda *v: opset.scatter_elements_update(*v, reduction, uses),
        (3,),
        resizes=False,
        peer=not (draw.specials or (reduction == "mean" and x.dtype.kind == "i")),
    )


def scatter_nd(draw: Draw) -> Case:
    x = draw.array(draw.one(np.float32, np.int32, np.int64), *draw.shape(1, 4))
    depth = draw.number(1, x.ndim)
    reduction = draw.one("none", "sum", "sub", "prod", "min", "max")
    every = np.stack(np.meshgrid(*map(np.arange, x.shape[:depth]), indexing="ij"), -1).reshape(
        -1, depth
    )
    count = draw.number(1, 6)
    if reduction == "none":
        where = every[draw.random.permutation(len(every))[:count]]
    else:
        where = every[draw.integers(0, max(len(every) - 1, 0), count * bool(len(every)))]
    updates = draw.array(x.dtype, len(where), *x.shape[depth:])
    return Case(
        f"scatter_nd {reduction} {x.dtype}",
        [x, where.astype(np.int64), updates],
        lambda *v: opset.scatter_nd_update(*v, reduction),
        resizes=False,
        peer=not draw.specials,
    )


def moved(draw: Draw) -> Case:
    x = some(draw, 1, 4)
    axes = draw.axes(x.ndim, 1)
    shift = np.array([draw.number(-9, 9) for _ in axes], np.int64)
    return Case("roll", [x, shift, np.array(axes, np.int64)], opset.roll, (1, 2))


def reverse_sequence(draw: Draw) -> Case:
    x = some(draw, 2, 4)
    batch, along = (int(i) for i in draw.random.permutation(x.ndim)[:2])
    lengths = draw.integers(1, max(x.shape[along], 1), x.shape[batch], dtype=np.int32)
    return Case(
        f"reverse_sequence {batch} {along}",
        [x, lengths],
        lambda x, n: opset.reverse_sequence(x, n, batch, along),
        resizes=False,
        peer=x.dtype.kind == "f" or not draw.specials,  # OpenVINO moves integers as floats
    )


def blocks(draw: Draw) -> Case:
    spatial, block = draw.number(1, 3), draw.number(1, 3)
    mode = draw.one("blocks_first", "depth_first")
    sizes = [draw.number(1, 4) for _ in range(spatial)]
    n, c, kind = draw.number(1, 2), draw.number(1, 4), draw.one(*TYPES)
    if draw.flag():
        x = draw.array(kind, n, c * block**spatial, *sizes)
        return Case(f"depth_to_space {mode}", [x], lambda x: opset.depth_to_space(x, mode, block))
    x = draw.array(kind, n, c, *(s * block for s in sizes))
    return Case(f"space_to_depth {mode}", [x], lambda x: opset.space_to_depth(x, mode, block))


def batches(draw: Draw) -> Case:
    rank = draw.number(2, 5)
    block = [1, *(draw.number(1, 3) for _ in range(rank - 1))]
    sizes = [draw.number(1, 4) for _ in range(rank)]
    ends = [[0, *(draw.number(0, 2) for _ in range(rank - 1))] for _ in range(2)]
    kind = draw.one(np.float32, np.float16, np.int32, np.int64, np.uint8)
    given = [np.array(v, np.int64) for v in (block, *ends)]
    if draw.flag():
        room = [s * b for s, b in zip(sizes, block, strict=False)]
        low = [min(ends[0][i], room[i] - 1) for i in range(rank)]
        high = [min(ends[1][i], room[i] - 1 - low[i]) for i in range(rank)]
        given[1:] = [np.array(low, np.int64), np.array(high, np.int64)]
        x = draw.array(kind, sizes[0] * math.prod(block), *sizes[1:])
        return Case("batch_to_space", [x, *given], opset.batch_to_space, (1, 2, 3))
    shape = [s * b - low - high for s, b, low, high in zip(sizes, block, *ends, strict=True)]
    shape = [s + b * 4 if s <= 0 else s for s, b in zip(shape, block, strict=False)]
    return Case(
        "space_to_batch",
        [draw.array(kind, *shape), *given],
        opset.space_to_batch,
        (1, 2, 3),
        peer=False,  # OpenVINO does not write all of the padding
    )


def channels(draw: Draw) -> Case:
    group, rank = draw.number(1, 4), draw.number(2, 5)
    axis = draw.number(0, rank - 1)
    shape = [draw.number(1, 4) for _ in range(rank)]
    shape[axis] *= group
    x = draw.array(draw.one(*FLOATS, np.int32, np.uint8), *shape)
    return Case(
        "shuffle_channels", [x], lambda x: opset.shuffle_channels(x, axis - rank * 0, group)
    )


def made(draw: Draw) -> Case:
    kind: Any = draw.one(np.int32, np.int64, np.float32)
    if draw.flag():
        depth, axis_rank = draw.number(1, 9), draw.shape(0, 3)
        where = draw.integers(-1, depth, *axis_rank, dtype=draw.one(np.int32, np.int64))
        axis = draw.number(-where.ndim - 1, where.ndim)
        values = [draw.array(kind), draw.array(kind)]
        return Case(
            f"one_hot {axis}",
            [where, np.array(depth, np.int64), *values],
            lambda i, d, on, off: opset.one_hot(i, d, on, off, axis),
            (1,),
        )
    x = draw.array(kind, *draw.shape(1, 4))
    names = ("non_zero", "unique")
    name = draw.one(*names)
    if name == "non_zero":
        return Case(name, [x], lambda x: opset.non_zero(x, draw.one("i64", "i32")))
    rounded = np.round(np.nan_to_num(x, posinf=5, neginf=-5)).astype(kind) % 3
    return Case(name, [rounded], lambda x: opset.unique(x, None, True, "i64", "i64"))


FAMILY = (
    transpose,
    reshape,
    squeezed,
    concat,
    split,
    sliced,
    strided_slice,
    pad,
    tile,
    broadcast,
    gather,
    gather_elements,
    gather_nd,
    scatter_update,
    scatter_elements,
    scatter_nd,
    moved,
    reverse_sequence,
    blocks,
    batches,
    channels,
    made,
)
