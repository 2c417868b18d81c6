"""Operators on each element: functions, arithmetic, comparisons, conversions, quantization."""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import helper

from lowstream.test.fuzz.operations.case import FLOATS, INTEGERS, Draw

from .case import OnnxCase

UNARY = (
    *("Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Cos", "Cosh", "Erf"),
    *("Exp", "Floor", "IsInf", "IsNaN", "Log", "Neg", "Reciprocal", "Round", "Sigmoid", "Sign"),
    *("Sin", "Sinh", "Softplus", "Softsign", "Sqrt", "Tan", "Tanh", "Relu", "Identity"),
    *("HardSwish", "Mish", "Gelu"),
)
WITH_ALPHA = ("Elu", "Celu", "LeakyRelu", "ThresholdedRelu", "Swish")
BINARY = ("Add", "Sub", "Mul", "Div", "Mod", "Pow")
ORDERS = ("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual")


def unary(draw: Draw) -> OnnxCase:
    name: str = draw.one(*UNARY)
    kind: Any = draw.one(*FLOATS)
    if name in ("Abs", "Neg", "Sign", "Relu", "Identity") and draw.flag():
        kind = draw.one(np.int32, np.int64, np.int8)
    draw.specials &= name != "Gelu"  # of -inf it is 0 here, and NaN there
    x = draw.array(kind, *draw.shape())
    attributes: dict[str, Any] = {}
    if name == "Gelu":
        attributes = {"approximate": draw.one("none", "tanh")}
    if name == "IsInf":
        attributes = {"detect_negative": draw.number(0, 1), "detect_positive": draw.number(0, 1)}
    return OnnxCase(name, {"X": x}, attributes, tolerance=2e-5)


def activation(draw: Draw) -> OnnxCase:
    x = draw.floats(*draw.shape(), dtype=draw.one(*FLOATS))
    a, b = float(abs(draw.floats())) + 0.1, float(draw.floats())
    match draw.number(0, 5):
        case 0:
            return OnnxCase("HardSigmoid", {"X": x}, {"alpha": a, "beta": b})
        case 1:
            return OnnxCase("Selu", {"X": x}, {"alpha": a, "gamma": abs(b)})
        case 2:
            return OnnxCase("Shrink", {"X": x}, {"bias": b, "lambd": a})
        case 3:
            shape = draw.broadcast(x.shape)
            return OnnxCase("PRelu", {"X": x, "slope": draw.floats(*shape, dtype=x.dtype)})
        case 4:
            kind = draw.one(*FLOATS, np.int32, np.int64, np.int8, np.uint8)
            ends = [np.asarray(draw.number(0, 3), kind) if draw.flag(0.8) else None for _ in "lh"]
            given = {"input": draw.array(kind, *draw.shape()), "min": ends[0], "max": ends[1]}
            return OnnxCase("Clip", given, least=11 if None in ends else 7)
        case _:
            return OnnxCase(draw.one(*WITH_ALPHA), {"X": x}, {"alpha": a})


def binary(draw: Draw) -> OnnxCase:
    name: str = draw.one(*BINARY, *ORDERS)
    kind: Any = draw.one(*FLOATS, *INTEGERS)
    shape = draw.shape()
    x, y = draw.array(kind, *shape), draw.array(kind, *draw.broadcast(shape))
    whole = kind not in FLOATS
    if draw.flag():
        x, y = y, x
    if whole and name in ("Div", "Mod"):
        y = np.where((y == 0) | (y == -1 if np.dtype(kind).kind == "i" else False), 3, y)
        y = y.astype(kind)
    attributes: dict[str, Any] = {}
    if name == "Mod":
        attributes = {"fmod": int(not whole or draw.flag())}
    if name == "Pow" and whole:
        x, y = x % 4, y % 4
    return OnnxCase(name, {"A": x, "B": y}, attributes, peer=not (whole and draw.specials))


