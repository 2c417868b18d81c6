"""FakeQuantize as one that gives codes, and their dequantization."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, i8, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.blob import BlobAttr
from .....dialects.inferred import shape_of, tensor
from .....dialects.nn import ConstantOp, constant_of
from .....dialects.qnn import FakeQuantizeOp
from .....reference.arrays import Array, blob_of
from .....reference.constants import constant_arrays
from ...attributes import CHOSEN, INPUT_INTERVAL, LEVELS, OUTPUT_INTERVAL, note
from ...dequantization import broadcast_to_rank, dequantize
from ...plan import LptPlan
from ...precision import Alignment, QuantizationGrid, codes_of
from ...quantization_details import QuantizationDetails, dequantization_of
from ...transformation import Transformation
from ...transformation import replace as put_in_place


@dataclass(frozen=True)
class Codes:
    """A FakeQuantize that gives codes: its input interval, those codes, and their grid."""

    inputs: Sequence[Array]
    outputs: Sequence[Array]
    levels: int
    grid: QuantizationGrid
    is_aligned: bool = False
    is_chosen: bool = False
    """Whether it has a zero point that its interval would not have in i8."""

    @classmethod
    def of(
        cls, op: FakeQuantizeOp, quantization: QuantizationDetails, grid: QuantizationGrid
    ) -> Self:
        """On its own grid; where the only value is 0, the only code is 0."""
        inputs = constant_arrays((op.input_low, op.input_high)) or []
        outputs = [np.where(grid.scale == 0, 0, code) for code in (grid.low, grid.high)]
        is_chosen = not grid.is_symmetric and quantization.grid([i8]).is_symmetric
        return cls(inputs, outputs, quantization.levels, grid, is_chosen=is_chosen)

    def aligned(self, quantization: QuantizationDetails, alignment: Alignment) -> Self:
        """
        On a grid that it shares: each value gets the code next to it. The input interval is drawn out to
        where the codes at its ends lie.
        """
        grid = alignment.grid(self.grid.element)
        ends = [float(end.flat[0]) for end in (quantization.low, quantization.high)]
        codes = codes_of(grid, *ends)
        values = [(code - grid.zero_point) * grid.scale for code in codes]
        low, high = (array.astype(np.float64) for array in self.inputs)
        parts = [(value - ends[0]) / (ends[1] - ends[0]) for value in values]
        return replace(
            self,
            inputs=[low + part * (high - low) for part in parts],
            outputs=[np.asarray(code) for code in codes],
            levels=codes[1] - codes[0] + 1,
            grid=grid,
            is_aligned=True,
        )


class DecomposeFakeQuantize(Transformation[FakeQuantizeOp]):
    """
    `fq(x) = dq(fq'(x))`: `fq'` is the same FakeQuantize with an output interval of codes and an 8-bit result, and `dq`
    maps the codes to the values.

    If the plan aligns `fq` with others, `fq'` gives the nearest codes of their shared grid. A FakeQuantize that gives
    codes already is changed if the plan wants another type or grid, or if another type needs no zero point, as long as
    no operation reads the codes themselves.

    Declines more than 256 levels; computed, inverted, one-point or vanishing output intervals; input intervals of one
    point, unless the output is one, too; fewer than 3 levels in common with those it is joined with, or a computed
    input interval there.
    """

    name: ClassVar[str] = "fake_quantize_decomposition"
    op: ClassVar[type[FakeQuantizeOp]] = FakeQuantizeOp

    def transform(self, op: FakeQuantizeOp, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        allowed, alignment = plan.types_of(op), plan.alignment(op)
        quantization = QuantizationDetails.of(op)
        if isinstance(quantization, str):
            return quantization if op.output_type is None else ""
        if not allowed:
            return f"no 8-bit type that {plan.config.title} lets its consumers take"
        codes = Codes.of(op, quantization, quantization.grid(allowed))
        if alignment is None and has_wanted_codes(op, plan, codes.grid):
            if codes.is_chosen:
                note(op, CHOSEN)
            return ""
        if alignment is not None:
            if len(codes.inputs) < 2:
                return "a computed input interval, which cannot be aligned; join it with no other"
            if alignment.min_levels < MIN_LEVELS:
                return (
                    f"too few levels in common with what it is joined with, {alignment.min_levels} of "
                    f"{alignment.levels}; give these FakeQuantize intervals of like size"
                )
            codes = codes.aligned(quantization, alignment)
        decompose(op, codes, rewriter)
        return None


def has_wanted_codes(op: FakeQuantizeOp, plan: LptPlan, best: QuantizationGrid) -> bool:
    """Whether it gives codes of a type that the plan allows, and without a zero point that could be avoided."""
    before = dequantization_of(op)
    if before is None or op.output_type not in plan.types_of(op):
        return False
    is_new = plan.precisions(op, "output0") is None
    return is_new or before.is_symmetric or not best.is_symmetric


MIN_LEVELS = 3
"""With fewer levels, a FakeQuantize would only distinguish signs."""


def decompose(op: FakeQuantizeOp, codes: Codes, rewriter: PatternRewriter) -> None:
    """Puts a FakeQuantize that gives codes, and their dequantization, in the place of `op`."""
    element, rank = tensor(op.input).element_type, len(shape_of(op.input))

    def limit(array: Array) -> ConstantOp:
        return ConstantOp(blob_of(broadcast_to_rank(array, rank), element))

    ends = [op.input_low, op.input_high]
    if codes.is_aligned:
        rewriter.insert(drawn := [limit(array) for array in codes.inputs])
        ends = [one.result for one in drawn]
    rewriter.insert(outputs := [limit(array) for array in codes.outputs])
    quantize = FakeQuantizeOp.of(
        op.input,
        *ends,
        *outputs,
        **(
            op.properties
            | {"output_type": codes.grid.element, "levels": IntegerAttr(codes.levels, i64)}
        ),
    )
    if codes.is_chosen:
        note(quantize, CHOSEN)
    dequantization = dequantize(quantize.result, codes.grid.scale, codes.grid.zero_point, element)
    if op.output_type is None:
        dequantization.attributes |= originals(op, codes.is_aligned)
        put_in_place(op, quantize, [dequantization], rewriter)
        return
    quantize.attributes |= op.attributes
    rewriter.insert((quantize, dequantization))
    for before in [use.operation for use in op.result.uses]:
        dequantization.attributes |= before.attributes
        rewriter.replace(before, [], [dequantization.result])
    rewriter.erase(op)


def originals(op: FakeQuantizeOp, is_aligned: bool) -> dict[str, Attribute]:
    """What is needed to put a FakeQuantize back as it was."""
    found: dict[str, Attribute] = {OUTPUT_INTERVAL: constants(op.output_low, op.output_high)}
    if is_aligned:
        found |= {INPUT_INTERVAL: constants(op.input_low, op.input_high), LEVELS: op.levels}
    return found


def constants(*values: SSAValue) -> ArrayAttr[BlobAttr]:
    """What these constants hold."""
    return ArrayAttr([blob for blob in map(constant_of, values) if blob is not None])
