from collections.abc import Iterator, Sequence
from typing import Any, Self

from llvmlite.ir.module import Context
from llvmlite.ir.values import Constant

class Type:
    is_pointer: bool
    null: str
    def as_pointer(self, addrspace: int = 0) -> PointerType: ...
    def __call__(self, value: Any) -> Constant: ...

class MetaDataType(Type): ...
class LabelType(Type): ...
class VoidType(Type): ...

class PointerType(Type):
    is_opaque: bool
    addrspace: int
    def __new__(cls, pointee: Type | None = None, addrspace: int = 0) -> Self: ...
    def __init__(self, pointee: Type | None = None, addrspace: int = 0) -> None: ...
    intrinsic_name: str

class FunctionType(Type):
    return_type: Type
    args: tuple[Type, ...]
    var_arg: bool
    def __init__(self, return_type: Type, args: Sequence[Type], var_arg: bool = False) -> None: ...

class IntType(Type):
    width: int
    def __new__(cls, bits: int) -> Self: ...
    intrinsic_name: str

class _BaseFloatType(Type):
    intrinsic_name: str

class HalfType(_BaseFloatType): ...
class FloatType(_BaseFloatType): ...
class DoubleType(_BaseFloatType): ...

class VectorType(Type):
    element: Type
    count: int
    def __init__(self, element: Type, count: int) -> None: ...
    elements: Sequence[Type]
    def __len__(self) -> int: ...

class Aggregate(Type):
    elements: Sequence[Type]
    def __len__(self) -> int: ...

class ArrayType(Aggregate):
    element: Type
    count: int
    def __init__(self, element: Type, count: int) -> None: ...

class BaseStructType(Aggregate):
    packed: bool
    is_opaque: bool
    def __iter__(self) -> Iterator[Type]: ...

class LiteralStructType(BaseStructType):
    def __init__(self, elems: Sequence[Type], packed: bool = False) -> None: ...

class IdentifiedStructType(BaseStructType):
    context: Context
    name: str
    def __init__(self, context: Context, name: str, packed: bool = False) -> None: ...
    def set_body(self, *elems: Type) -> None: ...
