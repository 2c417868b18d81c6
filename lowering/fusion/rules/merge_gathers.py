"""Gathers whose elements one kernel reads."""

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation

from ....dialects import kernel
from ....dialects.walk import block_operations
from ..kernel_builder import MAX_BODY, MAX_OPERANDS, KernelBuilder
from ..rule import FusionRule
from ..topology import are_independent, producer_pairs

MAX_LOOKUPS = 8
"""The most operands that one kernel looks up: half of those of a cubic interpolation between pixels."""


class MergeGathers(FusionRule[kernel.MapOp]):
    """
    `f(a[i], b[j])` as one kernel with two lookups, if both gathers have the same domain and the same axis, and neither
    depends on the other.
    """

    def apply(self, op: kernel.MapOp) -> bool:
        for first, second in producer_pairs(op, kernel.GatherOp):
            if _mergeable(first, second, op) and are_independent(first, second, op):
                _merge(first, second)
                return True
        return False


def _mergeable(first: kernel.GatherOp, second: kernel.GatherOp, reader: Operation) -> bool:
    operations = sum(len(block_operations(each.body.block)) for each in (first, second))
    return (
        first.shape == second.shape
        and first.axis == second.axis
        and len(first.x) + len(second.x) <= MAX_LOOKUPS
        and len(first.operands) + len(second.operands) + len(reader.operands) <= MAX_OPERANDS
        and operations <= MAX_BODY
    )


def _merge(first: kernel.GatherOp, second: kernel.GatherOp) -> None:
    builder = KernelBuilder.of(first)
    arguments = builder.add_sums(second)
    builder.factors[0] += second.x
    builder.factors[1] += second.indices
    builder.properties["points"] = ArrayAttr([*first.points, *second.points])
    builder.properties["places"] = ArrayAttr([*first.places, *second.places])
    arguments += [builder.read(v, a) for v, a in zip(second.ins, second.accesses, strict=False)]
    builder.inline(second, arguments, second.accesses[len(second.ins) :])
    builder.replace((first, second))
