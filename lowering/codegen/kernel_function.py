"""
A function of LLVM IR that is quickly written: kernels have thousands of instructions, and llvmlite looks up each one's
name and formats each one through several generic methods.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from llvmlite.ir import instructions

from .intrinsics import Call
from .vectors import Shuffle


class KernelFunction(ir.Function):
    """A function whose values are numbered, and whose frequent instructions are written in one step."""

    def __init__(self, module: ir.Module, type: ir.FunctionType, name: str):
        super().__init__(module, type, name)
        self.scope = _Numbers()

    def descr_body(self, buf: list[str]) -> None:
        """Appends the text of the blocks."""
        types = _Types()
        for block in self.blocks:
            buf.append(f"{block.name}:\n")
            for found in block.instructions:
                write = _WRITERS.get(type(found))
                if write is None or found.metadata or found.flags:
                    buf.append(f"  {found}\n")
                elif isinstance(found.type, ir.VoidType):
                    buf.append(f"  {write(found, types)}\n")
                else:
                    buf.append(f"  {found.get_reference()} = {write(found, types)}\n")


class _Numbers:
    """Names, each given once: v1, v2, … and, for a block that has one, its own with a number."""

    def __init__(self) -> None:
        self._count = 0

    def register(self, name: str, deduplicate: bool = False) -> str:
        """A name that no other value has, in the place of llvmlite's search for one."""
        self._count += 1
        return f"{name}v{self._count}"


class _Types(dict[int, str]):
    """The texts of types, by identity: llvmlite keeps them, yet three calls away."""

    def of(self, value: ir.Value) -> str:
        """The text of a value's type."""
        type = value.type
        if (text := self.get(id(type))) is None:
            text = self[id(type)] = str(type)
        return text

    def typed(self, value: ir.Value) -> str:
        """A value as most instructions list it."""
        return f"{self.of(value)} {value.get_reference()}"


def _call(found: Any, types: _Types) -> str:
    function, *arguments = found.operands
    listed = ", ".join([types.typed(value) for value in arguments])
    return f"{found.opname} {types.of(found)} {function.get_reference()}({listed})"


def _gep(found: Any, types: _Types) -> str:
    (index,) = found.indices
    return f"getelementptr {found.source_etype}, {types.typed(found.pointer)}, {types.typed(index)}"


def _load(found: Any, types: _Types) -> str:
    return f"load {types.of(found)}, {types.typed(found.operands[0])}{_align(found)}"


def _store(found: Any, types: _Types) -> str:
    value, place = found.operands
    return f"store {types.typed(value)}, {types.typed(place)}{_align(found)}"


def _align(found: Any) -> str:
    return "" if found.align is None else f", align {found.align}"


def _cast(found: Any, types: _Types) -> str:
    return f"{found.opname} {types.typed(found.operands[0])} to {types.of(found)}"


def _typed(found: Any, types: _Types) -> str:
    return f"{found.opname} {', '.join([types.typed(value) for value in found.operands])}"


def _compare(found: Any, types: _Types) -> str:
    left, right = found.operands
    return f"fcmp {found.op} {types.typed(left)}, {right.get_reference()}"


def _plain(found: Any, types: _Types) -> str:
    listed = ", ".join([value.get_reference() for value in found.operands])
    return f"{found.opname} {types.of(found)} {listed}"


def _extract_value(found: Any, types: _Types) -> str:
    (place,) = found.indices
    return f"extractvalue {types.typed(found.operands[0])}, {place}"


_WRITERS: dict[type, Callable[[Any, _Types], str]] = {
    Call: _call,
    Shuffle: _typed,
    ir.Instruction: _plain,
    ir.LoadInstr: _load,
    ir.StoreInstr: _store,
    instructions.CastInstr: _cast,
    instructions.ExtractValue: _extract_value,
    instructions.FCMPInstr: _compare,
    instructions.GEPInstr: _gep,
    instructions.InsertElement: _typed,
    instructions.SelectInstr: _typed,
}
"""What an instruction is without its name, by its class."""
