"""
The entry of a program for a team of threads. The calling thread goes through the program. It shares the divided kernels
with the others (`team.ll`) and runs all else itself. It waits for the others where there are dependences
(`dependences`), and before it shares the next kernel. It measures kernels; each thread stamps what it runs. When asked
to stop, no thread claims another piece.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

from xdsl.ir import Operation, SSAValue

from ....dialects import kernel
from ...calling_convention import ALIGNMENT, ARGUMENTS, CANCEL, POOL, UNITS, WORD
from ...machine import Isa
from .. import ir
from ..dependences import barriers_of
from ..emitter import Emitter
from ..functions import KernelFunctions
from ..schedule.work_sharing import WorkSharing
from ..vectors import I1, I8, I64, POINTER, VOID, byte_offset, index, loop_while, scaled
from ..work import divided, work
from ..work_partition import PARTITION
from .entry import Entry
from .team import BEGIN, END, JOIN, NEXT, SHARE

MORE_ARGUMENTS = 7
"""
The most arguments of a job beside operands: a number of rows and a direction, or a table and three parts; scratch
memory; what it stamps, and where.
"""

HALF, LOW = 32, (1 << 32) - 1
"""A piece is one word: its end in the upper half, its begin in the lower."""


class TeamEntry(Entry):
    """Emits the entry of a program for at most so many `threads`."""

    def __init__(
        self,
        program: kernel.ProgramOp,
        isa: Isa,
        profiling: bool,
        module: ir.Module,
        functions: KernelFunctions,
        emitters: Mapping[Operation, Emitter],
        threads: int,
    ):
        super().__init__(program, isa, profiling, module, functions, emitters)
        self.threads = threads
        self.divided = divided(program)
        self.barriers = barriers_of(program, self.divided)
        most = max((len(op.operands) for op in self.divided), default=0) + MORE_ARGUMENTS
        self.team_bytes = ARGUMENTS + WORD * most
        self.jobs: dict[tuple[ir.Function, int, bool], ir.Function] = {}

    def _open(self, frame: ir.Value) -> None:
        super()._open(frame)
        b = self.b
        self.team = b.alloca(ir.ArrayType(I8, self.team_bytes), align=ALIGNMENT)
        claimed = b.alloca(ir.ArrayType(I64, self.threads - 1))
        pool, cancel = self._pointer(frame, POOL), self._context_word(CANCEL)
        self._team(BEGIN, pool, self.team, claimed, cancel, index(self.threads))

    def _commit(self) -> None:
        self._join()
        self._team(END, self.team)
        super()._commit()

    def _cancel(self) -> None:
        self._team(END, self.team)
        super()._cancel()

    def _team(self, name: str, *arguments: ir.Value, result: ir.Type = VOID) -> ir.Value:
        """Calls a function of `team.ll`."""
        found = self.module.declared(name, result, [argument.type for argument in arguments])
        return self.b.call(found, arguments)

    def _join(self) -> None:
        """Waits for what the team has claimed, which may not be everything if it was asked to stop."""
        self._team(JOIN, self.team)
        self._stop_if_cancelled()

    def _operation(self, op: Operation) -> None:
        if op in self.barriers.before:
            self._join()
        super()._operation(op)

    def _next(self, op: kernel.WhileOp, following: SSAValue) -> ir.Value:
        if op in self.barriers.at_end:
            self._join()
        return super()._next(op, following)

    def _call(self, op: Operation, found: Emitter, more: list[ir.Value]) -> None:
        if op not in self.divided:
            if found.scratch_bytes:
                self._join()  # one kernel at a time uses that memory
            super()._call(op, found, more)
            return
        if op not in self.barriers.before:
            self._join()  # one kernel at a time is shared
        b, sharing = self.b, self._sharing(op)
        arguments = self._arguments(op, found, more, self.threads)
        number = self.counters.get(op) if isinstance(op, kernel.EmittedOp) else None
        if number is not None:
            arguments = [index(number), self.context, *arguments]
        for i, argument in enumerate(arguments):
            b.store(argument, byte_offset(b, self.team, ARGUMENTS + i * WORD), align=WORD)
        job = self._job(found, number is not None)
        is_backwards = more[-1] if more and more[-1].type == I1 else ir.Constant(I1, 0)
        with self._counted(op, is_stamped=True):
            numbers = index(sharing.units), index(sharing.most)
            self._team(SHARE, self.team, job, *numbers, is_backwards)

    def _sharing(self, op: Operation) -> WorkSharing:
        return WorkSharing.choose(work(op), self.threads)

    def _job(self, found: Emitter, is_counted: bool) -> ir.Function:
        """
        The function that computes a piece of a kernel and all further ones it claims: `team.ll` calls it with the
        first.
        """
        function = self.functions.of(found, is_split=True)
        key = function, found.scratch_bytes, is_counted
        if key in self.jobs:
            return self.jobs[key]
        job = self.jobs[key] = ir.Function(
            self.module,
            ir.FunctionType(VOID, [POINTER, I64, I64]),
            f"job.{len(self.jobs)}",
            "internal",
        )
        before, self.b = self.b, ir.IRBuilder(job.append_basic_block())
        b, (team, thread, first) = self.b, job.args
        leave = self._enter()
        types = [*[I64, POINTER] * is_counted, *function.signature.arguments[: -len(PARTITION)]]
        arguments: list[ir.Value] = [
            b.load(byte_offset(b, team, ARGUMENTS + i * WORD), align=WORD, typ=type)
            for i, type in enumerate(types)
        ]
        if found.scratch_bytes:
            distance = scaled(b, thread, found.scratch_bytes)
            arguments[-1] = byte_offset(b, arguments[-1], distance)
        units = b.load(byte_offset(b, team, UNITS), align=WORD, typ=I64)
        if is_counted:
            number, context, *arguments = arguments
            with self._in_job(context, thread):
                started = self._now()
                self._pieces(function, arguments, (team, thread, first, units))
                self._stamp(number, started, self._now())
        else:
            self._pieces(function, arguments, (team, thread, first, units))
        leave()
        b.ret_void()
        self.b = before
        return job

    def _pieces(
        self, function: ir.Function, arguments: Sequence[ir.Value], job: tuple[ir.Value, ...]
    ) -> None:
        b, (team, thread, first, units) = self.b, job

        def run(carried: list[ir.Value]) -> list[ir.Value]:
            begin, end = b.and_(carried[0], index(LOW)), b.lshr(carried[0], index(HALF))
            b.call(function, [*arguments, begin, end, units])
            return [self._team(NEXT, team, thread, result=I64)]

        loop_while(b, [first], lambda pieces: b.icmp_signed("!=", pieces[0], index(0)), run)

    @contextmanager
    def _in_job(self, context: ir.Value, thread: ir.Value) -> Generator[None]:
        """Times and stamps are those of the thread that runs the job."""
        before = self.context, self.time, self.stamps
        self.context, self.time = context, self.b.alloca(ir.ArrayType(I64, 2))
        self.stamps = self._stamps_of(thread)
        yield
        self.context, self.time, self.stamps = before

    def _find_stamps(self) -> None:
        super()._find_stamps()
        for thread in range(1, self.threads):  # those, too, that do not join the team
            self.b.store(index(0), self._stamps_of(index(thread)), align=WORD)
