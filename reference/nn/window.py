"""What a window sees, at all positions at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...dialects.nn.window import Window, WindowedOp, checked_positions
from ..arrays import Array


def views(op: WindowedOp, x: Array, window: Window, fill: Any) -> Array:
    """
    `[batch, channel, *position, *element]`: what the window sees of `x`, and `fill` outside of it.

    Raises VerifyException, naming `op`, where the window does not fit.
    """
    sizes = x.shape[2:]
    positions = checked_positions(op, window, sizes)
    pads = [
        (begin, max(end, (count - 1) * stride + extent - size - begin))
        for (begin, end), count, stride, extent, size in zip(
            window.padding(sizes), positions, window.strides, window.extents, sizes, strict=True
        )
    ]
    inner = np.pad(x, [(0, 0), (0, 0), *pads], constant_values=fill)
    spatial = tuple(range(2, x.ndim))
    everywhere = np.lib.stride_tricks.sliding_window_view(inner, window.extents, axis=spatial)
    starts = [
        slice(0, (count - 1) * stride + 1, stride)
        for count, stride in zip(positions, window.strides, strict=True)
    ]
    elements = [slice(None, None, dilation) for dilation in window.dilations]
    return everywhere[(slice(None), slice(None), *starts, *elements)]
