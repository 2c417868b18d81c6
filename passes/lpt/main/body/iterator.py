"""TensorIterator and Loop."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter
from xdsl.rewriter import InsertPoint

from .....dialects.inferred import normalize_axis, shape_of, tensor
from .....dialects.infra import (
    InvariantAttr,
    IteratorOp,
    SlicedAttr,
)
from ...dequantization import Dequantization
from ...plan import LptPlan
from ...provenance import feeds_codes, merged_with, results_of
from ...shared_quantization import enter_codes, quantize, shared_parameters
from ...transformation import OpT, Transformation


class CarryCodes(Transformation[OpT]):
    """
    `iterate(dq(q)) = dq'(iterate'(q))`: codes enter and leave the body of an iterator, if an operation behind
    that border multiplies codes.

    - A sliced or an invariant input is dequantized in the body.
    - A result that is quantized in the body is dequantized outside.
    - A value that goes from one iteration to the next is dequantized in each iteration, if the initial value and the
      body's result lie on one grid. Code 0 must mean 0, because a state that is made of the value later begins with 0.
    """

    name: ClassVar[str] = "iterator"

    def transform(self, op: OpT, plan: LptPlan, rewriter: PatternRewriter) -> str | None:
        assert isinstance(op, IteratorOp)
        entered = _enter(op, plan)
        left = [_leave(op, number, plan) for number in range(len(op.yielded))]
        return None if entered or any(left) else ""


def _enter(op: IteratorOp, plan: LptPlan) -> bool:
    """Lets codes in through ports that are not merged. Returns whether some came."""
    any_came = False
    for index, port in enumerate(op.inputs):
        operand, argument = op.operands_[index], op.body.block.args[index]
        side = Dequantization.on(operand)
        if side is None or not isinstance(port, SlicedAttr | InvariantAttr):
            continue
        grid = side.of_integers
        if isinstance(grid, str) or not feeds_codes(argument, plan):
            continue
        if isinstance(port, SlicedAttr):
            axis = normalize_axis(op, port.axis.data, len(shape_of(operand)))
            if side.varies_along(axis):
                continue
        op.operands[op.first_operand + index] = side.codes
        enter_codes(grid, argument, InsertPoint.at_start(op.body.block))
        any_came = True
    return any_came


def _leave(op: IteratorOp, number: int, plan: LptPlan) -> bool:
    """Lets a result of the body out, or around, as codes. Returns whether it went."""
    value = op.yielded[number]
    if not isinstance(tensor(value).element_type, AnyFloat):
        return False
    merged = merged_with(op, number)
    results = results_of(op, number)
    uses: list[SSAValue] = [op.body.block.args[i] for i in merged]
    uses += [op.results[i] for i in results]
    if not any(feeds_codes(use, plan) for use in uses):
        return False
    grids = [shared_parameters(use, plan) for use in uses]
    grid = grids[0]
    if isinstance(grid, str) or any(isinstance(one, str) for one in grids):
        return False
    if merged and not grid.is_symmetric:
        return False
    last = op.body.block.last_op
    assert last is not None, "a body ends in its results"
    last.operands[number] = quantize(grid, value, InsertPoint.before(last))
    for i in merged:
        operand = op.first_operand + i
        op.operands[operand] = quantize(grid, op.operands[operand], InsertPoint.before(op))
        enter_codes(grid, op.body.block.args[i], InsertPoint.at_start(op.body.block))
    for i in results:
        enter_codes(grid, op.results[i], InsertPoint.after(op))
    return True
