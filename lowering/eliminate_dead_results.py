"""`eliminate-dead-results`: removes results of iterators and branches without readers, and what only they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.context import Context
from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, ModuleOp, TensorType, i1, i64
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import dce

from ..dialects import infra, nn
from ..dialects.blob import BlobAttr

ResultPort = infra.ConcatenatedAttr | infra.IterationAttr | infra.MergedAttr
"""A port that names a result of the body."""


@dataclass(frozen=True)
class EliminateDeadResults(ModulePass):
    """
    Removes unused results from the outside in, then the operations that this leaves dead. A loop with a known trip
    count loses its conditions.
    """

    name = "eliminate-dead-results"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            match inner:
                case infra.IteratorOp():
                    if isinstance(inner, infra.LoopOp):
                        _fix_count(inner)
                    _shrink_iterator(inner)
                case infra.IfOp():
                    _shrink_branch(inner)
                case _:
                    continue
            dce(op)


def _fix_count(op: infra.LoopOp) -> None:
    """Replaces the conditions of a loop by its trip count, if that is known."""
    if (count := op.iterations()) is None:
        return
    numbers = (BlobAttr.of(TensorType(i64, []), count), BlobAttr.of(TensorType(i1, []), 1))
    for i, blob in enumerate(numbers):
        constant = nn.ConstantOp(blob)
        Rewriter.insert_op(constant, InsertPoint.before(op))
        op.operands[i] = constant.result
    op.properties.pop("body_condition", None)


def _used(op: Operation) -> list[int]:
    return [i for i, result in enumerate(op.results) if result.first_use is not None]


def _shrink_iterator(op: infra.IteratorOp) -> None:
    kept = _used(op)
    ports = [cast(ResultPort, op.outputs.data[i]) for i in kept]
    merged = [port for port in op.inputs if isinstance(port, infra.MergedAttr)]
    needed = {port.result.data for port in (*ports, *merged)}
    condition = op.body_condition if isinstance(op, infra.LoopOp) else None
    if condition is not None:
        needed.add(condition.value.data)
    if len(kept) == len(op.results) and len(needed) == len(op.yielded):
        return
    order = sorted(needed)
    numbers = {old: new for new, old in enumerate(order)}
    last = op.body.block.last_op
    assert last is not None
    Rewriter.replace_op(last, infra.YieldOp(*(op.yielded[i] for i in order)))
    inputs = [
        _renumbered(port, numbers) if isinstance(port, infra.MergedAttr) else port
        for port in op.inputs
    ]
    properties: dict[str, Attribute] = {
        **op.properties,
        "inputs": ArrayAttr(inputs),
        "outputs": ArrayAttr([_renumbered(port, numbers) for port in ports]),
    }
    if condition is not None:
        properties["body_condition"] = IntegerAttr(numbers[condition.value.data], 64)
    new = type(op).create(
        operands=list(op.operands),
        result_types=[op.results[i].type for i in kept],
        properties=properties,
        attributes=dict(op.attributes),
        regions=[op.detach_region(op.body)],
    )
    _replace(op, new, kept)


def _renumbered(port: ResultPort, numbers: dict[int, int]) -> ResultPort:
    """The port, naming the body's result by its new number."""
    names = (name for name, _ in port.get_irdl_definition().parameters)
    return type(port).new(
        [
            IntAttr(numbers[port.result.data]) if name == "result" else parameter
            for name, parameter in zip(names, port.parameters, strict=True)
        ]
    )


def _shrink_branch(op: infra.IfOp) -> None:
    kept = _used(op)
    if len(kept) == len(op.results):
        return
    for body in op.bodies:
        last = body.last_op
        assert isinstance(last, infra.YieldOp)
        Rewriter.replace_op(last, infra.YieldOp(*(last.values[i] for i in kept)))
    new = infra.IfOp.create(
        operands=list(op.operands),
        result_types=[op.results[i].type for i in kept],
        attributes=dict(op.attributes),
        regions=[op.detach_region(region) for region in list(op.regions)],
    )
    _replace(op, new, kept)


def _replace(op: Operation, new: Operation, kept: Sequence[int]) -> None:
    """Replaces `op` by `new`, which has only the results `kept` of it."""
    by_old = dict(zip(kept, new.results, strict=True))
    results = [by_old.get(i) for i in range(len(op.results))]
    Rewriter.replace_op(op, new, results)
