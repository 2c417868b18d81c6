"""Weights as they were before `pack-weights` laid them out for a machine."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..dialects.kernel import (
    ConvolutionLayout,
    DepthwiseLayout,
    PackedLayout,
    Window,
    WinogradLayout,
)
from ..dialects.kernel.packed_layout import (
    BLOCK,
    ENTRY_BYTES,
    NARROW_BIAS,
    Matched,
    first_steps,
)
from .arrays import Array


def unpacked_filters(
    packed: Array,
    layout: ConvolutionLayout,
    units: int,
    taps: Sequence[int],
    channels: int,
    groups: int,
) -> Array:
    """Filters [groups * units, taps…, channels] again, of what `pack-weights` laid out."""
    if layout.matched_tiles:
        depth = channels * math.prod(taps)
        found = _unmatched(packed[0, :, 0], layout, units, depth)
        return found.reshape(units, *taps, channels)
    packed = packed[:, :, :, first_steps(layout) :]
    _, tiles, outer, steps, nr_vectors, lanes, kr = packed.shape
    whole = packed.transpose(0, 1, 4, 5, 2, 3, 6)
    apart, each = layout.loops(units, groups)
    whole = whole.reshape(apart, tiles * nr_vectors * lanes, outer, steps * kr)
    inner = channels * math.prod(taps[len(taps) - layout.merged :])
    return whole[:, :each, :, :inner].reshape(groups * units, *taps, channels)


def unpacked_depthwise(
    packed: Array, layout: DepthwiseLayout, groups: int, window: Window
) -> Array:
    """Filters [groups * units, taps…, 1] again, of what `pack-weights` laid out."""
    taps, _, _ = window
    units, *_, nr_vectors, lanes, _ = packed.shape
    whole = np.zeros((max(groups, nr_vectors * lanes), units, *taps), packed.dtype)
    channels = layout.channels(groups)
    for (row, tap), (bundle, across, place) in layout.places(window).items():
        if row == 0:
            found = packed[:, :, bundle, across, row, :, :, place]
            whole[channels, :, *tap] = found.reshape(units, -1).T
    return whole[:groups].reshape(groups * units, *taps, 1)


def unpacked_winograd(
    packed: Array, layout: WinogradLayout, units: int, planes: int, channels: int
) -> Array:
    """
    Filters [units, planes, 3, 3, channels] again, of what `pack-weights` transformed and laid out: codes, or floats but
    for rounding.
    """
    known = [0, 1, -1]  # three points determine three taps
    of_codes = packed.dtype.kind == "i"
    inverse = np.linalg.inv(np.array(layout.transforms(of_codes).filter, np.float64)[known])
    _, points, steps, *_, kr = packed.shape
    size = math.isqrt(points)
    whole = packed.transpose(0, 3, 4, 1, 2, 5).reshape(-1, size, size, steps * kr)
    found = whole[:units, ..., : planes * channels].astype(np.float64)[:, known][:, :, known]
    found = np.einsum("ki,nijc,lj->nklc", inverse, found, inverse)
    found = found.reshape(*found.shape[:-1], planes, channels).transpose(0, 3, 1, 2, 4)
    return (np.rint(found) if of_codes else found).astype(packed.dtype)


def unpacked(packed: Array, layout: PackedLayout, groups: int, columns: int, depth: int) -> Array:
    """Weights [batch…, groups * columns, depth] again, of what `pack-weights` laid out."""
    if layout.codes_per_byte > 1:
        halves = np.stack([(packed & 15) - NARROW_BIAS, packed >> 4], axis=-3)
        pairs = halves.reshape(*packed.shape[:-3], -1, *packed.shape[-2:])
        packed = pairs[..., : layout.nr_vectors, :, :]
    if layout.matched_tiles:
        return _unmatched(packed[:, :, 0], layout, columns, depth)
    packed = packed[..., first_steps(layout) :, :, :, :, :]
    *batch, tiles, steps, _, nr_vectors, lanes, kr = packed.shape
    lead = len(batch)
    order = (*range(lead), lead + 2, lead, lead + 3, lead + 4, lead + 1, lead + 5)
    whole = packed.transpose(order).reshape(*batch, groups, tiles * nr_vectors * lanes, steps * kr)
    return whole[..., :columns, :depth].reshape(*batch, groups * columns, depth)


def _unmatched(
    packed: Array, layout: ConvolutionLayout | PackedLayout, units: int, depth: int
) -> Array:
    """Weights [units, depth] of [times, steps, nr_vectors, lanes, kr], whose codes are ordered (`Matched`)."""
    matched, width = Matched(depth), layout.nr_vectors * layout.lanes
    whole, found = units // width, np.zeros((units, depth), packed.dtype)
    before = matched.table_steps(layout)
    for number, chunk in enumerate(packed):
        table = np.ascontiguousarray(chunk[:before]).view(np.uint8).reshape(-1)
        entries = table[: matched.table_bytes].reshape(-1, ENTRY_BYTES)
        places = np.minimum(entries[:, BLOCK:].copy().view(np.uint32), depth - BLOCK).astype(int)
        first = places[:, :1] + np.arange(BLOCK)
        second = places[:, 1:2] + entries[:, :BLOCK] % BLOCK
        codes = np.stack([first, second], -1).reshape(-1)
        tiles = chunk[before:].reshape(layout.matched_tiles, -1, width, layout.kr)
        rows = tiles.transpose(0, 2, 1, 3).reshape(-1, matched.codes)
        start = number * layout.matched_tiles * width
        end = min(start + len(rows), whole * width)
        if start >= whole * width:
            start, end = whole * width, units
        np.add.at(found[start:end].T, codes, rows[: end - start].T)
    return found
