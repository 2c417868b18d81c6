"""Our `Rewriter` changes operations, uses and names as xDSL's does; each change is made by both, on equal blocks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from xdsl import rewriter
from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import InsertPoint

from lowstream.dialects.kernel import YieldOp
from lowstream.dialects.rewriter import (
    Rewriter,
    append,
    insert_before,
    move_operations,
    move_uses,
    replace_all_uses,
)
from lowstream.dialects.walk import block_operations


def operations() -> tuple[Block, list[Operation]]:
    """A block of four operations: the first has two uses in one of the others, and a name."""
    block = Block(arg_types=[f32, f32])
    first = arith.AddfOp(block.args[0], block.args[1])
    first.result.name_hint = "sum_1"
    second = arith.MulfOp(first.result, first.result)
    third = arith.SubfOp(second.result, first.result)
    ops: list[Operation] = [first, second, third, YieldOp(third.result)]
    block.add_ops(ops)
    return block, ops


def looks(block: Block) -> list[object]:
    """Operations from either end, with operands, names and parents, and the uses of each value in their order."""
    ops = block_operations(block)
    backwards, op = list[Operation](), block.last_op
    while op is not None:
        backwards.append(op)
        op = op.prev_op
    assert backwards == ops[::-1]
    values = [*block.args, *(result for each in ops for result in each.results)]
    assert all(use.operation.operands[use.index] is v for v in values for use in v.uses)
    numbers = {value: number for number, value in enumerate(values)}
    return [
        [(each.name, [numbers[value] for value in each.operands]) for each in ops],
        [each.parent is block for each in ops],
        [value.name_hint for value in values],
        [[(ops.index(use.operation), use.index) for use in value.uses] for value in values],
    ]


def new(block: Block, name: str | None = None) -> arith.NegfOp:
    made = arith.NegfOp(block.args[1])
    made.result.name_hint = name
    return made


def both(by: type[rewriter.Rewriter], change: Callable[..., object]) -> list[object]:
    block, ops = operations()
    change(by, block, ops)
    return looks(block)


CHANGES: dict[str, Callable[[type[rewriter.Rewriter], Block, list[Operation]], object]] = {
    "replace by a new operation": lambda by, block, ops: by.replace_op(ops[0], new(block)),
    "replace by what has a name": lambda by, block, ops: by.replace_op(ops[0], new(block, "other")),
    "replace by two": lambda by, block, ops: by.replace_op(ops[1], [new(block), new(block)]),
    "replace by the first of two": lambda by, block, ops: by.replace_op(
        ops[1], (made := [new(block), new(block)]), [made[0].result]
    ),
    "replace by a value": lambda by, block, ops: by.replace_op(ops[1], [], [ops[0].results[0]]),
    "replace by an argument": lambda by, block, ops: by.replace_op(ops[0], (), [block.args[1]]),
    "replace what nobody gives": lambda by, block, ops: by.replace_op(ops[3], [], []),
    "drop a result": lambda by, block, ops: (
        by.erase_op(ops[3]),
        by.replace_op(ops[2], [new(block)], [None]),
    ),
    "erase": lambda by, block, ops: by.erase_op(ops[3]),
    "insert first": lambda by, block, ops: by.insert_op(new(block), InsertPoint.before(ops[0])),
    "insert two": lambda by, block, ops: by.insert_op(
        [new(block), new(block)], InsertPoint.after(ops[1])
    ),
    "insert last": lambda by, block, ops: by.insert_op(new(block), InsertPoint.at_end(block)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_that_of_xdsl(name: str):
    assert both(Rewriter, CHANGES[name]) == both(rewriter.Rewriter, CHANGES[name])


def test_uses_are_replaced_in_the_order_of_xdsl():
    for name in (None, "other"):
        looked: list[object] = []
        for is_ours in (True, False):
            block, ops = operations()
            block.args[0].name_hint = name
            old, value = ops[0].results[0], block.args[0]
            if is_ours:
                replace_all_uses(old, value)
            else:
                old.replace_all_uses_with(value)
            looked.append(looks(block))
        assert looked[0] == looked[1]


def test_a_value_replaces_itself():
    block, ops = operations()
    before = looks(block)
    replace_all_uses(ops[0].results[0], ops[0].results[0])
    assert looks(block) == before


def test_moved_uses_leave_the_name():
    block, ops = operations()
    move_uses(ops[0].results[0], block.args[0])
    assert block.args[0].name_hint is None
    assert ops[0].results[0].first_use is None
    assert {use.operation for use in block.args[0].uses} == set(ops[:3])
    looks(block)


@pytest.mark.parametrize("count", [0, 1])
def test_operations_move_behind_others(count: int):
    (source, ops), target = operations(), Block()
    target.add_ops(arith.ConstantOp.from_int_and_width(n, i32) for n in range(count))
    before = block_operations(target)
    move_operations(source, target)
    assert block_operations(target) == [*before, *ops]
    assert [each.parent for each in ops] == [target] * len(ops)
    assert source.is_empty
    move_operations(source, target)
    assert target.last_op is ops[-1]
    target.add_op(arith.ConstantOp.from_int_and_width(0, i32))
    assert block_operations(target)[-2] is ops[-1]


def test_an_operation_has_one_block_and_is_not_in_itself():
    block, ops = operations()
    with pytest.raises(ValueError, match="already attached"):
        append(block, ops[0])
    with pytest.raises(ValueError, match="already attached"):
        insert_before(ops[3], ops[1])
    outer = arith.ConstantOp.from_int_and_width(0, i32)
    outer.add_region(Region(block))
    with pytest.raises(ValueError, match="contained in the operation"):
        append(block, outer)
    with pytest.raises(ValueError, match="without a parent"):
        Rewriter.replace_op(outer, [], [])
    with pytest.raises(ValueError, match="Expected 1 new results, but got 0"):
        Rewriter.replace_op(ops[0], [], [])
