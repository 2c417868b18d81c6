"""LSTMCell, GRUCell and RNNCell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from .....dialects import nn, rnn
from .....dialects.blob import BlobAttr
from .....dialects.inferred import NAME, friendly_name, tensor
from .....dialects.nn.writer import Writer
from .....dialects.qnn import FakeQuantizeOp
from ....decompose_cells import decompose
from ....interval import Interval
from ....weights import is_known
from ...dequantization import Dequantization
from ...markup.bias import note_bias
from ...plan import LptPlan
from ...transformation import OpT, Transformation
from .operands import why_not_low
from .retyped import infer_if_retyped
from .state_intervals import given_by_gates, interval_of, note_interval

ALL_LEVELS, ODD_LEVELS = 256, 255
"""Of codes from 0 up, and of those symmetric around 0."""


class DecomposeQuantizedCell(Transformation[OpT]):
    """
    `cell(dq(x), H, dq(w), dq(r)) = gates(dq(x) dq(w)^T + H dq(r)^T + b)`: the products multiply codes, and the gates
    stay in floating point.

    The hidden state has a grid of its own, that of its FakeQuantize if the model has one. Otherwise `H = fq(H) +
    fq'(H - fq(H))` (residual quantization): the interval of `fq` holds all results of the gates and the initial H
    (symmetric if these may be negative, [-1, 1] for tanh), that of `fq'` is a step of `fq`. A single code would round H
    in each step, which the model does not do; two together have 16 bits. The product of a reset gate and H has the
    range of H, and is 0 where H is. An H without bounds stays in floating point, and so does its product. So do an X in
    floating point and its product, beside an H that has codes: R is what each step loads.

    Declines W or R in floating point, or X beside an H without codes; types that the configuration does not have;
    scales along the sum; weights with zero points if those or X's lie between codes; computed weights; sums that could
    leave 32 bits.
    """

    name: ClassVar[str] = "recurrent_cell"

    def transform(self, op: OpT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        assert isinstance(op, rnn.CellOp)
        if (reason := why_not_low(op, plan)) is not None:
            return reason
        name = friendly_name(op)
        interval = None if given_by_gates(op) is None else interval_of(op.operands[1], plan)

        def on_own_grid(write: Writer, hidden: SSAValue) -> Sequence[SSAValue]:
            if Dequantization.on(hidden) is not None or is_known(hidden) or interval is None:
                return [hidden]
            if not (interval.low or interval.high) and tensor(hidden).has_static_shape():
                return [write.constant(BlobAttr.of(tensor(hidden), 0.0))]
            return _residual_quantized(write, hidden, interval, name)

        types, known = list(op.result_types), interval_of(op.results[0], plan)
        before = op.prev_op

        def rewrite() -> bool:
            following = op.next_op
            results = decompose(op, on_own_grid)
            assert following is not None, "a block ends in what gives its results"
            written = following.prev_op
            while written is not None and written is not before:
                note_bias(written)
                written = written.prev_op
            if known is not None:
                note_interval(results[0], known)
            return types != [result.type for result in results]

        infer_if_retyped(op, rewrite)
        return None


def _residual_quantized(
    write: Writer, hidden: SSAValue, interval: Interval, name: str | None
) -> Sequence[SSAValue]:
    """
    Residual quantization of a hidden state: codes on the finest grid that holds the interval and 0, and codes of the
    residual.
    """
    low, high = min(interval.low, 0.0), max(interval.high, 0.0)
    if low < 0:
        low, high = min(low, -high), max(-low, high)
    levels = ODD_LEVELS if low < 0 else ALL_LEVELS
    half = (high - low) / (levels - 1) / 2 or 1.0
    coarse = _quantize(write, hidden, Interval(low, high), levels, name and f"{name}/H/quantized")
    rest = write(nn.SubtractOp, hidden, coarse)
    fine = _quantize(
        write, rest, Interval(-half, half), ODD_LEVELS, name and f"{name}/H/rest/quantized"
    )
    return coarse, fine


def _quantize(
    write: Writer, value: SSAValue, interval: Interval, levels: int, name: str | None
) -> SSAValue:
    type = TensorType(tensor(value).element_type, [])
    ends = [write.constant(BlobAttr.of(type, end)) for end in 2 * (interval.low, interval.high)]
    quantized = FakeQuantizeOp.of(value, *ends, levels=IntegerAttr(levels, i64))
    if name is not None:
        quantized.attributes[NAME] = StringAttr(name)
    return write.builder.insert(quantized).result
