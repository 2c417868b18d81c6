"""A random operation: its arguments, and how OpenVINO writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import openvino as ov

Array = npt.NDArray[Any]

FLOATS = (np.float32, np.float32, np.float32, np.float16, np.float64)
INTEGERS = (np.int32, np.int64, np.int8, np.uint8, np.int16, np.uint16, np.uint32, np.uint64)
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0)
"""What floats may be besides numbers."""


@dataclass(frozen=True)
class Case:
    """`build` makes the results of nodes for `arguments`."""

    name: str
    arguments: Sequence[Array]
    build: Callable[..., Any]
    fixed: Sequence[int] = ()
    """Numbers of arguments that are constants."""
    tolerance: float = 1e-5
    """The largest difference of floats, relative to the largest number."""
    resizes: bool = True
    """Whether arguments may have other sizes where shapes are unknown."""
    peer: bool = True
    """Whether OpenVINO computes it as its specification says; else only the reference does."""


@dataclass
class Draw:
    """Random choices."""

    random: np.random.Generator
    specials: bool = False
    """Whether floats may be NaN, infinite or a zero of either sign."""
    empty: bool = False
    """Whether dimensions may be 0."""
    types: Sequence[Any] = field(default=FLOATS)

    def one(self, *choices: Any) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def flag(self, odds: float = 0.5) -> bool:
        return bool(self.random.random() < odds)

    def number(self, low: int, high: int) -> int:
        """From low to high, both included."""
        return int(self.random.integers(low, high + 1))

    def shape(self, low: int = 0, high: int = 6, largest: int = 5) -> tuple[int, ...]:
        """Of a rank between both; few dimensions are long, so that vectors have ends."""
        rank = self.number(low, high)
        sizes = [self.number(1, largest if rank < 5 else 3) for _ in range(rank)]
        if rank and self.flag(0.3):
            sizes[self.number(0, rank - 1)] = self.one(1, 7, 16, 17, 33)
        if rank and self.empty and self.flag(0.1):
            sizes[self.number(0, rank - 1)] = 0
        return tuple(sizes)

    def reshaped(self, x: Array) -> list[int]:
        """Sizes that hold as many elements; one may be -1, for what the others leave."""
        to: list[int] = []
        left = x.size
        while left > 1 and len(to) < 4:
            to.append(self.one(*[d for d in range(1, left + 1) if left % d == 0]))
            left //= to[-1]
        to.append(left)
        if x.size and self.flag():
            to[self.number(0, len(to) - 1)] = -1
        return to

    def floats(self, *shape: int, dtype: Any = np.float32, scale: float = 2.0) -> Array:
        found: Array = np.asarray(self.random.normal(size=shape) * scale).astype(dtype)
        if self.flag(0.2):
            found = np.round(found * 2) / np.dtype(dtype).type(2)
        if self.specials and np.dtype(dtype).itemsize < 8 and self.flag(0.3):
            where = self.random.random(shape) < 0.2
            found = np.where(where, self.random.choice(SPECIAL, shape), found)
        return np.asarray(found, dtype)

    def integers(self, low: int, high: int, *shape: int, dtype: Any = np.int64) -> Array:
        return self.random.integers(low, high + 1, shape).astype(dtype)

    def array(self, dtype: Any, *shape: int) -> Array:
        """Of any type; integers reach the ends of their type now and then."""
        kind = np.dtype(dtype)
        if kind.kind == "f":
            return self.floats(*shape, dtype=dtype)
        if kind.kind == "b":
            return self.random.random(shape) < 0.5
        limits = np.iinfo(dtype if kind.itemsize < 4 else np.int32)  # OpenVINO computes in 32 bits
        found = self.random.integers(-9 * (kind.kind == "i"), 10, shape).astype(dtype)
        if self.specials and self.flag(0.3):
            where = self.random.random(shape) < 0.2
            ends = np.array([limits.min, limits.max, limits.max - 1]).clip(np.iinfo(dtype).min)
            found = np.where(where, self.random.choice(ends, shape), found).astype(dtype)
        return found

    def broadcast(self, shape: Sequence[int]) -> tuple[int, ...]:
        """A shape that is broadcast to another."""
        kept = list(shape[self.number(0, len(shape)) :])
        return tuple(1 if self.flag(0.25) else size for size in kept)

    def axes(self, rank: int, least: int = 0) -> list[int]:
        """Different axes, some negative."""
        count = self.number(min(least, rank), rank)
        found = self.random.permutation(rank)[:count]
        return [int(i) - rank * self.flag(0.3) for i in found]

    def axis(self, rank: int) -> int:
        return self.number(-rank, rank - 1)


@dataclass(frozen=True)
class Built:
    """A case as a model, and the arrays of its inputs in each call; where shapes are unknown, of several shapes."""

    model: ov.Model
    calls: Sequence[Sequence[Array]]

    @property
    def is_dynamic(self) -> bool:
        return any(given.partial_shape.is_dynamic for given in self.model.inputs)

    def static(self, call: Sequence[Array]) -> ov.Model:
        """The model for the shapes of one call. Raises RuntimeError where the operation does not take them."""
        if not self.is_dynamic:
            return self.model
        for given, array in zip(self.model.inputs, call, strict=True):
            if not given.partial_shape.compatible(ov.PartialShape(list(array.shape))):
                raise RuntimeError(f"{given} does not take {array.shape}")
        model = self.model.clone()
        model.reshape({i: ov.PartialShape(list(array.shape)) for i, array in enumerate(call)})
        return model


def built(case: Case, draw: Draw, dynamic: bool) -> Built:
    """Some arguments are inputs, those with fixed numbers never."""
    nodes: list[Any] = []
    inputs: list[Any] = []
    arrays: list[Array] = []
    unknown: list[tuple[int, int]] = []
    for number, array in enumerate(case.arguments):
        if number in case.fixed or (number and draw.flag(0.35)):
            nodes.append(ov.opset15.constant(array))
            continue
        shape = list(array.shape)
        for d in range(array.ndim):
            if dynamic and draw.flag(0.6):
                unknown.append((len(inputs), d))
                shape[d] = -1
        nodes.append(ov.opset15.parameter(shape, array.dtype))
        inputs.append(nodes[-1])
        arrays.append(array)
    made = case.build(*nodes)
    nodes = made if isinstance(made, list) else [made]
    outputs = [output for node in nodes for output in node.outputs()]
    calls = [arrays]
    if unknown and case.resizes:
        calls.append(_resized(arrays, draw, *unknown[draw.number(0, len(unknown) - 1)]))
    model: Any = ov.Model
    return Built(model(outputs, inputs, "m"), calls)


def _resized(arrays: Sequence[Array], draw: Draw, changed: int, axis: int) -> list[Array]:
    """Inputs of which those that had one size along an axis have another."""
    before, after = arrays[changed].shape[axis], draw.number(1, 9)
    found: list[Array] = []
    for array in arrays:
        behind = array.ndim - (arrays[changed].ndim - axis)
        if behind >= 0 and array.shape[behind] == before and array.size:
            array = np.take(array, np.arange(after) % before, behind)
        found.append(array)
    return found
