"""
LLVM IR, written as text while it is built: the types, values and instructions that emitters use
(https://llvm.org/docs/LangRef.html).

A kernel has thousands of instructions, none of which is looked at again. So a value is no more than its type and its
name, and the builder appends a line of text to a block; llvmlite's objects, with operands and names to look up, take
five times as long to make and print. What they check is left to LLVM's parser. Names are not quoted: all are of
letters, digits and dots.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import ClassVar, Self

# --- types ----------------------------------------------------------------------------------


class Type:
    """A type; those that are equal are one object."""

    __slots__ = ("text",)
    text: str

    _known: ClassVar[dict[str, Type]] = {}

    @classmethod
    def _of(cls, text: str) -> Self:
        """The one of this text."""
        found = cls._known.get(text)
        if found is None:
            found = object.__new__(cls)
            found.text = text
            found = cls._known.setdefault(text, found)
        assert isinstance(found, cls)
        return found

    def __str__(self) -> str:
        return self.text


class IntType(Type):
    """Integers of so many bits, of which instructions decide whether they are signed."""

    __slots__ = ("width",)
    width: int

    def __new__(cls, width: int) -> Self:
        self = cls._of(f"i{width}")
        self.width = width
        return self


class HalfType(Type):
    """IEEE 754's binary16."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of("half")


class FloatType(Type):
    """IEEE 754's binary32."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of("float")


class DoubleType(Type):
    """IEEE 754's binary64."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of("double")


class PointerType(Type):
    """Addresses."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of("ptr")


class VoidType(Type):
    """The result of functions that have none."""

    __slots__ = ()

    def __new__(cls) -> Self:
        return cls._of("void")


class VectorType(Type):
    """So many lanes in a register."""

    __slots__ = ("count", "element")
    element: Type
    count: int

    def __new__(cls, element: Type, count: int) -> Self:
        self = cls._of(f"<{count} x {element.text}>")
        self.element, self.count = element, count
        return self


class ArrayType(Type):
    """So many elements in memory."""

    __slots__ = ("count", "element")
    element: Type
    count: int

    def __new__(cls, element: Type, count: int) -> Self:
        self = cls._of(f"[{count} x {element.text}]")
        self.element, self.count = element, count
        return self


class StructType(Type):
    """Several values; a module gives it a name, since what takes one out says the type again (`Module.struct`)."""

    __slots__ = ("elements",)
    elements: tuple[Type, ...]

    def __init__(self, name: str, elements: tuple[Type, ...]):
        self.text, self.elements = name, elements


@dataclass(frozen=True)
class FunctionType:
    """What a function gives and takes."""

    result: Type
    arguments: Sequence[Type]


# --- values ---------------------------------------------------------------------------------


class Value:
    """What instructions compute and use: its type, and how it is called, with and without that."""

    __slots__ = ("name", "type", "typed")

    def __init__(self, type: Type, name: str):
        self.type, self.name, self.typed = type, name, f"{type.text} {name}"


class Constant(Value):
    """A number, or a list of them where the type has several."""

    __slots__ = ("constant",)

    def __init__(self, type: Type, constant: float | Sequence[int]):
        super().__init__(type, _spelled(type, constant))
        self.constant = constant


def _spelled(type: Type, constant: float | Sequence[int]) -> str:
    match type:
        case VectorType() | ArrayType():
            assert isinstance(constant, Sequence)
            listed = ", ".join([Constant(type.element, each).typed for each in constant])
            return f"<{listed}>" if isinstance(type, VectorType) else f"[{listed}]"
        case IntType():
            assert isinstance(constant, int)
            return str(int(constant))
        case _:
            assert isinstance(constant, int | float)
            if isinstance(type, FloatType):  # spelled as the f64 that equals it
                (constant,) = struct.unpack("<f", struct.pack("<f", constant))
            return f"0x{struct.pack('>d', constant).hex()}"


class Phi(Value):
    """A value that depends on the block which control comes from."""

    __slots__ = ("_incoming",)

    def __init__(self, type: Type, name: str):
        super().__init__(type, name)
        self._incoming: list[str] = []

    def add_incoming(self, value: Value, block: Block) -> None:
        """The value where control comes from this block."""
        self._incoming.append(f"[{value.name}, %{block.label}]")

    def __str__(self) -> str:
        return f"{self.name} = phi {self.type.text} {', '.join(self._incoming)}\n"


# --- modules --------------------------------------------------------------------------------

UNLIKELY = "!0"
"""What is said of a branch whose condition hardly ever holds."""


class Module:
    """Functions and tables by name, in the order in which they were made."""

    def __init__(self) -> None:
        self.globals: dict[str, Function | Table] = {}
        self._structs: dict[tuple[Type, ...], StructType] = {}

    def struct(self, *elements: Type) -> StructType:
        """The type of these elements."""
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
    """Constants in memory, seen as their address."""

    __slots__ = ("_text",)

    def __init__(self, module: Module, name: str, constants: Constant, align: int):
        super().__init__(PointerType(), f"@{name}")
        self._text = f"{self.name} = private constant {constants.typed}{_aligned(align)}\n"
        module.globals[name] = self

    def __str__(self) -> str:
        return self._text


class Function(Value):
    """
    A function of a module; one without blocks is declared only. Nothing is thrown through it, so that LLVM writes no
    tables for unwinding.
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
        """One that no other value, and no block, has."""
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
    """Lines of instructions; the last one ends it."""

    __slots__ = ("function", "is_terminated", "label", "lines")

    def __init__(self, function: Function):
        self.function, self.label = function, function.fresh_name()
        self.lines: list[str | Phi] = []
        self.is_terminated = False


