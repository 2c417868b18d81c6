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
from ...transformation import Transformation, replace
from .other import off_the_grid

ONE_FOR_ALL = "put one FakeQuantize behind it, which lpt moves in front of it"
"""The advice that gives all inputs the same quantization parameters."""


class SinkDequantizeThroughConcat(Transformation[ConcatOp]):
    """
    `concat(dq(a), dq(b), …) = dq'(concat(a, b, …))` for codes of one type: scales and zero points of `dq'` are those of
    the inputs, concatenated, or a single one if all are equal.

    A constant becomes codes on the grid of another input.

    Declines codes of different types; constants off the grid; scales along another dimension.
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
        moved = ConcatOp.of(*(one.codes for one in inputs), **op.properties)
        replace(
            op, moved, [dequantize(moved.result, scale, zero_point, inputs[0].element)], rewriter
        )
        return None


def behind_one_another(
    axis: int, inputs: Sequence[Dequantization], arrays: Sequence[Array]
) -> Array | str:
    """The arrays of all inputs as one, or why they are none."""
    if all(array.ndim == 0 and array == arrays[0] for array in arrays):
        return arrays[0]
    parts: list[Array] = []
    for one, array in zip(inputs, arrays, strict=True):
        shape = shape_of(one.codes)
        if any(size != 1 for i, size in enumerate(array.shape) if i != axis):
            return (
                "an input is quantized per channel along another dimension than they are joined "
                "along; quantize it per tensor"
            )
        if shape[axis] == DYNAMIC_INDEX:
            return "its inputs have different scales, and one an unknown size; fix its size"
        whole = tuple(size if i == axis else 1 for i, size in enumerate(shape))
        parts.append(np.broadcast_to(array, whole))
    return np.concatenate(parts, axis)