def logic(draw: Draw) -> OnnxCase:
    shape = draw.shape()
    kind: Any = draw.one(*INTEGERS)
    name: str = draw.one("And", "Or", "Xor", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitShift")
    name = draw.one(name, name, name, "Not", "BitwiseNot")
    if name in ("And", "Or", "Xor", "Not"):
        kind = bool
    x = draw.array(kind, *shape)
    if name.endswith("Not"):
        return OnnxCase(name, {"X": x})
    y = draw.array(kind, *draw.broadcast(shape))
    if name == "BitShift":
        kind = draw.one(np.uint8, np.uint16, np.uint32, np.uint64)
        x, y = draw.array(kind, *shape), draw.integers(0, 7, *y.shape, dtype=kind)
        return OnnxCase(name, {"X": x, "Y": y}, {"direction": draw.one("LEFT", "RIGHT")})
    return OnnxCase(name, {"A": x, "B": y})


def variadic(draw: Draw) -> OnnxCase:
    name: str = draw.one("Max", "Min", "Sum", "Mean")
    kind: Any = draw.one(*FLOATS)
    if name in ("Max", "Min"):
        kind = draw.one(*FLOATS, *INTEGERS)
    shape = draw.shape()
    given = [draw.array(kind, *shape), *(draw.array(kind, *draw.broadcast(shape)) for _ in "ab")]
    given = given[: draw.number(1, 3)]
    return OnnxCase(name, {f"x{i}": array for i, array in enumerate(given)}, least=8)


def selection(draw: Draw) -> OnnxCase:
    shape, kind = draw.shape(), draw.one(*FLOATS, *INTEGERS, bool)
    given = {
        "condition": draw.array(bool, *draw.broadcast(shape)),
        "X": draw.array(kind, *shape),
        "Y": draw.array(kind, *draw.broadcast(shape)),
    }
    return OnnxCase("Where", given)


def conversion(draw: Draw) -> OnnxCase:
    kind, to = draw.one(*FLOATS, *INTEGERS, bool), draw.one(*FLOATS, *INTEGERS, bool)
    x = draw.array(kind, *draw.shape())
    if np.dtype(kind).kind == "f" and np.dtype(to).kind in "iu":
        low = 0 if np.dtype(to).kind == "u" else -100
        x = np.nan_to_num(x, posinf=90, neginf=low).clip(low, 100).astype(kind)
    if draw.flag(0.3):
        return OnnxCase("CastLike", {"input": x, "target_type": draw.array(to, 1)})
    return OnnxCase("Cast", {"input": x}, {"to": helper.np_dtype_to_tensor_dtype(np.dtype(to))})


def quantization(draw: Draw) -> OnnxCase:
    kind: Any = draw.one(np.int8, np.uint8, np.int16, np.uint16)
    shape = draw.shape(1, 4)
    axis = draw.axis(len(shape))
    count = () if draw.flag() else (shape[axis],)
    scale = (np.abs(draw.random.normal(size=count)) + 0.05).astype(np.float32)
    point = draw.array(kind, *count) if draw.flag(0.8) else None
    if point is None and draw.flag():
        kind = np.uint8
    attributes = {"axis": axis} if count else {}
    least = 13 if count else 10
    if draw.flag():
        point = point if point is not None or kind is np.uint8 else np.zeros(count, kind)
        x = np.nan_to_num(draw.floats(*shape, scale=8), posinf=1e3, neginf=-1e3)
        given = {"x": x, "y_scale": scale, "y_zero_point": point}
        return OnnxCase("QuantizeLinear", given, attributes, least=least)
    if kind is np.int8 and draw.flag(0.3):
        kind, point = np.int32, None
    given = {"x": draw.array(kind, *shape), "x_scale": scale, "x_zero_point": point}
    return OnnxCase("DequantizeLinear", given, attributes, least=least)


def dynamic_quantization(draw: Draw) -> OnnxCase:
    x = np.nan_to_num(draw.floats(*draw.shape(1, 4)), posinf=9, neginf=-9)
    return OnnxCase("DynamicQuantizeLinear", {"x": x}, outputs=3)


def blocked(draw: Draw) -> OnnxCase:
    block, rows, columns = draw.one(1, 2, 4, 16), draw.number(1, 5), draw.number(1, 4)
    kind: Any = draw.one(np.int8, np.uint8)
    shape = (rows * block, columns)
    scale = (np.abs(draw.random.normal(size=(rows, columns))) + 0.05).astype(np.float32)
    point = draw.array(kind, rows, columns) if draw.flag() else np.zeros((rows, columns), kind)
    attributes = {"axis": draw.one(0, -2), "block_size": block}
    if draw.flag():
        given = {"x": draw.floats(*shape, scale=8), "y_scale": scale, "y_zero_point": point}
        return OnnxCase("QuantizeLinear", given, attributes, least=21, peer=not draw.specials)
    given = {"x": draw.array(kind, *shape), "x_scale": scale, "x_zero_point": point}
    return OnnxCase("DequantizeLinear", given, attributes, least=21)


FAMILY = (
    *(unary, unary, activation, binary, binary, logic, variadic, selection, conversion),
    *(quantization, dynamic_quantization, blocked),
)
