"""
LSTMs in integers, LiteRT's 8x8_16: products of 8-bit codes, gates and cell state in 16 bits, outputs in 8.

They are written step by step, with each number rounded where the kernel rounds it. What is left to differ is
how the kernel computes the functions of its gates, in fixed point.
"""

from __future__ import annotations

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import qnn, tfl
from ....dialects.nn.writer import Writer
from ....passes.legalize_tfl_to_rnn.sequences import Outputs, step_by_step
from ....passes.legalize_tfl_to_rnn.steps import Rounded, Rounding
from ....reference.arrays import blob_of
from ..graph import Operator, Quantization, Tensor
from .reader import Reader, integer, interval, levels_of, there

SUM = Quantization((2.0**-12,))
"""The grid of what enters a gate; the kernel knows it."""

GATE = Quantization((2.0**-15,))
"""The grid of what the functions of gates and cell give."""

HIDDEN = 4
"""Which of the intermediate tensors has the grid of an output before its projection."""


def is_quantized(op: Operator) -> bool:
    """Whether an LSTM computes in integers: its input, and not its weights alone, is in codes."""
    return there(op.inputs[0]).quantization is not None


def run_quantized(
    read: Reader,
    op: Operator,
    made: tfl.UnidirectionalSequenceLstmOp,
    attributes: tfl.Attributes,
) -> Outputs:
    """The LSTM over its input. Raises DiagnosticException for a kernel that rounds in other places."""
    state, cell = there(op.inputs[18]), there(op.inputs[19])
    parts, kinds = made.parts, [there(op.inputs[i]).element for i in (0, 2, 18, 19)]
    if kinds != ["int8", "int8", "int8", "int16"] or len(op.intermediates) != HIDDEN + 1:
        raise DiagnosticException(
            f"computes on {', '.join(kinds)} codes with {len(op.intermediates)} intermediates, which cannot be "
            "read, only LiteRT's 8x8_16; convert the model anew, or without quantization"
        )
    if parts.has_peephole or parts.is_normalized or parts.coupled:
        raise DiagnosticException(
            "peepholes, normalization and coupled gates cannot be read in integers; convert the model "
            "without quantization"
        )
    hidden = op.intermediates[HIDDEN].quantization or state.quantization
    rounding = Rounding(
        sum=_rounded(SUM, "int16"),
        gate=_rounded(GATE, "int16"),
        cell=_rounded(_grid(cell), "int16"),
        hidden=_rounded(hidden or _grid(state), "int8"),
        output=_rounded(_grid(state), "int8"),
    )
    return step_by_step(read.write, made.input, parts, attributes, rounding=rounding)


def _grid(tensor: Tensor) -> Quantization:
    if tensor.quantization is None:
        raise DiagnosticException(f"its state '{tensor.name}' has no scale; convert the model anew")
    return tensor.quantization


def _rounded(grid: Quantization, element: str) -> Rounded:
    """Writes what codes of a type can say of a value."""
    limits = [blob_of(limit) for limit in interval(grid, element)]

    def rounded(write: Writer, value: SSAValue) -> SSAValue:
        ends = [write.constant(limit) for limit in limits * 2]
        return write(qnn.FakeQuantizeOp, value, *ends, levels=integer(levels_of(element)))

    return rounded
