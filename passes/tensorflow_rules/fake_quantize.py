"""
Quantization while training: `tf.FakeQuantWithMinMax*` and FAKE_QUANT, whose interval is moved until 0 is one of the
levels.

Halves go to even numbers, as `qnn.fake_quantize` has it, where TensorFlow's go up.
"""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects import nn, qnn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import tensor
from ..tensorflow import TfOp
from .rules import Legalizer, rule

BITS = 8
"""The default of `num_bits`."""


@rule("FakeQuantWithMinMaxArgs", "FakeQuant")
def of_attributes(t: Legalizer, op: TfOp, x: SSAValue) -> SSAValue:
    type: TensorType = TensorType(tensor(x).element_type, [])
    low, high = (
        t.constant(BlobAttr.of(type, op.number(name, default)))
        for name, default in (("min", -6.0), ("max", 6.0))
    )
    return _quantized(t, op, x, low, high)


@rule("FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel")
def of_operands(t: Legalizer, op: TfOp, x: SSAValue, low: SSAValue, high: SSAValue) -> SSAValue:
    """Limits are one number each, or one for each element of the last dimension."""
    return _quantized(t, op, x, low, high)


def _quantized(t: Legalizer, op: TfOp, x: SSAValue, low: SSAValue, high: SSAValue) -> SSAValue:
    first, last = int(op.flag("narrow_range")), 2 ** op.integer("num_bits", BITS) - 1
    step = t(nn.DivideOp, t(nn.SubtractOp, high, low), last - first)
    is_point = t(nn.EqualOp, step, t.like(step, 0))  # which is 0: all limits are then
    divisor = t(nn.SelectOp, is_point, t.like(step, 1), step)
    zero = t(nn.SubtractOp, t.like(low, first), t(nn.DivideOp, low, divisor))
    zero = t(nn.RoundOp, t.clamp(zero, first, last), mode="half_away_from_zero")
    limits = [
        t(nn.MultiplyOp, t(nn.SubtractOp, t.like(zero, end), zero), step) for end in (first, last)
    ]
    return t(qnn.FakeQuantizeOp, x, *limits, *limits, levels=last - first + 1)
