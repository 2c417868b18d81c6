"""The emitter protocol: operands, work partition and prologue of a kernel's function; its loop nest and epilogue."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar, cast

from ..machine import Isa
from . import ir
from .elements import Operand
from .run_time import table_of
from .vectors import POINTER, VOID, byte_offset
from .work_partition import PARTITION, Partition

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


@dataclass(frozen=True)
class Prologue:
    """
    A function that was begun: the pointers that its loops move (`Emitter.pointers`), its other arguments, which include
    pointers to the functions of parts, and its scratch memory where it has some.
    """

    b: ir.IRBuilder
    isa: Isa
    pointers: list[ir.Value]
    arguments: list[ir.Value]
    partition: Partition
    scratch: ir.Value | None = None


class Emitter(ABC):
    """
    All of a kernel that decides its machine code. Equal emitters share a function, and all programs share the code of
    emitters with equal `repr`.

    The function takes a pointer for each operand, the `parameters`, a pointer to the function of each of the `parts`, a
    pointer to scratch memory where it needs some, and a partition where several threads divide it.
    """

    table: tuple[int, ...] = ()
    """Sizes that the function looks up at run time; they do not decide its code."""

    small_part: ClassVar[int] = 256
    """
    A kernel with at most one part in so many of a program's work takes its compact form. RegNetY, PP-OCR's detection
    and DeepLabV3 (int8) have 6 to 13 % less LLVM IR than with 1024, and run as fast; with 128, the first two take 2 to
    3 % longer.
    """

    _hash: int | None = None

    def __init_subclass__(cls) -> None:
        cls.__hash__ = Emitter.__hash__  # else `dataclass` gives it one

    def __hash__(self) -> int:
        """That of a dataclass, but remembered: it has dozens of parts, and each kernel is looked up several times."""
        if (found := self._hash) is None:
            own = fields(cast("DataclassInstance", self))
            found = hash(tuple([getattr(self, each.name) for each in own if each.compare]))
            object.__setattr__(self, "_hash", found)
        return found

    @property
    @abstractmethod
    def operands(self) -> tuple[Operand, ...]:
        """All operands, in the order of the operation's."""

    @property
    def parameters(self) -> tuple[ir.Type, ...]:
        """The types of what the function takes beside operands: here the address of the table, where it has one."""
        return (POINTER,) if self.table else ()

    @property
    def parts(self) -> tuple[Emitter, ...]:
        """Kernels whose functions this one calls. They do not decide its own code."""
        return ()

    @property
    def scratch_bytes(self) -> int:
        """Memory that each thread needs while it runs the kernel, in whole cache lines. It holds anything before."""
        return 0

    @property
    def is_prepared(self) -> bool:
        """Whether each piece begins with operands that it makes ready for itself, so that few pieces are better."""
        return False

    def is_assembly(self, isa: Isa) -> bool:
        """Whether its inner loops are written as assembly, to which LLVM's level makes no difference."""
        return False

    def compact(self) -> Emitter:
        """The same with less code, which may be slower: for a kernel that takes next to no time."""
        return self

    def arguments(self, b: ir.IRBuilder, call_number: ir.Value) -> list[ir.Value]:
        """The values of `parameters` in the call, or iteration, of this number."""
        return [table_of(b, self.table)] if self.table else []

    @abstractmethod
    def emit_loops(self, prologue: Prologue) -> None:
        """Emits the loop nest over the partition, and in it the epilogue."""

    def signature(self, is_split: bool) -> ir.FunctionType:
        """The type of the function."""
        pointers, scratch = [POINTER] * len(self.operands), [POINTER] * (self.scratch_bytes > 0)
        parts = [POINTER] * len(self.parts)
        types = [*pointers, *self.parameters, *parts, *scratch, *[*PARTITION] * is_split]
        return ir.FunctionType(VOID, types)

    def pointers(self, b: ir.IRBuilder, operands: Sequence[ir.Value]) -> list[ir.Value]:
        """Those that loops move: to the first element of each operand, given what the function takes for it."""
        return [
            byte_offset(b, pointer, operand.offset * operand.size)
            for pointer, operand in zip(operands, self.operands, strict=True)
        ]

    def emit(self, module: ir.Module, isa: Isa, name: str, is_split: bool = False) -> ir.Function:
        """Emits the function. Its linkage lets several modules have a copy."""
        count = len(self.operands)
        function = ir.Function(module, self.signature(is_split), name, "weak_odr")
        b = ir.IRBuilder(function.append_basic_block())
        partition, taken = Partition.taken(function, is_split)
        arguments = [*taken]
        scratch = arguments.pop() if self.scratch_bytes else None
        pointers = self.pointers(b, arguments[:count])
        self.emit_loops(Prologue(b, isa, pointers, arguments[count:], partition, scratch))
        b.ret_void()
        return function
