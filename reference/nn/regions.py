"""ROI align, region by region."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...dialects import nn
from ..arrays import Array
from ..meaning import meaning


@meaning(nn.RoiAlignOp)
def roi_align(op: nn.RoiAlignOp, images: Array, rois: Array, which: Array) -> Array:
    mode, kind = op.aligned_mode.data, rois.dtype.type
    rois = (rois + kind(0.5 if mode == "half_pixel" else 0)) * kind(op.spatial_scale.value.data)
    rois = rois - kind(0 if mode == "asymmetric" else 0.5)
    found: list[Array] = []
    for (left, top, right, bottom), number in zip(rois, which, strict=True):
        size = np.array([bottom - top, right - left])
        if mode == "asymmetric":
            size = np.maximum(size, 1)
        image = _image(images, number)
        found.append(_bins(op, image, size, lambda y, x, y0=top, x0=left: (y + y0, x + x0)))
    return _joined(op, images, found)


@meaning(nn.RoiAlignRotatedOp)
def roi_align_rotated(op: nn.RoiAlignRotatedOp, images: Array, rois: Array, which: Array) -> Array:
    scale = rois.dtype.type(op.spatial_scale.value.data)
    found: list[Array] = []
    for (*sizes, angle), number in zip(rois, which, strict=True):
        x0, y0, width, height = (each * scale for each in sizes)
        turned = -angle if op.clockwise_mode else angle
        direction = np.cos(turned), np.sin(turned)

        def locate(
            y: Array, x: Array, size: Array, middle: Array, direction: tuple[float, float]
        ) -> tuple[Array, Array]:
            (y, x), (cosine, sine) = (y - size[0] / 2, x - size[1] / 2), direction
            return y * cosine - x * sine + middle[0], y * sine + x * cosine + middle[1]

        size, middle = np.array([height, width]), np.array([y0 - 0.5, x0 - 0.5])
        how = size, middle, direction
        image = _image(images, number)
        found.append(_bins(op, image, size, lambda y, x, how=how: locate(y, x, *how)))
    return _joined(op, images, found)


def _image(images: Array, number: int) -> Array:
    """One of the images; 0 where there is none of that number."""
    there = -len(images) <= number < len(images)
    return images[number].astype(np.float64) if there else np.zeros(images.shape[1:])


def _joined(op: nn.AlignOp, images: Array, found: list[Array]) -> Array:
    none = np.empty((0, images.shape[1], *op.bins))
    return np.stack(found).astype(images.dtype) if found else none.astype(images.dtype)


def _bins(
    op: nn.AlignOp,
    image: Array,
    size: Array,
    locate: Callable[[Array, Array], tuple[Array, Array]],
) -> Array:
    """The bins `[channel, row, column]` of one region of this height and width."""
    bins, ratio = np.array(op.bins), op.sampling_ratio.value.data
    by_size = np.nan_to_num(np.ceil(size / bins.astype(size.dtype)), nan=0)
    by_size = np.clip(by_size, 0, nn.MOST_POINTS).astype(int)
    rows, columns = np.full(2, ratio) if ratio else by_size
    if not rows * columns * image.size:
        return np.zeros((len(image), *op.bins))
    lines: list[Array] = []
    counts: list[int] = (bins * (rows, columns)).tolist()
    for count, extent in zip(counts, size.tolist(), strict=True):
        lines.append((np.arange(count) + 0.5) * (extent / count))
    down, across = lines
    with np.errstate(invalid="ignore"):
        y, x = locate(np.tile(down[:, None], len(across)), np.tile(across, (len(down), 1)))
    pixels = _weighted_pixels(image, y, x)
    read = pixels.max(0) if op.pooling == "weighted_max" else pixels.sum(0)
    parts = read.reshape(len(image), bins[0], rows, bins[1], columns)
    if op.pooling == "avg":
        return parts.mean((2, 4))
    return np.maximum(parts.max((2, 4)), 0 if op.pooling == "max" else -np.inf)


def _weighted_pixels(image: Array, y: Array, x: Array) -> Array:
    """
    The four pixels around points, times what they weigh: `[pixel, channel, *point]`; 0 beyond one pixel outside, and at
    no place, NaN.
    """
    _, height, width = image.shape
    inside = (y >= -1) & (y <= height) & (x >= -1) & (x <= width)
    y, x = np.where(inside, (y, x), 0)
    y, x = np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)
    top, left = np.floor(y).astype(int), np.floor(x).astype(int)
    down, across = y - top, x - left
    return np.stack(
        [
            np.where(
                inside,
                image[:, np.minimum(top + dy, height - 1), np.minimum(left + dx, width - 1)]
                * np.abs(1 - dy - down)
                * np.abs(1 - dx - across),
                0,
            )
            for dy in (0, 1)
            for dx in (0, 1)
        ]
    )
