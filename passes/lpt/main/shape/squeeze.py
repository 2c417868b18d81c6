"""Squeeze."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .....dialects.inferred import constant_integers, shape_of
from .....dialects.nn import SqueezeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough


class SinkDequantizeThroughSqueeze(SinkThrough[SqueezeOp]):
    """`squeeze(dq(q)) = dq'(squeeze(q))`: one element has one scale, squeezed alike."""

    name: ClassVar[str] = "squeeze"
    op: ClassVar[type[SqueezeOp]] = SqueezeOp

    def changes(self, op: SqueezeOp, dequantization: Dequantization) -> Sequence[Change] | str:
        axes = squeezed_axes(op)
        return [lambda array: np.squeeze(array, axes)]


def squeezed_axes(op: SqueezeOp) -> tuple[int, ...]:
    """The dimensions that go, counted from the front."""
    shape = shape_of(op.input)
    if op.axes is None:
        return tuple(i for i, size in enumerate(shape) if size == 1)
    axes = constant_integers(op.axes)
    assert axes is not None, "the verifier wants constant axes"
    wanted = {axis % len(shape) for axis in axes}
    return tuple(axis for axis in sorted(wanted) if not op.allow_axis_skip or shape[axis] == 1)
