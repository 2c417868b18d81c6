"""
What rules of random models write with: each value with what is known of it.

Inputs, constants and states are multiples of 1/8 up to 8, and scales are powers of two. While the numbers
of a value fit f32's 24 bits every order of computing gives the same bits; else `error` says how far two
ways of computing it may be apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from lowstream.dialects import nn
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.reference.arrays import Array, blob_of, element_of

LIMIT, UNIT = 8.0, 0.125
"""The numbers of inputs, constants and states: multiples of UNIT up to LIMIT."""

UI8 = element_of(np.dtype(np.uint8))
EPSILON = 2.0**-23


@dataclass(frozen=True, repr=False)
class Known:
    """A value; its numbers are at most `bound` and, where they are exact, multiples of `unit`."""

    value: SSAValue
    bound: float = LIMIT
    unit: float | None = UNIT
    error: float = 0.0

    def __repr__(self) -> str:
        return f"{self.value.type} up to {self.bound} in {self.unit}"

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(shape_of(self.value))

    @property
    def element(self) -> Attribute:
        return tensor(self.value).element_type

    @property
    def small(self) -> bool:
        """Whether it could be an input: a state may hold it, an iterator carry it."""
        return self.unit is not None and self.bound <= LIMIT and self.unit >= UNIT

    def bounded(self, value: SSAValue, bound: float, unit: float | None, error: float) -> Known:
        """`value`, computed in f32 from this one: exact as long as its numbers fit."""
        if unit is None or bound / unit > 2**23:
            return Known(value, bound, None, error + bound * EPSILON)
        return Known(value, bound, unit, error)


Draw = Callable[[st.SearchStrategy[Any]], Any]


class Graph:
    """Writes random operations to the end of a block."""

    def __init__(
        self,
        draw: Draw,
        block: Block,
        pool: list[Known],
        variables: list[Operation],
        rules: Sequence[Rule],
    ):
        self.draw, self.block, self.pool = draw, block, pool
        self.variables, self.rules = variables, rules

    def one(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def chance(self) -> bool:
        return self.draw(st.booleans())

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def constant(self, array: Array, element: Attribute | None = None) -> SSAValue:
        return self.add(nn.ConstantOp(blob_of(array, element)))

    def indices(self, *numbers: int) -> SSAValue:
        return self.constant(np.array(numbers, np.int64))

    def array(self, shape: Sequence[int]) -> Array:
        random = np.random.default_rng(self.number(0, 1000))
        return random.integers(-16, 17, shape).astype(np.float32) * np.float32(UNIT)

    def pick(self, test: Callable[[Known], bool] = lambda known: True) -> Known | None:
        options = [known for known in self.pool if test(known)]
        return self.one(options) if options else None

    def floats(self) -> Known:
        found = self.pick(lambda known: known.element == f32 and known.bound < 1e6)
        return found or Known(self.constant(self.array((2, 4))))

    def grow(self, count: int) -> None:
        for _ in range(count):
            made = self.one(self.rules)(self)
            self.pool += made


Rule = Callable[[Graph], Sequence[Known]]
"""Writes an operation or more; gives the values that came of it."""


def unit_of(combine: Callable[[list[float]], float], *parts: Known) -> float | None:
    """The unit of numbers made of exact ones."""
    units = [part.unit for part in parts if part.unit is not None]
    return combine(units) if len(units) == len(parts) else None


def meet(left: Sequence[int], right: Sequence[int]) -> bool:
    try:
        return math.prod(np.broadcast_shapes(tuple(left), tuple(right))) <= 64
    except ValueError:
        return False
