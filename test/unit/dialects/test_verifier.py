"""Operations fit their definitions, or not, for the reasons that xDSL's verifier gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, TensorType, f32, i8, i32
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import OpDef
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from lowstream.dialects import kernel, nn
from lowstream.dialects.kernel import Access, MapOp, YieldOp

F32, I8 = TensorType(f32, [4]), TensorType(i8, [4])


def doubled() -> MapOp:
    """A kernel that gives what it reads."""
    block, identity = Block(arg_types=[f32]), Access.identity(1)
    block.add_op(YieldOp(block.args[0]))
    x = create_ssa_value(F32)
    return MapOp([4], [x], [identity, identity], Region(block), results=[F32])


def added(*types: Any) -> Operation:
    return nn.AddOp.create(
        operands=[create_ssa_value(each) for each in types], result_types=[types[0]]
    )


def viewed(count: int) -> Operation:
    """An operation with an optional operand."""
    return kernel.ViewOp.create(operands=[create_ssa_value(F32)] * count, result_types=[F32])


def changed(change: Callable[[Operation], object]) -> Operation:
    op = doubled()
    change(op)
    return op


def sized(*sizes: int) -> Callable[[Operation], object]:
    given = {"operandSegmentSizes": DenseArrayBase.from_list(i32, sizes)}
    return lambda op: op.properties.update(given)


WRONG = {
    "an operand too few": added(F32),
    "an operand too many": added(F32, F32, F32),
    "a wrong type": added(F32, f32),
    "no operand": viewed(0),
    "too many optional operands": viewed(3),
    "no property": changed(lambda op: op.properties.pop("domain")),
    "an unknown property": changed(lambda op: op.properties.update(more=StringAttr("x"))),
    "a wrong property": changed(lambda op: op.properties.update(domain=StringAttr("x"))),
    "no sizes": changed(lambda op: op.properties.pop("operandSegmentSizes")),
    "sizes of no array": changed(
        lambda op: op.properties.update(operandSegmentSizes=StringAttr("x"))
    ),
    "too many sizes": changed(sized(1, 0, 0)),
    "sizes that do not add up": changed(sized(2, 0)),
    "a negative size": changed(sized(2, -1)),
    "no region": changed(lambda op: op.detach_region(op.regions[0])),
    "two blocks": changed(lambda op: op.regions[0].add_block(Block())),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_what_xdsl_says(wrong: Any):
    definition = wrong.get_irdl_definition()
    with pytest.raises(VerifyException) as wanted:
        OpDef.verify(definition, wrong)
    with pytest.raises(VerifyException) as said:
        definition.verify(wrong)
    assert str(said.value) == str(wanted.value)


@pytest.mark.parametrize("op", [doubled(), added(F32, F32), added(I8, I8)], ids=["map", "f", "i"])
def test_what_fits_is_not_verified_by_xdsl(op: Any, monkeypatch: pytest.MonkeyPatch):
    definition = op.get_irdl_definition()
    OpDef.verify(definition, op)
    monkeypatch.setattr("xdsl.irdl.operations.verify_variadic_size", None)
    definition.verify(op)


def test_traits_are_verified():
    block = Block([YieldOp(), YieldOp()])
    first: Any = block.first_op
    with pytest.raises(VerifyException, match="must be the last operation in its parent block"):
        first.get_irdl_definition().verify(first)
