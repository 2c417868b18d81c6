"""Concat of codes, and the scales and zero points of its inputs as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as replace_field
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import shape_of, tensor
from .....dialects.nn import ConcatOp, ConstantOp, constant_of
from .....reference.arrays import Array
from ...dequantization import Dequantization, dequantize, why_not_quantized
from ...plan import LptPlan
from ...shared_quantization import codes_on_grid
from ...transformation import Transformation, replace, results_of
from ..sink import folded
from .other import off_the_grid

ONE_FOR_ALL = "put one FakeQuantize behind it, which lpt moves in front of it"
"""The advice that gives all inputs the same quantization parameters."""


class SinkDequantizeThroughConcat(Transformation[ConcatOp]):
    """
    `concat(dq(a), dq(b), …) = dq'(concat(a, b, …))` for codes of one type: scales and zero points of `dq'` are those of
    the inputs, concatenated, or a single one if all are equal.

    A constant becomes codes on the grid of another input.

    Declines codes of different types; constants off the grid; different scales of an unknown number of elements.
    """

    name: ClassVar[str] = "concat"
    op: ClassVar[type[ConcatOp]] = ConcatOp
    preserves_precision: ClassVar[bool] = True

    def transform(self, op: ConcatOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        found = [Dequantization.on(value) for value in op.inputs]
        inputs = [one for one in found if one is not None]
        if not inputs:
            return ""
        if (high := next((one.why_high for one in inputs if not one.is_low), None)) is not None:
            return high
        constants = list[ConstantOp]()
        for port, (one, value) in enumerate(zip(found, op.inputs, strict=True)):
            if one is not None:
                continue
            if constant_of(value) is None:
                return why_not_quantized(value, port)
            tried = ((grid, codes_on_grid(grid, value)) for grid in inputs)
            fitting = next(((grid, codes) for grid, codes in tried if codes is not None), None)
            if fitting is None:
                return f"{off_the_grid(port)}, or {ONE_FOR_ALL}"
            grid, codes = fitting
            constants.append(codes)
            found[port] = replace_field(grid, codes=codes.result)
        inputs = [one for one in found if one is not None]
        elements = list(dict.fromkeys(tensor(one.codes).element_type for one in inputs))
        if len(elements) > 1:
            listed = " and ".join(map(str, elements))
            return f"its inputs have codes of {listed}; {ONE_FOR_ALL}"
        axis = op.axis.value.data % len(shape_of(op.result))
        scale, zero_point = (
            behind_one_another(axis, inputs, [getattr(one, name) for one in inputs])
            for name in ("scale", "zero_point")
        )
        if isinstance(scale, str) or isinstance(zero_point, str):
            return scale if isinstance(scale, str) else str(zero_point)
        rewriter.insert(constants)
        moved = folded(ConcatOp.of(*(one.codes for one in inputs), **op.properties))
        (codes,) = results_of(moved)
        replace(op, moved, [dequantize(codes, scale, zero_point, inputs[0].element)], rewriter)
        return None


def behind_one_another(
    axis: int, inputs: Sequence[Dequantization], arrays: Sequence[Array]
) -> Array | str:
    """The arrays of all inputs as one, or why they are none."""
    first = arrays[0]
    is_along = first.ndim > 0 and first.shape[axis] > 1
    if not is_along and all(np.array_equal(array, first) for array in arrays):
        return first
    rank = len(shape_of(inputs[0].codes))
    full = [array if array.ndim else array.reshape((1,) * rank) for array in arrays]
    across = np.broadcast_shapes(*(array.take([0], axis).shape for array in full))
    parts: list[Array] = []
    for one, array in zip(inputs, full, strict=True):
        if (size := shape_of(one.codes)[axis]) == DYNAMIC_INDEX:
            return "its inputs have different scales, and one an unknown size; fix its size"
        parts.append(np.broadcast_to(array, (*across[:axis], size, *across[axis + 1 :])))
    return np.concatenate(parts, axis)
