"""Operations that say that they move elements, and need no law of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import InferredOp, shape_of
from .....dialects.nn import ConstantOp, ConvertOp, constant_of
from .....dialects.traits import DataMovement, MovesOrFillsWithZero, moved_data
from .....reference.arrays import Array, array_of, blob_of
from .....reference.executor import evaluate
from ...dequantization import Dequantization, why_not_quantized
from ...plan import LptPlan
from ...shared_quantization import codes_on_grid
from ...transformation import Transformation, replace
from ..sink import varying


class SinkDequantizeThroughMovement(Transformation[InferredOp]):
    """
    `op(dq(a), dq(b), …) = dq'(op(a, b, …))` for operations that only move elements and have no law of their own, if all
    inputs have one and the same scale and zero point: `reverse`, `roll`, `gather_nd`, `scatter_update`, `select` and
    others. A constant beside codes becomes codes of their grid. If there is only one quantized input, its scales may
    differ along a dimension, and move with the elements.

    Declines different scales; constants off the grid; scales along what computed indices move; zero points where an
    index or a window may leave the input, which gives 0.
    """

    name: ClassVar[str] = "movement"
    preserves_precision: ClassVar[bool] = True

    def transform(self, op: InferredOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        operands, ports = list(op.operands), ports_of(op)
        sides = {port: Dequantization.on(operands[port]) for port in ports}
        grids = [side for side in sides.values() if side is not None]
        if not grids:
            return ""
        grid, constants = grids[0], list[Operation]()
        for port, side in sides.items():
            if side is not None:
                operands[port] = side.codes
            elif (codes := codes_on_grid(grid, operands[port])) is not None:
                constants.append(codes)
                operands[port] = codes.result
            elif constant_of(operands[port]) is not None:
                return off_the_grid(port)
            else:
                return why_not_quantized(operands[port], port)
        if (reason := next((one.why_high for one in grids if not one.is_low), None)) is not None:
            return reason
        if not all(grid.same_as(one) for one in grids):
            return "its inputs have different scales or types; give their FakeQuantize one interval"
        if op.has_trait(MovesOrFillsWithZero) and not grid.is_symmetric:
            return (
                "its input is quantized with a zero point, and what lies outside of it is 0; quantize it "
                "symmetrically around 0"
            )
        arrays = [grid.scale, grid.zero_point]
        if not grid.is_per_tensor:
            found = [moved_alike(op, ports, array) for array in arrays]
            arrays = [array for array in found if array is not None]
            if len(arrays) < len(found):
                return varying(grid, range(len(shape_of(grid.codes))))
        moved = type(op).of(*operands, **op.properties)
        rewriter.insert(constants)
        replace(op, moved, [grid.with_arrays(moved.results[0], *arrays)], rewriter)
        return None


def off_the_grid(port: int) -> str:
    """Why a constant beside codes cannot be codes of their grid, and what to do."""
    return (
        f"input {port} is a constant with values off the grid of what it is joined with; give it values that the "
        "FakeQuantize keeps"
    )


def ports_of(op: Operation) -> Sequence[int]:
    """The numbers of the operands whose elements are moved."""
    if op.has_trait(MovesOrFillsWithZero):
        return [0]
    moved = moved_data(op)
    return [port for port, operand in enumerate(op.operands) if operand in moved]


def moved_alike(op: InferredOp, ports: Sequence[int], array: Array) -> Array | None:
    """
    What belongs to the elements of the one operand that is moved, as these lie then; None where that is computed or
    differs along more than one dimension.
    """
    if not array.ndim:
        return array
    others = [
        None if port in ports else constant_of(op.operands[port])
        for port in range(len(op.operands))
    ]
    shape = shape_of(op.operands[0])
    if ports != [0] or None in others[1:] or DYNAMIC_INDEX in shape:
        return None
    whole = np.broadcast_to(array, shape)
    known = [whole, *(array_of(blob) for blob in others if blob is not None)]
    constant = ConstantOp(blob_of(whole))
    (found,) = evaluate(type(op).of(constant, *op.operands[1:], **op.properties), known)
    differ = list[int]()
    for axis in range(found.ndim):
        first = found.take([0], axis)
        if (found == first).all():
            found = first
        else:
            differ.append(axis)
    return found if len(differ) < 2 else None


def sinks_through(
    kinds: Iterable[type[Operation]], known: Iterable[Transformation[Any]]
) -> Iterable[Transformation[Any]]:
    """The law, for each operation that moves elements and that none of the others is about."""
    about = {one.op for one in known} | {ConvertOp}  # which gives elements of another type
    for kind in kinds:
        if kind not in about and (
            kind.has_trait(DataMovement) or kind.has_trait(MovesOrFillsWithZero)
        ):
            yield SinkDequantizeThroughMovement.about(kind)
