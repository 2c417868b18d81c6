"""The meaning of products with compressed weights: digits of activations, and their exact products with codes."""

from __future__ import annotations

import numpy as np

from ..dialects import kernel
from ..dialects.kernel import DIGIT_BASE, DIGITS, GREATEST_DIGITS, padded_block
from .arrays import Array
from .scalar import fma, run_body

LEAST_EXPONENT = -126
"""The least exponent of a unit: that of the least normal number."""

SMALL = np.float32(2.0**-140)
"""A factor that leaves infinities infinite and makes everything finite too small for a digit."""


def split_digits(op: kernel.SplitDigitsOp, x: Array) -> list[Array]:
    """Digits, units and sums."""
    (x,) = run_body(op.body.block, [x])
    (rows, depth), block = x.shape, op.block.value.data
    blocks, padded = kernel.blocks_of(depth, block), padded_block(block)
    x = np.pad(x, [(0, 0), (0, blocks * block - depth)]).reshape(rows, blocks, block)
    x = np.pad(x, [(0, 0), (0, 0), (0, padded - block)])
    peak = np.abs(x).max(axis=-1, initial=0)
    is_finite = np.isfinite(peak)
    units = np.where(is_finite, unit_of(np.where(is_finite, peak, 0)), peak).astype(np.float32)
    with np.errstate(all="ignore"):
        scaled = np.where(is_finite[..., None], x / units[..., None], x * SMALL)
    whole = np.where(np.isnan(scaled), -GREATEST_DIGITS, scaled)
    whole = np.rint(np.clip(whole, -GREATEST_DIGITS, GREATEST_DIGITS)).astype(np.int64)
    digits = np.empty((rows, blocks, DIGITS, padded), np.int8)
    for i in reversed(range(DIGITS)):
        half = DIGIT_BASE // 2
        digits[:, :, i] = (whole + half) % DIGIT_BASE - half
        whole = (whole - digits[:, :, i]) // DIGIT_BASE
    return [digits, units, digits.sum(axis=-1, dtype=np.int32)]


def unit_of(peak: Array) -> Array:
    """The least power of two by which the digits hold the greatest magnitude."""
    fraction, exponent = np.frexp(peak.astype(np.float64) / GREATEST_DIGITS)
    exponent = np.where(fraction == 0.5, exponent - 1, exponent)  # 2**n is 0.5 * 2**(n + 1)
    exponent = np.where(peak > 0, np.maximum(exponent, LEAST_EXPONENT), LEAST_EXPONENT)
    return np.ldexp(np.float32(1), exponent)


def compressed_sums(
    op: kernel.CompressedMatMulOp,
    digits: Array,
    units: Array,
    sums: Array,
    codes: Array,
    *parameters: Array,
) -> Array:
    """The argument of the body over the domain."""
    (rows, columns), block, bits = op.shape, op.block.value.data, op.bits.value.data
    blocks, padded = op.blocks, padded_block(block)
    if op.packed is not None:
        codes = unpacked_codes(codes, bits)[:columns]
        parameters = tuple(unpacked_parameters(each)[:columns] for each in parameters)
    else:
        codes = np.pad(codes, [(0, 0), (0, blocks * block - codes.shape[1])])
        codes = codes.reshape(columns, blocks, block)
        codes = np.pad(codes, [(0, 0), (0, 0), (0, padded - block)])
    scales = parameters[0].astype(np.float32) if op.scales else None
    zeros = parameters[-1].astype(np.int64) if op.zeros else np.int64(op.zero.value.data)
    wide = np.einsum("mbik,nbk->imbn", digits.astype(np.float64), codes.astype(np.float64))
    shift = zeros.T if op.zeros else zeros
    exact = wide - np.moveaxis(sums, -1, 0)[..., None] * shift
    parts = exact.astype(np.float32)
    base = np.float32(DIGIT_BASE)
    total = np.zeros((rows, columns), np.float32)
    with np.errstate(all="ignore"):
        whole = parts[0]
        for part in parts[1:]:
            whole = fma(whole, np.broadcast_to(base, part.shape), part)
        for number in range(blocks):
            unit = np.broadcast_to(units[:, number, None], total.shape)
            if scales is None:
                total = fma(whole[:, number], unit, total)
            else:
                scale = np.broadcast_to(scales[None, :, number], total.shape)
                total = fma(whole[:, number] * unit, scale, total)
    return total


def unpacked_codes(packed: Array, bits: int) -> Array:
    """Codes [N, blocks, block] again, of what `pack-weights` laid out."""
    tiles, blocks, _, nr_vectors, lanes, _ = packed.shape
    parts = [packed] if bits == 8 else [packed & 15, packed >> 4]
    whole = np.stack(parts, axis=-2)  # [… lanes, low and high half, kr]
    return whole.transpose(0, 3, 4, 1, 2, 5, 6).reshape(tiles * nr_vectors * lanes, blocks, -1)


def unpacked_parameters(packed: Array) -> Array:
    """Scales or zeros [N, blocks] again."""
    return packed.transpose(0, 2, 1).reshape(-1, packed.shape[1])
