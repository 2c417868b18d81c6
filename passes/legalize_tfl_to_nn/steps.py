"""One step of LiteRT's LSTM with all its options, in `nn`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn, tfl
from ...dialects.nn.writer import Writer

NORMALIZATION = 1e-8
"""The epsilon of LiteRT's layer normalization."""

NORMAL = 1024.0
"""Layer normalization in integers gives whole numbers of such parts."""


ACTIVATIONS: dict[str, Callable[[Writer, SSAValue], SSAValue]] = {
    "NONE": lambda write, x: x,
    "RELU": lambda write, x: write(nn.ReluOp, x),
    "RELU_N1_TO_1": lambda write, x: write.clamp(x, -1, 1),
    "RELU6": lambda write, x: write.clamp(x, 0, 6),
    "TANH": lambda write, x: write(nn.TanhOp, x),
}
"""Fused activation functions."""


def _same(value: SSAValue) -> SSAValue:
    return value


Rounded = Callable[[Writer, SSAValue], SSAValue]
"""Rounds a value of a step to its quantization."""


def _as_it_is(write: Writer, value: SSAValue) -> SSAValue:
    return value


@dataclass(frozen=True)
class Rounding:
    """
    What steps in integers round: each product that enters a gate and their sum, for each gate, its normalization, what
    gates and activations give, the cell state, and the output before and after its projection.
    """

    sums: Sequence[Rounded] = ()
    normal: Rounded = _as_it_is
    gate: Rounded = _as_it_is
    cell: Rounded = _as_it_is
    hidden: Rounded = _as_it_is
    output: Rounded = _as_it_is


EXACT = Rounding()
"""No rounding: steps in floating point."""


@dataclass(frozen=True)
class Entering:
    """The terms that enter the gates: input, output of the step before, and perhaps one more for each gate."""

    x: SSAValue
    h: SSAValue
    extra: Sequence[SSAValue]


