"""TensorFlow's values during translation: tensors, variables, complex numbers, or nothing."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue


@dataclass(frozen=True)
class Variable:
    """A resource: the state, or the constant, of this name."""

    name: str


@dataclass(frozen=True)
class TensorList:
    """
    A list of equal tensors: `stacked` along a new first dimension, or, while nothing is in it, with room for
    `count` elements.
    """

    stacked: SSAValue | None
    count: SSAValue | None = None


@dataclass(frozen=True)
class Complex:
    """A tensor of complex numbers: real and imaginary parts along a further dimension."""

    pairs: SSAValue


@dataclass(frozen=True)
class Nothing:
    """The result of a dropped operation, and an operand that is absent."""


Value = SSAValue | TensorList | Variable | Complex | Nothing
"""An operand or result of TensorFlow's operations."""
