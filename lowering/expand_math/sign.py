"""Signs of numbers, zeros' included."""

from __future__ import annotations

from ..kernel_bodies.bodies import Scalar
from .exponential import ExponentialFormat


def with_sign(size: Scalar, x: Scalar) -> Scalar:
    """A number that is not negative, with the sign of x."""
    bits = ExponentialFormat.of(x).bits
    sign = -(2 ** (bits.width.data - 1))
    return (size.bitcast(bits) | x.bitcast(bits) & sign).bitcast(x.type)
