"""LSTMCell, GRUCell and RNNCell."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects import rnn
from .....dialects.blob import BlobAttr
from .....dialects.inferred import NAME, friendly_name, tensor
from .....dialects.qnn import FakeQuantizeOp
from ....decompose_cells import decompose
from ....writer import Writer
from ...dequantization import Dequantization
from ...plan import Plan
from ...transformation import OpT, Transformation
from .bounds import Interval, bounds
from .operands import why_not_low
from .retyped import infer_if_retyped


class DecomposeQuantizedCell(Transformation[OpT]):
    """
    `cell(dq(x), H, dq(w), dq(r)) = gates(dq(x) dq(w)^T + fq(H) dq(r)^T + b)`: the products become ones of
    codes, the gates stay in floating point.

    The hidden state has a grid of its own. Where the model quantizes H, it is that one, and `fq` is none.
    Else `fq` spans what the gates can give and what H begins with, symmetrically if that can be negative:
    [-1, 1] for tanh. Only products take it: a GRU keeps H itself as it is, and what its reset gate leaves
    of H has the same range.
    """

    name: ClassVar[str] = "recurrent_cell"

    def transform(self, op: OpT, plan: Plan, rewriter: PatternRewriter) -> str | None:
        assert isinstance(op, rnn.CellOp)
        if (reason := why_not_low(op, plan)) is not None:
            return reason
        interval, name = bounds(op.operands[1], plan), friendly_name(op)
        assert interval is not None, "`why_not_low` says so"

        def on_own_grid(write: Writer, hidden: SSAValue) -> SSAValue:
            if Dequantization.on(hidden) is not None:
                return hidden
            return _quantize(write, hidden, interval, name)

        infer_if_retyped(op, lambda: decompose(op, on_own_grid))
        return None


class DecomposeQuantizedLstmCell(DecomposeQuantizedCell[rnn.LstmCellOp]):
    """`DecomposeQuantizedCell` of LSTMCell."""

    op: ClassVar[type[rnn.LstmCellOp]] = rnn.LstmCellOp


class DecomposeQuantizedGruCell(DecomposeQuantizedCell[rnn.GruCellOp]):
    """`DecomposeQuantizedCell` of GRUCell, whichever way its reset gate acts."""

    op: ClassVar[type[rnn.GruCellOp]] = rnn.GruCellOp


class DecomposeQuantizedRnnCell(DecomposeQuantizedCell[rnn.RnnCellOp]):
    """`DecomposeQuantizedCell` of RNNCell."""

    op: ClassVar[type[rnn.RnnCellOp]] = rnn.RnnCellOp


def _quantize(write: Writer, hidden: SSAValue, interval: Interval, name: str | None) -> SSAValue:
    """The hidden state on the finest grid of 8 bits that holds the interval and 0."""
    low, high = min(interval[0], 0.0), max(interval[1], 0.0)
    levels = 256
    if low < 0:
        high, levels = max(-low, high), 255
        low = -high
    type = TensorType(tensor(hidden).element_type, [])
    ends = [write.constant(BlobAttr.of(type, end)) for end in (low, high) * 2]
    quantized = FakeQuantizeOp.of(hidden, *ends, levels=IntegerAttr(levels, i64))
    if name is not None:
        quantized.attributes[NAME] = StringAttr(f"{name}/H/quantized")
    return write.builder.insert(quantized).result
