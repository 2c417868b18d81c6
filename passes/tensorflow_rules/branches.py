"""Branches whose bodies are written."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Region, SSAValue

from ...dialects import infra
from ...dialects.inferred import constant_integers
from ...dialects.nn.writer import Writer
from ...dialects.rewriter import Rewriter


def branched(
    write: Writer, condition: SSAValue, inputs: Sequence[SSAValue], bodies: Sequence[Block]
) -> Sequence[SSAValue]:
    """An If whose bodies are written here. Raises VerifyException where their results differ in kind."""
    first = bodies[0].last_op
    assert isinstance(first, infra.YieldOp)
    made = infra.IfOp.create(
        operands=[condition, *inputs],
        result_types=[value.type for value in first.values],
        regions=[Region(body) for body in bodies],
    )
    write.builder.insert(made)
    for result, type in zip(made.results, made.infer_types(constant_integers), strict=True):
        Rewriter.replace_value_with_new_type(result, type)
    return made.results
