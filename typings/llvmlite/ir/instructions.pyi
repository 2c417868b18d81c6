from collections.abc import Sequence

from llvmlite.ir.module import Module
from llvmlite.ir.types import FunctionType, Type
from llvmlite.ir.values import (
    ArgumentAttributes,
    AttributeSet,
    Block,
    Constant,
    Function,
    NamedValue,
    Value,
    _HasMetadata,
)

class Instruction(NamedValue, _HasMetadata):
    parent: Block
    opname: str
    operands: Sequence[Value]
    flags: list[str]
    def __init__(
        self,
        parent: Block,
        typ: Type,
        opname: str,
        operands: Sequence[Value],
        name: str = "",
        flags: Sequence[str] = (),
    ) -> None: ...
    def descr(self, buf: list[str]) -> None: ...
    function: Function
    module: Module
    def replace_usage(self, old: Value, new: Value) -> None: ...

class FastMathFlags(AttributeSet): ...
class CallInstrAttributes(AttributeSet): ...

class CallInstr(Instruction):
    cconv: str | None
    tail: str
    fastmath: FastMathFlags
    attributes: CallInstrAttributes
    arg_attributes: dict[int, ArgumentAttributes]
    callee: Value
    args: Sequence[Value]

class PredictableInstr(Instruction):
    def set_weights(self, weights: Sequence[int]) -> None: ...

class SwitchInstr(PredictableInstr):
    default: Block
    cases: list[tuple[Constant, Block]]
    def add_case(self, val: Constant | int, block: Block) -> None: ...

class LoadInstr(Instruction):
    align: int | None

class StoreInstr(Instruction):
    align: int | None

class AllocaInstr(Instruction):
    align: int | None

class PhiInstr(Instruction):
    incomings: list[tuple[Value, Block]]
    def add_incoming(self, value: Value, block: Block) -> None: ...

class CastInstr(Instruction): ...

class FCMPInstr(Instruction):
    op: str

class ExtractValue(Instruction):
    indices: Sequence[int]

class GEPInstr(Instruction): ...
class InsertElement(Instruction): ...
class SelectInstr(Instruction): ...

class InlineAsm:
    type: Type
    function_type: FunctionType
    def __init__(
        self, ftype: FunctionType, asm: str, constraint: str, side_effect: bool = False
    ) -> None: ...
