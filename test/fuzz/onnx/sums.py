"""Reductions, products, normalizations, transforms, recurrent operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from lowstream.test.fuzz.operations.case import FLOATS, Array, Draw

from .case import OnnxCase

REDUCTIONS = ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")


def reduction(draw: Draw) -> OnnxCase:
    name: str = draw.one(*REDUCTIONS)
    shape = draw.shape(0, 5)
    kind: Any = draw.one(*FLOATS)
    draw.specials &= name not in ("Max", "Min")
    if not all(shape):
        shape = (2, 3)  # ONNX Runtime gives such results a shape of their own
    if name in ("Max", "Min", "Sum", "Prod", "SumSquare", "L1") and draw.flag(0.3):
        kind, draw.specials = draw.one(np.int32, np.int64), False
    x = draw.array(kind, *shape)
    if name == "LogSum":
        x = np.abs(x)
    axes = np.array(draw.axes(len(shape)), np.int64)
    attributes: dict[str, Any] = {"keepdims": draw.number(0, 1)}
    if draw.flag(0.3):
        attributes["noop_with_empty_axes"] = draw.number(0, 1)
    given = {"data": x, "axes": axes if draw.flag(0.8) and len(axes) else None}
    return OnnxCase(f"Reduce{name}", given, attributes, fixed=("axes",), least=11)


def extreme(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    shape = draw.shape(1, 4)
    x = draw.array(draw.one(np.float32, np.float16, np.int32, np.int8, np.uint8), *shape)
    attributes = {"axis": draw.axis(x.ndim), "keepdims": draw.number(0, 1)}
    attributes |= {"select_last_index": draw.number(0, 1)} if draw.flag() else {}
    return OnnxCase(draw.one("ArgMax", "ArgMin"), {"data": x}, attributes, least=11)


def cumulative(draw: Draw) -> OnnxCase:
    x = draw.array(draw.one(np.float32, np.float64, np.int32, np.int64), *draw.shape(1, 4))
    if x.dtype.kind == "i":
        x = x.clip(-99, 99)
    axis = np.array(draw.axis(x.ndim), draw.one(np.int32, np.int64))
    attributes = {"exclusive": draw.number(0, 1), "reverse": draw.number(0, 1)}
    return OnnxCase("CumSum", {"x": x, "axis": axis}, attributes, fixed=("axis",))


def softmax(draw: Draw) -> OnnxCase:
    draw.specials = False  # of NaN there is no greatest
    x = draw.floats(*draw.shape(1, 4), dtype=draw.one(*FLOATS))
    name: str = draw.one("Softmax", "LogSoftmax", "Hardmax", "LpNormalization")
    axis = draw.axis(x.ndim)
    attributes: dict[str, Any] = {"axis": axis} if draw.flag(0.8) else {}
    if name == "LpNormalization":
        attributes["p"] = draw.one(1, 2)
        x = np.nan_to_num(x, posinf=3, neginf=-3) + x.dtype.type(0.03)
    return OnnxCase(name, {"input": x}, attributes, least=7 if axis >= 0 else 11)


def normalization(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    x = draw.floats(draw.number(1, 3), draw.one(1, 2, 4, 6, 8, 17), *draw.shape(1, 3))
    channels = x.shape[1]
    scale = [draw.floats(channels) for _ in range(3)]
    variance = np.abs(draw.floats(channels)) + np.float32(0.1)
    match draw.number(0, 6):
        case 0:
            given = {"X": x, "scale": scale[0], "B": scale[1], "input_mean": scale[2]}
            return OnnxCase(
                "BatchNormalization", given | {"input_var": variance}, {"epsilon": 1e-3}, least=9,
                tolerance=1e-4,
            )  # fmt: skip
        case 1:
            given = {"input": x, "scale": scale[0], "B": scale[1]}
            return OnnxCase("InstanceNormalization", given, {"epsilon": 1e-2}, tolerance=1e-4)
        case 2:
            groups = draw.one(*[g for g in range(1, channels + 1) if channels % g == 0])
            given = {"X": x, "scale": scale[0], "bias": scale[1]}
            attributes = {"epsilon": 1e-2, "num_groups": groups}
            return OnnxCase("GroupNormalization", given, attributes, tolerance=1e-4, least=21)
        case 3:
            axis = draw.axis(x.ndim)
            shape = x.shape[axis % x.ndim :]
            given = {"X": x, "Scale": draw.floats(*shape)}
            given |= {"B": draw.floats(*shape)} if draw.flag() else {}
            attributes = {"axis": axis, "epsilon": 1e-2}
            return OnnxCase(
                "LayerNormalization", given, attributes, draw.one(1, 1, 3), tolerance=1e-4
            )
        case 4:
            axis = draw.axis(x.ndim)
            given = {"X": x, "scale": draw.floats(*x.shape[axis % x.ndim :])}
            attributes = {"axis": axis, "epsilon": 1e-2}
            return OnnxCase("RMSNormalization", given, attributes, tolerance=1e-4)
        case 5:
            attributes = {"size": draw.one(1, 3, 5), "alpha": 0.3, "beta": 0.7, "bias": 1.5}
            return OnnxCase("LRN", {"X": x}, attributes, tolerance=1e-4)
        case _:
            axes = sorted({a % x.ndim for a in draw.axes(x.ndim, 1)})
            return OnnxCase("MeanVarianceNormalization", {"X": x}, {"axes": axes}, peer=False)


def product(draw: Draw) -> OnnxCase:
    m, n, k = (draw.one(1, 2, 5, 8, 16, 17, 33) for _ in range(3))
    draw.empty = False
    kind: Any = draw.one(*FLOATS) if draw.flag(0.4) else np.float32
    if draw.flag(0.4):
        turned = draw.number(0, 1), draw.number(0, 1)
        a = draw.array(kind, *((k, m) if turned[0] else (m, k)))
        b = draw.array(kind, *((n, k) if turned[1] else (k, n)))
        bias = draw.array(kind, *draw.one((), (1,), (n,), (m, 1), (m, n), (1, n)))
        attributes = {"transA": turned[0], "transB": turned[1]}
        attributes |= (
            {"alpha": draw.one(0.0, 0.5, 2.0), "beta": draw.one(0.0, 1.5)} if draw.flag() else {}
        )
        given = {"A": a, "B": b} | ({"C": bias} if draw.flag(0.7) else {})
        draw_all = 11 if "C" not in given else 7
        return OnnxCase(
            "Gemm", given, attributes, tolerance=3e-5, least=draw_all, peer=not draw.specials
        )
    batch = draw.shape(0, 3, 3)
    a, b = (*batch, m, k), (*draw.broadcast(batch), k, n)
    if draw.flag(0.15):
        a = (k,)
    if draw.flag(0.15):
        b = (k,)
    given = {"A": draw.array(kind, *a), "B": draw.array(kind, *b)}
    return OnnxCase("MatMul", given, tolerance=3e-5)


def integer_product(draw: Draw) -> OnnxCase:
    m, n, k = (draw.one(1, 2, 5, 8, 16, 17, 33) for _ in range(3))
    kinds: Any = draw.one(np.uint8, np.int8), draw.one(np.uint8, np.int8)
    a, b = _codes(draw, kinds[0], m, k), _codes(draw, kinds[1], k, n)
    points = _codes(draw, kinds[0]), _codes(draw, kinds[1], *draw.one((), (n,)))
    if draw.flag():
        given = {"A": a, "B": b, "a_zero_point": points[0], "b_zero_point": points[1]}
        return OnnxCase("MatMulInteger", dict([*given.items()][: draw.number(2, 4)]))
    scales = [np.float32(draw.random.uniform(0.01, 0.1)) for _ in "ab"]
    given = {
        "a": a, "a_scale": np.asarray(scales[0]), "a_zero_point": points[0],
        "b": b, "b_scale": np.full(points[1].shape, scales[1]), "b_zero_point": points[1],
        "y_scale": np.float32(0.3), "y_zero_point": _codes(draw, draw.one(np.uint8, np.int8)),
    }  # fmt: skip
    return OnnxCase("QLinearMatMul", {k: np.asarray(v) for k, v in given.items()})


def _codes(draw: Draw, kind: Any, *shape: int) -> Array:
    limits = np.iinfo(kind)
    return np.asarray(draw.random.integers(limits.min, limits.max + 1, shape).astype(kind))


def einsum(draw: Draw) -> OnnxCase:
    draw.empty = False
    sizes = {letter: draw.number(1, 6) for letter in "abcd"}
    count = draw.number(1, 3)
    terms = [
        "".join(draw.random.permutation(list("abcd"))[: draw.number(1, 3)]) for _ in range(count)
    ]
    seen = sorted(set("".join(terms)))
    out = "".join(draw.random.permutation(seen)[: draw.number(0, len(seen))])
    given = {f"x{i}": draw.floats(*(sizes[c] for c in t)) for i, t in enumerate(terms)}
    text = ",".join(terms) + (f"->{out}" if draw.flag(0.8) else "")
    draw.specials = False
    return OnnxCase("Einsum", given, {"equation": text}, tolerance=3e-5, least=12)


def fourier(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    parts, rank = draw.one(1, 2), draw.number(1, 2)
    x = draw.floats(draw.number(1, 2), *(draw.number(1, 9) for _ in range(rank)), parts)
    axis = draw.number(1, rank)
    size = np.array(draw.number(1, 9), np.int64) if draw.flag() else None
    inverse = draw.number(0, 1)
    attributes = {"inverse": inverse, "onesided": int(not inverse and parts == 1 and draw.flag())}
    given = {"input": x, "dft_length": size, "axis": np.array(axis, np.int64)}
    fixed = ("dft_length", "axis")
    return OnnxCase("DFT", given, attributes, fixed=fixed, tolerance=1e-4, least=20)


def recurrent(draw: Draw) -> OnnxCase:
    draw.specials = draw.empty = False
    name: str = draw.one("LSTM", "GRU", "RNN")
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[name]
    steps, batch = draw.number(1, 5), draw.number(1, 3)
    features, hidden = draw.one(1, 3, 8, 17), draw.one(1, 2, 5, 16, 33)
    direction: str = draw.one("forward", "reverse", "bidirectional")
    ways = 1 + (direction == "bidirectional")
    given: dict[str, Array | None] = {
        "X": draw.floats(steps, batch, features),
        "W": draw.floats(ways, gates * hidden, features, scale=0.5),
        "R": draw.floats(ways, gates * hidden, hidden, scale=0.5),
        "B": draw.floats(ways, 2 * gates * hidden) if draw.flag() else None,
        "sequence_lens": draw.integers(1, steps, batch, dtype=np.int32) if draw.flag(0.3) else None,
        "initial_h": draw.floats(ways, batch, hidden) if draw.flag() else None,
    }
    attributes: dict[str, Any] = {"hidden_size": hidden, "direction": direction}
    if name == "LSTM":
        given["initial_c"] = draw.floats(ways, batch, hidden) if draw.flag() else None
        given["P"] = draw.floats(ways, 3 * hidden, scale=0.3) if draw.flag(0.3) else None
        attributes |= {"input_forget": 1} if draw.flag(0.15) else {}
    if name == "GRU" and draw.flag():
        attributes["linear_before_reset"] = 1
    if draw.flag(0.2):
        attributes["clip"] = draw.one(0.5, 2.0)
    if draw.flag(0.3):
        count = {"LSTM": 3, "GRU": 2, "RNN": 1}[name] * ways
        attributes["activations"] = [draw.one("Sigmoid", "Tanh", "Relu") for _ in range(count)]
    fixed = ("W", "R", "B", "P")
    outputs = 3 if name == "LSTM" else 2
    return OnnxCase(name, given, attributes, outputs, fixed, tolerance=1e-4)


FAMILY = (
    *(reduction, reduction, extreme, cumulative, softmax, normalization, normalization),
    *(product, integer_product, einsum, fourier, recurrent, recurrent),
)
