"""Squeeze."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from .....dialects.inferred import shape_of
from .....dialects.nn import SqueezeOp
from ...dequantization import Dequantization
from ..sink import Change, SinkThrough, known_integers


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
    wanted = {axis % len(shape) for axis in known_integers(op.axes)} if op.axes else ()
    if not wanted:
        return tuple(i for i, size in enumerate(shape) if size == 1)
    return tuple(axis for axis in sorted(wanted) if not op.allow_axis_skip or shape[axis] == 1)
