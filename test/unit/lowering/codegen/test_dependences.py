"""Barriers: between any two accesses of two threads to the same byte, one of them a write, there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from xdsl.dialects.builtin import MemRefType, StridedLayoutAttr, f32, i8
from xdsl.ir import Block, Operation, SSAValue

from lowstream.dialects import kernel
from lowstream.dialects.kernel import shaped, strides_of
from lowstream.lowering.codegen.dependences import MemoryAccess, barriers_of
from lowstream.lowering.codegen.elements import size_of
from lowstream.lowering.codegen.work import work
from lowstream.lowering.lower_to_kernels import lower
from lowstream.test.unit.lowering.codegen.native import parse_program
from lowstream.test.unit.lowering.codegen.test_program import COUNTER, LOOP, add
from lowstream.test.unit.lowering.graphs import Model, models

Bytes = frozenset[tuple[SSAValue, int]]
"""Each with the argument of the program that it belongs to."""


@dataclass(frozen=True)
class Event:
    """One step of a run: an operation touches bytes, or (no operation) there is a barrier."""

    op: Operation | None
    is_shared: bool = False
    reads: Bytes = frozenset()
    writes: Bytes = frozenset()


class Run:
    """A program's steps in order, for some choices of conditions. Loops that decide themselves run twice."""

    def __init__(self, program: kernel.ProgramOp, divided: set[Operation], takes_then: bool):
        self.program, self.divided, self.takes_then = program, divided, takes_then
        self.barriers = barriers_of(program, divided)
        self.places: dict[SSAValue, tuple[SSAValue, int]] = {
            arg: (arg, 0) for arg in program.body.block.args
        }

    def events(self) -> Iterator[Event]:
        return self._block(self.program.body.block, 0)

    def _block(self, block: Block, index: int) -> Iterator[Event]:
        for op in block.ops:
            if op in self.barriers.before:
                yield Event(None)
            yield from self._operation(op, index)

    def _operation(self, op: Operation, index: int) -> Iterator[Event]:
        match op:
            case kernel.ConstantOp():
                self.places[op.result] = (op.result, 0)
            case kernel.BufferOp():
                self._view(op.result, op.arena, op.offset.value.data)
            case kernel.ViewOp():
                step = 0 if op.step is None else op.step.value.data
                self._view(op.result, op.base, op.offset.value.data + index * step)
            case kernel.ForOp():
                for i in range(op.count.value.data):
                    yield from self._block(op.body.block, i)
            case kernel.WhileOp():
                yield self._read(op, op.start, op.trip)
                for i in range(2 if op.most is None else min(2, op.most.value.data)):
                    yield from self._block(op.body.block, i)
                    if op in self.barriers.at_end:
                        yield Event(None)
                    yield self._read(op, op.following)
            case kernel.IfOp():
                yield self._read(op, op.condition)
                taken = op.then_body if self.takes_then else op.else_body
                yield from self._block(taken.block, index)
            case kernel.IfUnsetOp():
                if self.takes_then:
                    yield from self._block(op.body.block, index)
            case kernel.IndexOp():
                yield Event(op, False, frozenset(), self._bytes(op.target))
            case kernel.CopyOp():
                yield self._event(op, [op.source], [op.target])
            case _:
                assert isinstance(op, kernel.KernelOp)
                yield self._event(op, op.reads, op.outs)

    def _event(self, op: Operation, reads: Sequence[SSAValue], writes: Sequence[SSAValue]) -> Event:
        before, after = (
            frozenset[tuple[SSAValue, int]]().union(*map(self._bytes, values))
            for values in (reads, writes)
        )
        return Event(op, op in self.divided, before, after)

    def _read(self, op: Operation, *values: SSAValue | None) -> Event:
        found = [self._bytes(value) for value in values if value is not None]
        return Event(op, False, frozenset[tuple[SSAValue, int]]().union(*found))

    def _view(self, result: SSAValue, base: SSAValue, offset: int) -> None:
        root, before = self.places[base]
        self.places[result] = (root, before + offset)

    def _bytes(self, value: SSAValue) -> Bytes:
        root, offset = self.places[value]
        return frozenset((root, offset + i) for i in bytes_of(shaped(value)))


