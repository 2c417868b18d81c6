"""Operands and results by name are those that xDSL's accessors give."""

from __future__ import annotations

from typing import Any, cast

import pytest
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue, SSAValues
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.test_value import create_ssa_value

from lowstream.dialects.operation import Op
from lowstream.dialects.walk import readers_of


class Fields:
    first = operand_def()
    several = var_operand_def()
    last = operand_def()
    result = result_def()
    others = var_result_def()


class Segments:
    several = var_operand_def()
    single = operand_def()
    optional = opt_operand_def()
    more = var_operand_def()
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


def both(fields: type) -> list[Any]:
    """An operation with these fields as one of ours, and as one of xDSL's."""
    body = {key: value for key, value in vars(fields).items() if not key.startswith("__")}
    body |= {"__annotations__": {}, "__module__": __name__}
    kinds = [
        type(f"{base.__name__}Op", (base,), {"name": f"test.{n}", **body})
        for n, base in enumerate((Op, IRDLOperation))
    ]
    return [irdl_op_definition(cast(type[IRDLOperation], kind)) for kind in kinds]


def values(count: int) -> list[SSAValue]:
    return [create_ssa_value(i32) for _ in range(count)]


@pytest.mark.parametrize("several", range(3))
@pytest.mark.parametrize("others", range(3))
def test_around_one_variadic_field(several: int, others: int):
    first, *rest, last = values(2 + several)
    ours, theirs = (
        kind.build(operands=[first, rest, last], result_types=[i32, [i32] * others])
        for kind in both(Fields)
    )
    for name in ("first", "several", "last"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert isinstance(ours.several, SSAValues)
    assert ours.result is ours.results[0]
    assert ours.others == ours.results[1:]


@pytest.mark.parametrize("several", range(3))
@pytest.mark.parametrize("optional", range(2))
@pytest.mark.parametrize("more", range(3))
def test_segments(several: int, optional: int, more: int):
    segments = [values(count) for count in (several, 1, optional, more)]
    ours, theirs = (kind.build(operands=segments) for kind in both(Segments))
    for name in ("several", "single", "optional", "more"):
        assert getattr(ours, name) == getattr(theirs, name)
    assert isinstance(ours.more, SSAValues)


def test_readers_of_a_value_are_those_of_each_use():
    ours, _ = both(Fields)
    value, other = values(2)
    first = ours(operands=[value, [value], other], result_types=[i32, []])
    second = ours(operands=[other, [], value], result_types=[i32, []])
    assert readers_of(value) == [use.operation for use in value.uses]
    assert (readers_of(value).count(first), readers_of(value).count(second)) == (2, 1)
    assert readers_of(first.result) == []
