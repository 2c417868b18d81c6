"""One interval for all, where OpenVINO would take those along another dimension for those of channels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...dialects import nn, qnn
from ...dialects.inferred import shape_of
from ...reference.arrays import Array
from ...reference.constants import constant_arrays

NEARLY = 1e-6
"""How far, as a part of them, intervals may be from multiples of each other: what rounding to f32 leaves."""

CHANNELS = 1
"""The dimension of channels."""


def one_interval(op: qnn.FakeQuantizeOp) -> tuple[Array, Sequence[Array]] | None:
    """
    What to multiply the input by, and the one input interval of that; None where intervals may stay as they are.

    OpenVINO 2026.4 fuses an MVN with the FakeQuantize behind it, and takes intervals along any dimension for those of
    channels.
    """
    limits = constant_arrays(op.operands[1:3])
    if not isinstance(op.input.owner, nn.MvnOp) or limits is None:
        return None
    low, high = np.broadcast_arrays(*(limit.astype(np.float64) for limit in limits))
    behind = len(shape_of(op.input)) - low.ndim
    along = {i + behind for i, size in enumerate(low.shape) if size > 1}
    if along <= {CHANNELS} or not (high > low).all():
        return None
    factor = (high - low).max() / (high - low)
    ends = [array * factor for array in (low, high)]
    bound = max(float(np.abs(end).max()) for end in ends)
    if any(np.ptp(end) > NEARLY * bound for end in ends):
        return None
    return factor, [end.reshape(-1)[:1].reshape(()) for end in ends]
