"""
Fake quantizations: a QUANTIZE, the operator on codes that everything before it is (see `fused_on_codes`), or
constant codes; arithmetic in floating point where LiteRT has no such codes.
"""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np

from ...dialects import qnn
from .elementwise import as_it_lies, operand
from .fused_on_codes import fused
from .quantization import LEVELS, LOWEST, NEARLY, ActivationQuantization, codes_behind
from .tensors import TensorQuantization, is_same
from .writer import TflWriter, element_of, emits


@emits(qnn.FakeQuantizeOp)
def fake_quantize(write: TflWriter, op: qnn.FakeQuantizeOp) -> None:
    if write.known(op.input) is not None:
        _weights(write, op)
        return
    if (grid := ActivationQuantization.of(write, op)) is None:
        _in_floating_point(write, op)
        return
    held = codes_behind(write, op.input)
    if (
        held is not None
        and grid.is_direct
        and is_same(held.quantization, grid.elements.quantization)
    ):
        write.values[op.result] = write.values[op.input]
        return
    if (found := fused(write, op, grid)) is not None:
        write.set(op.result, *found)
        return
    is_between_codes = held is not None and grid.is_direct and grid.is_whole
    with write.codes() if is_between_codes else nullcontext():
        x, order = as_it_lies(write, op.input)
    if not grid.is_direct:
        for builtin, array in (("MUL", grid.gain), ("ADD", grid.offset)):
            x = write.binary(builtin, x, write.along(array, order, x.element))
    if not grid.is_whole:
        low, high = (grid.scale * (code - grid.zero_point) for code in (grid.first, grid.last))
        x = write.binary("MINIMUM", write.binary("MAXIMUM", x, low), high)
    write.set(op.result, write.op("QUANTIZE", [x], x.shape, like=grid.elements), order)


def _weights(write: TflWriter, op: qnn.FakeQuantizeOp) -> None:
    """
    Constant codes, per tensor or per channel, if both intervals are the same and the zero point is 0; else their
    values.
    """
    source, limits = write.known(op.input), [write.known(value) for value in op.operands[1:]]
    steps = op.levels.value.data - 1
    if source is None or any(limit is None for limit in limits) or op.output_type is not None:
        _in_floating_point(write, op)
        return
    low, high, output_low, output_high = (np.asarray(k, np.float64) for k in limits)
    same = np.allclose(low, output_low, 1e-5, 1e-7) and np.allclose(high, output_high, 1e-5, 1e-7)
    scales = (high - low) / steps
    axes = [i for i, size in enumerate(scales.shape) if size > 1]
    if not same or steps >= LEVELS or len(axes) > 1 or (scales <= 0).any():
        _in_floating_point(write, op)
        return
    first = low / scales  # the code of the lowest value where that of 0 is 0
    if (np.abs(first - np.rint(first)) > NEARLY).any() or first.min() < LOWEST - NEARLY:
        _in_floating_point(write, op)
        return
    codes = np.clip(np.rint(source / scales), np.rint(first), np.rint(first) + steps)
    axis = axes[0] + source.ndim - scales.ndim if axes else 0
    quantization = TensorQuantization(tuple(map(float, scales.reshape(-1))), (), axis)
    write.set(op.result, write.constant(codes, "int8", quantization))


def _in_floating_point(write: TflWriter, op: qnn.FakeQuantizeOp) -> None:
    """`round((clamp(x) - low) * levels' / (high - low)) …`, for codes that LiteRT does not have."""
    x, order = as_it_lies(write, op.input)
    limits = (operand(write, value, order) for value in op.operands[1:])
    low, high, output_low, output_high = limits
    steps = float(op.levels.value.data - 1)
    inside = write.binary("MINIMUM", write.binary("MAXIMUM", x, low), high)
    part = write.binary("DIV", write.binary("SUB", inside, low), write.binary("SUB", high, low))
    code = write.unary("ROUND", write.binary("MUL", part, steps))
    width = write.binary("SUB", output_high, output_low)
    real = write.binary("MUL", write.binary("DIV", code, write.scalar(code, steps)), width)
    found = write.binary("ADD", real, output_low)
    ends = [write.known(value) for value in op.operands[1:3]]
    if ends[0] is None or ends[1] is None or (ends[0] == ends[1]).any():  # 0 / 0 at a point
        for builtin, limit, given in (
            ("GREATER", high, output_high),
            ("LESS_EQUAL", low, output_low),
        ):
            outside = write.binary(builtin, x, limit, element="bool")
            found = write.op("SELECT_V2", [outside, given, found], found.shape, like=found)
    if not element_of(op.result).startswith("float"):
        found = write.unary("ROUND", found)
    write.set(op.result, write.cast(found, element_of(op.result)), order)
