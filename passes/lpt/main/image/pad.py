"""Pad."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import InferredOp, constant_integers, shape_of, tensor
from .....dialects.nn import ConstantOp, PadOp, constant_of
from .....reference.arrays import array_of, blob_of, dtype_of
from ...dequantization import Dequantization
from ..sink import SinkAcross


class SinkDequantizeThroughPad(SinkAcross[PadOp]):
    """
    `pad(dq(q)) = dq(pad(q))` for scales that are the same along what is padded, and where padding is
    made of the input's own elements, or is 0 and so is its code.
    """

    name: ClassVar[str] = "pad"
    op: ClassVar[type[PadOp]] = PadOp

    def rearranged(self, op: PadOp, dequantization: Dequantization) -> Iterable[int] | str:
        if op.pad_mode.data == "constant":
            if not pads_with_zero(op):
                return "it pads with another value than 0, which may have no code; pad with 0"
            if not dequantization.is_symmetric:
                return (
                    "its input is quantized with a zero point and padded with zeros; quantize it "
                    "symmetrically around 0"
                )
        begin, end = constant_integers(op.pads_begin), constant_integers(op.pads_end)
        every = range(len(shape_of(op.input)))
        if begin is None or end is None:
            return every
        return [axis for axis in every if begin[axis] or end[axis]]

    def on_codes(self, op: PadOp, codes: SSAValue, rewriter: PatternRewriter) -> InferredOp:
        if op.pad_value is None:
            return super().on_codes(op, codes, rewriter)
        element = tensor(codes).element_type
        zero = ConstantOp(blob_of(np.zeros((), dtype_of(element)), element))
        rewriter.insert(zero)
        return PadOp.of(codes, op.pads_begin, op.pads_end, zero.result, **op.properties)


def pads_with_zero(op: PadOp) -> bool:
    """Whether the value of padding is 0."""
    if op.pad_value is None:
        return True
    blob = constant_of(op.pad_value)
    return blob is not None and not array_of(blob).any()
