from collections.abc import Iterable, Sequence
from typing import Any, Final, Protocol

from llvmlite.ir.instructions import Instruction
from llvmlite.ir.module import Module
from llvmlite.ir.types import FunctionType, Type

class _Undefined: ...

Undefined: Final[_Undefined]

class Value:
    type: Type
    def get_reference(self) -> str: ...

class _HasMetadata:
    metadata: dict[str, MDValue]
    def set_metadata(self, name: str, node: MDValue) -> None: ...

class _ConstantOperations:
    def add(self, other: Constant) -> Constant: ...
    def sub(self, other: Constant) -> Constant: ...
    def mul(self, other: Constant) -> Constant: ...
    def bitcast(self, typ: Type) -> Constant: ...
    def trunc(self, typ: Type) -> Constant: ...
    def zext(self, typ: Type) -> Constant: ...
    def sext(self, typ: Type) -> Constant: ...
    def ptrtoint(self, typ: Type) -> Constant: ...
    def inttoptr(self, typ: Type) -> Constant: ...
    def gep(self, indices: Sequence[Constant]) -> Constant: ...

class Constant(_ConstantOperations, Value):
    constant: Any
    def __init__(self, typ: Type, constant: Any) -> None: ...
    @classmethod
    def literal_array(cls, elems: Sequence[Constant]) -> Constant: ...
    @classmethod
    def literal_struct(cls, elems: Sequence[Constant], packed: bool = False) -> Constant: ...

class NamedValue(Value):
    name: str
    function_type: FunctionType

class MDValue(NamedValue):
    operands: tuple[Value, ...]

class NamedMetaData:
    operands: list[MDValue]
    def add(self, md: MDValue) -> None: ...

class GlobalValue(_ConstantOperations, NamedValue, _HasMetadata):
    linkage: str
    storage_class: str
    section: str

class GlobalVariable(GlobalValue):
    value_type: Type
    initializer: Constant | None
    unnamed_addr: bool
    global_constant: bool
    addrspace: int
    align: int | None
    def __init__(self, module: Module, typ: Type, name: str, addrspace: int = 0) -> None: ...

class AttributeSet(set[str]):
    def __init__(self, args: str | Iterable[str] = ()) -> None: ...

class FunctionAttributes(AttributeSet):
    alignstack: int
    personality: GlobalValue | None

class _Scope(Protocol):
    def register(self, name: str, deduplicate: bool = False) -> str: ...

class Function(GlobalValue):
    scope: _Scope
    ftype: FunctionType
    blocks: list[Block]
    attributes: FunctionAttributes
    args: tuple[Argument, ...]
    return_value: ReturnValue
    calling_convention: str
    def __init__(self, module: Module, ftype: FunctionType, name: str) -> None: ...
    module: Module
    entry_basic_block: Block
    basic_blocks: list[Block]
    is_declaration: bool
    def descr_body(self, buf: list[str]) -> None: ...
    def append_basic_block(self, name: str = "") -> Block: ...
    def insert_basic_block(self, before: int, name: str = "") -> Block: ...

class ArgumentAttributes(AttributeSet):
    align: int
    dereferenceable: int
    dereferenceable_or_null: int

class _BaseArgument(NamedValue):
    parent: Function
    attributes: ArgumentAttributes
    def add_attribute(self, attr: str) -> None: ...

class Argument(_BaseArgument): ...
class ReturnValue(_BaseArgument): ...

class Block(NamedValue):
    parent: Function
    instructions: list[Instruction]
    terminator: Instruction | None
    is_terminated: bool
    function: Function
    module: Module
