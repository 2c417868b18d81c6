"""
Accessors of operands and results, by name or all. They do what xDSL's do, but without a view of all operands, since
compiling asks a hundred thousand times.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, cast

from xdsl.ir import Operation, Region, SSAValue, SSAValues
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


def first_operand(op: Operation) -> SSAValue:
    """The first operand. Raises IndexError where there is none."""
    return _take(op._operands, 0)


class _Operand(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValue:
        return _take(obj._operands, self.idx)


class _Result(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValue:
        return _take(obj.results, self.idx)


class _Region(BeforeVariadicSingleAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Region:
        return obj.regions[self.idx]


class _Operands(UniqueVariadicAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> Sequence[SSAValue]:
        end = self.idx + len(obj._operands) - self.num_defs + 1
        return _part(obj._operands, slice(self.idx, end))


class _Segment(VariadicAttrAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValues:
        return _part(obj._operands, _segment(self, obj))


class _SingleSegment(SingleAttrAccessor):
    def __get__(self, obj: Operation, objtype: object = None) -> SSAValue:
        return _take(obj._operands, _segment(self, obj).start)


def _part(operands: SSAValues, place: slice) -> SSAValues:
    """A part of all operands, which is often all of them: a map on tensors has no `outs`."""
    is_all = place.stop - place.start == len(operands)
    return operands if is_all else SSAValues(_take(operands, place))


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
        VarIRConstruct.REGION: _Region,
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
