"""Elementwise builtins that TensorFlow does not have, or defines differently."""

from __future__ import annotations

from xdsl.dialects.builtin import f32
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of
from ..tensorflow_rules.elementwise import bitcast as bits_as
from ..tensorflow_rules.elementwise import select as selected
from ..tensorflow_rules.sorting import bucketize as buckets_of
from .states import read_value
from .translation import Builtin, Translation, computes, rule
from .values import quantization_of

CLAMPS = {"RELU_0_TO_1": (0, 1), "RELU_N1_TO_1": (-1, 1)}


@computes(*CLAMPS)
def clamp(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return t.clamp(x, *CLAMPS[op.builtin()])


@computes("GELU")
def gelu(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return t(nn.GeluOp, x, approximation_mode="tanh" if op.flag("approximate") else "erf")


@computes("PRELU")
def p_relu(t: Translation, op: tfl.TflOp, x: SSAValue, slopes: SSAValue) -> SSAValue:
    shape = shape_of(slopes)
    if len(shape) == 1 < len(shape_of(x)):  # which would be along the second dimension here
        slopes = t.reshaped(slopes, (1, *shape))
    return t(nn.PReluOp, x, slopes)


@computes("DENSIFY", moves=True)
def densify(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    """Sparse tensors become dense when they are read."""
    return x


@computes("QUANTIZE")
def quantize(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return x


@computes("DEQUANTIZE")
def dequantize(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return x if quantization_of(op.operands[0]) else t(nn.ConvertOp, x, destination_type=f32)


@rule("SELECT", "SELECT_V2")
def select(t: Translation, op: tfl.TflOp) -> None:
    _, left, right = op.operands
    if left in t.handles:  # what a variable has, or an initial value: see `states`
        t.same(op.results[0], read_value(t, t.handles[left], t.value(right)))
    else:
        t.compute(op, selected, moves=False)


@computes("BITCAST")
def bitcast(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    if any(quantization_of(value) is not None for value in (*op.operands, *op.results)):
        raise DiagnosticException("the bits of quantized values are not supported; cast them first")
    return bits_as(t, Builtin(op, "Bitcast"), x)


@computes("BUCKETIZE")
def bucketize(t: Translation, op: tfl.TflOp, x: SSAValue) -> SSAValue:
    return buckets_of(t, Builtin(op, "Bucketize"), x)
