"""What all our operations share: they are what their class says, and leave the memory when they are erased."""

from __future__ import annotations

import gc
from abc import ABC
from typing import Any
from weakref import ref

import pytest
from xdsl.dialects import arith
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import operand_def, traits_def
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.test_value import create_ssa_value

from lowstream.dialects import nn
from lowstream.dialects.inferred import InferredOp
from lowstream.dialects.kernel import Access, MapOp, YieldOp
from lowstream.dialects.operation import Op, op_definition
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
