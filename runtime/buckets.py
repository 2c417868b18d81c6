"""
Buckets: calls whose inputs and states differ in one size, as the length of a decoder's cache, share a program.

The program has inputs and states at the bucket's largest size, and is told how much of them counts (`bound-inputs`).
Calls copy what they are given to the beginning of these arrays; a state that grows does so in place. Where an operation
of the model has no law for that, each size has a program of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from xdsl.utils.exceptions import DiagnosticException, VerifyException

if TYPE_CHECKING:
    from .native import NativeProgram

Shapes = tuple[tuple[int, ...], ...]

StateShapes = tuple[tuple[str, tuple[int, ...]], ...]

Conditions = tuple[tuple[int, bool], ...]
"""The numbers of inputs that decide branches, and their values."""


class Call(NamedTuple):
    """
    What decides the program of a call: the shapes of its inputs, and behind them of the states that are set and may
    have different sizes; the names of these states; and the inputs that decide branches.
    """

    shapes: Shapes
    states: tuple[str, ...] = ()
    conditions: Conditions = ()


SMALLEST = 16
"""The largest size of the first bucket. Each further bucket has twice the size of the one before, up to `STEP`."""

STEP = 1024
"""The difference between the largest sizes of two buckets beyond that."""

FIRST_STEPS = 2
"""
The number of sizes, each larger than the one before by 1, after which sizes are expected to go on growing. Where states
grow, one is enough: a call made them so.
"""

MOST_SIZES = 4
"""The number of sizes, in any order, that have programs of their own before a bucket begins."""

MOST_BUCKETS = 16
"""The number of buckets that are kept: those that began last."""

MOST_NOTED = 32
"""The number of calls with programs of their own among which a new bucket looks for its sizes."""


@dataclass(frozen=True)
class Bucket:
    """
    Calls that share a program. The dimensions in `differing` are those in `shapes` plus the call's size, of at most
    `most`; all others are as in `shapes`.
    """

    shapes: Shapes
    differing: tuple[tuple[int, int], ...]
    """The dimensions that differ: the number of a shape, and of a dimension of it."""
    most: int
    states: tuple[str, ...] = ()
    """The states that are set and whose sizes may differ: the last shapes are theirs."""
    conditions: Conditions = ()

    @property
    def inputs(self) -> set[int]:
        """The numbers of the inputs of which a dimension differs."""
        count = len(self.shapes) - len(self.states)
        return {number for number, _ in self.differing if number < count}

    @property
    def dimensions(self) -> tuple[tuple[int, int, int], ...]:
        """For each dimension that differs: the number of its shape, its own, and what it has beside the call's size."""
        return tuple((n, d, self.shapes[n][d]) for n, d in self.differing)

    def size_of(self, call: Call) -> int | None:
        """The size of a call, which may be larger than the most; None if more than the size differs."""
        if (call.states, call.conditions) != (self.states, self.conditions):
            return None
        number, dimension = self.differing[0]
        size = call.shapes[number][dimension] - self.shapes[number][dimension]
        return size if size >= 0 and self.at(size) == call.shapes else None

    def grown(self, size: int) -> Bucket:
        """The bucket of the same calls that a size belongs to."""
        most = SMALLEST
        while most < min(size, STEP):
            most *= 2
        most = most if size <= STEP else ceil(size / STEP) * STEP
        return self if most == self.most else replace(self, most=most)

    def at(self, size: int) -> Shapes:
        """The shapes of a call of this size."""
        sizes = [list(shape) for shape in self.shapes]
        for number, dimension in self.differing:
            sizes[number][dimension] += size
        return tuple(map(tuple, sizes))

    @classmethod
    def of(cls, call: Call, before: Call) -> Bucket | None:
        """
        The bucket that has both calls. None where their dimensions differ by different numbers, or not at all, or
        batches differ: of a larger batch, all would be computed.
        """
        if call[1:] != before[1:]:
            return None
        shapes, other = call.shapes, before.shapes
        differing = [
            (number, dimension)
            for number, (shape, of_other) in enumerate(zip(shapes, other, strict=True))
            for dimension in range(len(shape))
            if shape[dimension] != of_other[dimension]
        ]
        steps = {shapes[n][d] - other[n][d] for n, d in differing}
        is_batch = any(d == 0 and len(shapes[n]) > 1 for n, d in differing)
        if len(steps) != 1 or is_batch:
            return None
        size = min(shapes[n][d] for n, d in differing)
        least = cls(shapes, tuple(differing), 0).at(-size)
        return cls(least, tuple(differing), 0, *call[1:]).grown(size)


