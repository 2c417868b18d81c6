"""
Quantization: `round(clamp((x - input_low) * steps))`, then codes or values of the output interval.

Scale and shift of both intervals are computed in float64 and rounded once, so a kernel multiplies and
adds where the definition divides. A channel of which both intervals are one point has scale 0 and gives output_low.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType, f32, i32
from xdsl.ir import Attribute, SSAValue

from ...dialects import qnn
from ...dialects.elements import is_integer, limits_of
from ...dialects.inferred import tensor
from ...dialects.kernel import body_type
from ...reference.arrays import Array, array_of, dtype_of
from ...reference.constants import constant_array
from ..kernel_bodies.bodies import Scalar, select
from .rule import as_array, constant, kernel_rule
from .writer import KernelWriter, map_kernel


@kernel_rule(qnn.FakeQuantizeOp)
def fake_quantize(op: qnn.FakeQuantizeOp, write: KernelWriter) -> SSAValue:
    limits = [constant_array(value) for value in op.operands[1:]]
    scalar = body_type(tensor(op.input).element_type)
    last = op.levels.value.data - 1
    if any(limit is None for limit in limits):
        return _quantize_dynamically(op, write, last)
    low, high, out_low, out_high = (as_array(limit) for limit in limits if limit is not None)
    if np.any((low == high) & (out_low != out_high)):
        return _quantize_dynamically(op, write, last)
    steps, from_zero = _steps(op, low, high, last, dtype := dtype_of(scalar))
    limit = np.finfo(dtype).max
    first = _first_code(low * steps, 1 if from_zero else 2)
    to_codes = isinstance(tensor(op.result).element_type, IntegerType)
    out_step, zero = (out_high - out_low) / last, out_low
    if from_zero and (whole := _multiples(out_low, out_step, dtype)) is not None:
        out_step = out_step.astype(dtype).astype(np.float64)
        zero = whole * out_step
    parameters = _Parameters(steps.clip(-limit, limit), scalar)
    parameters.add("shift", _shift(first - low * steps, from_zero), unless=0)
    is_wide = max(np.abs(out_low).max(initial=0), np.abs(out_high).max(initial=0)) > limit / 4
    half = 0.5 if is_wide else 1  # on the way, values may be twice what the type holds
    parameters.add("out_step", out_step * half, unless=1)
    parameters.add("out_low", (zero - first * out_step) * half, unless=0)

    def compute(x: Scalar, *numbers: Scalar) -> Scalar:
        given = dict(zip(parameters.names, numbers, strict=True))
        level = _level(x, given["steps"], given.get("shift"), from_zero)
        value = level.clamp(first, first + last)
        if (step := given.get("out_step")) is not None:
            value = value * step
        if (offset := given.get("out_low")) is not None:
            value = value + offset
        if half != 1:
            value = value + value
        if not to_codes:
            return value
        rounded = value.round_even() if "out_step" in given or "out_low" in given else value
        return rounded.convert(scalar, i32)

    return parameters.kernel(write, compute)


def _level(x: Scalar, steps: Scalar, shift: Scalar | None, from_zero: bool) -> Scalar:
    """The number of the step nearest to an element, whether there is one or not."""
    if shift is None:
        return (x * steps).round_even()
    if from_zero:
        return (x * steps).round_even() + shift
    return x.fma(steps, shift).round_even()


def _steps(
    op: qnn.FakeQuantizeOp, low: Array, high: Array, last: int, dtype: np.dtype[Any]
) -> tuple[Array, bool]:
    """How many steps there are to 1, and whether they are counted from 0."""
    width = high - low
    steps = np.divide(last, width, out=np.zeros_like(width), where=width != 0)
    if op.from_zero is None or not width.all():
        return steps, False
    if _multiples(low, width / last, dtype) is None:
        return steps, False
    return 1 / (width / last).astype(dtype).astype(np.float64), True


def _multiples(low: Array, step: Array, dtype: np.dtype[Any]) -> Array | None:
    """How many steps of this type a limit is, rounded as it is; None where one is no multiple, or no step is left."""
    rounded = step.astype(dtype).astype(np.float64)
    if not rounded.all():
        return None
    codes = np.rint(low / rounded)
    return codes if np.all(abs(low / rounded - codes) < qnn.FakeQuantizeOp.NEGLIGIBLE) else None


def _shift(shift: Array, from_zero: bool) -> Array:
    """The code of 0: whole if steps are counted from 0, and 0 where it differs from 0 by rounding only."""
    if from_zero:
        return np.rint(shift)
    return np.where(np.abs(shift) < qnn.FakeQuantizeOp.NEGLIGIBLE, 0, shift)


def _quantize_dynamically(op: qnn.FakeQuantizeOp, write: KernelWriter, last: int) -> SSAValue:
    """On intervals that are computed, or may be one point: up to it is output_low, beyond it output_high. NaN stays."""
    element = tensor(op.result).element_type

    def compute(x: Scalar, low: Scalar, high: Scalar, out_low: Scalar, out_high: Scalar) -> Scalar:
        level = ((x - low) * (last / (high - low))).round_even()
        value = level * ((out_high - out_low) / last) + out_low
        least, most = select(low > high, high, low), select(low > high, low, high)
        value = select(x > most, out_high, select(least >= x, out_low, value))
        if not is_integer(element):
            return value
        return value.round_even().clamp(*limits_of(element)).convert(value.type, i32)

    return write.add(map_kernel(op, tensor(op.result), op.operands, compute))


class _Parameters:
    """The constants that a kernel takes beside its input, by name."""

    def __init__(self, steps: Array, scalar: Attribute = f32):
        self.dtype = dtype_of(scalar)
        self.names = ["steps"]
        self.constants = [constant(steps.astype(self.dtype))]

    def add(self, name: str, array: Array, unless: float) -> None:
        """A further one, left out where it would change nothing."""
        rounded = array.astype(self.dtype)
        if not np.all(rounded == unless):
            self.names.append(name)
            self.constants.append(constant(rounded))

    def kernel(self, write: KernelWriter, compute: Callable[..., Scalar]) -> SSAValue:
        """The kernel over the first operand of the operation and these constants."""
        op = write.op
        ins: Sequence[SSAValue] = [op.operands[0], *(one.result for one in self.constants)]
        new = map_kernel(op, tensor(op.results[0]), ins, compute)
        write.ops += [one for one in self.constants if one.result in new.ins]
        return write.add(new)


def _first_code(codes: Array, multiple: int) -> float:
    """The code of input_low that needs no shift: its own where that is one multiple of this number everywhere (adding
    an even number moves no half to another neighbour), else 0."""
    if codes.size and abs(codes - codes.flat[0]).max() <= qnn.FakeQuantizeOp.NEGLIGIBLE:
        nearest = float(np.rint(codes.flat[0]))
        if nearest % multiple == 0 and np.all(
            np.abs(codes - nearest) < qnn.FakeQuantizeOp.NEGLIGIBLE
        ):
            return nearest
    return 0.0


@kernel_rule(qnn.DequantizeOp)
def dequantize(op: qnn.DequantizeOp, write: KernelWriter) -> SSAValue:
    source = tensor(op.input).element_type
    target = tensor(op.result).element_type
    scalar = body_type(target)

    def compute(q: Scalar, scale: Scalar, *zero_point: Scalar) -> Scalar:
        value = q.convert(source, scalar)
        for shift in zero_point:
            value = value - shift
        return value * scale

    parameters = _Parameters(array_of(op.scale), scalar)
    if op.zero_point is not None:
        parameters.add("zero_point", array_of(op.zero_point), unless=0)
    return parameters.kernel(write, compute)
