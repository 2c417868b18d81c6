"""Batch normalization."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import tensor
from ..tensorflow import TfOp
from .channels import Channels
from .elementwise import converted
from .translation import Translation, rule
from .values import Nothing, Value

EPSILON = 1e-4
"""What is added to variances where an operation does not say it."""


@rule("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
def batch_norm(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    """
    `result = x * factor + (offset - mean * factor)` where `factor = scale / √(variance + epsilon)`, computed in the
    type of the statistics, which is f32 also where `x` is shorter.
    """
    if op.integer("is_training", 1):
        raise DiagnosticException(
            f"tf.{op.name}: normalizes by the statistics of the batch (is_training); export the model for "
            "inference, with training=False"
        )
    x, scale, offset, mean, variance = t.tensors_of(op, values)
    channels = Channels.of(op, x)
    spread = t(nn.SqrtOp, t(nn.AddOp, variance, t.like(variance, op.number("epsilon", EPSILON))))
    factor = t(nn.DivideOp, scale, spread)
    shift = t(nn.SubtractOp, offset, t(nn.MultiplyOp, mean, factor))
    wide = converted(t, x, tensor(scale).element_type)
    scaled = t(nn.MultiplyOp, wide, channels.along(t, factor))
    result = t(nn.AddOp, scaled, channels.along(t, shift))
    others = [Nothing() for _ in op.op.results[3:]]
    return [converted(t, result, tensor(x).element_type), mean, variance, *others]
