"""
Operations whose result types follow from their operands: the one base of all tensor operations.

Types may have unknown dimensions (`?`). A verifier accepts a declared type that is more or less
specific than the inferred one, and refuses one that contradicts it.
"""

from __future__ import annotations

import inspect
import textwrap
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FixedBitwidthType,
    IntegerType,
    MemRefType,
    StringAttr,
    TensorType,
    UnregisteredOp,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue, SSAValues
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    OpDef,
    OptionalDef,
    ParsePropInAttrDict,
    VarConstraint,
    VariadicDef,
    VerificationContext,
    base,
    traits_def,
)
from xdsl.irdl.operations import VarIRConstruct, irdl_op_verify_arg_list
from xdsl.traits import Pure
from xdsl.utils.exceptions import DiagnosticException, VerifyException

from . import blob
from .blob import BlobAttr, element_count, over_limit
from .compatible import compatible
from .formatted import FormattedOp
from .operation import Op
from .properties import Property, property_of

MAX_RANK = 64
"""Dimensions that a tensor can have, as in NumPy."""

INDEX = TensorType.constr(base(IntegerType))
"""The type of axes, target shapes and limits."""

SAME_TYPE = VarConstraint("TYPE", base(TensorType))
"""A tensor type; all operands and results of an operation with this constraint have the same one."""

SAME_ELEMENT = TensorType.constr(VarConstraint("ELEMENT", AnyAttr()))
"""A tensor; all operands and results of an operation with this constraint have the same element type."""

MAKE_CONSTANT = "compute it of constants of the model alone"
"""The advice where a value must be known at compile time."""

Shape = tuple[int, ...]
"""Dimensions; `DYNAMIC_INDEX` where unknown."""

Constants = Callable[[SSAValue], Sequence[int] | None]
"""A function that gives the integers (row-major) of a value that is known at compile time, or None."""

NAME = "nn.name"
"""The attribute that carries the friendly name of the operation a module was imported from."""


def friendly_name(op: Operation) -> str | None:
    """The name this operation had in the model it came from."""
    name = op.attributes.get(NAME)
    return name.data if isinstance(name, StringAttr) else None


def copy_name(old: Operation, new: Operation) -> None:
    """Gives an operation the friendly name of another, if that has one."""
    if NAME in old.attributes:
        new.attributes[NAME] = old.attributes[NAME]


def label(op: Operation) -> str:
    """The name of an operation in messages: its name, and its friendly name where it has one."""
    name, kind = friendly_name(op), op.op_name.data if isinstance(op, UnregisteredOp) else op.name
    return f"{kind} '{name}'" if name else kind


_SAYING_NOTHING = ("input", "data", "lhs", "rhs", "a", "b")
"""What operations call operands of which their numbers say as much."""


def input_called(op: Operation, port: int) -> str:
    """An input by its number, as configurations have it, and by the operation's name for it: `input 4 (W)`."""
    if not isinstance(op, IRDLOperation):
        return f"input {port}"
    operands = op.get_irdl_definition().operands
    is_single = [not isinstance(kind, VariadicDef) for _, kind in operands[: port + 1]]
    name = operands[port][0] if all(is_single) and port < len(operands) else "input"
    if name in _SAYING_NOTHING:
        return f"input {port}"
    return f"input {port} ({name.upper() if len(name) == 1 else name})"


def tensor(value: SSAValue) -> TensorType[Any]:
    """The tensor type of a value that has one."""
    type: Attribute = value._type  # pyright: ignore[reportPrivateUsage]
    assert isinstance(type, TensorType), f"{value} is not a tensor"
    return cast("TensorType[Any]", type)


def shape_of(value: SSAValue) -> Shape:
    """The shape of a tensor value."""
    return tuple([size.data for size in tensor(value).shape.data])  # faster than `get_shape`


def static_shape(value: SSAValue) -> Shape:
    """The shape of a tensor. Raises DiagnosticException where a dimension is unknown."""
    shape = shape_of(value)
    if DYNAMIC_INDEX in shape:
        owner = value.owner
        where = label(owner) if isinstance(owner, Operation) else "an input"
        raise DiagnosticException(
            f"{where}: type {value.type} has unknown dimensions while compiling; reshape the model or "
            f"give inputs of known shape; where values decide on a size, {MAKE_CONSTANT}"
        )
    return shape


