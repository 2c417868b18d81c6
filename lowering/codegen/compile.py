"""From a planned program to object files in memory."""

from __future__ import annotations

from collections.abc import Callable, Generator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from ...dialects import kernel
from ..calling_convention import FUTEX, MOST_WORKERS
from ..machine import Isa
from . import ir
from .entry.team import team_assembly
from .functions import KERNEL_LEVEL, LIGHT_LEVEL
from .load import LLVM
from .resident import drop_unneeded
from .weights_image import WeightsImage
from .work import divided

if TYPE_CHECKING:
    from llvmlite import binding

    from .functions import ObjectCache

P = ParamSpec("P")
T = TypeVar("T")

KERNELS_IN_MODULE = 8
"""How many kernels LLVM compiles at once: a module costs it about as much as one more small kernel."""


@dataclass(frozen=True)
class CompiledProgram:
    """
    A program's machine code: object files, which `load` loads, and its weights, which must lie at a multiple of
    `kernel.ALIGNMENT`. One call uses at most so many threads, and so many bytes of arena.
    """

    objects: tuple[bytes, ...]
    weights: WeightsImage
    threads: int
    arena_bytes: int


def compile_program(
    program: kernel.ProgramOp,
    isa: Isa,
    profiling: bool = False,
    threads: int = 1,
    known: ObjectCache | None = None,
) -> CompiledProgram:
    """
    Compiles a planned program for at most so many threads. Kernels in `known` are not compiled again. While a thread of
    its own compiles one module, the next one is emitted; with few kernels, there is no next one. Raises
    DiagnosticException, naming the operation, where there is no machine code for an operation.
    """
    from .entry.entries import entries_assembly
    from .program import emit_program

    drop_unneeded()

    is_divided = threads > 1 and FUTEX is not None and divided(program)
    used = min(threads, 1 + MOST_WORKERS) if is_divided else 1
    futures: list[Future[bytes]] = []
    has_few = _has_few_kernels(program)
    with _Caller() if has_few else _Compiler(1, "lowstream-compile") as compiler:
        kernels = _Kernels(compiler, isa, known)
        if used > 1:
            futures.append(compiler.submit(_team, isa, known))
        futures.append(compiler.submit(_compile_once, entries_assembly(), isa, LIGHT_LEVEL))
        entry, arena_bytes = emit_program(program, isa, profiling, used, kernels.define)
        kernels.compile()
        futures.append(compiler.submit(_compile, str(entry), isa, LIGHT_LEVEL))
    objects = (*(future.result() for future in futures), *kernels.objects())
    return CompiledProgram(objects, WeightsImage.of(program), used, arena_bytes)


def _team(isa: Isa, known: ObjectCache | None) -> bytes:
    """
    The object file of the team. Compiling it takes as long as several kernels, so it is kept among the `known` ones.
    """
    name = repr(("team", isa.name, isa.cpu, isa.features))
    if known is not None and (code := known.load(name)) is not None:
        return code
    code = _compile_once(team_assembly(), isa)
    if known is not None:
        known.store({name: code})
    return code


def _has_few_kernels(program: kernel.ProgramOp) -> bool:
    """Whether the kernels of a program go into one module."""
    kernels = [op for op in kernel.outside_bodies(program) if isinstance(op, kernel.EmittedOp)]
    return len(kernels) <= KERNELS_IN_MODULE


class _Caller(Executor):
    """Compiles at once, in the thread of the caller."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        done: Future[T] = Future()
        done.set_result(fn(*args, **kwargs))
        return done


class _Compiler(ThreadPoolExecutor):
    """A thread that compiles. The caller does where there are no new threads: while the process ends."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        try:
            return super().submit(fn, *args, **kwargs)
        except RuntimeError:
            return _Caller().submit(fn, *args, **kwargs)


class _Kernels:
    """
    The object files of a program's kernels: those that are known, and new ones, each with several kernels that LLVM
    compiles at the same level.
    """

    def __init__(self, compiler: Executor, isa: Isa, known: ObjectCache | None):
        self._compiler, self._isa, self._known = compiler, isa, known
        self._found: list[bytes] = []
        self._compiled: list[tuple[list[str], Future[bytes]]] = []
        self._begun: dict[int, tuple[list[str], ir.Module]] = {}

    def define(self, name: str, level: int, emit: Callable[[ir.Module], object]) -> None:
        """Adds the kernel of this name, which `emit` writes into a module."""
        if self._known is not None and (code := self._known.load(name)) is not None:
            self._found.append(code)
            return
        names, module = self._begun.setdefault(level, ([], ir.Module()))
        emit(module)
        names.append(name)
        if len(names) == KERNELS_IN_MODULE:
            self._compile(level)

    def compile(self) -> None:
        """Starts to compile what was emitted since the last time."""
        for level in tuple(self._begun):
            self._compile(level)

    def _compile(self, level: int) -> None:
        names, module = self._begun.pop(level)
        future = self._compiler.submit(_compile, str(module), self._isa, level)
        self._compiled.append((names, future))

    def objects(self) -> list[bytes]:
        """All object files. From now on, the new ones are known."""
        new = [(names, future.result()) for names, future in self._compiled]
        if self._known is not None and new:
            self._known.store({name: code for names, code in new for name in names})
        return list(dict.fromkeys((*self._found, *(code for _, code in new))))


def _compile(assembly: str, isa: Isa, level: int = KERNEL_LEVEL) -> bytes:
    """The object file of a module."""
    from llvmlite import binding

    options = without_address_passes() if level else nullcontext()  # else there are none
    with LLVM, binding.parse_assembly(assembly) as module, options:
        module.verify()
        return machine_of(isa, level=level).emit_object(module)


@contextmanager
def without_address_passes() -> Generator[None]:
    """
    Inside, LLVM does not look for cheaper addresses, neither those of loops (loop-strength reduction) nor those that
    instructions could compute (CodeGenPrepare). That takes a seventh of its time and makes kernels no faster. Its
    options belong to the whole process, so others find this one as it was.
    """
    from llvmlite import binding

    for option in _ADDRESS_PASSES:
        binding.set_option("lowstream", f"{option}=true")
    try:
        yield
    finally:
        for option in _ADDRESS_PASSES:
            binding.set_option("lowstream", f"{option}=false")


_ADDRESS_PASSES = ("-disable-lsr", "-disable-cgp")
"""LLVM's options that leave these passes out."""

_compile_once = cache(_compile)
"""Compiles a module that is the same for all programs."""


@cache
def machine_of(
    isa: Isa, triple: str | None = None, level: int = KERNEL_LEVEL
) -> binding.TargetMachine:
    """
    LLVM's target machine for exactly this instruction set, on this machine or, to look at code alone, for `triple`.
    """
    from llvmlite import binding

    if triple is None:
        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        binding.initialize_native_asmparser()
    else:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
    target = binding.Target.from_triple(triple or binding.get_process_triple())
    return target.create_target_machine(
        cpu=isa.cpu,
        features=isa.features,
        opt=level,
        reloc="pic",
        codemodel="small",  # constants by offset from the instruction, not by 64-bit address
        jit=True,
    )
