"""Functions that tensors and bodies of kernels share, where NumPy has none or a different one."""

from __future__ import annotations

from math import erf, erfc
from typing import Any

import numpy as np

from .arrays import Array


def logistic(x: Array) -> Array:
    """`1 / (1 + exp(-x))`, to the last bits also where it is small, in the type of `x`."""
    wide = x.astype(np.result_type(x.dtype, np.float32))
    with np.errstate(under="ignore"):
        e = np.exp(-np.abs(wide))
        return np.where(wide > 0, 1 / (1 + e), e / (1 + e)).astype(x.dtype)


error_function = np.vectorize(erf, otypes=[np.float64])
complement = np.vectorize(erfc, otypes=[np.float64])


def power_of(x: Array, y: Array) -> Array:
    """C's `pow`. NumPy's `power` takes a square root where the exponent is a single 0.5."""
    return np.float_power(x, y).astype(x.dtype)


def to_integer(x: Array, dtype: np.dtype[Any]) -> Array:
    """Converts toward zero; out of range saturates, NaN gives 0."""
    limits = np.iinfo(dtype)
    whole = np.nan_to_num(np.trunc(x.astype(np.float64)), nan=0.0, posinf=np.inf, neginf=-np.inf)
    inside = np.clip(whole, float(limits.min), float(limits.max))
    above = inside >= float(limits.max)
    return np.where(above, limits.max, np.where(above, 0, inside).astype(dtype)).astype(dtype)


def truncated_quotient(x: Array, y: Array) -> Array:
    """Toward zero; 0 where y is."""
    quotient = x // y
    return quotient + ((quotient < 0) & (y != 0) & (quotient * y != x))
