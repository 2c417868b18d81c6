from collections.abc import Sequence, ValuesView
from typing import TypeAlias

from llvmlite.ir.types import FunctionType, IdentifiedStructType, Type
from llvmlite.ir.values import Function, GlobalValue, MDValue, NamedMetaData, Value

class Context:
    identified_types: dict[str, IdentifiedStructType]
    def __init__(self) -> None: ...
    def get_identified_type(self, name: str, packed: bool = False) -> IdentifiedStructType: ...

global_context: Context

_MetaData: TypeAlias = Value | str | Sequence["_MetaData"] | None

class Module:
    name: str
    context: Context
    triple: str
    data_layout: str
    globals: dict[str, GlobalValue]
    def __init__(self, name: str = "", context: Context = ...) -> None: ...
    functions: list[Function]
    global_values: ValuesView[GlobalValue]
    def get_global(self, name: str) -> GlobalValue: ...
    def get_unique_name(self, name: str = "") -> str: ...
    def declare_intrinsic(
        self, intrinsic: str, tys: Sequence[Type] = (), fnty: FunctionType | None = None
    ) -> Function: ...
    def add_metadata(self, operands: Sequence[_MetaData]) -> MDValue: ...
    def add_named_metadata(
        self, name: str, element: MDValue | Sequence[_MetaData] | None = None
    ) -> NamedMetaData: ...
