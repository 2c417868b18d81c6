"""TensorFlow's operations as its tools print them. No dialect here has them, so they are read by name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    UnrankedTensorType,
    UnregisteredAttr,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser
from xdsl.utils.exceptions import DiagnosticException, ParseError

from ..dialects import context

CALLS = ("PartitionedCall", "StatefulPartitionedCall", "LegacyCall")
"""The operations that call a function by name."""


@dataclass(frozen=True)
class TfOp:
    """An operation `tf.<name>`."""

    op: Operation
    name: str

    @classmethod
    def of(cls, op: Operation | object) -> TfOp | None:
        """This operation as one of TensorFlow; None where it is none."""
        if not isinstance(op, UnregisteredOp) or not op.op_name.data.startswith("tf."):
            return None
        return cls(op, op.op_name.data.removeprefix("tf."))

    @property
    def operands(self) -> Sequence[SSAValue]:
        return self.op.operands

    @property
    def label(self) -> str:
        """The name of the operation in messages."""
        return f"tf.{self.name}"

    @property
    def element(self) -> Attribute:
        """The element type of its result. Raises DiagnosticException for a type that is not supported."""
        type = self.op.results[0].type
        if not isinstance(type, TensorType | UnrankedTensorType):
            raise DiagnosticException(f"{self.label}: elements of {type} have no meaning here")
        return cast(TensorType[Any], type).element_type

    def unknown(self, what: str) -> DiagnosticException:
        """The error for numbers that are not known."""
        return DiagnosticException(
            f"{self.label}: its {what} must be known while compiling; make it a constant of the model"
        )

    def get(self, name: str) -> Attribute | None:
        """An attribute, whether it is printed as a property or not."""
        return self.op.properties.get(name, self.op.attributes.get(name))

    def integer(self, name: str, default: int = 0) -> int:
        """The number that an attribute holds. Raises DiagnosticException where it is something else."""
        return self._held(name, default, IntegerAttr, "an integer")

    def number(self, name: str, default: float) -> float:
        """The floating-point number that an attribute holds. Raises DiagnosticException where it is something else."""
        return self._held(name, default, FloatAttr, "a floating-point number")

    def _held(self, name: str, default: Any, kind: type[Attribute], what: str) -> Any:
        found = self.get(name)
        if found is None:
            return default
        if not isinstance(found, kind):
            raise self._wrong(name, found, what)
        return cast(Any, found).value.data

    def flag(self, name: str) -> bool:
        """Whether a boolean attribute is set and true."""
        return bool(self.integer(name))

    def integers(self, name: str) -> list[int]:
        """The numbers that an attribute lists. Raises DiagnosticException where it is something else."""
        return self._listed(name, IntegerAttr, "a list of integers")

    def numbers(self, name: str) -> list[float]:
        """The floating-point numbers that an attribute lists. Raises DiagnosticException where it is something else."""
        return self._listed(name, FloatAttr, "a list of floating-point numbers")

    def _listed(self, name: str, kind: type[Attribute], what: str) -> list[Any]:
        found = self.get(name)
        if found is None:
            return []
        if isinstance(found, DenseArrayBase):
            return list(cast(DenseArrayBase[Any], found).get_values())
        listed = cast(ArrayAttr[Attribute], found).data if isinstance(found, ArrayAttr) else ()
        numbers = [cast(Any, each) for each in listed if isinstance(each, kind)]
        if not isinstance(found, ArrayAttr) or len(numbers) != len(listed):
            raise self._wrong(name, cast(Attribute, found), what)
        return [number.value.data for number in numbers]

    def _wrong(self, name: str, found: Attribute, wanted: str) -> DiagnosticException:
        return DiagnosticException(
            f"{self.label}: its attribute '{name}' is {found}; it must be {wanted}"
        )

    def text(self, name: str, default: str = "") -> str:
        """The string that an attribute holds."""
        found = self.get(name)
        return found.data if isinstance(found, StringAttr) else default

    def symbol(self, name: str) -> str:
        """The symbol that an attribute refers to."""
        found = self.get(name)
        if not isinstance(found, SymbolRefAttr):
            raise DiagnosticException(
                f"{self.label}: its attribute '{name}' must name a function; write {name} = @function"
            )
        return found.string_value()


def truth(attribute: Attribute | None) -> bool | None:
    """The boolean of an attribute; None where it is no boolean."""
    if not isinstance(attribute, IntegerAttr):
        return None
    return bool(cast(IntegerAttr[Any], attribute).value.data)


def callee(op: Operation) -> str | None:
    """The name of the function that an operation calls; None where it calls none."""
    if isinstance(op, func.CallOp):
        return op.callee.string_value()
    tf = TfOp.of(op)
    return tf.symbol("f") if tf is not None and tf.name in CALLS else None


def functions_of(module: ModuleOp) -> dict[str, func.FuncOp]:
    """The functions of a module, by name."""
    return {f.sym_name.data: f for f in module.ops if isinstance(f, func.FuncOp)}


def is_private(function: func.FuncOp) -> bool:
    """Whether only functions of its module can call it."""
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def origin(value: SSAValue) -> SSAValue:
    """What a value is, behind operations that only pass it on."""
    while (tf := TfOp.of(value.owner)) is not None and tf.name == "Identity":
        value = tf.operands[0]
    return value


def is_type(type: Attribute, name: str) -> bool:
    """Whether this is TensorFlow's type of that name: `resource`, `variant`, `string` …"""
    return isinstance(type, UnregisteredAttr) and type.attr_name.data == f"tf_type.{name}"


_FUNCTION = re.compile(r'@("(?:[^"\\]|\\.)*"|[^\s,]+)\s*,\s*(\{.*\})', re.DOTALL)


def function_attribute(attribute: Attribute | None) -> tuple[str, dict[str, Attribute]] | None:
    """Name and attributes in `#tf_type.func<@name, {…}>`; None for any other attribute."""
    if not isinstance(attribute, UnregisteredAttr) or attribute.attr_name.data != "tf_type.func":
        return None
    found = _FUNCTION.fullmatch(attribute.value.data.strip())
    if found is None:
        return None
    ctx = context()
    ctx.allow_unregistered = True
    try:
        parsed = Parser(ctx, found[2]).parse_attribute()
    except ParseError as error:
        raise DiagnosticException(
            f"#tf_type.func<@{found[1]}>: its attributes {found[2]} cannot be parsed: {error.msg}"
        ) from None
    assert isinstance(parsed, DictionaryAttr), "braces hold a dictionary"
    return found[1].strip('"'), dict(parsed.data)


def new_op(
    name: str,
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    properties: Mapping[str, Attribute],
) -> Operation:
    """An operation `tf.<name>`."""
    kind = UnregisteredOp.with_name(f"tf.{name}")
    return kind.create(operands=operands, result_types=result_types, properties=dict(properties))
