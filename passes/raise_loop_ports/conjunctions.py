"""Conditions that are branches: front ends write `a and b` so that b is computed only where a holds."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import is_side_effect_free

from ...dialects import infra, nn
from ...dialects.blob import element_count
from ...dialects.inferred import constant_integers, tensor
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter
from .loop import Loop, conjuncts


def raise_conjunctions(loop: Loop) -> bool:
    """
    `if a {b} else {false}` is `a and b`, if `b` is computed of single numbers and has no effect: that it is computed in
    any case costs no more than a branch.
    """
    if loop.op.condition is None:
        return False
    raised = [_raise_conjunction(leaf) for leaf in conjuncts(loop.op.condition)]
    return any(raised)


def _raise_conjunction(leaf: SSAValue) -> bool:
    op = leaf.owner
    if not isinstance(op, infra.IfOp) or len(op.results) != 1:
        return False
    (held,), (otherwise,) = op.yielded(0), op.yielded(1)
    known, body = constant_integers(otherwise), op.bodies[0]
    if known is None or any(known) or {op.condition.type, held.type} != {leaf.type}:
        return False
    *inner, last = body.ops
    is_of_numbers = all(
        is_side_effect_free(each) and not each.regions and all(map(_is_number, each.results))
        for each in inner
    )
    if not is_of_numbers:
        return False
    Rewriter.inline_block(body, InsertPoint.before(op), op.inputs)
    (held,) = last.operands  # an argument of the branch is an input now
    Rewriter.erase_op(last)
    both = Writer(InsertPoint.before(op))(nn.LogicalAndOp, op.condition, held)
    Rewriter.replace_op(op, [], [both])
    return True


def _is_number(value: SSAValue) -> bool:
    type: Attribute = value.type
    if not isinstance(type, TensorType) or not tensor(value).has_static_shape():
        return False
    return element_count(tensor(value)) == 1
