"""
LSTMs in integers, LiteRT's 8x8_16: products of 8-bit codes, gates and cell state in 16 bits, outputs in 8.

They are written step by step, with each number rounded where the kernel rounds it. What is left to differ is
how the kernel computes the functions of its gates, in fixed point.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import qnn, tfl
from ...dialects.nn.writer import Writer
from ...dialects.quant import UniformQuantizedType
from ...reference.arrays import blob_of
from .sequences import Outputs, step_by_step
from .steps import Rounded, Rounding
from .translation import Translation
from .values import element_name, interval, levels_of, name_of, quantization_of

SUM = UniformQuantizedType.of(IntegerType(16), (2.0**-12,))
"""The quantization of the sums that enter a gate, which the kernel has built in."""

GATE = UniformQuantizedType.of(IntegerType(16), (2.0**-15,))
"""The quantization of the results of gate and cell activations."""

*_, HIDDEN = tfl.INTERMEDIATES
"""The property with the grid of an output before its projection."""


def is_quantized(op: tfl.TflOp) -> bool:
    """Whether an LSTM computes in integers: its input is codes, not only its weights."""
    return quantization_of(op.operands[0]) is not None


def run_quantized(
    t: Translation,
    op: tfl.TflOp,
    made: tfl.UnidirectionalSequenceLstmOp,
    attributes: tfl.Attributes,
) -> Outputs:
    """The LSTM over its input. Raises DiagnosticException for a kernel that rounds in other places."""
    state, cell = op.operands[18:20]
    parts, kinds = made.parts, [element_name(op.operands[i]) for i in (0, 2, 18, 19)]
    given = [name for name in tfl.INTERMEDIATES if name in op.properties]
    if kinds != ["int8", "int8", "int8", "int16"] or len(given) != len(tfl.INTERMEDIATES):
        raise DiagnosticException(
            f"computes on {', '.join(kinds)} codes with {len(given)} intermediates, which cannot be "
            "read, only LiteRT's 8x8_16; convert the model anew, or without quantization"
        )
    hidden = _type(op, HIDDEN)
    if parts.coupled or (parts.has_peephole and parts.has_projection):
        raise DiagnosticException(
            "coupled gates, and peepholes beside a projection (LiteRT's kernel lets wrong cells see them), cannot be "
            "read in integers; convert the model without quantization"
        )
    sums = [(_type(op, name) if parts.is_normalized else None) or SUM for name in given[:4]]
    rounding = Rounding(
        sums=[_rounded(each) for each in sums],
        normal=_rounded(SUM),
        gate=_rounded(GATE),
        cell=_rounded(_grid(cell)),
        hidden=_rounded(hidden or _grid(state)),
        output=_rounded(_grid(state)),
    )
    return step_by_step(t, made.input, parts, attributes, rounding=rounding)


def _type(op: tfl.TflOp, name: str) -> UniformQuantizedType | None:
    """The quantization of an intermediate."""
    found = cast(TensorType[Any], op.properties[name]).element_type
    return found if isinstance(found, UniformQuantizedType) else None


def _grid(state: SSAValue) -> UniformQuantizedType:
    if (found := quantization_of(state)) is None:
        raise DiagnosticException(
            f"its state '{name_of(state)}' has no scale; convert the model anew"
        )
    return found


def on_grid(t: Translation, state: SSAValue, value: SSAValue) -> SSAValue:
    """A value, rounded to what the codes of a state represent."""
    return _rounded(_grid(state))(t, value)


def _rounded(grid: UniformQuantizedType) -> Rounded:
    """Rounds a value to what codes of a type represent."""
    limits = [blob_of(limit) for limit in interval(grid)]

    def rounded(write: Writer, value: SSAValue) -> SSAValue:
        ends = [write.constant(limit) for limit in limits * 2]
        return write(qnn.FakeQuantizeOp, value, *ends, levels=levels_of(grid))

    return rounded
