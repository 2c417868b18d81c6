"""Rules of random models: what computes numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from xdsl.dialects.builtin import BoolAttr, FloatAttr, IntegerAttr, f16, f32, f64, i8
from xdsl.ir import Attribute

from lowstream.dialects import nn, qnn
from lowstream.reference.arrays import blob_of, element_of
from lowstream.test.unit.lowering.graph_writer import (
    EPSILON,
    UI8,
    UNIT,
    Graph,
    Known,
    meet,
    unit_of,
)


def relu(g: Graph) -> Sequence[Known]:
    x = g.floats()
    return [replace(x, value=g.add(nn.ReluOp.of(x.value)))]


def squash(g: Graph) -> Sequence[Known]:
    x = g.floats()
    op = g.one([nn.TanhOp, nn.SigmoidOp])
    return [Known(g.add(op.of(x.value)), 1.0, None, x.error + 1e-6)]


def clamp(g: Graph) -> Sequence[Known]:
    x = g.floats()
    low, high = sorted((g.number(-8, 8), g.number(-8, 8)))
    op = nn.ClampOp.of(x.value, min=FloatAttr(float(low), f64), max=FloatAttr(float(high), f64))
    bound = min(x.bound, max(abs(low), abs(high), 0.125))
    return [Known(g.add(op), bound, x.unit, x.error)]


def binary(g: Graph) -> Sequence[Known]:
    x = g.floats()
    y = g.pick(lambda y: y.element == f32 and y.bound < 1e6 and meet(x.shape, y.shape))
    if y is None or g.chance():
        shape = g.one([x.shape, x.shape[-1:], (), tuple(g.one([1, n]) for n in x.shape)])
        y = Known(g.constant(g.array(shape)))
    op = g.one([nn.AddOp, nn.SubtractOp, nn.MultiplyOp, nn.MaximumOp, nn.MinimumOp])
    value = g.add(op.of(x.value, y.value))
    if op is nn.MultiplyOp:
        error = x.error * y.bound + y.error * x.bound
        return [x.bounded(value, x.bound * y.bound, unit_of(math.prod, x, y), error)]
    unit = unit_of(min, x, y)
    bound = x.bound + y.bound if op in (nn.AddOp, nn.SubtractOp) else max(x.bound, y.bound)
    return [x.bounded(value, bound, unit, x.error + y.error)]


def divide(g: Graph) -> Sequence[Known]:
    x = g.floats()
    y = g.constant(np.array(2, np.float32))
    value = g.add(nn.DivideOp.of(x.value, y))
    return [x.bounded(value, x.bound, None if x.unit is None else x.unit / 2, x.error)]


def product(g: Graph) -> Sequence[Known]:
    """f32, with a computed or a constant right operand, on each side of each transpose."""
    x = g.floats()
    if not x.shape:
        return []
    transpose_a, transpose_b = g.chance(), g.chance()
    depth = x.shape[-2:][0] if transpose_a else x.shape[-1:][0]

    def fits(y: Known) -> bool:
        if y.element != f32 or not y.shape or y.bound * x.bound > 1e6:
            return False
        rows = y.shape[-1] if transpose_b or len(y.shape) == 1 else y.shape[-2]
        return rows == depth and meet(x.shape[:-2], y.shape[:-2])

    y = g.pick(fits)
    if y is None or g.chance():
        columns = g.number(1, 5)
        shape = g.one([(columns, depth) if transpose_b else (depth, columns), (depth,)])
        y = Known(g.constant(g.array(shape)))
    flags = {
        "transpose_a": BoolAttr.from_bool(transpose_a),
        "transpose_b": BoolAttr.from_bool(transpose_b),
    }
    value = g.add(nn.MatMulOp.of(x.value, y.value, **flags))
    bound = depth * x.bound * y.bound
    error = depth * (x.error * y.bound + y.error * x.bound)
    known = x.bounded(value, bound, unit_of(math.prod, x, y), error)
    return [known if known.unit else replace(known, error=error + depth * bound * EPSILON)]


def quantize(g: Graph) -> Sequence[Known]:
    """To codes or to values, per tensor or per channel, in steps that are powers of two."""
    x = g.pick(lambda known: known.element == f32 and known.unit is not None)
    if x is None or not x.shape:
        return []
    shape = g.one([(), (x.shape[-1],)])
    exponents = np.full(shape, 1.0)
    step = np.ldexp(exponents, np.random.default_rng(g.number(0, 99)).integers(-3, 1, shape))
    code = g.one([UI8, i8, None])
    first = {UI8: 0, i8: -128, None: g.one([-128, 0, -255, -7])}[code]
    low, high = step * first, step * (first + 255)
    out = (np.float32(first), np.float32(first + 255)) if code else (low, high)
    limits = [g.constant(np.asarray(limit, np.float32)) for limit in (low, high, *out)]
    properties = {"levels": IntegerAttr(256, 64)}
    if code is not None:
        properties["output_type"] = code
    value = g.add(qnn.FakeQuantizeOp.of(x.value, *limits, **properties))
    return [Known(value, 255.0, 1.0 if code else UNIT)]


def quantized_product(g: Graph) -> Sequence[Known]:
    """Codes times constant codes, then back to f32."""
    x = g.pick(lambda known: known.element in (UI8, i8) and len(known.shape) > 0)
    if x is None:
        return []
    columns, depth = g.number(1, 6), x.shape[-1]
    random = np.random.default_rng(g.number(0, 99))
    dtype = g.one([np.int8, np.uint8])
    weights = random.integers(
        np.iinfo(dtype).min, np.iinfo(dtype).max, (columns, depth), endpoint=True
    )
    b = g.constant(weights.astype(dtype))
    sums = g.add(nn.MatMulOp.of(x.value, b, transpose_b=BoolAttr.from_bool(True)))
    value = g.add(nn.ConvertOp.of(sums, destination_type=f32))
    scaled = g.add(nn.MultiplyOp.of(value, g.constant(np.array(2.0**-8, np.float32))))
    return [x.bounded(scaled, depth * 255.0 * 255 / 256, 2.0**-8, 0)]


def dequantize(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: known.element in (UI8, i8))
    if x is None:
        return []
    shape = g.one([(), x.shape[-1:]])
    scale = np.ldexp(np.ones(shape, np.float32), -g.number(0, 3))
    properties: dict[str, Attribute] = {"scale": blob_of(scale)}
    if g.chance():
        properties["zero_point"] = blob_of(np.array(100, np.int8), x.element)
    return [Known(g.add(qnn.DequantizeOp.of(x.value, **properties)), 355.0, UNIT)]


def through_half(g: Graph) -> Sequence[Known]:
    """f16 and back, which rounds."""
    x = g.pick(lambda known: known.element == f32 and known.bound < 6e4)
    if x is None:
        return []
    half = g.add(nn.ConvertOp.of(x.value, destination_type=f16))
    value = g.add(nn.ConvertOp.of(half, destination_type=f32))
    if x.unit is None:
        return [Known(value, x.bound, None, x.error + x.bound * 2.0**-10)]
    # One rounding of equal numbers: equal, though no longer multiples of the unit.
    fits = x.bound / x.unit < 2**11
    return [Known(value, x.bound * 1.001, x.unit if fits else x.unit * 2.0**-4)]


def to_codes_and_back(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: known.element in (UI8, i8))
    if x is None:
        return []
    target = g.one([f32, UI8, i8, element_of(np.dtype(np.int32))])
    value = g.add(nn.ConvertOp.of(x.value, destination_type=target))
    return [Known(value, 255.0, 1.0)]


def integers(g: Graph) -> Sequence[Known]:
    """Arithmetic on integers wraps around."""
    x = g.pick(lambda known: known.element in (UI8, i8))
    if x is None:
        return []
    y = g.pick(lambda y: y.element == x.element and meet(x.shape, y.shape)) or x
    op = g.one([nn.AddOp, nn.SubtractOp, nn.MultiplyOp, nn.MaximumOp, nn.MinimumOp])
    return [Known(g.add(op.of(x.value, y.value)), 255.0, 1.0)]
