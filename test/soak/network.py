"""
The kernels of one network beside their meaning. Those whose code agreed before are run, not compared.

A record has digests of the code that agreed, for each network, instruction set and number of threads. What kernels mean
is not in them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import llvmlite
from xdsl.ir import Operation

from lowstream.dialects import kernel
from lowstream.interop.model import read_model
from lowstream.lowering.codegen import ir
from lowstream.lowering.codegen.emitter import Emitter
from lowstream.lowering.codegen.emitters import emitters_of
from lowstream.lowering.codegen.functions import KernelFunctions
from lowstream.lowering.codegen.work import parts_of_work
from lowstream.lowering.lower_to_kernels import Fused
from lowstream.lowering.machine import choose_isa
from lowstream.runtime.bisect_kernels import compare_program, stepped
from lowstream.runtime.build import AUTO, ports_of
from lowstream.runtime.cache.tuned import configurations_for
from lowstream.runtime.random_input import random_input
from lowstream.tools.bisect import prepared_module, print_kernels

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from lowstream.lowering.machine import Isa
    from lowstream.reference.arrays import Array


class Code:
    """Digests of the code of a program's kernels, which are equal where LLVM gets the same text."""

    def __init__(self, program: kernel.ProgramOp, isa: Isa, threads: int):
        self._emitters = emitters_of(program, isa)
        self._texts: dict[str, str] = {}
        self._splits = (False, True) if threads > 1 else (False,)
        parts = parts_of_work(self._emitters, isa)
        self._functions = KernelFunctions(ir.Module(), isa, self._define, parts)
        self._compiler = f"{llvmlite.__version__} {isa.cpu} {isa.features}"

    def digest(self, op: Operation) -> str:
        """A digest of an operation, and of all inside of it that is no kernel's body."""
        lines = [self._compiler]
        for inner in kernel.outside_bodies(op):
            if (emitter := self._emitters.get(inner)) is None:
                lines.append(f"{inner.name} {inner.properties}")
            else:
                lines += [self._text(each) for each in (emitter, *emitter.parts)]
        return hashlib.blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()

    def _text(self, emitter: Emitter) -> str:
        """The function, and of several threads the one that they divide."""
        found = [self._functions.of(emitter, is_split) for is_split in self._splits]
        return "\n".join([*map(self._module, found), repr(emitter.table)])

    def _module(self, function: ir.Function) -> str:
        """The text of a function and its tables; in a light program that of all functions until then."""
        name = function.name.removeprefix("@")
        return (self._texts.get(name) or str(function.module)).replace(name, "")

    def _define(self, name: str, level: int, emit: Callable[[ir.Module], object]) -> None:
        module = ir.Module()
        emit(module)
        self._texts[name] = f"level {level}\n{module}"


def digests_of(program: kernel.ProgramOp, isa: Isa, threads: int) -> dict[Operation, str]:
    """A digest of the code of each operation that `compare_program` compares, constants in control flow included."""
    steps, numbers = stepped(program)
    code = Code(steps, isa, threads)
    conditional = [op for op in steps.body.block.ops if isinstance(op, kernel.IfOp)]
    return {op: code.digest(conditional[number]) for op, number in numbers.items()}


@dataclass(frozen=True)
class Record:
    """Digests of the code that agreed, in a file."""

    file: Path

    def agreed(self, run: str) -> frozenset[str]:
        """Those of the last run of this name whose kernels all agreed; none if there was no such run."""
        return frozenset(self._read().get(run, ()))

    def keep(self, run: str, digests: Iterable[str]) -> None:
        """Replaces those of a run."""
        runs = {**self._read(), run: sorted({*digests})}
        unfinished = self.file.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(runs, indent=1))
        unfinished.replace(self.file)

    def _read(self) -> dict[str, list[str]]:
        return json.loads(self.file.read_text()) if self.file.exists() else {}


@dataclass(frozen=True)
class Network:
    """What a file holds, after the passes of a compilation, and random inputs: the same on each instruction set."""

    name: str
    module: ModuleOp
    inputs: Sequence[Array]

    @classmethod
    def read(cls, file: Path) -> Network:
        model = read_model(file)
        ports, _ = ports_of(model.module)
        inputs = [random_input(port) for port in ports]
        return cls(file.stem, prepared_module(model, AUTO, inputs), inputs)


def compare(network: Network, record: Record, threads: int, again: bool) -> str:
    """
    Compares kernels whose code is not in the record, or `again` all, and then puts it there; gives how many these
    were. Raises DiagnosticException, naming the first kernel that differs.
    """
    isa = choose_isa()
    run = f"{network.name} {isa.name} {threads}"
    program = Fused.of(network.module, isa).finished(configurations_for(threads, isa.name))
    digests, agreed = digests_of(program, isa, threads), () if again else record.agreed(run)
    trusted = {op for op, digest in digests.items() if digest in agreed}
    if len(trusted) < len(digests):
        print_kernels(compare_program(program, network.inputs, isa, threads, trusted))
        record.keep(run, digests.values())
    return f"{len(digests) - len(trusted)} of {len(digests)} kernels are new"
