"""Batch normalization."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import tensor
from ..tensorflow import TfOp
from ..tensorflow_rules.channels import Channels
from .translation import Translation, rule
from .values import Nothing, Value

EPSILON = 1e-4
"""What is added to variances where an operation does not say it."""


@rule("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
def batch_norm(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    """
    `result = (x - mean) * scale / √(variance + epsilon) + offset`, by the given statistics, or, with `is_training`,
    by those of `x`, as LayerNormalization of Keras 2 has it too. The results after the first, for updating
    averages, are not computed then.

    It is computed in the type of the statistics, which is f32 also where that of `x` is shorter.
    """
    x, scale, offset, mean, variance = t.tensors_of(op, values)
    channels, epsilon = Channels.of(op, x), op.number("epsilon", EPSILON)
    wide = t.converted(x, tensor(scale).element_type)
    if op.integer("is_training", 1):
        factor, shift, others = scale, offset, [Nothing(), Nothing()]
        wide = _standardized(t, wide, channels, epsilon)
    else:
        deviation = t(nn.SqrtOp, t(nn.AddOp, variance, t.like(variance, epsilon)))
        factor = t(nn.DivideOp, scale, deviation)
        shift = t(nn.SubtractOp, offset, t(nn.MultiplyOp, mean, factor))
        others = [mean, variance]
    scaled = t(nn.MultiplyOp, wide, channels.along(t, factor))
    result = t(nn.AddOp, scaled, channels.along(t, shift))
    reserved = [Nothing() for _ in op.op.results[3:]]
    return [t.converted(result, tensor(x).element_type), *others, *reserved]


def _standardized(t: Translation, x: SSAValue, channels: Channels, epsilon: float) -> SSAValue:
    """`x` with a mean of 0 and a variance of 1 in each channel."""
    axes = t.integers(0, *channels.space)
    return t(nn.MvnOp, x, axes, eps=epsilon, eps_mode="inside_sqrt", normalize_variance=True)
