"""From a planned program to object files in memory."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ...dialects import kernel
from ...dialects.blob import Blob, BlobAttr, element_count
from ...dialects.elements import bits_of
from ...dialects.mapped import drop_mapped_pages
from ...reference.pages import pages
from ..calling_convention import FUTEX, MOST_WORKERS
from ..machine import Isa
from .load import LLVM
from .resident import drop_unneeded
from .team import team_assembly
from .work import divided

if TYPE_CHECKING:
    from llvmlite import binding, ir

    from .functions import ObjectCache

CODE_GENERATION_LEVEL = 1
"""LLVM's for kernels: 0 makes them three times slower, 2 compiles longer for the same code."""

CALLS_LEVEL = 0
"""That of a program's entry, which only calls them: it compiles in a fifth of the time."""

COPIED_AT_ONCE = 4 << 20
"""Bytes of a constant after which the pages of files are dropped."""


@dataclass(frozen=True)
class CompiledProgram:
    """
    A program's machine code, object files that `load` loads, and its weights as one image, to be placed at
    a multiple of `kernel.ALIGNMENT`. One call of it uses at most so many threads, and so many bytes of arena.
    """

    objects: tuple[bytes, ...]
    weights: memoryview
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
    Compiles a planned program for at most so many threads. Kernels that are `known` are not compiled again. Raises
    DiagnosticException, naming the operation, where there is no machine code for one. A thread of its own compiles each
    module while the next one is emitted.
    """
    from .entries import entries_assembly
    from .program import emit_program

    drop_unneeded()

    used = min(threads, 1 + MOST_WORKERS) if FUTEX is not None and divided(program) else 1
    futures: list[Future[bytes]] = []
    found, compiled = dict[str, bytes](), dict[str, Future[bytes]]()
    kernels: list[str] = []
    with ThreadPoolExecutor(1, "lowstream-compile") as compiler:

        def define(name: str, emit: Callable[[], ir.Module]) -> None:
            kernels.append(name)
            if known is not None and (code := known.load(name)) is not None:
                found[name] = code
            else:
                compiled[name] = compiler.submit(_compile, _text(emit()), isa)

        if used > 1:
            futures.append(compiler.submit(_compile_once, team_assembly(), isa))
        futures.append(compiler.submit(_compile_once, entries_assembly(), isa))
        weights = weights_image(program)
        entry, arena_bytes = emit_program(program, isa, profiling, used, define)
        futures.append(compiler.submit(_compile, _text(entry), isa, CALLS_LEVEL))
    new = {name: future.result() for name, future in compiled.items()}
    if known is not None and new:
        known.store(new)
    found |= new
    others = [future.result() for future in futures]
    objects = (*others, *(found[name] for name in kernels))
    return CompiledProgram(objects, weights, used, arena_bytes)


def _text(module: ir.Module) -> str:
    """
    The text of a module, which is done with then: its instructions refer to each other in circles, and Python's garbage
    collector would take longer to find them all than it takes to let them go here.
    """
    text = str(module)
    for function in module.functions:
        for block in function.blocks:
            block.instructions.clear()
    return text


def _compile(assembly: str, isa: Isa, level: int = CODE_GENERATION_LEVEL) -> bytes:
    """The object file of a module."""
    from llvmlite import binding

    with LLVM, binding.parse_assembly(assembly) as module:
        module.verify()
        return machine_of(isa, level=level).emit_object(module)


_compile_once = cache(_compile)
"""For modules that are the same for all programs."""


@cache
def machine_of(
    isa: Isa, triple: str | None = None, level: int = CODE_GENERATION_LEVEL
) -> binding.TargetMachine:
    """
    What generates code of this instruction set and no other, for this machine or, to look at its code alone,
    for that of `triple`.
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


def weights_image(program: kernel.ProgramOp) -> memoryview:
    """
    All constants of a program at their offsets, as kernels read them and where they can: from a page on. The program
    reads them there from now on, so that no weight is in memory twice.
    """
    constants = [op for op in kernel.outside_bodies(program) if isinstance(op, kernel.ConstantOp)]
    size = max((op.offset.value.data + _bytes_in_memory(op) for op in constants), default=0)
    image = memoryview(pages(size) if size else b"")
    for op in constants:
        begin, end = op.offset.value.data, op.offset.value.data + _bytes_in_memory(op)
        if begin < end:
            _fill(image[begin:end], _in_memory(op.value))
            if end - begin == op.value.data.nbytes and not op.value.data.splat:
                op.value = BlobAttr(Blob(op.value.type, image[begin:end].toreadonly()))
    drop_mapped_pages()
    return image.toreadonly()


def _fill(place: memoryview, data: memoryview) -> None:
    """Copies a constant; where it is large, what was read of a file does not stay in memory beside the copy."""
    for begin in range(0, len(data), COPIED_AT_ONCE):
        end = begin + COPIED_AT_ONCE
        place[begin:end] = data[begin:end]
        if end <= len(data):
            drop_mapped_pages()


def _bytes_in_memory(op: kernel.ConstantOp) -> int:
    return element_count(op.value.type) * max(bits_of(op.value.type.element_type), 8) // 8


def _in_memory(constant: BlobAttr) -> memoryview:
    """Elements of less than a byte take one each."""
    element = constant.type.element_type
    if bits_of(element) >= 8:
        return memoryview(constant.data.expanded()).cast("B")
    from ...reference.arrays import array_of, in_memory

    return memoryview(in_memory(array_of(constant), element).tobytes())
