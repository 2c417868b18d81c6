"""Operators that move elements, select them, or tell shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lowstream.test.fuzz.operations.case import FLOATS, INTEGERS, Array, Draw

from .case import OnnxCase

TYPES = (*FLOATS, *INTEGERS, bool)


def some(draw: Draw, low: int = 0, high: int = 5) -> Array:
    return draw.array(draw.one(*TYPES), *draw.shape(low, high))


def _whole(*values: Any) -> Array:
    return np.array(values, np.int64)


def shapes(draw: Draw) -> OnnxCase:
    x = some(draw)
    match draw.number(0 if x.ndim else 1, 6):
        case 0:
            order = [int(i) for i in draw.random.permutation(x.ndim)]
            return OnnxCase("Transpose", {"data": x}, {"perm": order} if draw.flag(0.7) else {})
        case 1:
            axis = draw.number(-x.ndim, x.ndim)
            return OnnxCase("Flatten", {"input": x}, {"axis": axis}, least=7 if axis >= 0 else 11)
        case 2:
            attributes = {"start": draw.number(-6, 6), "end": draw.number(-6, 6)}
            return OnnxCase("Shape", {"data": x}, attributes if draw.flag() else {})
        case 3:
            return OnnxCase("Size", {"data": x})
        case 4:
            return OnnxCase("Reshape", {"data": x, "shape": _target(draw, x)}, fixed=("shape",))
        case 5:
            axes = [a % (x.ndim + 2) for a in draw.axes(x.ndim + 2)[:2]]
            wide = np.expand_dims(x, tuple(a % (x.ndim + len(axes)) for a in dict.fromkeys(axes)))
            found = _whole(*[i for i in range(wide.ndim) if wide.shape[i] == 1 and draw.flag()])
            given = None if draw.flag(0.2) else found - wide.ndim * draw.one(0, 1)
            least = 11 if given is not None and (given < 0).any() else 7
            return OnnxCase("Squeeze", {"data": wide, "axes": given}, fixed=("axes",), least=least)
        case _:
            count = draw.number(1, 2)
            axes = draw.random.permutation(x.ndim + count)[:count] - (x.ndim + count) * draw.one(
                0, 1
            )
            given = {"data": x, "axes": axes.astype(np.int64)}
            return OnnxCase("Unsqueeze", given, fixed=("axes",), least=7 if axes.min() >= 0 else 11)


def _target(draw: Draw, x: Array) -> Array:
    to = draw.reshaped(x)
    if x.size and to[0] == (x.shape or (None,))[0] and draw.flag():
        to[0] = 0
    return _whole(*to)


def concat(draw: Draw) -> OnnxCase:
    x = some(draw, 1)
    axis = draw.axis(x.ndim)
    others = [x]
    for _ in range(draw.number(0, 3)):
        shape = list(x.shape)
        shape[axis] = draw.number(0 if draw.empty else 1, 9)
        others.append(draw.array(x.dtype, *shape))
    given = {f"x{i}": array for i, array in enumerate(others)}
    return OnnxCase("Concat", given, {"axis": axis}, least=7 if axis >= 0 else 11)


def split(draw: Draw) -> OnnxCase:
    x = some(draw, 1)
    axis = draw.axis(x.ndim)
    size = x.shape[axis]
    if draw.flag(0.4):
        count = draw.number(1, max(1, min(4, size)))
        attributes = {"axis": axis, "num_outputs": count}
        return OnnxCase("Split", {"input": x}, attributes, count, least=18)
    lengths = np.diff([0, *sorted(draw.number(0, size) for _ in range(draw.number(0, 3))), size])
    given = {"input": x, "split": lengths.astype(np.int64)}
    return OnnxCase("Split", given, {"axis": axis}, len(lengths), ("split",), least=11)


def sliced(draw: Draw) -> OnnxCase:
    x = some(draw, 1)
    axes = [a % x.ndim for a in draw.axes(x.ndim, 1)]
    ends = [[draw.number(-x.shape[a] - 2, x.shape[a] + 2) for a in axes] for _ in range(2)]
    if draw.flag(0.2):
        ends[1][0] = draw.one(2**31 - 1, 2**63 - 1, -(2**63), -(2**31))
    steps = [draw.one(1, 1, 2, 3, -1, -2) for _ in axes]
    given = {
        "data": x,
        "starts": _whole(*ends[0]),
        "ends": _whole(*ends[1]),
        "axes": _whole(*(a - x.ndim * draw.one(0, 1) for a in axes)),
    }
    given |= {"steps": _whole(*steps)} if draw.flag(0.7) else {}
    fixed = ("starts", "ends", "axes", "steps") if draw.flag(0.8) else ("axes", "steps")
    return OnnxCase("Slice", given, fixed=fixed, least=10)


def pad(draw: Draw) -> OnnxCase:
    x = draw.array(draw.one(*FLOATS, np.int32, np.int64, np.int8, np.uint8), *draw.shape(1, 5))
    mode: str = draw.one("constant", "constant", "edge", "reflect", "wrap")
    most = [s - 1 if mode == "reflect" else min(s, 3) if mode != "constant" else 3 for s in x.shape]
    low, high = ([draw.number(0, max(0, min(3, m))) for m in most] for _ in "lh")
    if mode == "constant" and draw.flag(0.3):
        low[0] = -min(1, max(x.shape[0] - 1, 0))
    value = draw.array(x.dtype) if draw.flag() and mode == "constant" else None
    given: dict[str, Array | None] = {
        "data": x,
        "pads": _whole(*low, *high),
        "constant_value": value,
    }
    if draw.flag(0.3):
        axes = [int(i) for i in draw.random.permutation(x.ndim)[: draw.number(1, x.ndim)]]
        chosen = _whole(*(low[a] for a in axes), *(high[a] for a in axes))
        given |= {"pads": chosen, "axes": _whole(*axes)}
    return OnnxCase("Pad", given, {"mode": mode}, fixed=("pads", "axes"), least=11)


def repeated(draw: Draw) -> OnnxCase:
    if draw.flag():
        x = some(draw, 1, 4)
        times = _whole(*(draw.number(0 if draw.empty else 1, 3) for _ in x.shape))
        return OnnxCase("Tile", {"input": x, "repeats": times}, fixed=("repeats",))
    to = draw.shape(0, 5)
    x = draw.array(draw.one(*TYPES), *draw.broadcast(to))
    wanted = [1 if draw.flag(0.2) and to[i] else s for i, s in enumerate(to)]
    return OnnxCase("Expand", {"input": x, "shape": _whole(*wanted)}, fixed=("shape",), least=8)


def _indices(draw: Draw, size: int, *shape: int) -> Array:
    kind = draw.one(np.int32, np.int64)
    return draw.integers(-size if draw.flag() else 0, max(size - 1, 0), *shape, dtype=kind)


def gathered(draw: Draw) -> OnnxCase:
    draw.empty = False
    x = some(draw, 1, 4)
    axis = draw.axis(x.ndim)
    match draw.number(0, 2):
        case 0:
            where = _indices(draw, x.shape[axis], *draw.shape(0, 3))
            return OnnxCase("Gather", {"data": x, "indices": where}, {"axis": axis}, least=11)
        case 1:
            shape = [draw.number(1, s) for s in x.shape]
            shape[axis] = draw.number(1, 6)
            where = _indices(draw, x.shape[axis], *shape)
            return OnnxCase("GatherElements", {"data": x, "indices": where}, {"axis": axis})
        case _:
            batch = draw.number(0, x.ndim - 1) if draw.flag(0.4) else 0
            depth = draw.number(1, x.ndim - batch)
            lead = (*x.shape[:batch], *draw.shape(0, 2))
            if not lead:
                lead = (1,)
            sizes = x.shape[batch : batch + depth]
            columns = [_indices(draw, size, *lead, 1).astype(np.int64) for size in sizes]
            given = {"data": x, "indices": np.concatenate(columns, -1)}
            return OnnxCase("GatherND", given, {"batch_dims": batch} if batch else {})


def scattered(draw: Draw) -> OnnxCase:
    draw.empty = draw.specials = False
    x = draw.array(draw.one(np.float32, np.float16, np.int32, np.int64), *draw.shape(1, 4))
    reduction: str = draw.one("none", "add", "mul", "min", "max")
    attributes = {"reduction": reduction} if reduction != "none" else {}
    least = {"none": 11, "add": 16, "mul": 16}.get(reduction, 18)
    room = 1e-5 if x.dtype.itemsize > 2 else 1e-2
    if draw.flag():
        axis = draw.axis(x.ndim)
        shape = [draw.number(1, s) for s in x.shape]
        if reduction == "none":
            shape[axis] = 1
        where = _indices(draw, x.shape[axis], *shape)
        given = {"data": x, "indices": where, "updates": draw.array(x.dtype, *shape)}
        return OnnxCase(
            "ScatterElements", given, {"axis": axis, **attributes}, tolerance=room, least=least
        )
    depth = draw.number(1, x.ndim)
    sizes = x.shape[:depth]
    chosen = draw.random.permutation(math.prod(sizes))[: draw.number(1, 6)]
    if reduction != "none":
        chosen = draw.integers(0, math.prod(sizes) - 1, draw.number(1, 6))
    where = np.stack(np.unravel_index(chosen, sizes), -1).astype(np.int64)
    if draw.flag(0.3):
        where -= np.array(sizes)
    updates = draw.array(x.dtype, len(where), *x.shape[depth:])
    given = {"data": x, "indices": where, "updates": updates}
    return OnnxCase("ScatterND", given, attributes, tolerance=room, least=least)


def chosen(draw: Draw) -> OnnxCase:
    x = some(draw, 1, 4)
    match draw.number(0, 5):
        case 0:
            axis = draw.axis(x.ndim) if draw.flag(0.7) else None
            size = x.size if axis is None else x.shape[axis]
            condition = draw.array(bool, draw.number(0, size))
            attributes = {} if axis is None else {"axis": axis}
            return OnnxCase("Compress", {"input": x, "condition": condition}, attributes, least=11)
        case 1:
            return OnnxCase("NonZero", {"X": x})
        case 2:
            x = np.nan_to_num(draw.array(draw.one(np.float32, np.int64), *draw.shape(1, 3)) // 2)
            attributes = {"sorted": draw.number(0, 1)}
            if draw.flag():
                attributes["axis"] = draw.axis(x.ndim)
            return OnnxCase("Unique", {"X": x.clip(-9, 9)}, attributes, 4)
        case 3:
            x = draw.array(draw.one(*TYPES), *draw.shape(2, 4))
            k = np.array(draw.number(-4, 4), np.int64) if draw.flag(0.7) else None
            return OnnxCase("Trilu", {"input": x, "k": k}, {"upper": draw.number(0, 1)})
        case 4:
            axes = sorted({a % x.ndim for a in draw.axes(x.ndim, 1)})
            to = _whole(*(draw.number(1, 9) for _ in axes))
            given = {"input_data": x, "shape": to}
            return OnnxCase("CenterCropPad", given, {"axes": axes}, fixed=("shape",))
        case _:
            x = draw.array(draw.one(*TYPES), *draw.shape(2, 4))
            lengths = draw.integers(0, x.shape[0], x.shape[1])
            attributes = {"batch_axis": 1, "time_axis": 0}
            if draw.flag():
                lengths = draw.integers(0, x.shape[1], x.shape[0])
                attributes = {"batch_axis": 0, "time_axis": 1}
            return OnnxCase("ReverseSequence", {"input": x, "sequence_lens": lengths}, attributes)


def blocks(draw: Draw) -> OnnxCase:
    block, kind = draw.number(1, 3), draw.one(*FLOATS, np.uint8)
    n, c, h, w = (draw.number(1, 4) for _ in "nchw")
    if draw.flag():
        x = draw.array(kind, n, c * block * block, h, w)
        attributes = {"blocksize": block, "mode": draw.one("DCR", "CRD")}
        return OnnxCase("DepthToSpace", {"input": x}, attributes)
    x = draw.array(kind, n, c, h * block, w * block)
    return OnnxCase("SpaceToDepth", {"input": x}, {"blocksize": block})


def made(draw: Draw) -> OnnxCase:
    kind: Any = draw.one(np.float32, np.int64, np.int32)
    match draw.number(0, 3):
        case 0:
            where = draw.integers(-9, 9, *draw.shape(0, 3), dtype=draw.one(np.int32, np.int64))
            axis = draw.number(-where.ndim - 1, where.ndim)
            depth = np.array(draw.number(1, 9), np.int64)
            given = {"indices": where, "depth": depth, "values": draw.array(kind, 2)}
            return OnnxCase("OneHot", given, {"axis": axis}, fixed=("depth",), least=11)
        case 1:
            x = draw.array(kind, *draw.shape(2, 2))
            return OnnxCase("EyeLike", {"input": x}, {"k": draw.number(-4, 4)})
        case 2:
            ends = [np.array(draw.number(-9, 9), kind) for _ in "se"]
            step = np.array(draw.one(1, 2, 3, -1, -2), kind)
            given = {"start": ends[0], "limit": ends[1], "delta": step}
            return OnnxCase("Range", given, fixed=tuple(given) if draw.flag(0.7) else ())
        case _:
            shape = draw.shape(1, 4)
            x = draw.array(draw.one(np.float32, np.int64), *shape)
            axis, k = draw.axis(x.ndim), draw.number(1, max(min(shape), 1))
            attributes = {"axis": axis, "largest": draw.number(0, 1), "sorted": 1}
            x = np.nan_to_num(x, posinf=99, neginf=-99)
            given = {"X": x, "K": _whole(k)}
            return OnnxCase("TopK", given, attributes, 2, ("K",), least=11)


FAMILY = (
    *(shapes, shapes, concat, split, sliced, sliced, pad, repeated, gathered, scattered),
    *(chosen, chosen, blocks, made),
)
