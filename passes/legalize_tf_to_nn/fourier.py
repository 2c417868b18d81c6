"""Fourier transforms, and what reads complex numbers: pairs of real ones along a further dimension."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ..tensorflow import TfOp
from ..tensorflow_rules.pairs import magnitude, paired, part
from .translation import Translation, rule
from .values import Complex, Value

DIMENSIONS = {"": 1, "2D": 2, "3D": 3}
"""How many of the last dimensions a transform is along, by the suffix of its name."""


def pairs(op: TfOp, value: Value) -> SSAValue:
    """Complex numbers as pairs. Raises DiagnosticException, naming `op`, where they are none."""
    if not isinstance(value, Complex):
        raise DiagnosticException(f"{op.label}: takes real numbers where it needs complex ones")
    return value.pairs


def _axes(t: Translation, op: TfOp) -> SSAValue:
    ending = op.name.partition("FFT")[2]
    return t.integers(*range(-DIMENSIONS[ending], 0))


@rule(*(f"RFFT{ending}" for ending in DIMENSIONS))
def rfft(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    x, lengths = t.tensors_of(op, values)
    return Complex(t(nn.RdftOp, x, _axes(t, op), t.long(lengths)))


@rule(*(f"IRFFT{ending}" for ending in DIMENSIONS))
def irfft(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    lengths = t.tensor_of(op, values[1])
    return t(nn.IrdftOp, pairs(op, values[0]), _axes(t, op), t.long(lengths))


@rule(*(f"{kind}{ending}" for kind in ("FFT", "IFFT") for ending in DIMENSIONS))
def fft(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    kind = nn.IdftOp if op.name.startswith("I") else nn.DftOp
    return Complex(t(kind, pairs(op, values[0]), _axes(t, op)))


@rule("Complex")
def complex_(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return Complex(paired(t, *t.tensors_of(op, values)))


@rule("Real", "Imag")
def real_or_imaginary(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return part(t, pairs(op, values[0]), int(op.name == "Imag"))


@rule("Conj")
def conj(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    value = pairs(op, values[0])
    return Complex(paired(t, part(t, value, 0), t(nn.NegativeOp, part(t, value, 1))))


@rule("ComplexAbs")
def complex_abs(t: Translation, op: TfOp, values: Sequence[Value]) -> Value:
    return magnitude(t, pairs(op, values[0]))
