"""Complex numbers as pairs of real ones along one more dimension."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.inferred import shape_of
from .rules import Legalizer


def part(t: Legalizer, pairs: SSAValue, place: int) -> SSAValue:
    """The real parts, 0, or the imaginary ones, 1."""
    return t(nn.GatherOp, pairs, t.integer(place), t.integer(-1), batch_dims=0)


def paired(t: Legalizer, real: SSAValue, imaginary: SSAValue) -> SSAValue:
    """Complex numbers with these real and imaginary parts."""
    rank = len(shape_of(real))
    parts = [t(nn.UnsqueezeOp, each, t.integers(rank)) for each in (real, imaginary)]
    return t.joined(parts, rank)


def magnitude(t: Legalizer, pairs: SSAValue) -> SSAValue:
    """`√(real² + imaginary²)`"""
    return t(nn.ReduceL2Op, pairs, t.integers(-1), keep_dims=False)
