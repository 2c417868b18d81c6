"""Operations on each element: functions, arithmetic, comparisons, conversions."""

from __future__ import annotations

from typing import Any

import numpy as np
import openvino.opset1 as opset1
import openvino.opset15 as opset

from .case import FLOATS, INTEGERS, Case, Draw

UNARY = {
    name: getattr(opset, name)
    for name in (
        *(
            "absolute",
            "acos",
            "acosh",
            "asin",
            "asinh",
            "atan",
            "atanh",
            "ceiling",
            "cos",
            "cosh",
            "erf",
            "exp",
        ),
        *(
            "floor",
            "hsigmoid",
            "hswish",
            "log",
            "mish",
            "negative",
            "relu",
            "sigmoid",
            "sign",
            "sin",
            "sinh",
        ),
        *(
            "softplus",
            "softsign",
            "sqrt",
            "swish",
            "tan",
            "tanh",
            "is_finite",
            "is_inf",
            "is_nan",
        ),
    )
}
SIGNED = ["absolute", "negative", "sign", "relu", "floor", "ceiling"]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "maximum",
    "minimum",
    "power",
    "squared_difference",
    "floor_mod",
    "mod",
]
ORDERS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]


def unary(draw: Draw) -> Case:
    name = draw.one(*UNARY)
    kind: Any = draw.one(*FLOATS)
    if name in SIGNED and draw.flag():
        kind = draw.one(np.int32, np.int64, np.int8)
    return Case(name, [draw.array(kind, *draw.shape())], UNARY[name])


def activation(draw: Draw) -> Case:
    x = draw.floats(*draw.shape(), dtype=draw.one(*FLOATS))
    if draw.specials:
        x = np.where(np.isfinite(x), x, 0).astype(x.dtype)  # OpenVINO clamps NaN
    a, b = (float(draw.floats()) or 0.5 for _ in range(2))  # OpenVINO takes its defaults for 0
    a = abs(a)

    def value(number: float) -> Any:
        return opset.constant(np.array(number, x.dtype))

    builds = {
        "clamp": lambda x: opset.clamp(x, min(a, b), max(a, b)),
        "elu": lambda x: opset.elu(x, a),
        "selu": lambda x: opset.selu(x, value(a), value(abs(b))),
        "hard_sigmoid": lambda x: opset.hard_sigmoid(x, value(a), value(b)),
        "swish/beta": lambda x: opset.swish(x, value(b)),
        "gelu/erf": lambda x: opset.gelu(x, "erf"),
        "gelu/tanh": lambda x: opset.gelu(x, "tanh"),
        "round": lambda x: opset.round(x, "half_to_even"),
        "round/away": lambda x: opset.round(x, "half_away_from_zero"),
        "is_inf": lambda x: opset.is_inf(
            x, {"detect_negative": bool(a > 1), "detect_positive": b > 0}
        ),
    }
    name = draw.one(*builds)
    return Case(name, [x], builds[name])


def binary(draw: Draw) -> Case:
    name = draw.one(*BINARY, *ORDERS)
    kind: Any = draw.one(*FLOATS, *INTEGERS)
    shape = draw.shape()
    x, y = draw.array(kind, *shape), draw.array(kind, *draw.broadcast(shape))
    if kind not in FLOATS and name in ("divide", "floor_mod", "mod"):
        y = np.where(y == 0, 3, y).astype(kind)
    if kind not in FLOATS and name == "power":
        x, y = x % 4, y % 4
    if draw.flag():
        x, y = y, x
        if kind not in FLOATS and name in ("divide", "floor_mod", "mod"):
            y = np.where(y == 0, 3, y).astype(kind)
    truncates = name == "divide" and np.dtype(kind).kind == "i"  # OpenVINO, now and then
    return Case(f"{name} {np.dtype(kind)}", [x, y], getattr(opset, name), peer=not truncates)


def logic(draw: Draw) -> Case:
    shape = draw.shape()
    name = draw.one("and", "or", "xor")
    kind: Any = draw.one(bool, *INTEGERS)
    if kind is bool:
        x, y = draw.array(bool, *shape), draw.array(bool, *draw.broadcast(shape))
        return Case(f"logical_{name}", [x, y], getattr(opset, f"logical_{name}"))
    x, y = draw.array(kind, *shape), draw.array(kind, *draw.broadcast(shape))
    if draw.flag(0.3):
        y = draw.integers(0, 7, *y.shape, dtype=kind)
        name = draw.one("left_shift", "right_shift")
    wide = name.endswith("shift") and np.dtype(kind).itemsize == 8  # OpenVINO has 32 bits
    build = getattr(opset, f"bitwise_{name}")
    return Case(f"bitwise_{name} {np.dtype(kind)}", [x, y], build, peer=not wide)


def conversion(draw: Draw) -> Case:
    kind, to = draw.one(*FLOATS, *INTEGERS, bool), draw.one(*FLOATS, *INTEGERS, bool)
    x = draw.array(kind, *draw.shape())
    if np.dtype(kind).kind == "f" and np.dtype(to).kind in "iu":
        low = 0 if np.dtype(to).kind == "u" else -100
        x = np.nan_to_num(x, posinf=90, neginf=low).clip(low, 100).astype(kind)
    name = np.dtype(to).name.replace("float", "f").replace("uint", "u").replace("int", "i")
    name = name.replace("bool", "boolean")
    return Case(f"convert {np.dtype(kind)} {name}", [x], lambda x: opset.convert(x, name))


def selection(draw: Draw) -> Case:
    shape, kind = draw.shape(), draw.one(*FLOATS, *INTEGERS)
    condition = draw.array(bool, *draw.broadcast(shape))
    x, y = draw.array(kind, *shape), draw.array(kind, *draw.broadcast(shape))
    return Case(f"select {np.dtype(kind)}", [condition, x, y], opset.select)


def quantization(draw: Draw) -> Case:
    shape = draw.shape(1, 5)
    limits = [1] * len(shape)
    if len(shape) > 1 and draw.flag():
        limits[1] = shape[1]
    low = -np.abs(draw.floats(*limits)) - np.float32(0.1)
    high = np.abs(draw.floats(*limits)) + np.float32(0.1)
    levels = draw.one(2, 16, 255, 256)
    given = [draw.floats(*shape), low, high, *((low, high) if draw.flag() else (high, low))]
    return Case(
        f"fake_quantize {levels}",
        given,
        lambda *x: opset.fake_quantize(*x, levels),
        fixed=(1, 2, 3, 4),
        tolerance=1 / levels,  # OpenVINO moves intervals in which 0 is nearly a code
        resizes=False,
    )


def prelu(draw: Draw) -> Case:
    shape = draw.shape(1, 5)
    channels = list(shape)[len(shape) > 1]
    slope = draw.one((1,), (channels,))
    x = draw.floats(*shape)
    draw.specials = False  # of slopes: their product with 0 is asked for or not
    return Case("prelu", [x, draw.floats(*slope)], opset1.prelu, resizes=False)


FAMILY = (unary, activation, binary, logic, conversion, selection, quantization, prelu)
