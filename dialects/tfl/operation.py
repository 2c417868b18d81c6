"""What all operations of LiteRT have in common, and how one is said: a line with its operands and options."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Any, ClassVar, Literal, Self, TypeVar, cast

from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    Float32Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnregisteredOp,
    f32,
    i32,
)
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    OptPropertyDef,
    ParsePropInAttrDict,
    PropertyDef,
    VerificationContext,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.traits import EffectInstance, MemoryEffect, MemoryEffectKind
from xdsl.utils.exceptions import VerifyException

from ..inferred import label
from ..properties import Property, property_of
from .attributes import ResourceType
from .parts import ACTIVATIONS

ENUMERATIONS: Mapping[str, Sequence[str]] = {
    "fused_activation_function": ACTIVATIONS,
    "mode": ("REFLECT", "SYMMETRIC"),
    "padding": ("SAME", "VALID"),
    "weights_format": ("DEFAULT", "SHUFFLED4x16INT8"),
}
"""The options that are one of several words, by name; the words in the order of the schema's numbers."""

INTEGER = prop_def(IntegerAttr.constr(i32))
INTEGERS = opt_prop_def(DenseArrayBase.constr(IntegerType(32)))
FLAG = prop_def(BoolAttr)
NUMBER = prop_def(FloatAttr[Float32Type])
WORD = prop_def(StringAttr)
TEXT = opt_prop_def(StringAttr)
ELEMENT = opt_prop_def(Attribute)
FUNCTION = prop_def(SymbolRefAttr)
"""A subgraph: the schema's name of the option ends in `SubgraphIndex`."""

MAYBE_FLAG = opt_prop_def(BoolAttr)
"""A flag of newer schemas; absent, it has the schema's default."""

SIGNATURE = "tfl.signature"
"""The attribute of a function that users run by this key."""

OWN_NAME = "tfl.name"
"""The attribute of a function or argument that a file calls otherwise than the module does."""

FLOAT = ("float32",)
OF_32_BITS = ("float32", "int32")
NUMBERS = (*OF_32_BITS, "int64")
BYTES = (*NUMBERS, "int8", "uint8")
MOVED = (*NUMBERS, "int16", "int8", "uint8", "bool")
BITS = ("int32", "int16", "int8", "uint32", "uint16", "uint8")
"""Types of elements that kernels take, by NumPy's names: of functions, arithmetic, blocks, data movement and bits."""

Codes = Literal["any", "same"] | tuple[float, int] | None
"""Codes of any scale and zero point, those of the operands, or of these alone."""

UNIT = (2.0**-15, 0)
"""The codes of 16 bits of what lies between -1 and 1."""

READ_WRITE = frozenset(
    (EffectInstance(MemoryEffectKind.READ), EffectInstance(MemoryEffectKind.WRITE))
)


OpT = TypeVar("OpT", bound="TflOp")


class VariableEffects(MemoryEffect):
    """An operation reads and changes the variables and resources that it takes, and has no other effects."""

    @classmethod
    def get_effects(cls, op: Operation) -> AbstractSet[EffectInstance] | None:
        if any(isinstance(option, SymbolRefAttr) for option in op.properties.values()):
            return None  # whatever the function does
        return READ_WRITE if any(map(is_kept, op.operands)) else frozenset()


def is_kept(value: SSAValue) -> bool:
    """Whether a value stands for what is kept between calls: a variable, or the handle of a resource."""
    if isinstance(value.owner, Operation) and value.owner.name == "tfl.variable":
        return True
    type: Attribute = value.type
    return isinstance(type, TensorType) and isinstance(
        cast(TensorType[Any], type).element_type, ResourceType
    )


class TflOp(IRDLOperation, ABC):
    """A builtin of LiteRT, operand for operand; its options are properties of their names in snake_case."""

    BUILTIN: ClassVar[str] = ""
    """The schema's name of the operation, where it is not that of the dialect."""

    TABLE: ClassVar[str] = ""
    """The schema's table of options, where it is not called as the operation is."""

    VERSION: ClassVar[int] = 1
    """The first version of the builtin."""

    CODES_VERSION: ClassVar[int] = 1
    """The first version that takes 8-bit signed codes; runtimes older than that refuse the file."""

    ELEMENTS: ClassVar[tuple[str, ...]] = ()
    """The types of elements that the kernel takes beside codes, by NumPy's names; where none is said, any."""

    CODES: ClassVar[Codes] = None
    """The codes that the kernel gives of 8-bit signed codes, where it computes with such."""

    CODES_16: ClassVar[Codes] = None
    """The same of 16-bit codes, whose zero point is 0."""

    WEIGHTS: ClassVar[Mapping[str, int]] = {}
    """The operands that may be constants of signed 8-bit codes, and the axis along which these have scales."""

    DYNAMIC_RANGE: ClassVar[bool] = False
    """Whether the kernel takes such weights beside f32 inputs, whose codes it makes in each call."""

    traits = traits_def(VariableEffects())
    irdl_options = (ParsePropInAttrDict(),)

    @classmethod
    def builtin(cls) -> str:
        """The schema's name of the operation."""
        return cls.BUILTIN or cls.name.removeprefix("tfl.").upper()

    def verify_(self) -> None:
        for name, words in ENUMERATIONS.items():
            value = self.properties.get(name)
            if isinstance(value, StringAttr) and value.data not in words:
                raise VerifyException(
                    f"{label(self)}: {name} '{value.data}' is none of {', '.join(words)}"
                )

    @classmethod
    def of(
        cls, operands: Sequence[SSAValue], result_types: Sequence[Attribute], **options: Any
    ) -> Self:
        """The operation with these options, as Python's values; the others have the schema's defaults."""
        definition = cls.get_irdl_definition()
        assert options.keys() <= definition.properties.keys(), (cls.name, options)
        properties = {
            name: found
            for name, value in options.items()
            if (found := option_of(value)) is not None
        }
        for name, option in definition.properties.items():
            if name not in properties and not isinstance(option, OptPropertyDef):
                properties[name] = _default(name, option)
        return cls.create(
            operands=operands,
            result_types=result_types,
            properties=properties,
            regions=[Region() for _ in definition.regions],
        )

    def integer(self, name: str) -> int:
        """The value of an option that is a number, or a flag."""
        return int(cast(IntegerAttr[Any], self.properties[name]).value.data)

    def number(self, name: str) -> float:
        """The value of an option that is a floating-point number."""
        return cast(FloatAttr[Any], self.properties[name]).value.data

    def flag(self, name: str) -> bool:
        """Whether an option is set."""
        return name in self.properties and bool(cast(BoolAttr, self.properties[name]))

    def word(self, name: str) -> str:
        """The value of an option that is a word."""
        return cast(StringAttr, self.properties[name]).data

    def integers(self, name: str) -> Sequence[int]:
        """The values of an option that is a list; of none where that is absent."""
        listed = cast(DenseArrayBase[IntegerType] | None, self.properties.get(name))
        return () if listed is None else listed.get_values()


