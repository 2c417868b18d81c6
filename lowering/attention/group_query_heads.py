"""
`group-query-heads`: keys and values that several heads of queries share are read in place (grouped-query attention).

    mat_mul(a, repeat(b)) = mat_mul(group(a), b)

Exporters write such attention with keys and values repeated for each head: a broadcast, and a reshape behind it.
Transposes, further reshapes and scales may lie between. The heads of a that share one of b are a dimension of their
own; where each has one row, as when a decoder computes a token, they are the rows of one product. A scale of keys
becomes one of queries, which are fewer. With many rows, repeating takes little of the time, and `fuse-attention` finds
the heads as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Self

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, AnyFloat, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import Shape, constant_integers, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations
from ...passes.erase_unused import erase_unused
from .fuse_attention import FEWEST_QUERIES

REPEATED = -1
"""Beside the dimensions of what is repeated, the one that counts repetitions."""

RESHAPES = nn.ReshapeOp | nn.UnsqueezeOp | nn.SqueezeOp

VIEWS = RESHAPES | nn.TransposeOp


class GroupQueryHeads(ModulePass):
    """Rewrites the products whose right operand is repeated or scaled."""

    name = "group-query-heads"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in all_operations(op):
            if isinstance(inner, nn.MatMulOp) and not inner.transpose_a:
                _scale_queries(inner)
                if (found := Repeated.of(inner.b)) is not None:
                    _group(inner, found)


@dataclass(frozen=True)
class Repeated:
    """
    A value whose elements are those of another one, repeated, and scaled. `dimensions` lists for each of its dimensions
    those of the other one that it is made of, and `REPEATED`; none of size 1.
    """

    source: SSAValue
    count: int
    dimensions: tuple[tuple[int, ...], ...]
    scales: tuple[SSAValue, ...] = ()

    @classmethod
    def of(cls, value: SSAValue) -> Self | None:
        """What a broadcast repeats along one dimension. None if nothing is repeated, or more is computed of it."""
        op = value.owner
        if isinstance(op, nn.BroadcastOp):
            return cls._broadcast(op)
        if isinstance(op, nn.MultiplyOp) and (found := _scaled(op)) is not None:
            inner, scale = found
            before = cls.of(inner)
            return before and replace(before, scales=(*before.scales, scale))
        before = cls.of(op.operands[0]) if isinstance(op, VIEWS) else None
        if before is None or not isinstance(op, nn.TransposeOp):
            return before and before._split(shape_of(value))
        order = constant_integers(op.order)
        if order is None:
            return None
        order = order or range(len(before.dimensions))[::-1]
        return replace(before, dimensions=tuple(before.dimensions[d] for d in order))

    @classmethod
    def _broadcast(cls, op: nn.BroadcastOp) -> Self | None:
        before, after = shape_of(op.input), shape_of(op.result)
        if len(before) != len(after) or 0 in after or after.count(DYNAMIC_INDEX) > 1:
            return None
        grown = [d for d in range(len(after)) if before[d] != after[d]]
        if len(grown) != 1 or before[grown[0]] != 1 or after[grown[0]] == DYNAMIC_INDEX:
            return None
        own = [() if size == 1 else (d,) for d, size in enumerate(before)]
        own[grown[0]] = (REPEATED,)
        return cls(op.input, after[grown[0]], tuple(own))

    def _split(self, shape: Shape) -> Self | None:
        """The same elements in another shape, whose dimensions are made of whole ones."""
        left = [d for own in self.dimensions for d in own]
        split = list[tuple[int, ...]]()
        for size in shape:
            own = list[int]()
            while size not in (1, self.size(own)) and left:
                own.append(left.pop(0))
            if self.size(own) != size:
                return None
            split.append(tuple(own))
        return None if left else replace(self, dimensions=tuple(split))

    def size(self, dimensions: Sequence[int]) -> int:
        """The size of a dimension which is made of these."""
        shape = shape_of(self.source)
        return prod(self.count if d == REPEATED else shape[d] for d in dimensions)

    def once(self, write: Writer, shape: Sequence[int]) -> SSAValue:
        """What is repeated, its dimensions in the order of this value's, in another shape."""
        order = [d for own in self.dimensions for d in own if d != REPEATED]
        if order == sorted(order):
            return _reshaped(write, self.source, shape)
        ones = [d for d in range(len(shape_of(self.source))) if d not in order]
        return _reshaped(write, write.transposed(self.source, [*ones, *order]), shape)


def _scaled(op: nn.MultiplyOp) -> tuple[SSAValue, SSAValue] | None:
    """A float value, and the constant by which all of it is multiplied."""
    for value, scale in (op.operands, op.operands[::-1]):
        is_one = nn.constant_of(scale) is not None and prod(shape_of(scale)) == 1
        if (
            is_one
            and value.type == op.result.type
            and isinstance(tensor(value).element_type, AnyFloat)
        ):
            return value, scale
    return None


def _scale_queries(op: nn.MatMulOp) -> None:
    """`mat_mul(a, b * s) = mat_mul(a * s, b)`"""
    scaled = op.b.owner
    if isinstance(scaled, nn.MultiplyOp) and (found := _scaled(scaled)) is not None:
        op.operands[1], scale = found
        _multiply(op, scale)
        erase_unused(scaled.result)


def _multiply(op: nn.MatMulOp, scale: SSAValue) -> None:
    write = Writer(InsertPoint.before(op))
    op.operands[0] = write(nn.MultiplyOp, op.a, write.reshaped(scale, ()))


def _group(op: nn.MatMulOp, repeated: Repeated) -> None:
    """Multiplies what is repeated once with the rows of all heads that share it."""
    left, right, result = (shape_of(value) for value in (op.a, op.b, op.result))
    head = next(d for d, own in enumerate(repeated.dimensions) if REPEATED in own)
    at = head - len(right) + len(left)
    if head >= len(right) - 2 or at < 0 or left[at] != right[head] or left[-2] >= FEWEST_QUERIES:
        return
    own = repeated.dimensions[head]
    place = own.index(REPEATED)
    outer, inner = (
        [n] if (n := repeated.size(part)) > 1 else [] for part in (own[:place], own[place + 1 :])
    )
    if not inner and left[at + 1 : -1] == (1,):
        grouped = [*left[:at], *(outer or [1]), repeated.count, left[-1]]
        once = [*right[:head], *(outer or [1]), *right[head + 1 :]]
    else:
        grouped = [*left[:at], *outer, repeated.count, *inner, *left[at + 1 :]]
        once = [*right[:head], *outer, 1, *inner, *right[head + 1 :]]
    if any(sizes.count(DYNAMIC_INDEX) > 1 for sizes in (grouped, once, result)):
        return
    for scale in repeated.scales:
        _multiply(op, scale)
    write = Writer(InsertPoint.before(op))
    operands = _reshaped(write, op.a, grouped), repeated.once(write, once)
    product = write(nn.MatMulOp, *operands, **op.properties)
    assert isinstance(product.owner, nn.MatMulOp)
    product.owner.attributes.update(op.attributes)
    set_origins(product.owner, origin_of(op))
    written = op.b
    Rewriter.replace_op(op, [], [_reshaped(write, product, result)])
    erase_unused(written)


def _reshaped(write: Writer, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """In a shape of which one size may be unknown; it may have had that before."""
    for known in (
        (value, *value.owner.operands[:1]) if isinstance(value.owner, RESHAPES) else (value,)
    ):
        if shape_of(known) == tuple(shape):
            return known
    return write.reshaped(value, [-1 if size == DYNAMIC_INDEX else size for size in shape])