@dataclass(frozen=True)
class LstmStep:
    """The weights of an LSTM, and how the place where its steps are written gets at them."""

    parts: tfl.Parts
    attributes: tfl.Attributes
    within: Callable[[SSAValue], SSAValue] = _same
    rounding: Rounding = EXACT

    def write(
        self,
        write: Writer,
        x: SSAValue,
        h: SSAValue | None = None,
        c: SSAValue | None = None,
        extra: Sequence[SSAValue] = (),
    ) -> tuple[SSAValue, SSAValue]:
        """The output and the cell state after one step; `extra` is added to what enters the gates."""
        given = Entering(x, self.parts.output_state if h is None else h, extra)
        c = self.parts.cell_state if c is None else c
        forget = self._opened(write, 1, given, c)
        enter = (
            write(nn.SubtractOp, 1, forget)
            if self.parts.coupled
            else self._opened(write, 0, given, c)
        )
        candidate = self._shown(write, self._gate(write, 2, given, None))
        rounding = self.rounding
        kept = rounding.cell(write, write(nn.MultiplyOp, forget, c))
        entered = rounding.cell(write, write(nn.MultiplyOp, enter, candidate))
        cell = rounding.cell(write, write(nn.AddOp, kept, entered))
        cell = self._limited(write, cell, self.attributes.cell_clip)
        leave = self._opened(write, 3, given, cell)
        output = rounding.hidden(write, write(nn.MultiplyOp, leave, self._shown(write, cell)))
        return self._projected(write, output), cell

    def _shown(self, write: Writer, value: SSAValue) -> SSAValue:
        """The result of the activation."""
        return self.rounding.gate(write, self._activated(write, value))

    def _opened(self, write: Writer, gate: int, given: Entering, seen: SSAValue | None) -> SSAValue:
        """The result of a gate's activation."""
        opened = write(nn.SigmoidOp, self._gate(write, gate, given, seen))
        return self.rounding.gate(write, opened)

    def product(self, write: Writer, x: SSAValue, weights: SSAValue) -> SSAValue:
        """`x · weightsᵀ`"""
        return write(nn.MatMulOp, x, weights, transpose_b=True)

    def _gate(self, write: Writer, gate: int, given: Entering, seen: SSAValue | None) -> SSAValue:
        """What enters the activation of a gate; `seen` is the cell state if the gate sees it (peephole)."""
        parts, bias = self.parts, self.within(self.parts.bias[gate])
        total = self.product(write, given.x, self.within(parts.input[gate]))
        recurrent = self.within(parts.recurrent[gate])
        carried = (
            write(nn.MultiplyOp, given.h, recurrent)
            if parts.is_diagonal
            else self.product(write, given.h, recurrent)
        )
        if self.rounding.sums:
            return self._rounded_gate(write, gate, (total, carried), seen)
        total = write(nn.AddOp, total, carried)
        if given.extra and not tfl.is_absent(given.extra[gate]):
            total = write(nn.AddOp, total, given.extra[gate])
        if seen is not None and parts.has_peephole:
            total = write(nn.AddOp, total, self._peeped(write, gate, seen))
        if parts.layer_norm is not None and parts.is_normalized:
            scale = self.within(parts.layer_norm[gate])
            total = write(nn.MultiplyOp, self._normalized(write, total), scale)
        return write(nn.AddOp, total, bias)

    def _rounded_gate(
        self, write: Writer, gate: int, products: tuple[SSAValue, SSAValue], seen: SSAValue | None
    ) -> SSAValue:
        """The same in integers, of the products of input and output. Only what is normalized gets its bias last."""
        parts, bias, rounded = (
            self.parts,
            self.within(self.parts.bias[gate]),
            self.rounding.sums[gate],
        )
        total, *others = products
        if not parts.is_normalized:
            total = write(nn.AddOp, total, bias)
        if seen is not None and parts.has_peephole:
            others.append(self._peeped(write, gate, seen))
        total = rounded(write, total)
        for other in others:
            total = rounded(write, write(nn.AddOp, total, rounded(write, other)))
        if not parts.is_normalized or parts.layer_norm is None:
            return total
        scale, share = self.within(parts.layer_norm[gate]), 1 / NORMAL
        whole = write(nn.RoundOp, write(nn.MultiplyOp, self._normalized(write, total), NORMAL))
        normal = write(nn.MultiplyOp, write(nn.MultiplyOp, whole, share), scale)
        return self.rounding.normal(write, write(nn.AddOp, normal, bias))

    def _peeped(self, write: Writer, gate: int, seen: SSAValue) -> SSAValue:
        """What a gate sees of the cell state."""
        return write(
            nn.MultiplyOp, seen, self.within(self.parts.peephole[{0: 0, 1: 1, 3: 2}[gate]])
        )

    def _normalized(self, write: Writer, x: SSAValue) -> SSAValue:
        """`(x - mean) / sqrt(variance + 1e-8)` along the last axis."""
        properties = {"normalize_variance": True, "eps": NORMALIZATION, "eps_mode": "inside_sqrt"}
        return write(nn.MvnOp, x, write.integers(-1), **properties)

    def _activated(self, write: Writer, x: SSAValue) -> SSAValue:
        name = self.attributes.activation
        if name not in ACTIVATIONS:
            raise DiagnosticException(
                f"fused_activation_function {name} has no meaning here; use one of "
                f"{', '.join(ACTIVATIONS)}"
            )
        return ACTIVATIONS[name](write, x)

    def _limited(self, write: Writer, x: SSAValue, clip: float) -> SSAValue:
        return write.clamp(x, -clip, clip) if clip else x

    def _projected(self, write: Writer, output: SSAValue) -> SSAValue:
        parts = self.parts
        if not parts.has_projection:
            return output
        output = self.product(write, output, self.within(parts.projection))
        if not tfl.is_absent(parts.projection_bias):
            output = write(nn.AddOp, output, self.within(parts.projection_bias))
        output = self.rounding.output(write, output)
        return self._limited(write, output, self.attributes.proj_clip)
