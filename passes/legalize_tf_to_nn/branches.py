"""`tf.If` as `infra.if`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import i1
from xdsl.ir import Block
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.inferred import tensor
from ..tensorflow import TfOp
from ..tensorflow_rules.branches import branched
from .translation import Translation, rule
from .values import Value
from .variables import VariableValues


@rule("If", "StatelessIf")
def if_(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    condition, *inputs = t.tensors_of(op, values)
    bodies: list[Block] = []
    for role in ("then_branch", "else_branch"):
        block = Block(arg_types=[value.type for value in inputs])
        inner = Translation(InsertPoint.at_end(block), t.functions, VariableValues({}))
        given = inner.block(t.functions[op.symbol(role)].body.block, list(block.args))
        inner.builder.insert(infra.YieldOp(*inner.tensors_of(op, given)))
        bodies.append(block)
    if tensor(condition).element_type != i1:
        condition = t(nn.NotEqualOp, condition, t.like(condition, 0))
    return branched(t, condition, inputs, bodies)
