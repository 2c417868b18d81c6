"""
Convolutions of one tap as matrix products, where `vpmaddwd` multiplies words: the product widens rows of a once for all
tiles of units (`widened_rows`), and packed filters lie as its weights do.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ....dialects.kernel import ConvolutionLayout, ConvolutionOp, PackedLayout
from ...machine import Isa
from ..body import KernelBody
from ..elements import Operand, ins_and_outs, memref
from ..mat_mul.mat_mul import MatMulKernel
from ..schedule.mat_mul import MatMulSchedule, MatMulShape
from .convolution import input_operand, merge_positions


def pointwise_kernel(op: ConvolutionOp, isa: Isa) -> MatMulKernel | None:
    """The product that a convolution is, if all its operands step through all positions alike."""
    layout, (taps, _, _) = op.packed, op.window()
    if type(layout) is not ConvolutionLayout or op.groups.value.data > 1 or op.sums > 1:
        return None
    if prod(taps) > 1 or layout.lanes != isa.lanes:
        return None
    ins, outs = ins_and_outs(op)
    moving = [replace(each, strides=(0, *each.strides)) for each in (*ins, *outs)]
    (rows, *others), (a, *moving) = merge_positions(op.shape[:-1], [input_operand(op), *moving])
    if prod(others) > 1:
        return None
    depth, units, b = op.channels, op.units, memref(op.b).element_type
    packed = PackedLayout(layout.lanes, layout.kr, layout.nr_vectors)
    bytes = sum(units * each.size for each in moving if each.strides[1] and each.strides[-1])
    shape = MatMulShape(rows, units, [depth], 1, [(a.element, b)], bytes)
    operations = sum(1 for _ in op.body.block.ops)
    mr = op.measured_mr and [prod(op.measured_mr)]
    schedule = MatMulSchedule.follow(isa, shape, packed, [op.offset], operations, mr, widens=True)
    if not schedule.widens:
        return None
    along = [replace(each, strides=(each.strides[1], each.strides[-1])) for each in (a, *moving)]
    operands = (
        along[:1],
        [Operand(b, 0, ())],
        along[1 : 1 + len(ins)],
        along[1 + len(ins) :],
    )
    fixed = MatMulKernel.fixed(
        [],
        (rows, units),
        [depth],
        1,
        operands,
        packed,
        schedule.for_rows(rows),
        KernelBody.of(op.body),
    )
    return fixed.at_run_time()
