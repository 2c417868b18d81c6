"""The template of the laws `op(dq(w)) = dq'(w')`: dequantization of weights is the last thing done to them."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.nn import constant_of
from ..dequantization import Dequantization
from ..main.sink import SinkThrough
from ..pattern import NamedPattern


class PullThroughDequantization(NamedPattern):
    """
    A law of the main step, applied to constants ahead of it: what comes after then sees weights, with
    their scales, in the shape that a product takes.
    """

    law: ClassVar[SinkThrough[Any]]

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        if not isinstance(op, self.law.op):
            return
        dequantization = Dequantization.on(op.operands[0])
        if dequantization is not None and constant_of(dequantization.codes) is not None:
            self.law.sink(op, rewriter)
