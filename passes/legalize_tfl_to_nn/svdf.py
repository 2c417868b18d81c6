"""SVDF: products with features are kept for several calls, the memory, and summed along it for each filter."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ...dialects import nn, tfl
from ...dialects.inferred import shape_of
from .quantized_lstm import on_grid
from .recurrent import keep, state_of
from .translation import Translation, rule
from .values import quantization_of


@rule("SVDF")
def svdf(t: Translation, op: tfl.TflOp) -> None:
    """
    `h' = [h[:, :, 1:], x · f]`, `y = sum over rank and memory of (h' * w) + b`.

    The kernel of integers rounds `x · f` to the codes of the state, and limits to the output's codes alone.
    """
    x, features, times, bias, state = op.operands
    rank, (filters, memory) = op.integer("rank"), shape_of(times)
    before = t.reshaped(state_of(t, state), (-1, filters, memory))
    in_codes = quantization_of(state) is not None
    now: SSAValue = t(nn.MatMulOp, t.value(x), t.value(features), transpose_b=True)
    if in_codes:
        now = on_grid(t, state, now)
    kept = [t.slice(before, 1, memory, 2), t(nn.UnsqueezeOp, now, t.integers(2))]
    after = t.joined(kept if memory > 1 else kept[1:], 2)
    sums = t(
        nn.ReduceSumOp, t(nn.MultiplyOp, after, t.value(times)), t.integers(2), keep_dims=False
    )
    parts = t.reshaped(sums, (-1, filters // rank, rank))
    total = t(nn.ReduceSumOp, parts, t.integers(2), keep_dims=False)
    if not tfl.is_absent(bias):
        total = t(nn.AddOp, total, t.value(bias))
    t.set(op.results[0], total if in_codes else t.activated(total, op))
    keep(t, [state], [t.reshaped(after, shape_of(state))])
