"""`tf.If` as `infra.if`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn
from ...dialects.inferred import shape_of, tensor
from ..tensorflow import TfOp
from .translation import Translation, rule
from .values import Value
from .variables import States


@rule("If", "StatelessIf")
def if_(t: Translation, op: TfOp, values: Sequence[Value]) -> Sequence[Value]:
    condition, *inputs = t.tensors_of(op, values)
    bodies: list[Block] = []
    for role in ("then_branch", "else_branch"):
        block = Block(arg_types=[value.type for value in inputs])
        inner = Translation(InsertPoint.at_end(block), t.functions, States({}))
        given = inner.block(t.functions[op.symbol(role)].body.block, list(block.args))
        inner.builder.insert(infra.YieldOp(*inner.tensors_of(op, given)))
        bodies.append(block)
    if tensor(condition).element_type != i1:
        condition = t(nn.NotEqualOp, condition, t.like(condition, 0))
    types = [cast(infra.YieldOp, body.last_op).values for body in bodies]
    result_types = [
        a.type if a.type == b.type else _wider(a, b) for a, b in zip(*types, strict=True)
    ]
    chosen = infra.IfOp.create(
        operands=[condition, *inputs],
        result_types=result_types,
        regions=[Region(body) for body in bodies],
    )
    return list(t.builder.insert(chosen).results)


def _wider(a: SSAValue, b: SSAValue) -> Attribute:
    """The type of either of two values."""
    x, y = shape_of(a), shape_of(b)
    if tensor(a).element_type != tensor(b).element_type or len(x) != len(y):
        raise DiagnosticException(
            f"tf.If: its branches give {a.type} and {b.type}; types must agree"
        )
    shape = [n if n == m else DYNAMIC_INDEX for n, m in zip(x, y, strict=True)]
    return TensorType(tensor(a).element_type, shape)
