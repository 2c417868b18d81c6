"""Reductions, products, normalizations, sorting."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino.opset15 as opset

from .case import FLOATS, Case, Draw

REDUCTIONS = ["l1", "l2", "max", "mean", "min", "prod", "sum"]


def reduction(draw: Draw) -> Case:
    shape, keep = draw.shape(0, 6), draw.flag()
    axes = np.array(draw.axes(len(shape)), np.int64)
    name = draw.one(*REDUCTIONS, "logical_and", "logical_or")
    build = getattr(opset, f"reduce_{name}")
    kind: Any = draw.one(*FLOATS, np.int32, np.int64)
    if name in ("mean", "l2"):
        kind = np.float32  # OpenVINO rounds those of integers
    draw.specials &= kind in FLOATS and name not in (
        "max",
        "min",
    )  # NaN is greatest or left out; sums of integers do not overflow
    x = draw.array(bool if "logical" in name else kind, *shape)
    return Case(
        f"reduce_{name} {x.dtype} {axes} {keep}", [x, axes], lambda x, a: build(x, a, keep), (1,)
    )


def product(draw: Draw) -> Case:
    m, n, k = (draw.one(1, 2, 5, 8, 16, 17, 33) for _ in range(3))
    left, right = draw.flag(), draw.flag()
    batch = draw.shape(0, 3, 3)
    a = (*batch, *((k, m) if left else (m, k)))
    b = (*draw.broadcast(batch), *((n, k) if right else (k, n)))
    if draw.flag(0.15):
        a, left = (k,), False
    if draw.flag(0.15):
        b, right = (k,), False
    if draw.flag(0.2) and len(a) > 1 and len(b) > 1:
        a = (*draw.broadcast(batch), *a[-2:])
    kind = draw.one(*FLOATS, np.int32) if not draw.flag(0.6) else np.float32
    draw.specials &= kind in FLOATS
    given = [draw.array(kind, *a), draw.array(kind, *b)]
    return Case(
        f"matmul {np.dtype(kind)} {a} {b} {left} {right}",
        given,
        lambda a, b: opset.matmul(a, b, left, right),
        tolerance=3e-5,
    )


def softmax(draw: Draw) -> Case:
    x = draw.floats(*draw.shape(1, 5), dtype=draw.one(*FLOATS))
    axis, build = draw.axis(x.ndim), draw.one(opset.softmax, opset.log_softmax)
    return Case(f"{build.__name__} {axis} {x.dtype}", [x], lambda x: build(x, axis))


def normalization(draw: Draw) -> Case:
    x = draw.floats(*draw.shape(2, 5))
    axes = np.array(sorted({a % x.ndim for a in draw.axes(x.ndim, 1)}), np.int64)
    spread, mode = draw.flag(), draw.one("inside_sqrt", "outside_sqrt")
    groups = draw.one(*[g for g in range(1, x.shape[1] + 1) if x.shape[1] % g == 0] or [1])
    scale = [draw.floats(x.shape[1]) for _ in range(4)]
    match draw.number(0, 4):
        case 0:
            return Case(
                f"mvn {axes} {spread} {mode}",
                [x, axes],
                lambda x, a: opset.mvn(x, a, spread, 1e-3, mode),
                (1,),
                1e-4,
            )
        case 1:
            mode = draw.one("add", "max")
            return Case(
                f"normalize_l2 {axes} {mode}",
                [x, axes],
                lambda x, a: opset.normalize_l2(x, a, 1e-3, mode),
                (1,),
                1e-4,
            )
        case 2:
            given = [x, *scale[:2]]
            return Case(
                f"group_normalization {groups}",
                given,
                lambda x, s, b: opset.group_normalization(x, s, b, groups, 1e-3),
                tolerance=1e-4,
            )
        case 3:
            size = draw.one(1, 3, 5)
            where = np.array([1] if draw.flag() else range(2, max(x.ndim, 3)), np.int64)
            return Case(
                f"lrn {where} {size}",
                [x, where],
                lambda x, a: opset.lrn(x, a, 0.5, 0.75, 1.0, size),
                (1,),
                1e-4,
            )
        case _:
            given = [x, *scale[:3], np.abs(scale[3]) + np.float32(0.1)]
            return Case(
                "batch_norm",
                given,
                lambda *v: opset.batch_norm_inference(*v, 1e-3),
                tolerance=1e-4,
                peer=not draw.specials,  # OpenVINO multiplies first
            )


def top_k(draw: Draw) -> Case:
    kind = draw.one(np.float32, np.float16, np.int32, np.int64, np.uint8)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape))
    size = shape[axis]
    distinct = np.stack(
        [draw.random.permutation(size) for _ in range(int(np.prod(shape)) // max(size, 1))] or [[]]
    )
    x = np.moveaxis(distinct.reshape(*np.delete(shape, axis), size), -1, axis).astype(kind)
    count = np.array(draw.number(1, max(size, 1)), np.int64)
    mode, sort = draw.one("max", "min"), draw.one("value", "index")
    return Case(
        f"topk {mode} {sort} {axis} {count} of {size}",
        [x, count],
        lambda x, k: opset.topk(x, k, axis, mode, sort, "i32", True),
        (1,),
        resizes=False,
    )


def cumulative(draw: Draw) -> Case:
    kind = draw.one(np.float32, np.float64, np.int32, np.int64)
    draw.specials &= kind in FLOATS
    x = draw.array(kind, *draw.shape(1, 4))
    axis = np.array(draw.axis(x.ndim), np.int64)
    exclusive, reverse = draw.flag(), draw.flag()
    return Case(
        f"cum_sum {axis} {exclusive} {reverse}",
        [x, axis],
        lambda x, a: opset.cum_sum(x, a, exclusive, reverse),
        (1,),
    )


def buckets(draw: Draw) -> Case:
    edges = np.sort(draw.random.permutation(20)[: draw.number(1, 9)]).astype(np.float32)
    right = draw.flag()
    if draw.flag():
        x = np.round(draw.floats(*draw.shape(1, 4), scale=8))
        return Case("bucketize", [x, edges], lambda x, b: opset.bucketize(x, b, "i32", right), (1,))
    x = np.round(draw.floats(draw.number(1, 9), scale=8))
    return Case("search_sorted", [edges, x], lambda b, x: opset.search_sorted(b, x, right), (0,))


def einsum(draw: Draw) -> Case:
    sizes = {letter: draw.number(1, 6) for letter in "abcd"}
    terms = ["".join(draw.random.permutation(list("abcd"))[: draw.number(1, 4)]) for _ in range(2)]
    seen = sorted(set("".join(terms)))
    out = "".join(draw.random.permutation(seen)[: draw.number(0, len(seen))])
    text = f"{terms[0]},{terms[1]}->{out}"
    given = [draw.floats(*(sizes[i] for i in term)) for term in terms]
    return Case(
        f"einsum {text}",
        given,
        lambda *x: opset.einsum(list(x), text),
        tolerance=3e-5,
        resizes=False,
    )


FAMILY = (
    reduction,
    reduction,
    product,
    product,
    softmax,
    normalization,
    top_k,
    cumulative,
    buckets,
    einsum,
)
