"""Fake quantizations on the values of a plan, weights as codes, and codes as inputs and outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, qnn, rnn
from ...dialects.elements import bits_of, limits_of
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from ...dialects.traits import moved_data
from ...reference.arrays import Array, array_of, blob_of, dtype_of
from ..interval import Interval
from ..scale_weights import output_axes
from .plan import QuantizationPlan

WEIGHTS = 127
"""The largest code of weights, which are symmetric around 0."""


@dataclass(frozen=True)
class UniformQuantization:
    """`scale * (code - zero_point)` for all codes of a type."""

    scale: float
    zero_point: int
    codes: IntegerType

    @classmethod
    def over(cls, interval: Interval, codes: IntegerType) -> Self:
        """A grid with 0 that reaches over an interval; symmetric where codes have 16 bits."""
        least, most = limits_of(codes)
        low, high = min(interval.low, 0.0), max(interval.high, 0.0)
        if bits_of(codes) > 8:
            return cls(_step(max(-low, high) / most), 0, codes)
        scale = _step((high - low) / (most - least))
        return cls(scale, round(least - low / scale), codes)

    @property
    def limits(self) -> tuple[float, float]:
        """What the first and the last code stand for."""
        least, most = limits_of(self.codes)
        return (least - self.zero_point) * self.scale, (most - self.zero_point) * self.scale

    def encoded(self, array: Array) -> Array:
        """The codes of numbers."""
        codes = np.rint(array / self.scale) + self.zero_point
        return codes.clip(*limits_of(self.codes)).astype(dtype_of(self.codes))


def _step(scale: float) -> float:
    """A scale as f32 holds it; a small one where all numbers are 0, as kernels want them alike."""
    return float(np.float32(scale)) or 2.0**-15


def quantize(
    plan: QuantizationPlan, intervals: Mapping[SSAValue, Interval], codes: IntegerType
) -> dict[SSAValue, UniformQuantization]:
    """Writes fake quantizations to codes of a type. Returns the grid of each value that has one."""
    for op, place in plan.weights:
        encode_weights(op, place)
    grids: dict[SSAValue, UniformQuantization] = {}
    for group in plan.groups.values():
        own = {
            value: UniformQuantization(*plan.fixed[value], codes)
            for value in group
            if value in plan.fixed
        }
        if len(own) == len(group) and len({*own.values()}) == 1:
            shared = own[group[0]]
        else:
            known = [intervals[value] for value in group]
            whole = Interval(min(k.low for k in known), max(k.high for k in known))
            shared = UniformQuantization.over(whole, codes)
        for value in group:
            for grid in dict.fromkeys((own.get(value, shared), shared)):
                grids[value] = grid
                value = quantized = _quantized(value, grid)
                grids[quantized] = grid
    return grids


def _quantized(value: SSAValue, grid: UniformQuantization) -> SSAValue:
    """A value on a grid, which all others read in place of it."""
    owner, uses = value.owner, list(value.uses)
    is_result = isinstance(owner, Operation)
    place = InsertPoint.after(owner) if is_result else InsertPoint.at_start(owner)
    write = Writer(place, owner if is_result else owner.parent_op())
    if (blob := nn.constant_of(value)) is not None:
        found = _dequantized(write, grid.encoded(array_of(blob)), grid)
    else:
        limits = [write.constant(blob_of(np.array(limit, np.float32))) for limit in grid.limits]
        levels = 2 ** bits_of(grid.codes)
        found = write(qnn.FakeQuantizeOp, value, *limits, *limits, levels=levels)
    for use in uses:
        use.operation.operands[use.index] = found
    return found


def _dequantized(write: Writer, codes: Array, grid: UniformQuantization) -> SSAValue:
    scale = blob_of(np.array(grid.scale, np.float32))
    point = blob_of(np.array(grid.zero_point, codes.dtype))
    extra = {"zero_point": point} if grid.zero_point else {}
    return write(qnn.DequantizeOp, write.constant(blob_of(codes)), scale=scale, **extra)


def encode_weights(op: Operation, place: int) -> None:
    """Gives a product weights of signed 8-bit codes, with a scale for each output, or each gate."""
    blob = nn.constant_of(op.operands[place])
    assert blob is not None
    array = array_of(blob).astype(np.float64)
    axes = output_axes(op)
    if isinstance(op, rnn.SequenceOp):
        directions, rows, _ = array.shape
        gates = array.reshape(directions, rows // op.hidden_size.value.data, -1)
        bounds = np.abs(gates).max(axis=2, keepdims=True)
        bounds = np.repeat(bounds, op.hidden_size.value.data, axis=1)
    else:
        rest = tuple(i for i in range(array.ndim) if i not in axes)
        bounds = np.abs(array).max(axis=rest, keepdims=True)
    scale = (np.maximum(bounds, 1e-9) / WEIGHTS).astype(np.float32)
    codes = np.rint(array / scale).astype(np.int8)
    write = Writer(InsertPoint.before(op))
    op.operands[place] = write(
        qnn.DequantizeOp, write.constant(blob_of(codes)), scale=blob_of(scale)
    )


def code_ports(
    entry: func.FuncOp,
    grids: Mapping[SSAValue, UniformQuantization],
    inputs: IntegerType | None,
    outputs: IntegerType | None,
) -> None:
    """
    Lets the entry take and give codes of these types, in place of numbers.

    Raises DiagnosticException where an input or output of f32 is not quantized.
    """
    block = entry.body.block
    if inputs is not None:
        for place, argument in enumerate(block.args):
            if argument in grids:
                _take_codes(argument, _of_type(grids[argument], inputs))
            elif argument.first_use is not None and _is_number(argument):
                raise _not_quantized("input", place)
    last = block.last_op
    assert last is not None
    if outputs is not None:
        for place, value in enumerate(last.operands):
            if (grid := _grid_behind(value, grids)) is not None:
                last.operands[place] = _given_codes(value, last, _of_type(grid, outputs))
            elif _is_number(value):
                raise _not_quantized("output", place)
    entry.update_function_type()


def _is_number(value: SSAValue) -> bool:
    return not isinstance(tensor(value).element_type, IntegerType)


def _not_quantized(what: str, place: int) -> DiagnosticException:
    return DiagnosticException(
        f"{what} {place} holds no codes: LiteRT has no kernel on codes beside it; leave inference_{what}_type f32"
    )


def _of_type(grid: UniformQuantization, codes: IntegerType) -> UniformQuantization:
    """The grid as codes of another type say it, which has as many."""
    least, _ = limits_of(grid.codes)
    other, _ = limits_of(codes)
    return UniformQuantization(grid.scale, grid.zero_point + other - least, codes)


def _grid_behind(
    value: SSAValue, grids: Mapping[SSAValue, UniformQuantization]
) -> UniformQuantization | None:
    """The grid of what a value is moved from."""
    while value not in grids:
        op = value.owner
        if not isinstance(op, Operation) or not (data := moved_data(op)):
            return None
        value = data[0]
    return grids[value]


def _take_codes(argument: SSAValue, grid: UniformQuantization) -> None:
    """Makes an argument, of which a fake quantization is the only user, codes."""
    uses = list(argument.uses)
    write = Writer(InsertPoint.before(uses[0].operation))
    argument = Rewriter.replace_value_with_new_type(
        argument, TensorType(grid.codes, shape_of(argument))
    )
    scale = blob_of(np.array(grid.scale, np.float32))
    point = blob_of(np.array(grid.zero_point, dtype_of(grid.codes)))
    extra = {"zero_point": point} if grid.zero_point else {}
    found = write(qnn.DequantizeOp, argument, scale=scale, **extra)
    for use in uses:
        Rewriter.replace_op(use.operation, [], [found])


def _given_codes(value: SSAValue, last: Operation, grid: UniformQuantization) -> SSAValue:
    """The codes of a value that is on a grid."""
    write = Writer(InsertPoint.before(last))
    limits = [*grid.limits, *map(float, limits_of(grid.codes))]
    operands = [write.constant(blob_of(np.array(limit, np.float32))) for limit in limits]
    levels = 2 ** bits_of(grid.codes)
    return write(qnn.FakeQuantizeOp, value, *operands, levels=levels, output_type=grid.codes)
