"""
Verifies a memory plan by liveness: no buffer is read after another one took its bytes of the arena.

A buffer is live from the first write to it until a buffer that shares bytes with it is written. The body of a loop is
walked twice, since an iteration also reads what the one before left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..inferred import label
from .base import EmittedOp, outside_bodies
from .program_memory import (
    BufferOp,
    CallParityOp,
    ConstantOp,
    CopyOp,
    FailOp,
    ForOp,
    IfOp,
    IfUnsetOp,
    IndexOp,
    ViewOp,
    WhileOp,
)
from .types import ALIGNMENT, shaped, storage_bytes

if TYPE_CHECKING:
    from .program import ProgramOp


def check_plan(program: ProgramOp) -> None:
    """Raises VerifyException, naming the operation, where the program's plan is wrong."""
    size = storage_bytes(shaped(program.arena))
    for op in outside_bodies(program):
        match op:
            case BufferOp():
                _check_buffer(op, size)
            case ViewOp():
                _check_view(op)
            case _:
                pass
    _Liveness(program).block(program.body.block)


def _check_buffer(op: BufferOp, arena: int) -> None:
    low, high = _range(op)
    if low < 0 or high > arena or low % ALIGNMENT:
        raise VerifyException(
            f"{label(op)}: bytes {low} to {high} in an arena of {arena}; buffers lie inside it, at "
            f"multiples of {ALIGNMENT}"
        )


def _check_view(op: ViewOp) -> None:
    offset, reach = op.offset.value.data, storage_bytes(shaped(op.result))
    ends = [offset]
    if op.step is not None:
        loop = op.parent_op()
        if not isinstance(loop, ForOp | WhileOp) or op.index is not loop.body.block.args[0]:
            raise VerifyException(f"{label(op)}: the index must be that of the loop around it")
        if (count := loop.count) is None:
            raise VerifyException(f"{label(op)}: a loop without limit cannot move through memory")
        ends.append(offset + max(count.value.data - 1, 0) * op.step.value.data)
    if reach and (min(ends) < 0 or max(ends) + reach > storage_bytes(shaped(op.base))):
        raise VerifyException(
            f"{label(op)}: bytes {min(ends)} to {max(ends) + reach} leave a base of type {op.base.type}"
        )


def _range(op: BufferOp) -> tuple[int, int]:
    """The bytes of the arena that a buffer occupies."""
    offset = op.offset.value.data
    return offset, offset + storage_bytes(shaped(op.result))


def root_of(value: SSAValue) -> SSAValue:
    """The memory that a view, or a view of a view, looks at."""
    while isinstance(owner := value.owner, ViewOp):
        value = owner.base
    return value


@dataclass
class _Liveness:
    """Liveness analysis: a walk over a program in order; `live` are the buffers that hold their value."""

    program: ProgramOp
    live: set[BufferOp] = field(default_factory=set[BufferOp])
    ranges: dict[BufferOp, tuple[int, int]] = field(default_factory=dict[BufferOp, tuple[int, int]])
    """The bytes of the arena that each buffer occupies that was written."""

    def block(self, block: Block) -> None:
        for op in block.ops:
            match op:
                case EmittedOp():
                    self._step(op, op.reads, op.outs)
                case CopyOp():
                    self._step(op, (op.source,), (op.target,))
                case IndexOp():
                    self._step(op, (), (op.target,))
                case CallParityOp(target=SSAValue() as target):
                    self._step(op, (), (target,))
                case ForOp():
                    self.block(op.body.block)
                    self.block(op.body.block)
                case WhileOp():
                    self._read(op, [v for v in (op.trip, op.start) if v is not None])
                    before = set(self.live)
                    for _ in range(2):
                        self.block(op.body.block)
                        if op.following is not None:
                            self._read(op, [op.following])
                    self.live &= before
                case IfOp():
                    self._read(op, [op.condition])
                    before = set(self.live)
                    self.block(op.then_body.block)
                    after, self.live = self.live, before
                    self.block(op.else_body.block)
                    self.live &= after
                case IfUnsetOp():
                    before = set(self.live)
                    self.block(op.body.block)
                    self.live &= before
                case ConstantOp() | BufferOp() | ViewOp() | FailOp():
                    pass
                case _:
                    raise VerifyException(f"{label(op)}: has no place in a program")

    def _step(self, op: Operation, reads: Sequence[SSAValue], writes: Sequence[SSAValue]) -> None:
        sources = self._read(op, reads)
        for value in writes:
            self._write(op, root_of(value), sources)

    def _read(self, op: Operation, reads: Sequence[SSAValue]) -> set[SSAValue]:
        """Reads the memory of these values; all of it must hold a value."""
        sources = {root_of(value) for value in reads}
        for source in sources:
            buffer = source.owner
            if isinstance(buffer, BufferOp) and buffer not in self.live:
                raise VerifyException(
                    f"{label(op)}: reads a buffer at byte {_range(buffer)[0]} of the arena that holds "
                    "nothing, or whose place was reused"
                )
        return sources

    def _write(self, op: Operation, target: SSAValue, sources: set[SSAValue]) -> None:
        match target:
            case BlockArgument():
                inputs = {*self.program.input_args} - {one for _, one in self.program.aliased_args}
                if target in inputs or target.block is not self.program.body.block:
                    raise VerifyException(f"{label(op)}: writes into an input of the program")
                return
            case _:
                buffer = target.owner
        if not isinstance(buffer, BufferOp):
            raise VerifyException(f"{label(op)}: writes into a constant")
        if buffer not in self.ranges:
            self.ranges[buffer] = _range(buffer)
        low, high = self.ranges[buffer]
        for other in list(self.live):
            other_low, other_high = self.ranges[other]
            if other is buffer or other_high <= low or high <= other_low:
                continue
            if cast(SSAValue, other.result) in sources:
                raise VerifyException(
                    f"{label(op)}: reads and writes bytes {max(low, other_low)} to "
                    f"{min(high, other_high)} of the arena through two buffers"
                )
            self.live.discard(other)
        self.live.add(buffer)
