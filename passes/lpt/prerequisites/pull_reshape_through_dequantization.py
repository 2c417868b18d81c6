"""Reshape of weights."""

from __future__ import annotations

from typing import Any, ClassVar

from ....dialects.nn import ReshapeOp
from ..main.shape.reshape import SinkDequantizeThroughReshape
from ..main.sink import SinkThrough
from .pull_through_dequantization import PullThroughDequantization


class PullReshapeThroughDequantization(PullThroughDequantization[ReshapeOp]):
    """
    `reshape(dq(w)) = dq'(w')` for a constant `w`, which is reshaped now.

    Declines scales that are lost.
    """

    name: ClassVar[str] = "pull_reshape_through_dequantization"

    law: ClassVar[SinkThrough[Any]] = SinkDequantizeThroughReshape()
