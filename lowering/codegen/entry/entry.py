"""
The entry of a program: a function that calls the program's kernels in order (`calling_convention`). It can measure
them, and it looks now and then whether it was asked to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ....dialects import kernel
from ....dialects.inferred import label
from ....dialects.kernel import shaped, storage_bytes
from ....passes.instrumentation import tracked
from ...calling_convention import (
    ALIGNMENT,
    CALLS,
    CANCEL,
    CANCELLED,
    COUNTERS,
    DONE,
    ENTRY,
    FIRST_FAILURE,
    FLAGS,
    MOST_STAMPS,
    NO_ROOM,
    POOL,
    STAMP_WORDS,
    STAMPS,
    STAMPS_BYTES,
    WORD,
    Frame,
    current_value,
    next_value,
)
from ...machine import Isa
from .. import ir
from ..emitter import Emitter
from ..functions import KernelFunctions
from ..loop_nest import Values
from ..schedule.work_sharing import PIECE_WORK, pieces
from ..vectors import (
    I1,
    I32,
    I64,
    POINTER,
    byte_offset,
    for_each,
    index,
    loop_while,
    scaled,
    zero,
)
from ..work import cancellation_points, work
from .denormals import flush_denormals, restore

CLOCK_MONOTONIC = 1
NANOSECONDS = 1_000_000_000


@dataclass
class Entry:
    """Emits the entry of a program for one thread."""

    program: kernel.ProgramOp
    isa: Isa
    profiling: bool
    module: ir.Module
    functions: KernelFunctions
    emitters: Mapping[Operation, Emitter]
    values: dict[SSAValue, ir.Value] = field(default_factory=dict[SSAValue, ir.Value])
    scratch_bytes: int = field(default=0, init=False)
    """The most scratch memory that one of the emitted kernels needs. It lies behind the buffers of the arena."""

    @property
    def arena_bytes(self) -> int:
        """Bytes of arena that the emitted program needs."""
        return self._scratch_offset + self.scratch_bytes

    @property
    def _scratch_offset(self) -> int:
        return -(-storage_bytes(shaped(self.program.arena)) // ALIGNMENT) * ALIGNMENT

    def emit(self) -> None:
        """Emits the entry and all that it needs."""
        function = ir.Function(self.module, ir.FunctionType(I32, [POINTER]), ENTRY)
        b = self.b = ir.IRBuilder(function.append_basic_block())
        leave = self._enter()
        self._open(function.args[0])
        self._count_call()
        self._run()
        self._commit()
        leave()
        b.ret(ir.Constant(I32, DONE))
        b.position_at_end(self.cancelled)
        self._cancel()
        leave()
        b.ret(ir.Constant(I32, CANCELLED))

    def _enter(self) -> Callable[[], None]:
        """Emits how the thread treats denormal numbers from here on; returns what emits that it ends."""
        if self.program.flush_denormals is None:
            return lambda: None
        return partial(restore, self.b, flush_denormals(self.b))

    def _open(self, frame: ir.Value) -> None:
        """Loads the fields of the frame."""
        loaded = [self._pointer(frame, i) for i in range(POOL)]
        entries = Frame(*loaded, pool=zero(POINTER))  # which teams alone have
        self.states, self.context, self.weights = entries.states, entries.context, entries.weights
        self.call_number = self.b.load(self._context_word(CALLS), align=WORD, typ=I64)
        self._bind(entries)

    def _count_call(self) -> None:
        """Counts the call, before anything else reads the number."""
        self.b.store(self.b.add(self.call_number, index(1)), self._context_word(CALLS), align=WORD)

    def _run(self) -> None:
        """Emits all operations. Control goes to the block `cancelled` when the call was asked to stop."""
        self.cancelled = self.b.append_basic_block()
        counted = [
            op for op in kernel.outside_bodies(self.program) if isinstance(op, kernel.EmittedOp)
        ]
        self.counters = {op: i for i, op in enumerate(counted)} if self.profiling else {}
        if self.counters:
            self._start_counting()
        self.cancellation_points = cancellation_points(self.program)
        self.failures = self.program.failures
        for op in tracked(self.program.body.block.ops, "generating machine code"):
            self._operation(op)

    def _pointer(self, table: ir.Value, i: int) -> ir.Value:
        return self.b.load(byte_offset(self.b, table, i * WORD), align=WORD, typ=POINTER)

    def _bind(self, frame: Frame[ir.Value]) -> None:
        program = self.program
        for table, args in (
            (frame.inputs, program.input_args),
            (frame.outputs, program.output_args),
        ):
            for i, arg in enumerate(args):
                self.values[arg] = self._pointer(table, i)
        for i, (current, following) in enumerate(program.state_args):
            self.values[current] = self._pointer(self.states, current_value(i))
            self.values[following] = self._pointer(self.states, next_value(i))
        self.values[program.arena] = frame.arena

    def _commit(self) -> None:
        b = self.b
        for i, assigned in enumerate(self.program.assigned):
            if not assigned:
                continue
            current, following = (self.values[arg] for arg in self.program.state_args[i])
            for value, place in ((following, current_value(i)), (current, next_value(i))):
                b.store(value, byte_offset(b, self.states, place * WORD), align=WORD)
            b.store(index(1), self._context_word(FLAGS + i), align=WORD)

    def _cancel(self) -> None:
        """Emits what is left to do when the call was asked to stop: states stay as they were."""

    def _context_word(self, i: int) -> ir.Value:
        return byte_offset(self.b, self.context, i * WORD)

    # --- operations -------------------------------------------------------------------------

    def _block(self, block: Block) -> None:
        for op in block.ops:
            self._operation(op)

    def _operation(self, op: Operation) -> None:
        if (found := self.emitters.get(op)) is not None:
            self._call(op, found, found.arguments(self.b, self.call_number))
            return
        match op:
            case kernel.ConstantOp():
                self.values[op.result] = self._at(self.weights, op.offset.value.data)
            case kernel.BufferOp():
                self.values[op.result] = self._at(self.values[op.arena], op.offset.value.data)
            case kernel.ViewOp():
                self.values[op.result] = self._view(op)
            case kernel.ForOp():
                self._loop(op)
            case kernel.WhileOp():
                self._while(op)
            case kernel.IndexOp():
                self._store(self.values[op.index], op.target)
            case kernel.CallParityOp(target=SSAValue() as target):
                self._store(self.b.and_(self.call_number, index(1)), target)
            case kernel.IfOp():
                self._if(op)
            case kernel.IfUnsetOp():
                self._if_unset(op)
            case kernel.FailOp():
                self._fail(FIRST_FAILURE + self.failures.index(op))
            case _:
                raise DiagnosticException(
                    f"{label(op)}: has no place in a kernel.program; run lower-to-kernels first"
                )

    def _at(self, base: ir.Value, offset: int) -> ir.Value:
        return byte_offset(self.b, base, offset)

    def _view(self, op: kernel.ViewOp) -> ir.Value:
        place = self._at(self.values[op.base], op.offset.value.data)
        if op.index is None:
            return place
        assert op.step is not None
        distance = scaled(self.b, self.values[op.index], op.step.value.data)
        return byte_offset(self.b, place, distance)

    def _loop(self, op: kernel.ForOp) -> None:
        b = self.b

        def iteration(i: ir.Value) -> None:
            self._stop_if_cancelled()
            self.values[op.body.block.args[0]] = i
            with self._numbered_by(i):
                self._block(op.body.block)

        for_each(b, op.count.value.data, iteration)

    @contextmanager
    def _numbered_by(self, i: ir.Value) -> Generator[None]:
        """Inside, iterations are numbered as calls are: their parity counts as call parity."""
        before, self.call_number = self.call_number, self.b.add(self.call_number, i)
        yield
        self.call_number = before

    def _store(self, number: ir.Value, target: SSAValue) -> None:
        """An i64 as an element of memory."""
        width = _width(target)
        narrow = number if width == I64 else self.b.trunc(number, width)
        self.b.store(narrow, self.values[target], align=1)

    def _stop_if_cancelled(self) -> None:
        b = self.b
        wanted = b.load_atomic(self._context_word(CANCEL), align=WORD, typ=I64)
        proceed = b.append_basic_block()
        b.cbranch(b.icmp_signed("!=", wanted, index(0)), self.cancelled, proceed)
        b.position_at_end(proceed)

    def _while(self, op: kernel.WhileOp) -> None:
        """Tests before each iteration whether it may run: the body follows the test."""
        b = self.b
        start = ir.Constant(I1, 1) if op.start is None else self._holds(op.start)
        trip = index(-1) if op.trip is None else self._integer(op.trip)

        def is_wanted(carried: Values) -> ir.Value:
            position, proceed = carried
            below = b.or_(b.icmp_signed("<", trip, index(0)), b.icmp_signed("<", position, trip))
            if op.most is not None:
                below = b.and_(below, b.icmp_signed("<", position, index(op.most.value.data)))
            wanted = b.and_(proceed, below)
            if op.room is None:
                return wanted
            return self._refuse_beyond(op.room.value.data, wanted, position)

        def iteration(carried: Values) -> Values:
            position, _ = carried
            self._stop_if_cancelled()
            self.values[op.body.block.args[0]] = position
            with self._numbered_by(position):
                self._block(op.body.block)
            following = ir.Constant(I1, 1) if op.following is None else self._next(op, op.following)
            return [b.add(position, index(1)), following]

        loop_while(b, [index(0), start], is_wanted, iteration)

    def _refuse_beyond(self, room: int, wanted: ir.Value, position: ir.Value) -> ir.Value:
        """Ends the program where an iteration is wanted that there is no room for; returns whether it is wanted."""
        b, fits = self.b, self.b.append_basic_block()
        is_beyond = b.icmp_signed(">=", position, index(room))
        full = b.append_basic_block()
        b.cbranch(b.and_(wanted, is_beyond), full, fits)
        b.position_at_end(full)
        self._fail(NO_ROOM)
        b.branch(fits)
        b.position_at_end(fits)
        return wanted

    def _fail(self, reason: int) -> None:
        """Ends the program; what is emitted next is never reached."""
        self.b.store(index(reason), self._context_word(CANCEL), align=WORD)
        self.b.branch(self.cancelled)
        self.b.position_at_end(self.b.append_basic_block())

    def _next(self, op: kernel.WhileOp, following: SSAValue) -> ir.Value:
        """Whether another iteration is wanted, at the end of one."""
        return self._holds(following)

    def _integer(self, value: SSAValue) -> ir.Value:
        """Loads a count."""
        width = _width(value)
        number = self.b.load(self.values[value], align=1, typ=width)
        return number if width == I64 else self.b.sext(number, I64)

    def _holds(self, value: SSAValue) -> ir.Value:
        """Loads a condition."""
        number = self._integer(value)
        return self.b.icmp_signed("!=", number, index(0))

    def _if(self, op: kernel.IfOp) -> None:
        with self.b.if_else(self._holds(op.condition)) as (then, otherwise):
            with then:
                self._block(op.then_body.block)
            with otherwise:
                self._block(op.else_body.block)

    def _if_unset(self, op: kernel.IfUnsetOp) -> None:
        b = self.b
        flag = b.load(self._context_word(FLAGS + op.state.value.data), align=WORD, typ=I64)
        with b.if_then(b.icmp_signed("==", flag, index(0))):
            self._block(op.body.block)

    def _arguments(
        self, op: Operation, found: Emitter, more: list[ir.Value], threads: int = 1
    ) -> list[ir.Value]:
        """The arguments of a kernel's function before the partition. Scratch memory is that of the first thread."""
        parts = [self.functions.of(part) for part in found.parts]
        arguments = [*(self.values[operand] for operand in op.operands), *more, *parts]
        if found.scratch_bytes:
            self.scratch_bytes = max(self.scratch_bytes, threads * found.scratch_bytes)
            arguments.append(self._at(self.values[self.program.arena], self._scratch_offset))
        return arguments

    def _call(self, op: Operation, found: Emitter, more: list[ir.Value]) -> None:
        """Calls a kernel; in pieces where it takes long."""
        arguments = self._arguments(op, found, more)
        if op in self.cancellation_points:
            self._stop_if_cancelled()
        with self._counted(op):
            if work(op) <= PIECE_WORK:
                self.b.call(self.functions.of(found), arguments)
                return
            function = self.functions.of(found, is_split=True)
            units = pieces(work(op), found.is_prepared)

            def piece(i: ir.Value) -> None:
                self._stop_if_cancelled()
                self.b.call(function, [*arguments, i, self.b.add(i, index(1)), index(units)])

            for_each(self.b, units, piece)

    @contextmanager
    def _counted(self, op: Operation, is_stamped: bool = False) -> Generator[None]:
        """
        Measures what is emitted inside, where the program is to be measured, and stamps it unless it `is_stamped`
        already.
        """
        if not isinstance(op, kernel.EmittedOp) or op not in self.counters:
            yield
            return
        started = self._now()
        yield
        ended = self._now()
        self._count(op, self.b.sub(ended, started))
        if not is_stamped:
            self._stamp(index(self.counters[op]), started, ended)

    # --- profiling --------------------------------------------------------------------------

    def _start_counting(self) -> None:
        b = self.b
        self.time = b.alloca(ir.ArrayType(I64, 2))
        self.counts = b.load(self._context_word(COUNTERS), align=WORD, typ=POINTER)
        self._clear_counters()
        self._find_stamps()

    def _find_stamps(self) -> None:
        """Finds where the stamps of the calling thread go, and says that there are none yet."""
        self.stamps: ir.Value = self._stamps_of(index(0))
        self.b.store(index(0), self.stamps, align=WORD)

    def _stamps_of(self, thread: ir.Value) -> ir.Value:
        """Where the stamps of a thread begin: their number, then each of them."""
        first = self.b.load(self._context_word(STAMPS), align=WORD, typ=POINTER)
        return byte_offset(self.b, first, scaled(self.b, thread, STAMPS_BYTES))

    def _stamp(self, number: ir.Value, started: ir.Value, ended: ir.Value) -> None:
        b = self.b
        count = b.load(self.stamps, align=WORD, typ=I64)
        with b.if_then(b.icmp_signed("<", count, index(MOST_STAMPS))):
            place = byte_offset(b, self.stamps, scaled(b, count, STAMP_WORDS * WORD))
            for i, value in enumerate((number, started, ended), 1):
                b.store(value, byte_offset(b, place, i * WORD), align=WORD)
            b.store(b.add(count, index(1)), self.stamps, align=WORD)

    def _clear_counters(self) -> None:
        b = self.b
        for number in self.counters.values():
            b.store(index(0), byte_offset(b, self.counts, number * WORD), align=WORD)

    def _count(self, op: kernel.EmittedOp, elapsed: ir.Value) -> None:
        b = self.b
        place = byte_offset(b, self.counts, self.counters[op] * WORD)
        b.store(b.add(b.load(place, align=WORD, typ=I64), elapsed), place, align=WORD)

    def _now(self) -> ir.Value:
        """Nanoseconds of the monotonic clock."""
        b = self.b
        clock = self.module.declared("clock_gettime", I32, [I32, POINTER])
        b.call(clock, [ir.Constant(I32, CLOCK_MONOTONIC), self.time])
        seconds, rest = (
            b.load(byte_offset(b, self.time, i * WORD), align=WORD, typ=I64) for i in range(2)
        )
        return b.add(b.mul(seconds, index(NANOSECONDS)), rest)


def _width(value: SSAValue) -> ir.IntType:
    """The type of a count or a condition in memory."""
    return ir.IntType(8 * storage_bytes(shaped(value)))
