"""
Where threads must meet: before an operation that touches what another thread may have touched since they last met.

A kernel that is divided touches its operands in all threads; the others, and the storing of indices and turns, run
in the first thread alone, and that is always in step with itself. Conditions and counts are read by all.
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
class Touch:
    """
    Some bytes of an argument of the program, read or written, by all threads or by the first alone. `box` says
    more exactly which ones where a buffer is seen as an array.
    """

    root: SSAValue
    low: int
    high: int
    buffer: SSAValue
    box: Box | None
    is_write: bool
    is_shared: bool

    @classmethod
    def of(cls, value: SSAValue, is_write: bool, is_shared: bool) -> Touch:
        """A memref's; where a view moves with a loop, all that it may look at."""
        type = shaped(value)
        offset, size, moves = 0, storage_bytes(type), False
        while isinstance(view := value.owner, kernel.ViewOp):
            value = view.base
            if view.step is None:
                offset += view.offset.value.data
            else:
                offset, size, moves = 0, storage_bytes(shaped(value)), True
        box = None if moves else _box(offset, type)
        root, low = value, offset
        if isinstance(buffer := value.owner, kernel.BufferOp):
            root, low = buffer.arena, offset + buffer.offset.value.data
        return cls(root, low, low + size, value, box, is_write, is_shared)

    def waits_for(self, other: Touch) -> bool:
        """Whether `other`, before this one, has to be over."""
        return (
            self.root is other.root
            and self.low < other.high
            and other.low < self.high
            and (self.is_write or other.is_write)
            and (self.is_shared or other.is_shared)
            and not self._is_beside(other)
        )

    def _is_beside(self, other: Touch) -> bool:
        """Whether both are parts of one array that have no element in common."""
        if self.buffer is not other.buffer or self.box is None or other.box is None:
            return False
        if len(self.box) != len(other.box):
            return False
        pairs = list(zip(self.box, other.box, strict=True))
        return all(mine[0] == theirs[0] for mine, theirs in pairs) and any(
            mine[2] <= theirs[1] or theirs[2] <= mine[1] for mine, theirs in pairs
        )


def _box(offset: int, type: Shaped) -> Box | None:
    """Which part of an array with these strides begins so many bytes after its start."""
    if not isinstance(type, MemRefType):
        return None
    size = size_of(type.get_element_type())
    distances = [stride * size for stride in strides_of(type)]
    found: list[tuple[int, int, int]] = []
    room: int | None = None  # indices that a dimension has
    for distance, count, inner in zip(
        distances, type.get_shape(), [*distances, 1][1:], strict=True
    ):
        if distance <= 0 or distance % inner:
            return None
        first, offset = divmod(offset, distance)
        if room is not None and first + count > room:
            return None
        found.append((distance, first, first + count))
        room = distance // inner
    return None if offset else tuple(found)


Touches = frozenset[Touch]


@dataclass(frozen=True)
class Meetings:
    """
    The operations before which all threads meet (before the first condition is read, where it is a loop or a
    choice), and the loops at the end of whose iterations they do, before the next condition is read.
    """

    before: frozenset[Operation]
    at_end: frozenset[Operation]


def meetings(program: kernel.ProgramOp, divided: set[Operation]) -> Meetings:
    """Where the threads that run this program have to meet, when these kernels are divided."""
    walk = _Walk(divided)
    walk.block(program.body.block, frozenset())
    return Meetings(frozenset(walk.before), frozenset(walk.at_end))


class _Walk:
    """Goes over a program in order. Each method takes the touches since the last meeting and gives those after."""

    def __init__(self, divided: set[Operation]):
        self.divided = divided
        self.before, self.at_end = set[Operation](), set[Operation]()

    def block(self, block: Block, since: Touches) -> Touches:
        for op in block.ops:
            since = self._after(op, since)
        return since

    def _after(self, op: Operation, since: Touches) -> Touches:
        since = self._meet(self.before, op, self._touches(op), since)
        match op:
            case kernel.ForOp():
                after = self.block(op.body.block, since | self._all_of(op))
                return after if op.count.value.data else since
            case kernel.WhileOp():
                after = self.block(op.body.block, since | self._all_of(op))
                return since | self._meet(self.at_end, op, _reads([op.following]), after)
            case kernel.IfOp():
                then, otherwise = (
                    self.block(region.block, since) for region in (op.then_body, op.else_body)
                )
                return then | otherwise
            case kernel.IfUnsetOp():
                return since | self.block(op.body.block, since)
            case _:
                return since

    def _meet(
        self, where: set[Operation], op: Operation, touches: Touches, since: Touches
    ) -> Touches:
        if any(new.waits_for(old) for new in touches for old in since):
            where.add(op)
            return touches
        return since | touches

    def _touches(self, op: Operation) -> Touches:
        """What an operation itself touches, without what is in its regions."""
        shared = op in self.divided
        match op:
            case kernel.KernelOp():
                reads = (Touch.of(value, False, shared) for value in op.reads)
                return frozenset((*reads, *(Touch.of(value, True, shared) for value in op.outs)))
            case kernel.CopyOp():
                pair = (op.source, False), (op.target, True)
                return frozenset(Touch.of(value, is_write, shared) for value, is_write in pair)
            case kernel.IndexOp():
                return frozenset([Touch.of(op.target, True, False)])
            case kernel.OddCallOp(target=SSAValue() as target):
                return frozenset([Touch.of(target, True, False)])
            case kernel.WhileOp():
                return _reads([op.start, op.trip])
            case kernel.IfOp():
                return _reads([op.condition])
            case _:
                return frozenset()

    def _all_of(self, op: Operation) -> Touches:
        """Everything that an iteration may have touched when the next one begins."""
        found: set[Touch] = set()
        for inner in _inside(op):
            found |= self._touches(inner)
            if isinstance(inner, kernel.WhileOp):
                found |= _reads([inner.following])
        if isinstance(op, kernel.WhileOp):
            found |= _reads([op.following])
        return frozenset(found)


def _inside(op: Operation) -> Iterator[Operation]:
    return (inner for inner in op.walk() if inner is not op)


def _reads(values: Sequence[SSAValue | None]) -> Touches:
    """What all threads read to know where to go on."""
    return frozenset(Touch.of(value, False, True) for value in values if value is not None)
