"""
Dependences between the operations of a program that several threads run, and the barriers that they need.

A divided kernel accesses its operands in all threads. Everything else, conditions and counts of loops too, is for the
first thread alone, which needs no barrier against itself. Two accesses to the same bytes, one of
them a write, by what may be two threads, are a dependence: there is a barrier in between.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import kernel
from ...dialects.kernel import Shaped, shaped, storage_bytes, strides_of
from .elements import size_of

Box = tuple[tuple[int, int, int], ...]
"""For each dimension the distance of its indices in bytes, the first index and the one after the last."""


@dataclass(frozen=True)
class MemoryAccess:
    """
    A read or write of bytes `low` to `high` of an argument of the program (`root`), by all threads or by the first
    alone. Where a buffer is accessed as an array, `boxes` say which parts of the array that is.
    """

    root: SSAValue
    low: int
    high: int
    buffer: SSAValue
    boxes: tuple[Box, ...]
    is_write: bool
    is_shared: bool

    @classmethod
    def of(cls, value: SSAValue, is_write: bool, is_shared: bool) -> MemoryAccess:
        """The access through a memref. A view that moves with a loop counts as an access to all that it may see."""
        type = shaped(value)
        offset, size, moves = 0, storage_bytes(type), False
        while isinstance(view := value.owner, kernel.ViewOp):
            value = view.base
            if view.step is None:
                offset += view.offset.value.data
            else:
                offset, size, moves = 0, storage_bytes(shaped(value)), True
        boxes = () if moves else _boxes(offset, type)
        root, low = value, offset
        if isinstance(buffer := value.owner, kernel.BufferOp):
            root, low = buffer.arena, offset + buffer.offset.value.data
        return cls(root, low, low + size, value, boxes, is_write, is_shared)

    def depends_on(self, other: MemoryAccess) -> bool:
        """Whether `other`, which is earlier, has to be over before this access."""
        return (
            self.root is other.root
            and self.low < other.high
            and other.low < self.high
            and (self.is_write or other.is_write)
            and (self.is_shared or other.is_shared)
            and not self._is_disjoint(other)
        )

    def _is_disjoint(self, other: MemoryAccess) -> bool:
        """Whether both access parts of one array, and the parts have no element in common."""
        if self.buffer is not other.buffer or not self.boxes or not other.boxes:
            return False
        return all(_are_apart(mine, theirs) for mine in self.boxes for theirs in other.boxes)


def _are_apart(mine: Box, theirs: Box) -> bool:
    """Whether two parts are of one array, and have no element in common."""
    if len(mine) != len(theirs):
        return False
    pairs = list(zip(mine, theirs, strict=True))
    return all(m[0] == t[0] for m, t in pairs) and any(
        m[2] <= t[1] or t[2] <= m[1] for m, t in pairs
    )


def _boxes(offset: int, type: Shaped) -> tuple[Box, ...]:
    """
    The parts of an array that a memref type at an offset in bytes is; none where it is not made of boxes of indices.
    Lines that end in the next line of the array, as borders do, are two: what lies in the first, and in the next.
    """
    if not isinstance(type, MemRefType):
        return ()
    size = size_of(type.get_element_type())
    distances = [stride * size for stride in strides_of(type)]
    found: list[Box] = [()]
    room: int | None = None  # indices that a dimension has
    left: int | None = 0  # indices behind the view in the dimension before; None: any number
    for distance, count, inner in zip(
        distances, type.get_shape(), [*distances, 1][1:], strict=True
    ):
        if distance <= 0 or distance % inner:
            return ()
        first, offset = divmod(offset, distance)
        end = first + count
        if room is None or end <= room:
            found = [(*box, (distance, first, end)) for box in found]
        elif first < room and end <= 2 * room and left != 0:
            found = [part for box in found for part in _wrapped(box, distance, first, end, room)]
        else:
            return ()
        left = None if room is None else max(0, room - end)
        room = distance // inner
    return () if offset else tuple(found)


def _wrapped(box: Box, distance: int, first: int, end: int, room: int) -> Iterator[Box]:
    """The two parts of lines that begin in one line of an array, and end in the next."""
    *outer, (step, low, high) = box
    yield (*outer, (step, low, high), (distance, first, room))
    yield (*outer, (step, low + 1, high + 1), (distance, 0, end - room))


MemoryAccesses = frozenset[MemoryAccess]


@dataclass(frozen=True)
class Barriers:
    """
    Where barriers stand: `before` operations (for loops and choices, before they read their first condition), and
    `at_end` of each iteration of loops, before they read the next condition.
    """

    before: frozenset[Operation]
    at_end: frozenset[Operation]


def barriers_of(program: kernel.ProgramOp, divided: set[Operation]) -> Barriers:
    """The barriers of a program of which these kernels are divided."""
    walk = _BarrierPlacement(divided)
    walk.block(program.body.block, frozenset())
    return Barriers(frozenset(walk.before), frozenset(walk.at_end))


class _BarrierPlacement:
    """Walks a program in order. Methods take the accesses since the last barrier before them and give those after."""

    def __init__(self, divided: set[Operation]):
        self.divided = divided
        self.before, self.at_end = set[Operation](), set[Operation]()

    def block(self, block: Block, since: MemoryAccesses) -> MemoryAccesses:
        for op in block.ops:
            since = self._after(op, since)
        return since

    def _after(self, op: Operation, since: MemoryAccesses) -> MemoryAccesses:
        since = self._barrier(self.before, op, self._accesses(op), since)
        match op:
            case kernel.ForOp():
                after = self.block(op.body.block, since | self._all_of(op))
                return after if op.count.value.data else since
            case kernel.WhileOp():
                after = self.block(op.body.block, since | self._all_of(op))
                return since | self._barrier(self.at_end, op, _reads([op.following]), after)
            case kernel.IfOp():
                then, otherwise = (
                    self.block(region.block, since) for region in (op.then_body, op.else_body)
                )
                return then | otherwise
            case kernel.IfUnsetOp():
                return since | self.block(op.body.block, since)
            case _:
                return since

    def _barrier(
        self, where: set[Operation], op: Operation, accesses: MemoryAccesses, since: MemoryAccesses
    ) -> MemoryAccesses:
        if any(new.depends_on(old) for new in accesses for old in since):
            where.add(op)
            return accesses
        return since | accesses

    def _accesses(self, op: Operation) -> MemoryAccesses:
        """The accesses of an operation itself, without those of its regions."""
        shared = op in self.divided
        match op:
            case kernel.EmittedOp():
                reads = (MemoryAccess.of(value, False, shared) for value in op.reads)
                return frozenset(
                    (*reads, *(MemoryAccess.of(value, True, shared) for value in op.outs))
                )
            case kernel.CopyOp():
                pair = (op.source, False), (op.target, True)
                return frozenset(
                    MemoryAccess.of(value, is_write, shared) for value, is_write in pair
                )
            case kernel.IndexOp():
                return frozenset([MemoryAccess.of(op.target, True, False)])
            case kernel.CallParityOp(target=SSAValue() as target):
                return frozenset([MemoryAccess.of(target, True, False)])
            case kernel.WhileOp():
                return _reads([op.start, op.trip])
            case kernel.IfOp():
                return _reads([op.condition])
            case _:
                return frozenset()

    def _all_of(self, op: Operation) -> MemoryAccesses:
        """All accesses that an iteration may have made when the next iteration begins."""
        found: set[MemoryAccess] = set()
        for inner in _inside(op):
            found |= self._accesses(inner)
            if isinstance(inner, kernel.WhileOp):
                found |= _reads([inner.following])
        if isinstance(op, kernel.WhileOp):
            found |= _reads([op.following])
        return frozenset(found)


def _inside(op: Operation) -> Iterator[Operation]:
    return (inner for inner in op.walk() if inner is not op)


def _reads(values: Sequence[SSAValue | None]) -> MemoryAccesses:
    """Conditions and counts, read by the first thread."""
    return frozenset(MemoryAccess.of(value, False, False) for value in values if value is not None)
