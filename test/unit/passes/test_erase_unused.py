"""An operation is dead if nobody uses its results and it does nothing else."""

from __future__ import annotations

import pytest
from xdsl.dialects import arith, func, test
from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import Block, Operation
from xdsl.utils.test_value import create_ssa_value

from lowstream.dialects import infra, nn
from lowstream.dialects.kernel import YieldOp
from lowstream.passes.erase_unused import is_dead

VALUE = create_ssa_value(TensorType(f32, [2]))


@pytest.mark.parametrize(
    ("op", "has_effects"),
    [
        (nn.ReluOp.of(VALUE), False),
        (arith.ConstantOp.from_int_and_width(0, 32), False),
        (infra.AssignOp.create(operands=[VALUE], result_types=[VALUE.type]), True),
        (func.FuncOp("f", ((), ())), True),
        (func.ReturnOp(), True),
        (YieldOp(), True),
        (test.TestOp(), True),
        (test.TestPureOp(), False),
    ],
    ids=lambda each: each.name if isinstance(each, Operation) else str(each),
)
def test_what_has_effects_or_ends_a_block_is_not_dead(op: Operation, has_effects: bool):
    Block([op])
    assert is_dead(op) == is_dead(op) == (not has_effects)


def test_what_is_used_is_not_dead():
    used = nn.ReluOp.of(VALUE)
    user = nn.ReluOp.of(used.result)
    Block([used, user])
    assert not is_dead(used)
    assert is_dead(user)