def bytes_of(type: kernel.Shaped) -> set[int]:
    """Which bytes the elements of a memref take, from its start."""
    assert isinstance(type, MemRefType)
    size = size_of(type.get_element_type())
    places = np.zeros((), np.int64)
    for count, stride in zip(type.get_shape(), strides_of(type), strict=True):
        places = np.add.outer(places, np.arange(count) * stride * size)
    return {int(place) + i for place in places.ravel() for i in range(size)}


def check(program: kernel.ProgramOp, divided: set[Operation]) -> None:
    for takes_then in (True, False):
        since: list[Event] = []
        for event in Run(program, divided, takes_then).events():
            if event.op is None:
                since = []
                continue
            for earlier in since:
                if event.is_shared or earlier.is_shared:
                    assert not event.writes & (earlier.reads | earlier.writes)
                    assert not event.reads & earlier.writes
            since.append(event)


DECIDING = f"""
kernel.program @main inputs ["x", "n", "c"] outputs ["y"] states [] assigned [] inits [] {{
^bb0(%x: memref<5xf32>, %n: memref<i64>, %c: memref<i1>, %y: memref<5xf32>, %arena: memref<256xi8>):
  %b = kernel.buffer %arena at 0 : memref<256xi8> -> memref<5xf32>
  %go = kernel.buffer %arena at 64 : memref<256xi8> -> memref<i1>
  %count = kernel.buffer %arena at 128 : memref<256xi8> -> memref<i64>
  kernel.copy %x to %b : memref<5xf32> to memref<5xf32>
  kernel.copy %c to %go : memref<i1> to memref<i1>
  kernel.while trip %n : memref<i64> start %go : memref<i1> next %go : memref<i1> {{
  ^body(%i: index):
    kernel.index %i to %count : memref<i64>
    {add("%x", "%b", "%b")}
    kernel.if %go : memref<i1> {{
      {add("%x", "%b", "%b")}
      kernel.copy %c to %go : memref<i1> to memref<i1>
    }} else {{
      {add("%b", "%b", "%b")}
      kernel.index %i to %count : memref<i64>
    }}
    kernel.copy %c to %go : memref<i1> to memref<i1>
  }}
  kernel.if %go : memref<i1> {{
    kernel.copy %b to %y : memref<5xf32> to memref<5xf32>
  }} else {{
    {add("%x", "%b", "%y")}
  }}
  {add("%y", "%b", "%b")}
}}
"""


@given(st.data())
def test_decisions_wait_for_what_they_read(data: st.DataObject):
    """A condition is not written while some thread may not have read it yet, nor read too early."""
    program = parse_program(DECIDING)
    check(program, {op for op in program.walk() if work(op) and data.draw(st.booleans())})


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(model=models(), data=st.data())
def test_nothing_is_touched_too_early(model: Model, data: st.DataObject):
    program = lower(model.module, "portable")
    kernels = [op for op in program.walk() if work(op)]
    divided = {op for op in kernels if data.draw(st.booleans())}
    check(program, divided)


@pytest.mark.parametrize("text", [COUNTER, LOOP], ids=["sequence", "loop"])
def test_the_first_thread_waits_for_nobody(text: str):
    """There is no barrier where nothing is divided."""
    program = parse_program(text)
    found = barriers_of(program, set())
    assert not found.before
    assert not found.at_end


def test_what_follows_from_divided_kernels_waits():
    program = parse_program(COUNTER)
    kernels = [op for op in program.body.block.ops if work(op)]
    assert barriers_of(program, set(kernels)).before == set(kernels[1:])
    assert barriers_of(program, set(kernels[1:])).before == set(kernels[1:])
    assert barriers_of(program, set(kernels[2:])).before == set(kernels[2:])


def test_an_iteration_waits_for_the_one_before():
    """The addition reads what it wrote, and what was copied before the loop."""
    program = parse_program(LOOP)
    copy, (add, store), _ = _of_loop(program)
    assert barriers_of(program, {add}).before == {add, store}
    assert barriers_of(program, {store}).before == {add, store}
    check(program, {copy, store})


def test_what_follows_waits_for_the_loop():
    """The last copy reads what the loop stored."""
    end = "%end = kernel.view %y offset 0 : memref<3x5xf32> -> memref<5xf32>\n"
    text = LOOP.replace("kernel.copy %b to %next", end + "kernel.copy %end to %next")
    program = parse_program(text)
    _, (_, store), last = _of_loop(program)
    assert last in barriers_of(program, {store}).before
    check(program, {store})


