"""
`fuse-attention`: two products with a softmax between them become one kernel, if the scores would not stay in a near
cache.

    mat_mul(map(exp(s - max s), …), v)  with  s = mat_mul(q, k)   becomes   attention(q, k, v)

A score is written once and read several times. If all scores of a model are larger than a cache, they go through
memory; `kernel.attention` holds those of a few rows at a time. The kernel's regions are the bodies of the kernels that
it replaces. Every number stays what it was, with one exception: f32 weights that are powers times a factor of their
row. There, the sums are multiplied by the factor instead. Scales of weights may be operands (`outline-kernels`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Self

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import Block, TypeAttribute
from xdsl.passes import ModulePass

from ...dialects import kernel, nn
from ...dialects.inferred import tensor
from ...dialects.origins import origins_of, set_origins
from ...dialects.rewriter import Rewriter
from ...passes.instrumentation import note_rewrite
from ..codegen.schedule.attention import most_keys
from ..kernel_bodies.bodies import Scalar, build_body
from ..machine import FIRST_LEVEL_BYTES
from .row_kernels import (
    gives_argument,
    is_elementwise,
    map_over_rows,
    readers,
    reduces_rows,
    reduction_of,
    row_access,
)

FEWEST_QUERIES = 32
"""The number of rows that read packed keys often enough to be worth packing them."""

FAR_SCORES = 2 * FIRST_LEVEL_BYTES
"""Bytes of scores that no longer stay in a first-level cache."""


class FuseAttention(ModulePass):
    """Fuses the products and softmaxes of every block."""

    name = "fuse-attention"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in kernel.outside_bodies(op):
            if (
                isinstance(inner, kernel.MatMulOp)
                and (found := SoftmaxKernels.into(inner)) is not None
            ):
                found.fuse()
                note_rewrite("FuseAttention")


@dataclass(frozen=True)
class SoftmaxKernels:
    """
    The kernels of a softmax between two products; `weight` is missing where `means` divides by the total itself, else
    it may read scales.
    """

    scores: kernel.MatMulOp
    most: kernel.ReduceOp
    power: kernel.MapOp
    total: kernel.ReduceOp
    weight: kernel.MapOp | None
    means: kernel.MatMulOp

    @classmethod
    def into(cls, means: kernel.MatMulOp) -> Self | None:
        """The softmax whose weights a product sums with. None where there is none, or fusing it would not pay."""
        if not _is_plain(means):
            return None
        (weights,) = means.a
        last = map_over_rows(weights)
        if last is None or len(last.results) > 1:
            return None
        power, weight = last, None
        if reduction_of(last.ins[1], "max") is None:
            weight = last
            power = map_over_rows(weight.ins[0])
        if power is None or len(power.ins) > 2 or len(power.results) > 1:
            return None
        most = reduction_of(power.ins[1], "max")
        totals = [
            use.operation for use in power.results[0].uses if use.operation not in (weight, means)
        ]
        scores = power.ins[0].owner
        if (
            most is None
            or len(totals) != 1
            or not isinstance(total := totals[0], kernel.ReduceOp)
            or not isinstance(scores, kernel.MatMulOp)
        ):
            return None
        found = cls(scores, most, power, total, weight, means)
        return found if found._holds() and found._pays() else None

    def _holds(self) -> bool:
        """Whether nobody else reads the values in between, and reductions are over whole rows."""
        between = [op.results for op in (self.scores, self.most, self.power, self.total)]
        if any(len(results) > 1 for results in between):
            return False  # one of them is given in another form, too
        (scores,), (most,), (powers,), (total,) = between
        weights = self.means.a[0]
        reads_totals = (self.means,) if self.weight is None else (self.weight, self.means)
        return (
            _is_plain(self.scores)
            and self.scores.shape[:-1] == self.means.shape[:-1]
            and is_elementwise(self.scores, self.scores.accesses[-1], scores)
            and tensor(scores).element_type == f32
            and reduces_rows(self.most, "max", scores)
            and gives_argument(self.most.body.block)
            and reduces_rows(self.total, "sum", powers)
            and readers(scores) == {self.most, self.power}
            and readers(most) == {self.power}
            and readers(powers) == {self.total, self.weight or self.means}
            and readers(total) <= set(reads_totals)
            and (self.weight is None or self.weight.ins[1] is total)
            and readers(weights) <= {self.total, self.means}
            and all(
                access == row_access(access.rank)
                for value, access in zip(self.means.ins, self.means.accesses, strict=False)
                if value is total
            )
            and not any(nn.constant_of(value) for value in (*self.scores.b, *self.means.b))
        )

    def _pays(self) -> bool:
        """Whether there are many scores, and room for those of a few rows."""
        *_, rows, keys = self.scores.shape
        size = prod(self.scores.shape) * 4
        return rows >= FEWEST_QUERIES and keys <= most_keys() and size >= FAR_SCORES

    def fuse(self) -> None:
        """Replaces the last product by attention."""
        means, (total,) = self.means, self.total.results
        weights = tensor(means.a[0]).element_type
        assert isinstance(weights, TypeAttribute)
        body = means.body.clone()
        ins, accesses = list(means.ins), means.accesses
        scales_sums = self._scales_floats()
        divisor = body.block.insert_arg(f32, 1)
        for i in reversed(range(len(ins))):
            if ins[i] is total:
                argument = body.block.args[2 + i]
                argument.replace_all_uses_with(divisor)
                body.block.erase_arg(argument)
                del ins[i], accesses[i]
        if scales_sums:
            _scale_first(body.block)
        softmax = kernel.Softmax(
            self.scores.body.clone(),
            self.power.body.clone(),
            self.total.body.clone(),
            build_body([f32, f32], _power)
            if self.weight is None or scales_sums
            else self.weight.body.clone(),
            weights,
            list(self.scores.ins),
            self.scores.accesses[:-1],
            [] if self.weight is None else list(self.weight.ins[2:]),
        )
        new = kernel.AttentionOp(
            means.shape,
            self.scores.shape[-1],
            [self.scores.a[0], self.scores.b[0], means.b[0]],
            softmax,
            kernel.Epilogue(ins, accesses, body),
            results=[tensor(result) for result in means.results],
            attributes=means.attributes,
        )
        old = [self.scores, self.most, self.power, self.total, self.weight, means]
        kernels = [op for op in old if op is not None]
        set_origins(new, list(dict.fromkeys(o for op in kernels for o in origins_of(op))))
        Rewriter.replace_op(means, new)
        for op in reversed(kernels[:-1]):
            Rewriter.erase_op(op)

    def _scales_floats(self) -> bool:
        """Whether weights are powers times a function of their total, in f32."""
        if self.weight is None or tensor(self.weight.results[0]).element_type != f32:
            return False
        block = self.weight.body.block
        product, last = block.first_op, block.last_op
        return (
            isinstance(product, arith.MulfOp)
            and isinstance(last, kernel.YieldOp)
            and set(product.operands) == set(block.args)
            and list(last.values) == [product.result]
        )


def _scale_first(block: Block) -> None:
    """Multiplies the first argument by the second one, before the body uses it."""
    total, factor = block.args[:2]
    product = arith.MulfOp(total, factor)
    total.replace_uses_with_if(product.result, lambda use: use.operation is not product)
    first = block.first_op
    assert first is not None
    block.insert_op_before(product, first)


def _power(power: Scalar, total: Scalar) -> Scalar:
    """The weight before the last product divides by the total."""
    del total
    return power


def _is_plain(op: kernel.MatMulOp) -> bool:
    """Whether this is one product with one group and one result."""
    return len(op.a) == 1 and op.groups.value.data == 1 and len(op.results) == 1
