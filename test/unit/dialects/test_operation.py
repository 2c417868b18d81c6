"""What all our operations share: they are what their class says, and leave the memory when they are erased."""

from __future__ import annotations

import gc
from abc import ABC
from functools import partial
from typing import Any
from weakref import ref

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    IntAttr,
    LocationAttr,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
)
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import operand_def, traits_def
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from lowstream.dialects import nn
from lowstream.dialects.inferred import InferredOp
from lowstream.dialects.kernel import Access, MapOp, YieldOp
from lowstream.dialects.operation import Op, erase, op_definition
from lowstream.dialects.traits import Isolated
from lowstream.dialects.walk import readers_of
from lowstream.runtime.collector import collector_paused

TENSOR = TensorType(f32, [4])


def doubling() -> MapOp:
    """A kernel whose body has an argument, and operations behind each other."""
    x = create_ssa_value(TENSOR)
    block = Block(arg_types=[f32])
    double = arith.AddfOp(block.args[0], block.args[0])
    block.add_ops((double, arith.MulfOp(double.result, double.result), YieldOp(double.result)))
    identity = Access.identity(1)
    return MapOp([4], [x], [identity, identity], Region(block), results=[TENSOR])


def test_an_erased_operation_and_its_body_leave_the_memory_at_once():
    with collector_paused():
        kernel = doubling()
        assert kernel.body.block.first_op is not None
        gone = [ref(kernel), ref(kernel.body.block), *map(ref, kernel.body.block.ops)]
        assert len(gone) == 5
        kernel.erase()
        del kernel
        assert [each() for each in gone] == [None] * 5
    gc.collect()


def test_an_erased_operation_of_xdsl_leaves_the_memory_at_once():
    with collector_paused():
        value = create_ssa_value(f32)
        outer, inner = arith.NegfOp(value), arith.NegfOp(value)
        user = arith.NegfOp(outer.result)
        with pytest.raises(ValueError, match="still has uses"):
            erase(outer)
        gone = ref(inner)
        erase(inner)
        del inner
        assert gone() is None
        assert readers_of(outer.result) == [user]
    gc.collect()


def test_an_operation_whose_results_are_used_is_not_erased():
    kernel = doubling()
    user = nn.ReluOp.of(kernel.results[0])
    with pytest.raises(ValueError, match="still has uses"):
        kernel.erase()
    assert len(kernel.results) == 1
    user.erase()
    kernel.erase()


@pytest.mark.parametrize("kind", [Op, InferredOp, nn.ReluOp, nn.AddOp])
def test_an_operation_is_what_its_class_is(kind: type[Operation]):
    add = nn.AddOp.of(create_ssa_value(TENSOR), create_ssa_value(TENSOR))
    assert isinstance(add, kind) == issubclass(nn.AddOp, kind)
    assert not isinstance(TENSOR, kind)


@pytest.mark.parametrize(
    "location", [None, FileLineColLoc(StringAttr("model.mlir"), IntAttr(3), IntAttr(1))], ids=str
)
def test_operations_are_made_as_xdsl_makes_them(location: LocationAttr | None):
    x, there = create_ssa_value(TENSOR), Block()
    given: dict[str, Any] = {
        "operands": [x, x],
        "result_types": [TENSOR, f32],
        "properties": {"axis": UnitAttr()},
        "attributes": {"note": UnitAttr()},
        "location": location,
        "successors": [there],
    }
    ours, theirs = (
        create(**given, regions=[Region(Block()), Region()])
        for create in (nn.AddOp.create, partial(Operation.create.__func__, nn.AddOp))  # pyright: ignore[reportFunctionMemberAccess]
    )
    assert vars(ours).keys() == vars(theirs).keys() | {"_successors", "_successor_uses"}
    for op in (ours, theirs):
        assert [use.index for use in x.uses if use.operation is op] == [1, 0]
        assert [(use.operation, use.index) for use in op._operand_uses] == [(op, 0), (op, 1)]  # pyright: ignore[reportPrivateUsage]
        assert [(each.op, each.index, each.type) for each in op.results] == [
            (op, 0, TENSOR),
            (op, 1, f32),
        ]
        assert op.properties == given["properties"] | {"auto_broadcast": StringAttr("numpy")}
        assert op.attributes == given["attributes"] and op.attributes is not given["attributes"]
        assert op.location == (location or UNKNOWN_LOC)
        assert list(op.successors) == [there]
        assert [region.parent for region in op.regions] == [op, op]
    assert given["properties"].keys() == {"axis"}


class PureOp(Op, ABC):
    traits = traits_def(Pure())


def defined_later() -> Any:
    @op_definition
    class LateOp(PureOp):
        name = "test.late"

        value = operand_def(TENSOR)

        traits = traits_def(IsTerminator())

        def verify_(self) -> None:
            if not self.value.uses:
                raise VerifyException("nobody reads")

    return LateOp


def test_an_operation_is_defined_when_the_first_is_made():
    kind = defined_later()
    assert "get_irdl_definition" not in vars(kind)
    value = create_ssa_value(TENSOR)
    op = kind.create(operands=[value])
    assert op.value is value
    op.verify()
    with pytest.raises(VerifyException, match="operand 'value'"):
        kind.create(operands=[create_ssa_value(f32)]).verify()


def test_an_operation_is_defined_when_its_definition_is_asked_for():
    kind = defined_later()
    assert [name for name, _ in kind.get_irdl_definition().operands] == ["value"]
    assert kind.get_irdl_definition() is kind.get_irdl_definition()


def test_traits_are_known_before_that():
    kind = defined_later()
    before = kind.has_trait(Pure), kind.has_trait(IsTerminator)
    assert "get_irdl_definition" not in vars(kind)
    kind.get_irdl_definition()
    assert before == (kind.has_trait(Pure), kind.has_trait(IsTerminator)) == (True, True)


def holder(*inside: Operation) -> Operation:
    """An operation with these in its region."""
    op = arith.ConstantOp.from_int_and_width(0, 32)
    op.add_region(Region(Block(inside)))
    return op


def test_nothing_inside_an_isolated_operation_uses_values_from_outside():
    outside = arith.ConstantOp.from_int_and_width(1, 32)
    within = arith.ConstantOp.from_int_and_width(2, 32)
    deep = holder(arith.AddiOp(within.result, within.result))
    op = holder(within, deep)
    Block((outside, op))
    Isolated().verify(op)
    assert deep.regions[0].block.last_op is not None
    for value in (outside.results[0], op.results[0]):
        deep.regions[0].block.last_op.operands[1] = value
        with pytest.raises(VerifyException, match="defined out of"):
            Isolated().verify(op)
