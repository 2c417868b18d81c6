"""The emitter protocol: operands, work partition and prologue of a kernel's function; its loop nest and epilogue."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from ..machine import Isa
from . import ir
from .elements import Operand
from .vectors import POINTER, VOID, byte_offset
from .work_partition import PARTITION, Partition


@dataclass(frozen=True)
class Prologue:
    """
    A function that is begun: pointers to the first elements of the operands, its other arguments with pointers to
    parts, and its scratch memory where it has some.
    """

    b: ir.IRBuilder
    isa: Isa
    pointers: list[ir.Value]
    arguments: list[ir.Value]
    partition: Partition
    scratch: ir.Value | None = None


class Emitter(ABC):
    """
    What of a kernel decides its machine code; equal ones share a function, and all programs share the code of those
    whose `repr` is equal. It takes a pointer to each of the operands, the `parameters`, one to the function of each of
    the `parts`, one to scratch memory where it needs some, and where it is split a partition.
    """

    @property
    @abstractmethod
    def operands(self) -> tuple[Operand, ...]:
        """All of them, in the order of the operation's."""

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        """What the function takes beside operands."""
        return ()

    @property
    def parts(self) -> tuple[Emitter, ...]:
        """Kernels whose functions it calls: they do not decide its own code."""
        return ()

    @property
    def scratch_bytes(self) -> int:
        """Memory that each thread needs while it runs the kernel: whole cache lines, whatever it held before."""
        return 0

    def arguments(self, b: ir.IRBuilder, call_number: ir.Value) -> list[ir.Value]:
        """The values of `parameters` in a call, or an iteration, of this number."""
        return []

    @abstractmethod
    def emit_loops(self, prologue: Prologue) -> None:
        """The loop nest over the partition, and in it the epilogue."""

    def signature(self, is_split: bool) -> ir.FunctionType:
        """The type of the function."""
        pointers, scratch = [POINTER] * len(self.operands), [POINTER] * (self.scratch_bytes > 0)
        parts = [POINTER] * len(self.parts)
        types = [*pointers, *self.parameters, *parts, *scratch, *[*PARTITION] * is_split]
        return ir.FunctionType(VOID, types)

    def emit(self, module: ir.Module, isa: Isa, name: str, is_split: bool = False) -> ir.Function:
        """The function, of which a program may have several copies."""
        count = len(self.operands)
        function = ir.Function(module, self.signature(is_split), name, "weak_odr")
        b = ir.IRBuilder(function.append_basic_block())
        partition, taken = Partition.taken(function, is_split)
        arguments = [*taken]
        scratch = arguments.pop() if self.scratch_bytes else None
        pointers = [
            byte_offset(b, pointer, operand.offset * operand.size)
            for pointer, operand in zip(arguments[:count], self.operands, strict=True)
        ]
        self.emit_loops(Prologue(b, isa, pointers, arguments[count:], partition, scratch))
        b.ret_void()
        return function
