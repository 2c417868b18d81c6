"""`prune-bodies`: what no one reads of iterators and branches is not computed: results, and what only they need."""

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

Port = infra.ConcatenatedAttr | infra.IterationAttr | infra.MergedAttr
"""A port that names a result of the body."""


@dataclass(frozen=True)
class PruneBodies(ModulePass):
    """
    Drops unused results, from the outside in, then everything that has become dead. A loop whose count is
    known loses its conditions.
    """

    name = "prune-bodies"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.walk()):
            match inner:
                case infra.IteratorOp():
                    if isinstance(inner, infra.LoopOp):
                        _fix_count(inner)
                    _prune_iterator(inner)
                case infra.IfOp():
                    _prune_branch(inner)
                case _:
                    continue
            dce(op)


def _fix_count(op: infra.LoopOp) -> None:
    """A count that is known needs no conditions."""
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


def _prune_iterator(op: infra.IteratorOp) -> None:
    kept = _used(op)
    ports = [cast(Port, op.outputs.data[i]) for i in kept]
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


def _renumbered(port: Port, numbers: dict[int, int]) -> Port:
    """The port, naming the body's result by its new number."""
    names = (name for name, _ in port.get_irdl_definition().parameters)
    return type(port).new(
        [
            IntAttr(numbers[port.result.data]) if name == "result" else parameter
            for name, parameter in zip(names, port.parameters, strict=True)
        ]
    )


def _prune_branch(op: infra.IfOp) -> None:
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
    """Puts `new`, which gives the results in `kept`, in the place of `op`, whose others are unused."""
    by_old = dict(zip(kept, new.results, strict=True))
    results = [by_old.get(i) for i in range(len(op.results))]
    Rewriter.replace_op(op, new, results)
