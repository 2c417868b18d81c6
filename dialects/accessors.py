"""
Accessors of operands and results, by name or all. They do what xDSL's do, but without a view of all operands, since
compiling asks a hundred thousand times.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.ir import Operation, SSAValue, SSAValues
from xdsl.irdl.operations import (
    BaseAccessor,
    BaseAttrAccessor,
    BeforeVariadicSingleAccessor,
    SingleAttrAccessor,
    UniqueVariadicAccessor,
    VariadicAttrAccessor,
    VarIRConstruct,
)

# pyright: reportPrivateUsage=false

MANY = 1 << 8
"""The number of segment sizes that are cached; few differ."""

_take: Callable[[tuple[SSAValue, ...], Any], Any] = cast(Any, tuple).__getitem__
"""Takes an element of a tuple; `SSAValues` does it in Python."""


def operands_of(op: Operation) -> SSAValues[SSAValue]:
    """The operands of an operation, as they are now."""
    return op._operands


class _Operand(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValue:
        return _take(obj._operands, self.idx)


class _Result(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValue:
        return _take(obj.results, self.idx)


class _Operands(UniqueVariadicAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Sequence[SSAValue]:
        return self.index(obj._operands)


class _Segment(VariadicAttrAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValues:
        operands, place = obj._operands, _segment(self, obj)
        if place.stop - place.start == len(operands):
            return operands  # one segment, as a map on tensors has: its `outs` are empty
        return SSAValues(_take(operands, place))


class _SingleSegment(SingleAttrAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValue:
        return _take(obj._operands, _segment(self, obj).start)


def _segment(accessor: BaseAttrAccessor, op: Operation) -> slice:
    option = accessor.option
    sizes: Any = option.container(op)[option.attribute_name]
    return segments(sizes.data.data)[accessor.idx]


@lru_cache(MANY)
def segments(sizes: bytes) -> list[slice]:
    """The parts of a list that segments of these sizes are; sizes are 32-bit integers."""
    found, begin = list[slice](), 0
    for (size,) in struct.iter_unpack("<i", sizes):
        found.append(slice(begin, begin + size))
        begin += size
    return found


_DIRECT: dict[type, dict[VarIRConstruct, type]] = {
    BeforeVariadicSingleAccessor: {
        VarIRConstruct.OPERAND: _Operand,
        VarIRConstruct.RESULT: _Result,
    },
    UniqueVariadicAccessor: {VarIRConstruct.OPERAND: _Operands},
    VariadicAttrAccessor: {VarIRConstruct.OPERAND: _Segment},
    SingleAttrAccessor: {VarIRConstruct.OPERAND: _SingleSegment},
}


def direct(attribute: object) -> object:
    """The attributes of a class, with its accessors replaced by ours."""
    kinds = _DIRECT.get(type(attribute))
    if kinds is None:
        return attribute
    accessor = cast(BaseAccessor, attribute)
    kind = kinds.get(accessor.construct)
    return accessor if kind is None else kind(**vars(accessor))
