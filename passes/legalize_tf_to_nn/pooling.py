"""Pooling: the greatest or the mean element of each window."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import BoolAttr

from ...dialects import nn
from ..channels_last import numbers
from ..tensorflow import TfOp
from .channels import Channels
from .translation import Translation, rule
from .values import Value
from .windows import properties_of, window_of

RANKS = {"MaxPool": 4, "AvgPool": 4, "MaxPool3D": 5, "AvgPool3D": 5}
"""The number of dimensions of what a pooling takes."""


@rule(*RANKS)
def pool(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    """Padding is never the greatest element, and no part of a mean."""
    x = t.tensor_of(op, values[0])
    channels = Channels.of(op, x, RANKS[op.name])
    window = window_of(channels, channels.spatial("ksize"))
    properties = {**properties_of(window), "kernel": numbers(window.kernel)}
    if op.name.startswith("Max"):
        return channels.back(t, t(nn.MaxPoolOp, channels.first(t, x), **properties))
    properties["exclude_pad"] = BoolAttr.from_bool(True)
    return channels.back(t, t(nn.AvgPoolOp, channels.first(t, x), **properties))
