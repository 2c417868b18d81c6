"""
The common base of all our operations: compiling asks for their classes half a million times, and erases them by
thousands.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Mapping, Sequence
from functools import cache
from threading import RLock
from types import MappingProxyType
from typing import Any, Self, TypeVar

from xdsl.dialects.builtin import UNKNOWN_LOC, LocationAttr
from xdsl.ir import (
    Attribute,
    Block,
    Operation,
    OpResult,
    OpTraits,
    Region,
    SSAValue,
    SSAValues,
    Use,
)
from xdsl.irdl import IRDLOperation, OpDef, OptionalDef, irdl_op_definition

from .accessors import direct
from .verifier import Verifier
from .walk import block_operations

# pyright: reportPrivateUsage=false
# xDSL's public names for the links between operations, values and uses are functions.


class _OperationClass(ABCMeta):
    """Nobody registers subclasses by `ABCMeta.register`, for which `isinstance` else calls Python."""

    __instancecheck__ = type.__instancecheck__

    def __setattr__(cls, name: str, value: Any) -> None:
        """As `irdl_op_definition` does with the accessors it makes."""
        super().__setattr__(name, direct(value))


OpT = TypeVar("OpT", bound="Op")

NOTHING: Mapping[str, Attribute] = MappingProxyType({})
"""No properties, or no attributes."""


def initialize(
    op: Operation,
    operands: Sequence[SSAValue] = (),
    result_types: Sequence[Attribute] = (),
    properties: Mapping[str, Attribute] = NOTHING,
    attributes: Mapping[str, Attribute] = NOTHING,
    regions: Sequence[Region] = (),
) -> None:
    """
    What `Operation.__init__` does for an operation without successors and place in a file, in a third of the time:
    compiling makes operations by tens of thousands.
    """
    if operands:
        op._operands = values = SSAValues(operands)
        op._operand_uses = tuple([_used(value, op, n) for n, value in enumerate(values)])
    op.results = SSAValues([OpResult(type, op, n) for n, type in enumerate(result_types)])
    op.properties, op.attributes = dict(properties), dict(attributes)
    op.location = UNKNOWN_LOC
    for region in regions:
        op.add_region(region)
    if (defaults := _defaults(type(op))) is None:
        op.__post_init__()
    elif defaults is not _NO_DEFAULTS:
        _set_defaults(op, defaults)


def _used(value: SSAValue, op: Operation, index: int) -> Use:
    """As `SSAValue.add_use`."""
    first = value.first_use
    value.first_use = use = Use(op, index, None, first)
    if first is not None:
        first._prev_use = use
    return use


_UNDEFINED = set[type["Op"]]()
_DEFINING = RLock()


def op_definition(kind: type[OpT]) -> type[OpT]:
    """
    As xDSL's `irdl_op_definition`, but defines the class when it is first needed. A model has few of all operations,
    and defining all would be a tenth of the import time. Traits are known at once.
    """
    inherited = [vars(base)["traits"] for base in kind.__mro__ if "traits" in vars(base)]
    kind.traits = OpTraits(lambda: tuple(each for traits in inherited for each in traits.traits))
    _UNDEFINED.add(kind)
    return kind


def _define(kind: type[Op]) -> None:
    with _DEFINING:  # other threads wait until it is whole
        if kind in _UNDEFINED:
            irdl_op_definition(kind)
            definition = kind.get_irdl_definition()
            if (verifier := Verifier.of(definition)) is not None:
                definition.verify = verifier.verify
            _UNDEFINED.discard(kind)


class Op(IRDLOperation, metaclass=_OperationClass):
    """An operation of one of our dialects."""

    def __new__(cls, *given: Any, **named: Any) -> Self:
        if cls in _UNDEFINED:
            _define(cls)
        return super().__new__(cls)

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        """Of a class that is defined later; afterwards it has a method of its own."""
        if cls not in _UNDEFINED:
            return super().get_irdl_definition()
        _define(cls)
        return cls.get_irdl_definition()

    @classmethod
    def create(
        cls,
        *,
        operands: Sequence[SSAValue] = (),
        result_types: Sequence[Attribute] = (),
        properties: Mapping[str, Attribute] = NOTHING,
        attributes: Mapping[str, Attribute] = NOTHING,
        location: LocationAttr | None = None,
        successors: Sequence[Block] = (),
        regions: Sequence[Region] = (),
    ) -> Self:
        """As xDSL does, by `initialize`."""
        op = cls.__new__(cls)
        initialize(op, operands, result_types, properties, attributes, regions)
        if location is not None:
            op.location = location
        if successors:
            op.successors = successors
        return op

    def __post_init__(self) -> None:
        """As xDSL does, but each class knows its defaults: few have any, and xDSL looks at every definition."""
        defaults = _defaults(type(self))
        assert defaults is not None, "an operation of ours has the defaults that it defines"
        _set_defaults(self, defaults)

    def erase(self, safe_erase: bool = True, drop_references: bool = True) -> None:
        """By `erase`."""
        erase(self, safe_erase, drop_references)


def erase(op: Operation, safe_erase: bool = True, drop_references: bool = True) -> None:
    """
    Erases an operation, also one of xDSL's dialects, as xDSL does, and frees its memory: Python's collector is paused
    while a model is compiled. xDSL makes a value in the place of each result, which only a used one needs.
    """
    op.results = used = SSAValues([each for each in op.results if each.first_use is not None])
    if used or op.regions or op._successors or not drop_references:
        Operation.erase(op, safe_erase, drop_references)
        _break_circles(op)
        return
    assert op.parent is None, "detach an operation before it is erased"
    for value, use in zip(op._operands, op._operand_uses, strict=True):
        value.remove_use(use)
    op._operand_uses = ()


Defaults = tuple[tuple[tuple[str, Attribute], ...], tuple[tuple[str, Attribute], ...]]
"""The values of properties, and of attributes, that an operation has if it is given no others."""

_NO_DEFAULTS: Defaults = ((), ())


@cache
def _defaults(kind: type[Operation]) -> Defaults | None:
    """The defaults of a class; None of one that is not begun as `IRDLOperation` begins its operations."""
    if kind.__post_init__ not in (IRDLOperation.__post_init__, Op.__post_init__):
        return None
    assert issubclass(kind, IRDLOperation)
    definition = kind.get_irdl_definition()
    properties, attributes = (
        tuple(
            (name, each.default_value)
            for name, each in definitions.items()
            if not isinstance(each, OptionalDef) and each.default_value is not None
        )
        for definitions in (definition.properties, definition.attributes)
    )
    return (properties, attributes) if properties or attributes else _NO_DEFAULTS


def _set_defaults(op: Operation, defaults: Defaults) -> None:
    properties, attributes = defaults
    for name, value in properties:
        op.properties.setdefault(name, value)
    for name, value in attributes:
        op.attributes.setdefault(name, value)


def _break_circles(op: Operation) -> None:
    """
    Breaks reference cycles: results refer to their operation, arguments to their block, and operations to their
    neighbours.
    """
    op.results = SSAValues()
    for region in op.regions:
        for block in region.blocks:
            for inner in block_operations(block):
                inner._next_op = inner._prev_op = None
                _break_circles(inner)
            block._args = ()
            block._first_op = block._last_op = None
