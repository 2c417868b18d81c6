"""`loop-invariant-code-motion`: what is the same in every iteration is computed once, in front of the loop."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, kernel, nn
from ...dialects.blob import element_count
from ...dialects.inferred import tensor
from ...dialects.rewriter import Rewriter
from ...passes.rebuilt import rebuilt
from ..separate_results import SINKS

MOVABLE = (kernel.EmittedOp, kernel.ReshapeOp, kernel.SliceOp, kernel.ConcatOp, kernel.PadOp)
"""Operations without effects: they may run even if no iteration does."""


class LoopInvariantCodeMotion(ModulePass):
    """
    A kernel of a body that reads only constants and loop invariants moves in front of the iterator, out of inner
    iterators first; its results become invariant inputs.

    A result of more than twice the elements that the kernel reads stays: its readers compute it rather than keep it in
    memory. A result that leaves the body stays, too: it needs memory of its own there (`separate-results`).
    """

    name = "loop-invariant-code-motion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in reversed(kernel.outside_bodies(op)):
            if isinstance(inner, infra.IteratorOp):
                _hoist(inner)


def _hoist(op: infra.IteratorOp) -> None:
    """Moves what is loop-invariant in front of an iterator."""
    body = op.body.block
    outside: dict[SSAValue, SSAValue] = {
        body.args[i]: op.operands_[i] for i in op.invariant_inputs()
    }
    moved: list[Operation] = []
    for inner in body.ops:
        if _is_invariant(inner, outside):
            operands = [_outside(op, operand, outside) for operand in inner.operands]
            new = inner.clone(dict(zip(inner.operands, operands, strict=True)))
            Rewriter.insert_op(new, InsertPoint.before(op))
            outside.update(zip(inner.results, new.results, strict=True))
            moved.append(inner)
    given = [
        result
        for inner in moved
        for result in inner.results
        if any(use.operation not in moved for use in result.uses)
    ]
    if given:
        _give(op, {result: outside[result] for result in given})
    for inner in reversed(moved):
        Rewriter.erase_op(inner)


def _is_invariant(op: Operation, outside: dict[SSAValue, SSAValue]) -> bool:
    """Whether an operation of a body computes the same in every iteration, and is worth its memory."""
    if not isinstance(op, MOVABLE) or not any(operand in outside for operand in op.operands):
        return False
    known = (operand in outside or nn.constant_of(operand) for operand in op.operands)
    if not all(known) or _elements(op.results) > 2 * _elements(op.operands):
        return False
    return not any(isinstance(use.operation, SINKS) for r in op.results for use in r.uses)


def _elements(values: Sequence[SSAValue]) -> int:
    return sum(element_count(tensor(value)) for value in values)


def _outside(op: infra.IteratorOp, value: SSAValue, outside: dict[SSAValue, SSAValue]) -> SSAValue:
    """A value of the body as a value in front of the iterator; constants are copied there."""
    if (found := outside.get(value)) is not None:
        return found
    blob = nn.constant_of(value)
    assert blob is not None, "`_is_invariant` says so"
    constant = nn.ConstantOp(blob)
    Rewriter.insert_op(constant, InsertPoint.before(op))
    return constant.result


def _give(op: infra.IteratorOp, values: dict[SSAValue, SSAValue]) -> None:
    """Replaces values of the body by invariant inputs, which the values in front of the iterator are given to."""
    body, count = op.body.block, len(op.inputs)
    for i, (inside, value) in enumerate(values.items()):
        argument = body.insert_arg(value.type, count + i)
        argument.name_hint = inside.name_hint
        inside.replace_all_uses_with(argument)
    names = [StringAttr(f"invariant{count + i}") for i in range(len(values))]
    properties = {
        "inputs": ArrayAttr([*op.inputs, *[infra.InvariantAttr()] * len(values)]),
        "body_names": ArrayAttr([*op.body_names, *names]),
    }
    new = rebuilt(op, [*op.operands, *values.values()], properties=properties)
    Rewriter.replace_op(op, [], list(new.results))
