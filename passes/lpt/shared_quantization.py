"""Shared quantization parameters: the one scale and zero point of all sources of a value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import AnyFloat, IntegerAttr, TensorType, i64
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.elements import limits_of
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.nn import ConstantOp, ConvertOp, constant_of
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...dialects.rewriter import Rewriter
from ...reference.arrays import array_of, blob_of, dtype_of
from .dequantization import Dequantization, broadcast_to_rank, dequantize
from .plan import LptPlan
from .provenance import above
from .quantization_details import QuantizationDetails
from .quantization_parameters import QuantizationParameters, computed_in


def quantize(grid: QuantizationParameters, value: SSAValue, place: InsertPoint) -> SSAValue:
    """Inserts the quantization of a value with these parameters; returns the codes."""
    if (blob := constant_of(value)) is not None:
        codes = grid.codes_of(array_of(blob))
        assert codes is not None, "it lies on the grid"
        constant = ConstantOp(blob_of(codes, grid.code))
        Rewriter.insert_op(constant, place)
        return constant.result
    if (codes := _known_codes(grid, value)) is not None:
        return codes
    limits, rank = limits_of(grid.code), len(shape_of(value))
    points = np.array(limits, np.float64)
    ends = [
        ConstantOp(
            blob_of(broadcast_to_rank(end, rank).astype(dtype_of(grid.element)), grid.element)
        )
        for end in (
            *map(grid.values, points),
            *(np.where(grid.scale == 0, 0, point) for point in points),
        )
    ]
    quantized = FakeQuantizeOp.of(value, *ends, levels=IntegerAttr(256, i64), output_type=grid.code)
    Rewriter.insert_op((*ends, quantized), place)
    return quantized.result


def _known_codes(grid: QuantizationParameters, value: SSAValue) -> SSAValue | None:
    """The codes that a value is dequantized from, if with these parameters."""
    side = Dequantization.on(value)
    return side.codes if side is not None and grid.same_as(side) else None


def enter_codes(grid: QuantizationParameters, value: SSAValue, place: InsertPoint) -> DequantizeOp:
    """Changes a value to codes; its uses get their dequantization, inserted at `place`."""
    codes = Rewriter.replace_value_with_new_type(value, TensorType(grid.code, shape_of(value)))
    values = dequantize(codes, grid.scale, grid.zero_point, grid.element)
    Rewriter.insert_op(values, place)
    codes.replace_uses_with_if(values.result, lambda use: use.operation is not values)
    return values


def codes_on_grid(grid: Dequantization, value: SSAValue) -> ConstantOp | None:
    """The codes that dequantize to a constant, one grid for all of them; None where it has values off the grid."""
    parameters = grid.of_integers
    if (blob := constant_of(value)) is None or isinstance(parameters, str):
        return None
    codes = parameters.codes_of(array_of(blob)) if parameters.is_per_tensor else None
    return None if codes is None else ConstantOp(blob_of(codes, parameters.code))


def shared_parameters(value: SSAValue, plan: LptPlan) -> QuantizationParameters | str:
    """
    The parameters that all sources of a value's elements share, or why they share none. Data movement on the way
    requires them to be per tensor.
    """
    pending, seen, moves = [value], {value}, False
    grids: list[QuantizationParameters] = []
    constants: list[ConstantOp] = []
    while pending:
        value = pending.pop()
        if (further := above(value, plan)) is not None:
            moves |= any(moved for _, moved in further)
            new = [one for one, _ in further if one not in seen]
            pending += new
            seen.update(new)
            continue
        owner = value.owner
        if isinstance(owner, ConstantOp):
            constants.append(owner)
            continue
        grid = _source(value, plan)
        if isinstance(grid, str):
            return grid
        grids.append(grid)
    return _agreed(grids, constants, moves)


def _source(value: SSAValue, plan: LptPlan) -> QuantizationParameters | str:
    if (side := Dequantization.on(value)) is not None:
        return side.of_integers
    match value.owner:
        case FakeQuantizeOp() as op if op.output_type is None:
            return _parameters_of(op, plan)
        case Operation() as op:
            return f"{label(computing(op))} gives it values that are not quantized; put a FakeQuantize on them"
        case _:
            return "an input of the model gives it values that are not quantized; put a FakeQuantize on them"


def _parameters_of(op: FakeQuantizeOp, plan: LptPlan) -> QuantizationParameters | str:
    """The parameters of a FakeQuantize, or why it will not have codes."""
    quantization = QuantizationDetails.of(op)
    if isinstance(quantization, str):
        return f"{label(op)} has {quantization}"
    if not (allowed := plan.types_of(op)):
        return f"{label(op)} has no 8-bit type that {plan.config.title} lets its consumers take"
    grid = quantization.grid(allowed)
    if (alignment := plan.alignment(op)) is not None:
        grid = alignment.grid(grid.element)
    element = tensor(op.result).element_type
    rank, computed = len(shape_of(op.result)), dtype_of(computed_in(element))
    scale, zero_point = (
        broadcast_to_rank(np.asarray(one, computed), rank) for one in (grid.scale, grid.zero_point)
    )
    return QuantizationParameters(grid.element, scale, zero_point, element)


def computing(op: Operation) -> Operation:
    """The operation that computes the values which this one, if it is a conversion, only rounds to another type."""
    while isinstance(op, ConvertOp) and isinstance(tensor(op.input).element_type, AnyFloat):
        before = op.input.owner
        if not isinstance(before, Operation) or isinstance(before, FakeQuantizeOp):
            break
        op = before
    return op


def _agreed(
    grids: Sequence[QuantizationParameters], constants: Sequence[ConstantOp], moves: bool
) -> QuantizationParameters | str:
    if not grids:
        return "nothing quantized is ever given to it"
    first = grids[0]
    if not all(first.same_as(other) for other in grids):
        return "what is given to it has different scales; give all FakeQuantize one interval"
    if moves and not first.is_per_tensor:
        return "what is given to it is quantized per channel and moved; quantize it per tensor"
    for constant in constants:
        if first.codes_of(array_of(constant.value)) is None:
            return (
                f"{label(constant)} has values off the grid of what else is given to it; "
                "give it values that the FakeQuantize keeps"
            )
    return first
