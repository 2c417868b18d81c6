"""
Convolutions as matrix products, where `vpmaddwd` multiplies words: the product widens rows of a once for all tiles of
units (`widened_rows`), and packed filters lie as its weights do. Of several taps, a row is a window, which is gathered
meanwhile (im2col).
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ....dialects.elements import bits_of
from ....dialects.kernel import ConvolutionLayout, ConvolutionOp, PackedLayout
from ...machine import Isa
from ..body import KernelBody
from ..elements import Operand, ins_and_outs, memref
from ..mat_mul.mat_mul import MatMulKernel
from ..mat_mul.widened_rows import WidenedTap
from ..schedule.mat_mul import MatMulSchedule
from ..schedule.register_tiles import MatMulShape
from .convolution import input_operand, merge_positions


def im2col_kernel(op: ConvolutionOp, isa: Isa) -> MatMulKernel | None:
    """
    The product that a convolution is: of all positions where all its operands step through them alike, else a batch of
    lines. Those have gaps where a is read in strides, or where the result is written into a padded input.
    """
    if (packed := _weights_of_product(op, isa)) is None:
        return None
    ins, outs = ins_and_outs(op)
    moving = [replace(each, strides=(0, *each.strides)) for each in (*ins, *outs)]
    positions, (a, *moving) = merge_positions(op.shape[:-1], [input_operand(op), *moving])
    *batch, rows = (positions[0],) if prod(positions[1:]) == 1 else positions
    depth, units, b = op.channels * prod(op.window()[0]), op.units, memref(op.b).element_type
    bytes = sum(units * each.size for each in moving if each.strides[1] and each.strides[-1])
    shape = MatMulShape(rows, units, [depth], 1, [(a.element, b)], bytes)
    operations = sum(1 for _ in op.body.block.ops)
    mr = op.measured_mr and [prod(op.measured_mr)]
    schedule = MatMulSchedule.follow(isa, shape, packed, [op.offset], operations, mr, widens=True)
    if not (schedule.widens or schedule.matched):
        return None
    along = [
        replace(o, strides=(*o.strides[1 : 2 + len(batch)], o.strides[-1])) for o in (a, *moving)
    ]
    operands = (
        along[:1],
        [Operand(b, 0, (0,) * len(batch))],
        along[1 : 1 + len(ins)],
        along[1 + len(ins) :],
    )
    fixed = MatMulKernel.fixed(
        batch,
        (rows, units),
        [depth],
        1,
        operands,
        packed,
        schedule.for_rows(rows),
        KernelBody.of(op.body),
        taps=_taps(op),
    )
    return fixed.at_run_time()


def _weights_of_product(op: ConvolutionOp, isa: Isa) -> PackedLayout | None:
    """How the filters lie as the weights of a product; None where the convolution cannot be one."""
    layout = op.packed
    if type(layout) is not ConvolutionLayout or op.groups.value.data > 1 or op.sums > 1:
        return None
    gathers = layout.fast_inner_product or layout.matched_tiles
    if not (op.is_pointwise or gathers) or layout.lanes != isa.lanes:
        return None
    return PackedLayout(
        layout.lanes,
        layout.kr,
        layout.nr_vectors,
        fast_inner_product=layout.fast_inner_product,
        matched_tiles=layout.matched_tiles,
    )


def _taps(op: ConvolutionOp) -> tuple[WidenedTap[int], ...]:
    """The loops over taps, but for the last ones, which lie beside the channels."""
    loops, size = op.tap_loops(), bits_of(memref(op.a).element_type) // 8
    outer = len(loops) - op.taps_beside()
    codes = op.channels * prod(count for count, _ in loops[outer:])
    found: list[WidenedTap[int]] = []
    for count, step in reversed(loops[:outer]):
        if count > 1:
            found.insert(0, WidenedTap(count, step * size, codes))
        codes *= count
    return tuple(found)
