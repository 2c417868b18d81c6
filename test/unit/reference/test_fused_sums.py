"""Sums in blocks: every element is the chain of fused multiply-adds that `fma` gives."""

from __future__ import annotations

import numpy as np
import pytest

from lowstream.reference import fused_sums
from lowstream.reference.arrays import Array
from lowstream.reference.scalar import fma

ABOVE, BELOW = np.float32(1 + 2.0**-23), np.float32(1 - 2.0**-23)
"""Their product is so little below 1 that a sum in float64 does not show it."""


def operands(batch: int, m: int, n: int, k: int, kind: str) -> tuple[Array, Array, Array]:
    random = np.random.default_rng(m * n * k)
    a, b, z = (
        random.normal(size=(batch, *shape)).astype(np.float32) for shape in ((m, k), (n, k), (m, n))
    )
    match kind:
        case "halfway":
            a[...], b[...], z[...] = ABOVE, BELOW * np.float32(2.0**-24), ABOVE
        case "subnormal":
            small = np.float32(2.0**-75)
            a[...], b[...], z[...] = ABOVE * small, BELOW * small, 2.0**-127 + 2.0**-149
        case "not finite":
            a[0, 0, 0], b[0, -1, -1], z[0, 0, -1] = np.inf, np.nan, -np.inf
        case _:
            pass
    return a, b, z


@pytest.mark.parametrize("kind", ["normal", "subnormal", "halfway", "not finite"])
@pytest.mark.parametrize("sizes", [(1, 3, 5, 4), (3, 7, 2, 3), (5, 1, 1, 2), (2, 3, 4, 0)])
def test_sums_are_chains_of_fma(
    kind: str, sizes: tuple[int, int, int, int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(fused_sums, "BLOCK", 8)
    monkeypatch.setattr(fused_sums, "WIDTH", 4)
    a, b, z = operands(*sizes, kind if sizes[-1] else "normal")
    wanted = z
    with np.errstate(all="ignore"):
        for k in range(sizes[-1]):
            wanted = fma(a[:, :, None, k], b[:, None, :, k], wanted)
        np.testing.assert_array_equal(fused_sums.fused_sums(a, b, z), wanted)


@pytest.mark.parametrize("kind", ["normal", "subnormal"])
def test_products_are_fma_of_each_element(kind: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(fused_sums, "BLOCK", 8)
    x, b, z = operands(5, 1, 3, 3, kind)
    y = b[:1, :1]
    wanted = fma(x, np.broadcast_to(y, z.shape), z)
    np.testing.assert_array_equal(fused_sums.fused_products(x, y, z), wanted)


def test_sums_of_f64_are_chains_of_fma():
    a, b, z = (x.astype(np.float64) for x in operands(1, 2, 3, 2, "normal"))
    wanted = fma(a[:, :, None, 1], b[:, None, :, 1], fma(a[:, :, None, 0], b[:, None, :, 0], z))
    np.testing.assert_array_equal(fused_sums.fused_sums(a, b, z), wanted)
