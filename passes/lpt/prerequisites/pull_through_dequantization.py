"""The template of the laws `op(dq(w)) = dq'(w')` for weights: their dequantization comes last."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.nn import constant_of
from ..dequantization import Dequantization
from ..main.sink import SinkThrough
from ..pattern import NamedPattern
from ..transformation import OpT


class PullThroughDequantization(NamedPattern[OpT]):
    """
    Applies a law of the main step to constants ahead of it, so that weights and their scales have the shape that a
    product takes.
    """

    law: ClassVar[SinkThrough[Any]]

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        dequantization = Dequantization.on(op.operands[0])
        if dequantization is not None and constant_of(dequantization.codes) is not None:
            self.law.sink(op, rewriter)
