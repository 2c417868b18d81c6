"""Pooling: the maximum or the average of each window."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects import nn
from ..tensorflow import TfOp
from ..tensorflow_rules.channels import Channels
from .translation import Translation, computes
from .windows import properties_of, window_of

RANKS = {"MaxPool": 4, "AvgPool": 4, "MaxPool3D": 5, "AvgPool3D": 5}
"""The number of dimensions of what a pooling takes."""


@computes(*RANKS)
def pool(t: Translation, op: TfOp, x: SSAValue) -> SSAValue:
    """Padding is never the maximum, and does not count in averages."""
    channels = Channels.of(op, x, RANKS[op.name])
    window = window_of(channels, channels.spatial("ksize"))
    properties = {**properties_of(window), "kernel": window.kernel}
    x = channels.first(t, x)
    if op.name.startswith("Max"):
        return channels.back(t, t(nn.MaxPoolOp, x, **properties))
    return channels.back(t, t(nn.AvgPoolOp, x, **properties, exclude_pad=True))
