"""From a planned program to an object file in memory."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from ...dialects import kernel
from ...dialects.blob import BlobAttr, bits_of
from .isa import Isa

if TYPE_CHECKING:
    from llvmlite import binding

CODE_GENERATION_LEVEL = 1
"""LLVM's: 0 makes kernels three times slower, 2 compiles longer for the same code."""

_COMPILING = threading.Lock()


@dataclass(frozen=True)
class CompiledProgram:
    """
    A program's machine code, an object file that `load` loads, and its weights as one image, to be placed at
    a multiple of `kernel.ALIGNMENT`.
    """

    object_code: bytes
    weights: bytes


def compile_program(
    program: kernel.ProgramOp, isa: Isa, profiling: bool = False
) -> CompiledProgram:
    """
    Compiles a planned program. Raises DiagnosticException, naming the operation, where there is no machine
    code for one.
    """
    return CompiledProgram(object_code_of(program, isa, profiling), weights_image(program))


def object_code_of(program: kernel.ProgramOp, isa: Isa, profiling: bool) -> bytes:
    """The object file. One thread compiles at a time: LLVM is locked as a whole anyway."""
    from llvmlite import binding

    from .program import emit_program

    text = str(emit_program(program, isa, profiling))
    with _COMPILING:
        module = binding.parse_assembly(text)
        module.verify()
        return machine_of(isa).emit_object(module)


@cache
def machine_of(isa: Isa) -> binding.TargetMachine:
    """What generates code of this instruction set and no other."""
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(
        cpu=isa.cpu,
        features=isa.features,
        opt=CODE_GENERATION_LEVEL,
        reloc="pic",
        codemodel="small",  # constants by offset from the instruction, not by 64-bit address
        jit=True,
    )


def weights_image(program: kernel.ProgramOp) -> bytes:
    """All constants of a program at their offsets, as kernels read them."""
    constants = [op for op in program.walk() if isinstance(op, kernel.ConstantOp)]
    places = [(op.offset.value.data, _in_memory(op.value)) for op in constants]
    image = bytearray(max((offset + data.nbytes for offset, data in places), default=0))
    for offset, data in places:
        image[offset : offset + data.nbytes] = data
    return bytes(image)


def _in_memory(constant: BlobAttr) -> memoryview:
    """Elements of less than a byte take one each."""
    if bits_of(constant.type.element_type) >= 8:
        return memoryview(constant.data.spread()).cast("B")
    from ...reference.arrays import array_of

    return memoryview(array_of(constant).tobytes())
