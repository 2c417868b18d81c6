"""Convolution of signed codes that a model is given, by kernels that take unsigned ones."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import i8, i16
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects.inferred import tensor
from .....dialects.nn import AddOp, ConstantOp, ConvertOp, constant_of
from .....dialects.nn.convolution import ForwardConvolution
from .....reference.arrays import blob_of
from ...dequantization import Dequantization
from ...diagnostics import quantizer_of
from ...plan import LptPlan
from ...precision import ui8
from ...prerequisites.shift_weights import MIDDLE
from ...transformation import Transformation


class ShiftData(Transformation[ForwardConvolution]):
    """
    `conv(dq(q, zero_point), w) = conv(dq(q + 128, zero_point + 128), w)` where the convolution takes u8 data, and `q`
    are i8 codes that lpt cannot choose, as those of a model's input. For constant quantized filters.

    Declines codes of a FakeQuantize, which are chosen for all that takes them.
    """

    name: ClassVar[str] = "shift_data"

    def transform(
        self, op: ForwardConvolution, plan: LptPlan, rewriter: PatternRewriter
    ) -> str | None:
        data, weights = (Dequantization.on(value) for value in (op.input, op.filters))
        takes = plan.precisions(op, "input0") or ()
        if data is None or tensor(data.codes).element_type != i8 or i8 in takes or ui8 not in takes:
            return ""
        if weights is None or constant_of(weights.codes) is None or quantizer_of(op.input):
            return ""  # why is what the law of convolutions says
        wide = ConvertOp.of(data.codes, destination_type=i16)
        middle = ConstantOp(blob_of(np.asarray(MIDDLE, np.int16)))
        shifted = AddOp.of(wide, middle)
        codes = ConvertOp.of(shifted, destination_type=ui8)
        zero_point = np.add(data.zero_point, MIDDLE, dtype=np.float64)
        values = data.with_arrays(codes.result, data.scale, zero_point)
        rewriter.insert((wide, middle, shifted, codes, values))
        op.operands[0] = values.result
        rewriter.notify_op_modified(op)
        return None
