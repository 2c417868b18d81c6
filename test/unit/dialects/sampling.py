"""Operands for every operation, drawn at random: the table that tests of all operations go through."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute

from lowstream.dialects.inferred import InferredOp
from lowstream.reference.arrays import Array

Draw = st.DrawFn
Kind = type[InferredOp]


@dataclass
class Sample:
    """Operands of one operation (those in `constant` by position are known while compiling)."""

    operands: Sequence[Array]
    properties: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    constant: frozenset[int] = frozenset()


Sampler = Callable[[Kind, Draw], Sample]

SAMPLERS: dict[Kind, Sampler] = {}
"""By operation, what draws operands for it; unary and binary operations without an entry get their kind's."""


def sampled(*ops: Kind) -> Callable[[Sampler], Sampler]:
    def register(function: Sampler) -> Sampler:
        SAMPLERS.update(dict.fromkeys(ops, function))
        return function

    return register


dtypes = st.sampled_from([np.float32, np.float64, np.float16, np.int8, np.uint8, np.int64])
sizes = st.integers(1, 4)
shapes = st.lists(sizes, max_size=4)


def array(shape: Sequence[int], dtype: Any = np.float32) -> Array:
    return (np.arange(np.prod(shape, dtype=int)) % 7 + 1).reshape(shape).astype(dtype)


def integers(*values: int) -> Array:
    return np.array(values, np.int64)


def i64_attr(value: int) -> IntegerAttr[Any]:
    return IntegerAttr(value, i64)
