"""The memory of a program under construction: arguments, constants, buffers and their lifetimes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects.builtin import MemRefType, i8
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ...dialects import kernel
from ...dialects.blob import BlobAttr
from ...dialects.kernel import Access, body_type, shaped, storage_bytes, strides_of
from ...dialects.kernel.plan_verifier import root_of
from ...dialects.properties import integer
from ...dialects.tensor_types import dense_memref
from ...dialects.walk import block_operations
from ..kernel_bodies.bodies import BodyBuilder
from .arena import Lifetime, aligned, assign_offsets
from .memref_layout import element_bytes, strided


@dataclass
class _Buffer:
    """A buffer in the arena: its operation, when it is first written and last read."""

    op: kernel.BufferOp
    start: int
    end: int


@dataclass
class Memory:
    """
    Appends a program's operations to `block`. Lifetimes count in `step`s; at the end, `settle` places all buffers.
    """

    program: Block = field(default_factory=Block)
    step: int = 0
    _buffers: dict[SSAValue, _Buffer] = field(default_factory=dict[SSAValue, _Buffer])
    _touched: set[SSAValue] = field(default_factory=set[SSAValue])
    _constants: dict[BlobAttr, SSAValue] = field(default_factory=dict[BlobAttr, SSAValue])
    _weights: int = 0

    def __post_init__(self) -> None:
        self.block = self.program
        self._arena = Block(arg_types=[dense_memref(i8, (0,))]).args[0]

    def argument(self, type: MemRefType[Any], hint: str | None) -> BlockArgument:
        """A further argument of the program."""
        argument = self.program.insert_arg(type, len(self.program.args))
        argument.name_hint = hint
        return argument

    def add(self, op: Operation) -> None:
        """Appends an operation."""
        self.block.add_op(op)

    def view(
        self,
        source: SSAValue,
        type: MemRefType[Any],
        offset: int = 0,
        index: SSAValue | None = None,
        step: int = 0,
    ) -> SSAValue:
        """A view of a memref (`kernel.view`)."""
        self.add(op := kernel.ViewOp(source, type, offset, index, step))
        return op.result

    def copy(self, source: SSAValue, target: SSAValue) -> None:
        """Copies the elements of a memref to another one."""
        self.touch(source)
        self.touch(target)
        self.add(kernel.CopyOp(source, target))

    def part(
        self,
        whole: SSAValue,
        shape: Sequence[int],
        firsts: Sequence[int],
        strides: Sequence[int] | None = None,
    ) -> SSAValue:
        """The part of a memref that begins at index `firsts`; `strides` are those of the whole, or others."""
        type = memref(whole)
        own = strides_of(type)
        first = sum(index * stride for index, stride in zip(firsts, own, strict=True))
        part = strided(type, shape, own if strides is None else strides)
        return self.view(whole, part, first * element_bytes(type))

    def fill(self, target: SSAValue, number: float) -> None:
        """Appends a kernel that writes a number everywhere."""
        type = memref(target)
        shape = type.get_shape()
        body = BodyBuilder(Block())
        region = body.region(body.constant(number, body_type(type.element_type)))
        self.add(kernel.MapOp(shape, [], [Access.identity(len(shape))], region, outs=[target]))

    def allocate(self, type: MemRefType[Any]) -> SSAValue:
        """A new buffer in the arena."""
        self.add(op := kernel.BufferOp(self._arena, 0, type))
        self._buffers[op.result] = _Buffer(op, self.step, self.step)
        return op.result

    def constant(self, blob: BlobAttr) -> SSAValue:
        """A constant, once in the whole program."""
        if (found := self._constants.get(blob)) is not None:
            return found
        op = kernel.ConstantOp(blob, self._weights)
        self._weights += aligned(storage_bytes(blob.type))
        if (first := self.program.first_op) is None:
            self.program.add_op(op)
        else:
            self.program.insert_op_before(op, first)
        self._constants[blob] = op.result
        return op.result

    def touch(self, memref: SSAValue) -> None:
        """Keeps the buffer behind a memref alive until now."""
        root = root_of(memref)
        if (buffer := self._buffers.get(root)) is not None:
            buffer.end = self.step
            self._touched.add(root)

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Operations go to this block meanwhile."""
        outer, self.block = self.block, block
        yield
        self.block = outer

    @contextmanager
    def repeated(self, block: Block) -> Generator[None]:
        """The same for the body of a loop: buffers from outside that it uses live until its end."""
        outside, touched = set(self._buffers), self._touched
        self._touched = set()
        with self.inside(block):
            yield
        for buffer in self._touched & outside:
            self.touch(buffer)
        self._touched |= touched

    def settle(self) -> Block:
        """Gives every buffer its offset and the program its last argument, the arena."""
        buffers = list(self._buffers.values())
        lifetimes = [
            Lifetime(storage_bytes(shaped(buffer.op.result)), buffer.start, buffer.end)
            for buffer in buffers
        ]
        offsets, total = assign_offsets(lifetimes)
        for buffer, offset in zip(buffers, offsets, strict=True):
            buffer.op.properties["offset"] = integer(offset)
        self._arena.replace_all_uses_with(self.argument(dense_memref(i8, (total,)), "arena"))
        _drop_unused_views(self.program)
        return self.program


def _drop_unused_views(block: Block) -> None:
    placed = [inner for op in block_operations(block) for inner in kernel.outside_bodies(op)]
    for op in reversed(placed):
        if isinstance(op, kernel.ViewOp) and op.result.first_use is None:
            op.detach()
            op.erase()


def memref(value: SSAValue) -> MemRefType[Any]:
    """The type of a memref."""
    return cast(MemRefType[Any], value.type)
