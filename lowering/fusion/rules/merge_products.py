"""Products that one kernel reads."""

from dataclasses import dataclass, field, replace
from typing import Self

from ....dialects import kernel
from ...machine import Isa
from ..kernel_builder import MAX_OPERANDS, KernelBuilder
from ..rule import FusionRule
from ..topology import are_independent, producer_pairs
from .group_columns import MAX_PRODUCTS, GroupColumns

MOST_ROWS = 2
"""
The most rows of products that are always merged, which saves writing the sums to memory and reading them back. With
more rows, the sums of two products leave each other too few registers for tiles that are as fast (int8 128 x 768 x 3072
is 1.6 times slower), unless the body is so long that sums wait on the stack anyway, as that of gates is.
"""


@dataclass(frozen=True)
class MergeProducts(FusionRule[kernel.MapOp]):
    """
    `f(a·b, c·d)` as one kernel with two products, if both have the same domain and the same accumulator, and neither
    depends on the other. The domain has few rows, or its columns are to be groups (`GroupColumns`).
    """

    groups: GroupColumns = field(default_factory=GroupColumns)

    def on(self, isa: Isa) -> Self:
        return replace(self, groups=self.groups.on(isa))

    def apply(self, op: kernel.MapOp) -> bool:
        for first, second in producer_pairs(op, kernel.MatMulOp):
            if not _mergeable(first, second) or not are_independent(first, second, op):
                continue
            if first.shape[0] <= MOST_ROWS or self.groups.merges(first, second):
                _merge(first, second)
                return True
        return False


def _mergeable(first: kernel.MatMulOp, second: kernel.MatMulOp) -> bool:
    return (
        first.shape == second.shape
        and first.groups == second.groups
        and first.accumulator == second.accumulator
        and len(first.a) + len(second.a) <= MAX_PRODUCTS
        and len(first.operands) + len(second.operands) <= MAX_OPERANDS
    )


def _merge(first: kernel.MatMulOp, second: kernel.MatMulOp) -> None:
    builder = KernelBuilder.of(first)
    arguments = builder.add_sums(second)
    builder.factors[0] += second.a
    builder.factors[1] += second.b
    arguments += [builder.read(v, a) for v, a in zip(second.ins, second.accesses, strict=False)]
    builder.inline(second, arguments, second.accesses[len(second.ins) :])
    builder.replace((first, second))