def spelled(shape: Sequence[int]) -> str:
    """A shape in messages: `[2, ?, 4]`."""
    return f"[{', '.join('?' if size == DYNAMIC_INDEX else str(size) for size in shape)}]"


def check_bytes(op: Operation, what: str, type: TensorType[Any] | MemRefType[Any]) -> None:
    """
    Raises VerifyException, naming `op`, where a value of this type takes more than `MAX_BYTES`; unknown
    dimensions count as 1.
    """
    element = type.element_type
    bits = element.bitwidth if isinstance(element, FixedBitwidthType) else 8
    count = prod([size.data for size in type.shape.data if size.data != DYNAMIC_INDEX])
    if (nbytes := count * bits // 8) > blob.MAX_BYTES:
        raise VerifyException(f"{label(op)}: {what} of type {type} would take {over_limit(nbytes)}")


def broadcast(op: Operation, *shapes: Shape) -> Shape:
    """The NumPy broadcast of shapes. Raises VerifyException, naming `op`, where they do not fit."""
    rank = max(map(len, shapes), default=0)
    result: list[int] = []
    for position in range(-rank, 0):
        sizes = {s[position] for s in shapes if -position <= len(s)} - {1}
        known = sizes - {DYNAMIC_INDEX}
        if len(known) > 1:
            listed = " and ".join(map(spelled, shapes))
            raise VerifyException(
                f"{label(op)}: shapes {listed} do not broadcast; dimensions must be equal or 1"
            )
        result.append(known.pop() if known else (sizes.pop() if sizes else 1))
    return tuple(result)


def choice(op: Operation, name: str, *allowed: str) -> str:
    """The string property `name`. Raises VerifyException, naming `op`, where it is none of `allowed`."""
    value = op.properties[name]
    assert isinstance(value, StringAttr)
    if value.data not in allowed:
        listed = " or ".join(map(repr, allowed))
        raise VerifyException(f"{label(op)}: {name} '{value.data}' is not supported; use {listed}")
    return value.data


def floating(op: Operation, value: SSAValue) -> TensorType[Any]:
    """The type of a floating-point operand. Raises VerifyException, naming `op`, for other types."""
    type = tensor(value)
    if not isinstance(type.element_type, AnyFloat):
        raise VerifyException(
            f"{label(op)}: computes in floating point, not in {type.element_type}; convert its input"
        )
    return type


def normalize_axis(op: Operation, axis: int, rank: int) -> int:
    """An axis counted from the front. Raises VerifyException, naming `op`, where it is out of range."""
    if not -rank <= axis < rank:
        raise VerifyException(f"{label(op)}: axis {axis} is out of range for rank {rank}")
    return axis % rank


def constant_integers(value: SSAValue) -> Sequence[int] | None:
    """The default `Constants`: reads constants and computes nothing."""
    owner = value.owner
    constant = owner.properties.get("value") if isinstance(owner, Operation) else None
    if not isinstance(constant, BlobAttr) or element_count(constant.type) > MAX_RANK:
        return None  # larger ones are no axes, limits or dimensions
    return [int(v) for v in constant.data.values()]


def _value_of(given: object, name: str, number: int) -> SSAValue:
    """A value, or the result of an operation, as operand `number` of an operation called `name`."""
    match given:
        case SSAValue():
            return given
        case Operation(results=(result,)):
            return result
        case Operation(results=results):
            what = f"{given.name} with {len(results)} results"
        case _:
            what = f"{given!r}, no value"
    raise VerifyException(
        f"{name}: operand {number} is {what}; give a value, or an operation with one result"
    )


def _check_given(op: InferredOp) -> None:
    """Raises VerifyException where operands or properties do not fit the definition."""
    definition, context = op.get_irdl_definition(), VerificationContext()
    try:
        irdl_op_verify_arg_list(op, definition, VarIRConstruct.OPERAND, context)
    except VerifyException as error:
        raise op.op_error(" ".join(str(error).split())) from None
    for name, kind in definition.properties.items():
        if name not in op.properties and not isinstance(kind, OptionalDef):
            raise op.op_error(f"property {name} is missing; give {name}=…")
        try:
            if name in op.properties:
                kind.constr.verify(op.properties[name], context)
        except VerifyException as error:
            raise op.op_error(f"property {name}: {error}") from None


class InferredOp(Op, ABC):
    """An operation whose result types can be inferred."""

    irdl_options = (ParsePropInAttrDict(),)

    @abstractmethod
    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        """
        One type for each result, from the operands' types and what `constants` knows of their values.

        Raises VerifyException, naming the operation, where the operands do not fit.
        """

    def op_error(self, why: str) -> VerifyException:
        """The error for operands or properties that do not fit; it names the operation."""
        return VerifyException(f"{label(self)}: {why}")

    @classmethod
    def of(cls, *operands: SSAValue | Operation, **properties: Property) -> Self:
        """A new operation with inferred result types; properties go by name."""
        return cls.inferred(constant_integers, operands, properties)

    @classmethod
    def inferred(
        cls,
        constants: Constants,
        operands: Sequence[SSAValue | Operation],
        properties: Mapping[str, Property],
    ) -> Self:
        """As `of`; `constants` says what is known of the operands."""
        values = [_value_of(operand, cls.name, n) for n, operand in enumerate(operands)]
        given = {name: property_of(value) for name, value in properties.items()}
        definitions = cls.get_irdl_definition().properties
        if unknown := given.keys() - definitions.keys():
            listed = f"has {', '.join(definitions)}" if definitions else "has none"
            raise VerifyException(f"{cls.name}: unknown property {min(unknown)}; it {listed}")
        for name, definition in definitions.items():
            default = definition.default_value
            if default is not None:
                given.setdefault(name, default)
        op = cls.create(operands=values, properties=given)
        try:
            types = op.infer_types(constants)
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
            _check_given(op)
            raise
        op.results = SSAValues(OpResult(type, op, index) for index, type in enumerate(types))
        return op

    def verify_(self) -> None:
        inferred = self.infer_types(constant_integers)
        if len(inferred) != len(self.results):
            raise self.op_error(
                f"has {len(self.results)} results, its operands give {len(inferred)}"
            )
        for result, type in zip(self.results, inferred, strict=True):
            if not compatible(result.type, type):
                raise self.op_error(f"result type {result.type} does not fit; operands give {type}")


class TensorOp(InferredOp, FormattedOp, ABC):
    """
    An operation that computes tensors of tensors and has no other effect. Its text follows from its operands and
    results, where the class says no other.
    """

    EXAMPLE: ClassVar[str] = ""
    """In the base of a family: the example of each operation whose docstring has none, with `{name}` for its name."""

    traits = traits_def(Pure())

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "name" not in cls.__dict__:
            return
        if cls.EXAMPLE and cls.__doc__ and cls.name not in cls.__doc__:
            law = inspect.cleandoc(cls.__doc__)
            example = textwrap.indent(cls.EXAMPLE.format(name=cls.name), "    ")
            cls.__doc__ = f"\n{law}\n\n{example}\n"

    @classmethod
    def default_format(cls, definition: OpDef) -> str:
        return _text_form(definition)


def _text_form(op: OpDef) -> str:
    """
    Operands, properties, then types. If the result type follows from the first operand, only operand types are given;
    one operand and one result need no parentheses.
    """
    text = ""
    for name, each in op.operands:
        may_be_absent = isinstance(each, VariadicDef) and text
        text += f" (`,` ${name}^)?" if may_be_absent else f"{' `,` ' if text else ''}${name}"
    types = "functional-type(operands, results)"
    if op.operands and len(op.results) == 1:
        (first, source), (name, result) = op.operands[0], op.results[0]
        if result.constr.can_infer(source.constr.variables(), length_known=True):
            types = " `,` ".join(f"type(${operand})" for operand, _ in op.operands)
        elif len(op.operands) == 1 and not isinstance(source, VariadicDef):
            types = f"type(${first}) `->` type(${name})"
    return f"{text} attr-dict `:` {types}"