def option_of(value: Any) -> Attribute | None:
    """A value of Python as an option; None where no option has such values."""
    if isinstance(value, bytes):
        return StringAttr(value.decode())
    if isinstance(value, list) and any(isinstance(each, float) for each in cast(list[Any], value)):
        return DenseArrayBase.from_list(f32, cast(list[float], value))
    if isinstance(value, Attribute | bool | int | float | str | list):
        return property_of(cast(Property, value), bits=32)
    return None


def _default(name: str, option: PropertyDef) -> Attribute:
    """The schema's default of an option that has to be there."""
    if name in ENUMERATIONS:
        return StringAttr(ENUMERATIONS[name][0])
    if name.startswith("dilation"):
        return IntegerAttr(1, i32)
    for value in (BoolAttr.from_bool(False), IntegerAttr(0, i32), FloatAttr(0.0, f32)):
        with suppress(VerifyException):
            option.constr.verify(value, VerificationContext())
            return value
    raise AssertionError(f"option {name} has no default")


def operation(
    name: str,
    signature: str = "",
    base: type[OpT] = TflOp,
    *,
    version: int = 1,
    codes_version: int | None = None,
    table: str = "",
    builtin: str = "",
    elements: tuple[str, ...] | None = None,
    codes: Codes = None,
    codes_16: Codes = None,
    weights: Mapping[str, int] | None = None,
    dynamic_range: bool = False,
    **options: Any,
) -> type[OpT]:
    """
    The class of a builtin. `signature` lists the operands and results that its base does not,
    `"input, filter, bias? -> output"`: one with `?` may be absent, one with `*` stands for any number of them.
    """
    operands, _, results = signature.partition(" -> ")
    body: dict[str, Any] = {
        "__doc__": f"LiteRT's `{builtin or name.upper()}`.",
        "__annotations__": {},
        "__module__": base.__module__,
        "name": f"tfl.{name}",
        **{each.rstrip("?*"): _operand(each) for each in operands.split(", ") if each},
        **{each.rstrip("*"): _result(each) for each in results.split(", ") if each},
        **options,
    }
    title = "".join(part.capitalize() for part in name.split("_"))
    made = irdl_op_definition(cast(type[OpT], type(f"{title}Op", (base,), body)))
    made.TABLE = table or base.TABLE
    made.BUILTIN = builtin
    made.ELEMENTS = base.ELEMENTS if elements is None else elements
    made.CODES, made.CODES_16 = codes, codes_16
    made.WEIGHTS = weights or {}
    made.DYNAMIC_RANGE = dynamic_range
    made.VERSION = version
    made.CODES_VERSION = version if codes_version is None else codes_version
    return made


def takes(*names: str) -> Callable[[type[OpT]], type[OpT]]:
    """Gives a class these operands, in this order; it may name some of them itself."""

    def define(kind: type[OpT]) -> type[OpT]:
        for name in names:
            field = kind.__dict__.get(name, operand_def(AnyAttr()))
            if name in kind.__dict__:
                delattr(kind, name)
            setattr(kind, name, field)
        return kind

    return define


def _operand(name: str) -> Any:
    define = {"?": opt_operand_def, "*": var_operand_def}.get(name[-1], operand_def)
    return define(AnyAttr())


def _result(name: str) -> Any:
    return (var_result_def if name.endswith("*") else result_def)(AnyAttr())


def builtin_of(op: Operation) -> str:
    """The schema's name of a LiteRT operation, also of one without a class; nothing of other operations."""
    if isinstance(op, TflOp):
        return op.builtin()
    name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
    return name.removeprefix("tfl.").upper() if name.startswith("tfl.") else ""


def is_of_dialect(op: Operation) -> bool:
    """Whether an operation is LiteRT's."""
    return bool(builtin_of(op))