# --- instructions ---------------------------------------------------------------------------

_RELATIONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def _binary(opcode: str) -> Callable[[IRBuilder, Value, Value], Value]:
    def emit(b: IRBuilder, left: Value, right: Value) -> Value:
        assert left.type is right.type, f"{opcode} {left.typed}, {right.typed}"
        return b.instruction(left.type, f"{opcode} {left.typed}, {right.name}")

    return emit


def _cast(opcode: str) -> Callable[[IRBuilder, Value, Type], Value]:
    def emit(b: IRBuilder, value: Value, typ: Type) -> Value:
        if value.type is typ:
            return value
        return b.instruction(typ, f"{opcode} {value.typed} to {typ.text}")

    return emit


class IRBuilder:
    """Appends instructions to a block. They are called as LLVM calls them."""

    def __init__(self, block: Block):
        self.block = block

    @property
    def function(self) -> Function:
        """Whose block it is."""
        return self.block.function

    @property
    def module(self) -> Module:
        """Whose function it is."""
        return self.block.function.module

    def instruction(self, typ: Type, text: str) -> Value:
        """What an instruction of this text computes."""
        block = self.block
        name = f"%{block.function.fresh_name()}"
        block.lines.append(f"{name} = {text}\n")
        return Value(typ, name)

    def effect(self, text: str) -> None:
        """An instruction that computes nothing."""
        self.block.lines.append(f"{text}\n")

    # arithmetic

    add, sub, mul = _binary("add"), _binary("sub"), _binary("mul")
    sdiv, udiv, srem, urem = _binary("sdiv"), _binary("udiv"), _binary("srem"), _binary("urem")
    and_, or_, xor = _binary("and"), _binary("or"), _binary("xor")
    shl, ashr, lshr = _binary("shl"), _binary("ashr"), _binary("lshr")
    fadd, fsub, fmul, fdiv = _binary("fadd"), _binary("fsub"), _binary("fmul"), _binary("fdiv")

    def fneg(self, value: Value) -> Value:
        """`-value`."""
        return self.instruction(value.type, f"fneg {value.typed}")

    def not_(self, value: Value) -> Value:
        """Each bit the other one."""
        return self.xor(value, Constant(value.type, -1))

    # comparison

    def icmp_signed(self, relation: str, left: Value, right: Value) -> Value:
        """Of integers with a sign."""
        sign = "" if relation in ("==", "!=") else "s"
        return self._compare(f"icmp {sign}{_RELATIONS[relation]}", left, right)

    def icmp_unsigned(self, relation: str, left: Value, right: Value) -> Value:
        """Of integers without a sign."""
        sign = "" if relation in ("==", "!=") else "u"
        return self._compare(f"icmp {sign}{_RELATIONS[relation]}", left, right)

    def fcmp_ordered(self, relation: str, left: Value, right: Value) -> Value:
        """Of floats, and none is NaN; "ord" is nothing but that."""
        predicate = relation if relation == "ord" else f"o{_RELATIONS[relation]}"
        return self._compare(f"fcmp {predicate}", left, right)

    def fcmp_unordered(self, relation: str, left: Value, right: Value) -> Value:
        """Of floats, or one is NaN; "uno" is nothing but that."""
        predicate = relation if relation == "uno" else f"u{_RELATIONS[relation]}"
        return self._compare(f"fcmp {predicate}", left, right)

    def _compare(self, opcode: str, left: Value, right: Value) -> Value:
        assert left.type is right.type, f"{opcode} {left.typed}, {right.typed}"
        type, truth = left.type, IntType(1)
        result = VectorType(truth, type.count) if isinstance(type, VectorType) else truth
        return self.instruction(result, f"{opcode} {left.typed}, {right.name}")

    def select(self, condition: Value, left: Value, right: Value) -> Value:
        """`left` where the condition holds, else `right`."""
        return self.instruction(left.type, f"select {condition.typed}, {left.typed}, {right.typed}")

    # conversion: gives the value itself where it has the type already

    trunc, zext, sext = _cast("trunc"), _cast("zext"), _cast("sext")
    fptrunc, fpext = _cast("fptrunc"), _cast("fpext")
    fptosi, sitofp, uitofp = _cast("fptosi"), _cast("sitofp"), _cast("uitofp")
    bitcast, inttoptr = _cast("bitcast"), _cast("inttoptr")

    # memory

    def alloca(self, typ: Type, count: int = 1, align: int | None = None) -> Value:
        """The address of so many of a type on the stack, for as long as the function runs."""
        block = self.function.blocks[0]
        found = Value(PointerType(), f"%{self.function.fresh_name()}")
        line = f"{found.name} = alloca {typ}, i32 {count}{_aligned(align)}\n"
        block.lines.insert(len(block.lines) - block.is_terminated, line)
        return found

    def load(self, pointer: Value, typ: Type, align: int | None = None) -> Value:
        """What is in memory."""
        return self.instruction(typ, f"load {typ.text}, {pointer.typed}{_aligned(align)}")

    def store(self, value: Value, pointer: Value, align: int | None = None) -> None:
        """Puts a value into memory."""
        self.effect(f"store {value.typed}, {pointer.typed}{_aligned(align)}")

    def load_atomic(self, pointer: Value, ordering: str, align: int, typ: Type) -> Value:
        """What other threads may write meanwhile."""
        return self.instruction(
            typ, f"load atomic {typ.text}, {pointer.typed} {ordering}{_aligned(align)}"
        )

    def gep(self, pointer: Value, number: Value, typ: Type) -> Value:
        """The address of an element of an array of this type."""
        return self.instruction(
            pointer.type, f"getelementptr {typ.text}, {pointer.typed}, {number.typed}"
        )

    # vectors and structs

    def extract_element(self, vector: Value, lane: Value) -> Value:
        """One lane."""
        assert isinstance(vector.type, VectorType)
        return self.instruction(vector.type.element, f"extractelement {vector.typed}, {lane.typed}")

    def insert_element(self, vector: Value, value: Value, lane: Value) -> Value:
        """The vector with another value in one lane."""
        return self.instruction(
            vector.type, f"insertelement {vector.typed}, {value.typed}, {lane.typed}"
        )

    def shuffle_vector(self, x: Value, y: Value, lanes: Value) -> Value:
        """These lanes of x, counted on in y."""
        assert isinstance(x.type, VectorType)
        assert isinstance(lanes.type, VectorType)
        return self.instruction(
            VectorType(x.type.element, lanes.type.count),
            f"shufflevector {x.typed}, {y.typed}, {lanes.typed}",
        )

    def extract_value(self, struct: Value, number: int) -> Value:
        """One element."""
        assert isinstance(struct.type, StructType)
        return self.instruction(
            struct.type.elements[number], f"extractvalue {struct.typed}, {number}"
        )

    # control flow

    def append_basic_block(self) -> Block:
        """A block of the function, behind the others."""
        return self.function.append_basic_block()

    def position_at_end(self, block: Block) -> None:
        """Goes on there."""
        self.block = block

    def phi(self, typ: Type) -> Phi:
        """Stands at the begin of a block."""
        found = Phi(typ, f"%{self.function.fresh_name()}")
        self.block.lines.append(found)
        return found

    def branch(self, target: Block) -> None:
        """Goes to a block."""
        self._terminate(f"br label %{target.label}")

    def cbranch(
        self, condition: Value, then: Block, otherwise: Block, is_unlikely: bool = False
    ) -> None:
        """Goes to one of two blocks."""
        weights = f", !prof {UNLIKELY}" * is_unlikely
        self._terminate(
            f"br {condition.typed}, label %{then.label}, label %{otherwise.label}{weights}"
        )

    def ret_void(self) -> None:
        """Ends the function."""
        self._terminate("ret void")

    def ret(self, value: Value) -> None:
        """Ends the function with a result."""
        self._terminate(f"ret {value.typed}")

    def _terminate(self, text: str) -> None:
        self.effect(text)
        self.block.is_terminated = True

    @contextmanager
    def if_then(self, condition: Value) -> Generator[None]:
        """What is emitted inside is done where the condition holds."""
        then, after = self.append_basic_block(), self.append_basic_block()
        self.cbranch(condition, then, after)
        with self._arm(then, after):
            yield
        self.position_at_end(after)

    @contextmanager
    def if_else(
        self, condition: Value, is_unlikely: bool = False
    ) -> Generator[tuple[AbstractContextManager[None], AbstractContextManager[None]]]:
        """Two contexts: for what is done where the condition holds, and for what is done otherwise."""
        then, otherwise, after = (self.append_basic_block() for _ in range(3))
        self.cbranch(condition, then, otherwise, is_unlikely)
        yield self._arm(then, after), self._arm(otherwise, after)
        self.position_at_end(after)

    @contextmanager
    def _arm(self, block: Block, after: Block) -> Generator[None]:
        self.position_at_end(block)
        yield
        if not self.block.is_terminated:
            self.branch(after)

    def call(self, function: Function, arguments: Iterable[Value], flags: str = "") -> Value:
        """Of floats, by LLVM's fast-math `flags`."""
        opcode = f"call {flags}" if flags else "call"
        return self._call(opcode, function.signature.result, function.name, arguments)

    def call_address(self, address: Value, result: Type, arguments: Iterable[Value]) -> Value:
        """Of the function that an address is of."""
        return self._call("call", result, address.name, arguments)

    def asm(
        self, signature: FunctionType, text: str, constraints: str, arguments: Iterable[Value]
    ) -> Value:
        """Assembly that does more than compute its result."""
        code = f'asm sideeffect "{text}", "{constraints}"'
        return self._call("call", signature.result, code, arguments)

    def _call(self, opcode: str, result: Type, callee: str, arguments: Iterable[Value]) -> Value:
        listed = ", ".join([argument.typed for argument in arguments])
        text = f"{opcode} {result.text} {callee}({listed})"
        if isinstance(result, VoidType):
            self.effect(text)
            return Value(result, "")
        return self.instruction(result, text)


def _aligned(align: int | None) -> str:
    return "" if align is None else f", align {align}"
