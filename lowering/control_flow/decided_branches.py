"""
Branches that an input decides, as in a decoder that was exported with and without a cache. A program may be made for
one value of that input.
"""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, TensorType, i1
from xdsl.ir import Block, BlockArgument, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.module import entry_of
from ...dialects.nn.writer import Writer
from ...passes.errors import DiagnosticError
from ...passes.unroll_loops import can_unroll, unroll
from ..calling_convention import UNFIT


def conditions_of(module: ModuleOp) -> dict[int, list[infra.IfOp]]:
    """The branches of the entry whose condition is a boolean input, by the number of the input."""
    found: dict[int, list[infra.IfOp]] = {}
    for op in entry_of(module).body.block.ops:
        if isinstance(op, infra.IfOp) and (number := _input_of(op.condition)) is not None:
            found.setdefault(number, []).append(op)
    return found


def _input_of(condition: SSAValue) -> int | None:
    while isinstance(condition.owner, nn.ReshapeOp):
        condition = condition.owner.input
    is_boolean = tensor(condition).element_type == i1
    return condition.index if is_boolean and isinstance(condition, BlockArgument) else None


def decide(name: str, module: ModuleOp, number: int, value: int) -> None:
    """
    Replaces each branch that an input decides by the body for this value of the input. A call with another value ends
    in front of them: it is for another program. Raises DiagnosticException where the input decides none.
    """
    block = entry_of(module).body.block
    if not (branches := conditions_of(module).get(number)):
        raise DiagnosticError(
            f"{name}: input {number} is no condition of a branch; give numbers of inputs that are, and 0 or 1 for each"
        )
    write = Writer(InsertPoint.at_start(block))
    given = write.reshaped(block.args[number], ())
    unfit, fit = [infra.FailOp(UNFIT), infra.YieldOp()], [infra.YieldOp()]
    regions = [Region(Block(ops)) for ops in ((fit, unfit) if value else (unfit, fit))]
    write.builder.insert(infra.IfOp.create(operands=[given], regions=regions))
    for op in branches:
        op.operands[0] = write.constant(BlobAttr.of(TensorType(i1, shape_of(op.condition)), value))
        if can_unroll(op):
            unroll(op)
