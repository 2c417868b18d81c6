"""Padding."""

from __future__ import annotations

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.PadOp)
def pad(
    op: nn.PadOp, x: Array, pads_begin: Array, pads_end: Array, pad_value: Array | None = None
) -> Array:
    mode = op.pad_mode.data
    fill = x.dtype.type(0) if pad_value is None else pad_value.reshape(())
    grown = pads_begin.astype(np.int64) + pads_end
    shape = [size + more for size, more in zip(x.shape, grown.tolist(), strict=True)]
    if 0 in shape:
        return np.empty(shape, x.dtype)
    for axis in np.argsort(grown, kind="stable").tolist():  # what shrinks first
        size: int = x.shape[axis]
        places = np.arange(-int(pads_begin[axis]), size + int(pads_end[axis]))
        inside = (places >= 0) & (places < size)
        if mode == "constant":
            part = np.full((*x.shape[:axis], len(places), *x.shape[axis + 1 :]), fill, x.dtype)
            target = [slice(None)] * axis
            part[(*target, inside)] = x[(*target, places[inside])]
            x = part
            continue
        if mode == "reflect":
            places = np.where(places < 0, -places, places)
            places = np.where(places >= size, 2 * (size - 1) - places, places)
        elif mode == "symmetric":
            places = np.where(places < 0, -1 - places, places)
            places = np.where(places >= size, 2 * size - 1 - places, places)
        x = np.take(x, np.clip(places, 0, max(size - 1, 0)), axis)
    return x
