"""The builder, which appends instructions to a block."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import AbstractContextManager, contextmanager

from .module import UNLIKELY, Block, Function, Module, Phi, aligned
from .types import FunctionType, IntType, PointerType, StructType, Type, VectorType, VoidType
from .values import Constant, Value

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
    """Appends instructions to a block. Methods have the names of LLVM's instructions."""

    def __init__(self, block: Block):
        self.block = block

    @property
    def function(self) -> Function:
        """The function that the block is in."""
        return self.block.function

    @property
    def module(self) -> Module:
        """The module that the function is in."""
        return self.block.function.module

    def instruction(self, typ: Type, text: str) -> Value:
        """Appends an instruction of this text, and gives its result."""
        block = self.block
        name = f"%{block.function.fresh_name()}"
        block.lines.append(f"{name} = {text}\n")
        return Value(typ, name)

    def effect(self, text: str) -> None:
        """Appends an instruction that has no result."""
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
        """All bits inverted."""
        return self.xor(value, Constant(value.type, -1))

    # comparison

    def icmp_signed(self, relation: str, left: Value, right: Value) -> Value:
        """Compares signed integers."""
        sign = "" if relation in ("==", "!=") else "s"
        return self._compare(f"icmp {sign}{_RELATIONS[relation]}", left, right)

    def icmp_unsigned(self, relation: str, left: Value, right: Value) -> Value:
        """Compares unsigned integers."""
        sign = "" if relation in ("==", "!=") else "u"
        return self._compare(f"icmp {sign}{_RELATIONS[relation]}", left, right)

    def fcmp_ordered(self, relation: str, left: Value, right: Value) -> Value:
        """Compares floats; false where one is NaN. "ord" tests just that none is."""
        predicate = relation if relation == "ord" else f"o{_RELATIONS[relation]}"
        return self._compare(f"fcmp {predicate}", left, right)

    def fcmp_unordered(self, relation: str, left: Value, right: Value) -> Value:
        """Compares floats; true where one is NaN. "uno" tests just that."""
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

    def smin(self, left: Value, right: Value) -> Value:
        """The smaller of two signed integers."""
        return self.select(self.icmp_signed("<", left, right), left, right)

    def smax(self, left: Value, right: Value) -> Value:
        """The larger of two signed integers."""
        return self.select(self.icmp_signed(">", left, right), left, right)

    # conversion: gives the value itself where it has the type already

    trunc, zext, sext = _cast("trunc"), _cast("zext"), _cast("sext")
    fptrunc, fpext = _cast("fptrunc"), _cast("fpext")
    fptosi, fptoui = _cast("fptosi"), _cast("fptoui")
    sitofp, uitofp = _cast("sitofp"), _cast("uitofp")
    bitcast, inttoptr = _cast("bitcast"), _cast("inttoptr")

    # memory

    def alloca(self, typ: Type, count: int = 1, align: int | None = None) -> Value:
        """The address of so many elements on the stack, for as long as the function runs."""
        block = self.function.blocks[0]
        found = Value(PointerType(), f"%{self.function.fresh_name()}")
        line = f"{found.name} = alloca {typ}, i32 {count}{aligned(align)}\n"
        block.lines.insert(len(block.lines) - block.is_terminated, line)
        return found

    def load(self, pointer: Value, typ: Type, align: int | None = None) -> Value:
        """Loads a value."""
        return self.instruction(typ, f"load {typ.text}, {pointer.typed}{aligned(align)}")

    def store(self, value: Value, pointer: Value, align: int | None = None) -> None:
        """Stores a value."""
        self.effect(f"store {value.typed}, {pointer.typed}{aligned(align)}")

    def load_atomic(self, pointer: Value, align: int, typ: Type) -> Value:
        """Loads a value that other threads may write meanwhile."""
        return self.instruction(
            typ, f"load atomic {typ.text}, {pointer.typed} monotonic{aligned(align)}"
        )

    def gep(self, pointer: Value, number: Value, typ: Type) -> Value:
        """The address of an element of an array of this type; of a vector of numbers, those of as many."""
        type, numbers = pointer.type, number.type
        result = VectorType(type, numbers.count) if isinstance(numbers, VectorType) else type
        return self.instruction(
            result, f"getelementptr {typ.text}, {pointer.typed}, {number.typed}"
        )

    # vectors and structs

    def extract_element(self, vector: Value, lane: Value) -> Value:
        """One lane of a vector."""
        assert isinstance(vector.type, VectorType)
        return self.instruction(vector.type.element, f"extractelement {vector.typed}, {lane.typed}")

    def insert_element(self, vector: Value, value: Value, lane: Value) -> Value:
        """A vector with another value in one lane."""
        return self.instruction(
            vector.type, f"insertelement {vector.typed}, {value.typed}, {lane.typed}"
        )

    def shuffle_vector(self, x: Value, y: Value, lanes: Value) -> Value:
        """Lanes of x and y: those of y are numbered after those of x."""
        assert isinstance(x.type, VectorType)
        assert isinstance(lanes.type, VectorType)
        return self.instruction(
            VectorType(x.type.element, lanes.type.count),
            f"shufflevector {x.typed}, {y.typed}, {lanes.typed}",
        )

    def extract_value(self, struct: Value, number: int) -> Value:
        """One element of a struct."""
        assert isinstance(struct.type, StructType)
        return self.instruction(
            struct.type.elements[number], f"extractvalue {struct.typed}, {number}"
        )

    # control flow

    def append_basic_block(self) -> Block:
        """Appends a block to the function."""
        return self.function.append_basic_block()

    def position_at_end(self, block: Block) -> None:
        """Continues at the end of a block."""
        self.block = block

    def phi(self, typ: Type) -> Phi:
        """A phi at the begin of the block."""
        found = Phi(typ, f"%{self.function.fresh_name()}")
        self.block.lines.append(found)
        return found

    def branch(self, target: Block) -> None:
        """Jumps to a block."""
        self._terminate(f"br label %{target.label}")

    def cbranch(
        self, condition: Value, then: Block, otherwise: Block, is_unlikely: bool = False
    ) -> None:
        """Jumps to one of two blocks."""
        weights = f", !prof {UNLIKELY}" * is_unlikely
        self._terminate(
            f"br {condition.typed}, label %{then.label}, label %{otherwise.label}{weights}"
        )

    def ret_void(self) -> None:
        """Returns nothing."""
        self._terminate("ret void")

    def ret(self, value: Value) -> None:
        """Returns a value."""
        self._terminate(f"ret {value.typed}")

    def _terminate(self, text: str) -> None:
        self.effect(text)
        self.block.is_terminated = True

    @contextmanager
    def if_then(self, condition: Value, is_unlikely: bool = False) -> Generator[None]:
        """What is emitted inside runs if the condition holds."""
        then, after = self.append_basic_block(), self.append_basic_block()
        self.cbranch(condition, then, after, is_unlikely)
        with self._arm(then, after):
            yield
        self.position_at_end(after)

    @contextmanager
    def if_else(
        self, condition: Value, is_unlikely: bool = False
    ) -> Generator[tuple[AbstractContextManager[None], AbstractContextManager[None]]]:
        """Two contexts: what is emitted in the first runs if the condition holds, in the second otherwise."""
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
        """Calls a function; `flags` are LLVM's fast-math flags."""
        opcode = f"call {flags}" if flags else "call"
        return self._call(opcode, function.signature.result, function.name, arguments)

    def call_address(self, address: Value, result: Type, arguments: Iterable[Value]) -> Value:
        """Calls the function at an address."""
        return self._call("call", result, address.name, arguments)

    def asm(
        self, signature: FunctionType, text: str, constraints: str, arguments: Iterable[Value]
    ) -> Value:
        """Inline assembly that has side effects."""
        code = f'asm sideeffect "{text}", "{constraints}"'
        return self._call("call", signature.result, code, arguments)

    def _call(self, opcode: str, result: Type, callee: str, arguments: Iterable[Value]) -> Value:
        listed = ", ".join([argument.typed for argument in arguments])
        text = f"{opcode} {result.text} {callee}({listed})"
        if isinstance(result, VoidType):
            self.effect(text)
            return Value(result, "")
        return self.instruction(result, text)