@dataclass
class Buckets:
    """
    The buckets of a model. One begins where calls show that sizes grow, or are many. `compile` makes its program, and
    raises DiagnosticException or VerifyException where the model cannot be computed so.
    """

    compile: Callable[[Bucket], NativeProgram]
    conditions: tuple[int, ...] = ()
    """The numbers of inputs that decide branches."""
    _programs: dict[Bucket, NativeProgram | None] = field(
        default_factory=dict["Bucket", "NativeProgram | None"]
    )
    _exact: list[Call] = field(default_factory=list["Call"])
    """The calls that have programs of their own, the last one last."""

    def program_of_call(
        self, shapes: Shapes, states: StateShapes, conditions: Conditions
    ) -> tuple[NativeProgram, Bucket, int] | None:
        """As `find`, for a call with inputs and states of these shapes. One for which there is none is noted."""
        names, of_states = zip(*states, strict=True) if states else ((), ())
        call = Call((*shapes, *of_states), names, conditions)
        if (found := self.find(call)) is None:
            self.note(call)
        return found

    def find(self, call: Call) -> tuple[NativeProgram, Bucket, int] | None:
        """The program for a call, its bucket and the call's size, if there is one or should be one now."""
        if (bucket := self._known(call) or self._begun(call)) is None:
            return None
        # A program for other conditions would refuse the call, which would be repeated for ever.
        assert bucket.conditions == call.conditions
        if bucket not in self._programs:
            try:
                self._programs[bucket] = self.compile(bucket)
            except (DiagnosticException, VerifyException):
                self._programs[bucket] = None
            if len(self._programs) > MOST_BUCKETS:
                del self._programs[next(iter(self._programs))]
        program, size = self._programs[bucket], bucket.size_of(call)
        return None if program is None or size is None else (program, bucket, size)

    def give_up(self, program: NativeProgram) -> None:
        """A call of its bucket is not for this program: each shape gets a program of its own."""
        for bucket, known in self._programs.items():
            if known is program:
                self._programs[bucket] = None

    def note(self, call: Call) -> None:
        """Counts a call that has a program of its own."""
        if call in self._exact:
            self._exact.remove(call)
        self._exact = [*self._exact[1 - MOST_NOTED :], call]

    def _known(self, call: Call) -> Bucket | None:
        """The bucket of a call that differs from those of a known bucket in its size alone."""
        for bucket in self._programs:
            if (size := bucket.size_of(call)) is not None:
                return bucket.grown(size)
        return None

    def _begun(self, call: Call) -> Bucket | None:
        """A new bucket for a call, if those before it that differ from it in one size ask for one."""
        if call in self._exact:
            return None
        found = (Bucket.of(call, each) for each in reversed(self._exact))
        if (bucket := next(filter(None, found), None)) is None:
            return None
        size = bucket.size_of(call)
        sizes = [other for each in self._exact if (other := bucket.size_of(each)) is not None]
        assert size is not None
        steps = FIRST_STEPS if bucket.inputs == {n for n, _ in bucket.differing} else 1
        grows = sizes[-steps:] == list(range(size - steps, size))
        return bucket if grows or len(sizes) >= MOST_SIZES else None
