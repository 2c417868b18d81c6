"""Pad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

import numpy as np
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import InferredOp, constant_integers, shape_of, tensor
from .....dialects.nn import ConstantOp, PadOp
from .....reference.arrays import Array, blob_of, dtype_of
from .....reference.constants import constant_array
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, varying, with_codes

MODES: dict[str, Literal["edge", "reflect", "symmetric"]] = {
    "constant": "edge",
    "edge": "edge",
    "reflect": "reflect",
    "symmetric": "symmetric",
}
"""How scales are padded; the padded code is that of 0, so that any scale will do."""


class SinkDequantizeThroughPad(SinkThrough[PadOp]):
    """
    `pad(dq(q)) = dq'(pad(q))`, where padding is made of the input's own elements, or is 0 and there is one code
    for it. Scales along a dimension are padded too.

    Declines padding with other constants; zeros where 0 is between codes; scales along what is cropped or padded by
    computed sizes.
    """

    name: ClassVar[str] = "pad"
    op: ClassVar[type[PadOp]] = PadOp

    def preserves(self, op: PadOp) -> bool:
        return op.pad_mode.data != "constant" or pads_with_zero(op)

    def changes(self, op: PadOp, dequantization: Dequantization) -> Sequence[Change] | str:
        mode = op.pad_mode.data
        if mode == "constant":
            if not pads_with_zero(op):
                return "it pads with another value than 0, which may have no code; pad with 0"
            if dequantization.code_of_zero is None:
                return (
                    "its input is padded with zeros and quantized so that no code stands for 0; move its "
                    "interval so that 0 is a step, or quantize it symmetrically around 0"
                )
        begin, end = constant_integers(op.pads_begin), constant_integers(op.pads_end)
        every = range(len(shape_of(op.input)))
        if begin is None or end is None:
            return varying(dequantization, every) or [lambda array: array]
        sizes = list(zip(begin, end, strict=True))
        if (lost := varying(dequantization, (i for i in every if min(sizes[i]) < 0))) is not None:
            return lost

        def padded(array: Array) -> Array:
            widths = [(0, 0) if array.shape[axis] == 1 else sizes[axis] for axis in every]
            return np.pad(array, widths, MODES[mode])

        return [padded]

    def on_codes(
        self, op: PadOp, dequantization: Dequantization, rewriter: PatternRewriter
    ) -> InferredOp:
        codes, code = dequantization.codes, dequantization.code_of_zero or 0
        if op.pad_value is None and (op.pad_mode.data != "constant" or not code):
            return with_codes(op, codes)
        element = tensor(codes).element_type
        zero = ConstantOp(blob_of(np.asarray(code, dtype_of(element)), element))
        rewriter.insert(zero)
        return PadOp.of(codes, op.pads_begin, op.pads_end, zero.result, **op.properties)


def pads_with_zero(op: PadOp) -> bool:
    """Whether the value of padding is 0."""
    if op.pad_value is None:
        return True
    array = constant_array(op.pad_value)
    return array is not None and not array.any()
