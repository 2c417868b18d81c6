"""Calls of LLVM's intrinsics, each declared once in a module."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

Values = Sequence[ir.Value]


def call_intrinsic(
    b: ir.IRBuilder,
    name: str,
    result: ir.Type,
    arguments: Values,
    overload: Sequence[ir.Type] = (),
    flags: str = "",
) -> ir.Value:
    """
    A call at the end of the block. Types in `overload` are part of the intrinsic's name; `flags` are LLVM's fast-math
    flags.
    """
    full = ".".join((name, *(_overload_name(type) for type in overload)))
    function = b.module.globals.get(full)
    if function is None:
        signature = ir.FunctionType(result, [value.type for value in arguments])
        function = ir.Function(b.module, signature, full)
    found = Call(b.block, function, result, arguments, flags)
    b.block.instructions.append(found)
    b.position_at_end(b.block)
    return found


class Call(ir.Instruction):
    """A call whose arguments fit and are without attributes: a quarter of all instructions, and llvmlite's is slow."""

    def __init__(
        self,
        parent: ir.Block,
        function: ir.GlobalValue,
        result: ir.Type,
        arguments: Values,
        flags: str,
    ):
        super().__init__(parent, result, f"call {flags}".rstrip(), (function, *arguments))

    def descr(self, buf: list[str]) -> None:
        """Appends its text."""
        function, *arguments = self.operands
        listed = ", ".join([f"{value.type} {value.get_reference()}" for value in arguments])
        buf.append(f"{self.opname} {self.type} {function.get_reference()}({listed})\n")


def _overload_name(type: ir.Type) -> str:
    match type:
        case ir.VectorType():
            return f"v{type.count}{_overload_name(type.element)}"
        case ir.IntType():
            return f"i{type.width}"
        case ir.FloatType():
            return "f32"
        case ir.DoubleType():
            return "f64"
        case _:
            assert isinstance(type, ir.PointerType)
            return "p0"
