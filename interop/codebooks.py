"""Tables of the numbers that codes of 4 bits stand for, where these are not integers."""

from __future__ import annotations

NF4 = (
    -1.0,
    -0.6961928009986877,
    -0.5250730514526367,
    -0.39491748809814453,
    -0.28444138169288635,
    -0.18477343022823334,
    -0.09105003625154495,
    0.0,
    0.07958029955625534,
    0.16093020141124725,
    0.24611230194568634,
    0.33791524171829224,
    0.44070982933044434,
    0.5626170039176941,
    0.7229568362236023,
    1.0,
)
"""Quantiles of a normal distribution, https://arxiv.org/abs/2305.14314, appendix E."""

_FP4 = (0.0, 0.005208333333, 2 / 3, 1.0, 1 / 3, 0.5, 1 / 6, 0.25)

FP4 = (*_FP4, *(-number for number in _FP4))
"""A sign, two bits of an exponent and one of a fraction, as the package bitsandbytes has them: 1 is the greatest."""
