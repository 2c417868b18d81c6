"""Modules: tables of constants, and functions of blocks."""

from __future__ import annotations

from collections.abc import Sequence

from .types import FunctionType, PointerType, StructType, Type
from .values import Constant, Value

UNLIKELY = "!0"
"""Metadata of a branch whose condition hardly ever holds."""


class Module:
    """Functions and tables by name, in the order in which they were made."""

    def __init__(self) -> None:
        self.globals: dict[str, Function | Table] = {}
        self._structs: dict[tuple[Type, ...], StructType] = {}

    def struct(self, *elements: Type) -> StructType:
        """The struct of these elements."""
        found = self._structs.get(elements)
        if found is None:
            found = self._structs[elements] = StructType(f"%t{len(self._structs)}", elements)
        return found

    def declared(self, name: str, result: Type, arguments: Sequence[Type]) -> Function:
        """The function of this name, whoever defines it."""
        found = self.globals.get(name)
        if found is None:
            found = Function(self, FunctionType(result, arguments), name)
        assert isinstance(found, Function)
        return found

    def __str__(self) -> str:
        structs = [
            f"{found} = type {{{', '.join(map(str, found.elements))}}}\n"
            for found in self._structs.values()
        ]
        weights = f'{UNLIKELY} = !{{!"branch_weights", i32 1, i32 99}}\n'
        return "".join([*structs, *map(str, self.globals.values()), weights])


class Table(Value):
    """Constants in memory; as a value it is their address."""

    __slots__ = ("_text",)

    def __init__(self, module: Module, name: str, constants: Constant, align: int):
        super().__init__(PointerType(), f"@{name}")
        self._text = f"{self.name} = private constant {constants.typed}{aligned(align)}\n"
        module.globals[name] = self

    def __str__(self) -> str:
        return self._text


class Function(Value):
    """
    A function of a module. Without blocks it is only declared. Nothing unwinds through it, so that LLVM writes no
    unwind tables.
    """

    __slots__ = ("_count", "args", "blocks", "linkage", "module", "signature")

    def __init__(self, module: Module, signature: FunctionType, name: str, linkage: str = ""):
        super().__init__(PointerType(), f"@{name}")
        self.module, self.signature, self.linkage = module, signature, linkage
        self.args = [Value(type, f"%a{i}") for i, type in enumerate(signature.arguments)]
        self.blocks: list[Block] = []
        self._count = 0
        module.globals[name] = self

    def fresh_name(self) -> str:
        """A name that no other value or block of the function has."""
        self._count += 1
        return f"v{self._count}"

    def append_basic_block(self) -> Block:
        """A block behind the others."""
        block = Block(self)
        self.blocks.append(block)
        return block

    def __str__(self) -> str:
        arguments = ", ".join([argument.typed for argument in self.args])
        head = f"{self.signature.result} {self.name}({arguments})"
        linkage = f"{self.linkage} " if self.linkage else ""
        if not self.blocks:
            return f"declare {linkage}{head}\n"
        lines = [line for block in self.blocks for line in (f"{block.label}:\n", *block.lines)]
        return "".join([f"define {linkage}{head} nounwind {{\n", *map(str, lines), "}\n"])


class Block:
    """Lines of instructions; the last one is the terminator."""

    __slots__ = ("function", "is_terminated", "label", "lines")

    def __init__(self, function: Function):
        self.function, self.label = function, function.fresh_name()
        self.lines: list[str | Phi] = []
        self.is_terminated = False


class Phi(Value):
    """A value that depends on the block that control comes from."""

    __slots__ = ("_incoming",)

    def __init__(self, type: Type, name: str):
        super().__init__(type, name)
        self._incoming: list[str] = []

    def add_incoming(self, value: Value, block: Block) -> None:
        """Adds the value for control that comes from this block."""
        self._incoming.append(f"[{value.name}, %{block.label}]")

    def __str__(self) -> str:
        return f"{self.name} = phi {self.type.text} {', '.join(self._incoming)}\n"


def aligned(align: int | None) -> str:
    """The suffix for an access that is aligned to so many bytes."""
    return "" if align is None else f", align {align}"
