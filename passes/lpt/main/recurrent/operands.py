"""What recurrent cells and sequences require of their operands to multiply codes."""

from __future__ import annotations

from .....dialects import rnn
from .....dialects.inferred import shape_of, tensor
from .....dialects.nn import constant_of
from ....weights import is_known
from ...dequantization import Dequantization, why_not_quantized
from ...plan import LptPlan
from ...products import overflow, rejected_precision, sums_fit
from .state_intervals import given_by_gates, interval_of

Recurrent = rnn.CellOp | rnn.SequenceOp


def weights_of(op: Recurrent) -> tuple[int, int]:
    """The numbers of W and R among the operands: B is the last one."""
    return len(op.operands) - 3, len(op.operands) - 2


def why_not_low(op: Recurrent, plan: LptPlan) -> str | None:
    """Why X and W, H and R cannot be multiplied as codes. An X in floating point is, beside codes of H."""
    w, r = weights_of(op)
    sides: dict[int, Dequantization] = {}
    for port in (0, w, r):
        side = Dequantization.on(op.operands[port])
        if side is None and port == 0 and _has_hidden_codes(op, plan):
            continue
        if side is None:
            return why_not_quantized(op.operands[port], port)
        if (reason := _unsupported(op, plan, port, side)) is not None:
            return reason
        sides[port] = side
    hidden = Dequantization.on(op.operands[1]) if isinstance(op, rnn.CellOp) else None
    for port, other in ((w, sides.get(0)), (r, hidden)):
        if (reason := _why_not_weights(op, port, sides[port], other)) is not None:
            return reason
    length = shape_of(op.operands[w])[-1]
    return overflow(sides.get(0), sides[w], length) or _why_not_hidden(op, plan)


def _has_hidden_codes(op: Recurrent, plan: LptPlan) -> bool:
    """Whether H has a grid, or bounds for one, so that its product multiplies codes in each step."""
    hidden = op.operands[1]
    if isinstance(op, rnn.CellOp):
        if is_known(hidden):
            return False  # its product is a constant
        if Dequantization.on(hidden) is not None:
            return True
    return given_by_gates(op) is not None and interval_of(hidden, plan) is not None


def _why_not_weights(
    op: Recurrent, port: int, weights: Dequantization, other: Dequantization | None
) -> str | None:
    """Zero points go behind the sums, as those of other products do; `other` is what weights multiply, if known."""
    whole = all(side is None or side.has_whole_zero_points for side in (weights, other))
    fit = whole and sums_fit(shape_of(weights.codes)[-1], other, weights)
    if not weights.is_symmetric and not fit:
        return f"input {port} is quantized with a zero point; quantize it symmetrically around 0"
    if constant_of(weights.codes) is None:
        return f"input {port} is computed; weights in low precision are constants"
    return None


def _unsupported(op: Recurrent, plan: LptPlan, port: int, side: Dequantization) -> str | None:
    if not side.is_low:
        return f"input {port} is not a code of 8 bits; put a FakeQuantize on it"
    if (reason := rejected_precision(op, plan, port, tensor(side.codes).element_type)) is not None:
        return reason
    if side.varies_along(len(shape_of(side.codes)) - 1):
        return (
            f"input {port} is quantized per channel along the dimension that is summed over; "
            "quantize it per tensor"
        )
    return None


def _why_not_hidden(op: Recurrent, plan: LptPlan) -> str | None:
    """A cell takes H on the grid it has, if it has one; else on one for its range, or in floating point."""
    side = Dequantization.on(op.operands[1])
    if isinstance(op, rnn.CellOp) and side is not None:
        return _unsupported(op, plan, 1, side) or _why_no_reset(op)
    return None


def _why_no_reset(op: rnn.CellOp) -> str | None:
    if isinstance(op, rnn.GruCellOp) and not op.linear_before_reset and given_by_gates(op) is None:
        return (
            f"its activation {op.functions[0].name} lets the reset gate enlarge H beyond any bound"
        )
    return None