UNREAD = """
kernel.program @main inputs ["n", "c"] outputs ["y"] states [] assigned [] inits [] {
^bb0(%n: memref<i64>, %c: memref<i1>, %y: memref<i1>, %arena: memref<64xi8>):
  %go = kernel.buffer %arena at 0 : memref<64xi8> -> memref<i1>
  kernel.while trip %n : memref<i64> start %c : memref<i1> next %go : memref<i1> {
  ^body(%i: index):
    kernel.copy %c to %go : memref<i1> to memref<i1>
  }
  kernel.copy %c to %y : memref<i1> to memref<i1>
}
"""


def test_a_condition_is_read_before_the_next_iteration_writes_it():
    """It is the loop alone that reads it."""
    check(parse_program(UNREAD), set())


def _of_loop(program: kernel.ProgramOp) -> tuple[Operation, list[Operation], Operation]:
    outer = [op for op in program.body.block.ops if work(op) or isinstance(op, kernel.ForOp)]
    copy, loop, last = outer
    assert isinstance(loop, kernel.ForOp)
    return copy, [op for op in loop.body.block.ops if work(op)], last


Part = tuple[list[int], list[int], list[int]]


@st.composite
def parts(draw: st.DrawFn) -> Part:
    """A part of an array of 4 x 5 x 6: where it begins and ends, in its own line or in the next."""
    sizes = 4, 5, 6
    low = [draw(st.integers(0, n - 1)) for n in sizes]
    high = [draw(st.integers(a + 1, n)) for a, n in zip(low, sizes, strict=True)]
    wrapped = draw(st.sampled_from([None, 1, 2]))
    if wrapped is not None and high[wrapped - 1] < sizes[wrapped - 1]:
        high[wrapped] += draw(st.integers(0, sizes[wrapped]))
    return low, high, [30, 6, 1]


@pytest.mark.parametrize(
    ("shape", "first", "others"),
    [
        ([1, 1, 2], 5, {5: True, 6: True, 7: False}),  # the last of row 0, and the first of row 1
        ([1, 2, 2], 17, {18: True, 20: False, 24: True}),  # of rows 2 and 3
        ([1, 2, 2], 23, {24: True, 26: True}),  # the last row has no next one in its plane
        ([1, 1, 14], 5, {17: True}),  # three rows
    ],
)
def test_a_part_that_goes_on_in_the_next_row(shape: list[int], first: int, others: dict[int, bool]):
    """Where it is no two parts by their indices, it depends on all that lies between its ends, or is not known to."""
    block = Block(arg_types=[MemRefType(i8, [480])])
    buffer = kernel.BufferOp(block.args[0], 0, MemRefType(i8, [4, 5, 6]))

    def access(shape: list[int], offset: int) -> MemoryAccess:
        type = MemRefType(i8, shape, StridedLayoutAttr([30, 6, 1], None))
        view = kernel.ViewOp(buffer.result, type, offset)
        return MemoryAccess.of(view.result, is_write=True, is_shared=True)

    for offset, depends in others.items():
        assert access(shape, first).depends_on(access([1, 1, 1], offset)) == depends


@given(first=parts(), second=parts(), element=st.sampled_from([i8, f32]))
def test_parts_of_an_array(first: Part, second: Part, element: Any):
    """One depends on the other if, and only if, they have an element in common."""
    block = Block(arg_types=[MemRefType(i8, [480])])
    buffer = kernel.BufferOp(block.args[0], 0, MemRefType(element, [4, 5, 6]))
    accesses: list[MemoryAccess] = []
    sets: list[set[int]] = []
    for low, high, strides in (first, second):
        size = size_of(element)
        offset = sum(i * s for i, s in zip(low, strides, strict=True)) * size
        shape = [b - a for a, b in zip(low, high, strict=True)]
        type = MemRefType(element, shape, StridedLayoutAttr(strides, None))
        view = kernel.ViewOp(buffer.result, type, offset)
        accesses.append(MemoryAccess.of(view.result, is_write=True, is_shared=True))
        sets.append({offset + i for i in bytes_of(type)})
    assert accesses[0].depends_on(accesses[1]) == bool(sets[0] & sets[1])
