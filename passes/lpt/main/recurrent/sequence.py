"""LSTMSequence, GRUSequence and RNNSequence."""

from __future__ import annotations

from typing import ClassVar

from xdsl.pattern_rewriter import PatternRewriter

from .....dialects import rnn
from ....lower_sequences import lower, step_count
from ...plan import LptPlan
from ...transformation import OpT, Transformation
from .operands import why_not_low
from .retyped import infer_if_retyped


class LowerQuantizedSequence(Transformation[OpT]):
    """
    A sequence of quantized X, W and R becomes an iterator over its cell. The iterator slices the codes of X. Each step
    computes the codes of the hidden state on a grid of its own, because a FakeQuantize on the initial H does not bound
    the states that follow.

    Declines an unknown number of steps, and what a cell declines.
    """

    name: ClassVar[str] = "recurrent_cell"

    def transform(self, op: OpT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        assert isinstance(op, rnn.SequenceOp)
        if (reason := why_not_low(op, plan)) is not None:
            return reason
        if step_count(op) is None:
            return "it has an unknown number of steps; reshape the model"
        infer_if_retyped(op, lambda: lower(op))
        return None
