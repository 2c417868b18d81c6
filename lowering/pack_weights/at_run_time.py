"""
Packs right operands of matrix products that are no constants, in each call.

A map writes `PackedLayout`, in which microkernels read adjacent columns. A product of several rows reads each element
often, and unpacked elements a power of two apart would compete for a few cache lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Self

from xdsl.dialects.builtin import IntegerType, TensorType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import infra, kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, PackedLayout, Term
from ...dialects.origins import origins_of, set_origins
from ...dialects.rewriter import Rewriter
from ..fusion.recomputation import moves_elements
from ..fusion.transposes import permutation_of
from ..kernel_bodies.bodies import movement
from ..machine import LEAST_FIRST_LEVEL_BYTES, Isa

Part = tuple[str, int]
"""A dimension of the packed operand by its name, and its size."""


NEAR = LEAST_FIRST_LEVEL_BYTES // 4 // 4
"""Elements of f32 that take a quarter of any first-level cache: so few stay there, in whatever order they are read."""

MANY_ROWS = 8
"""
Rows from which on 8-bit operands are packed. Those of a step are loaded at once anyway, and fewer rows do not make up
for packing.
"""

GATHERING_ROWS = 16
"""Rows from which on gathering columns of f32 takes longer than packing them, however few there are."""


def is_worth_packing(op: kernel.MatMulOp, isa: Isa) -> bool:
    """
    Whether reading packed operands saves more than packing them costs: there are enough elements, they fill
    vectors, and where they are codes there are rows that share them. Small matrices of a batch are worth it, too, where
    many rows would gather columns that do not lie side by side.
    """
    if 2 * op.shape[-1] < isa.lanes:
        return False
    for value in op.b:
        *batch, units, depth = shape_of(value)
        rows = prod(op.shape[:-1]) // max(1, prod(batch))
        is_wide = not isinstance(tensor(value).element_type, IntegerType)
        if units * depth >= NEAR and (is_wide or rows >= MANY_ROWS):
            return True
        is_gathered = is_wide and rows >= GATHERING_ROWS and transposed_source(value) is None
        if is_gathered and prod(batch) * units * depth >= NEAR:
            return True
    return False


def is_invariant(op: kernel.MatMulOp) -> bool:
    """Whether all iterations of a loop share the right operands."""
    loop = op.parent_op()
    if not isinstance(loop, infra.IteratorOp):
        return False
    sources = [_Source.of(value, len(shape_of(value))).value for value in op.b]
    shared = loop.invariant_inputs()
    return all(isinstance(each, BlockArgument) and each.index in shared for each in sources)


def packed_before(op: Operation, value: SSAValue, layout: PackedLayout, columns: int) -> SSAValue:
    """A right operand [batch…, groups * columns, depth] in front of its product, as `PackedLayout` says."""
    write, packing = _Writer(op), _Packing.of(value, layout, columns)
    tile = layout.nr_vectors * layout.lanes
    whole, rest = divmod(columns, tile)
    if not whole or not rest or packing.has_partial_steps:
        return packing.written(write, 0, columns)
    parts = [packing.written(write, 0, whole * tile), packing.written(write, whole * tile, rest)]
    return write.joined(parts, len(packing.batch))


@dataclass(frozen=True)
class _Packing:
    """
    Moves columns of each group into the order of `PackedLayout`. Those that fill tiles are read where they lie; only
    others are copied, with zeros behind them.
    """

    source: _Source
    layout: PackedLayout
    batch: Sequence[int]
    groups: int
    columns: int
    depth: int

    @classmethod
    def of(cls, value: SSAValue, layout: PackedLayout, columns: int) -> Self:
        """That of an operand with so many columns in each group."""
        *batch, units, depth = shape_of(value)
        source = _Source.of(value, len(batch) + len(LAST))
        found = cls(source, layout, batch, units // columns, columns, depth)
        is_whole = not columns % (layout.nr_vectors * layout.lanes) and not found.has_partial_steps
        if not is_whole and any(size > 1 for size, _ in source.fixed):
            # padding would copy what is not read, too
            return replace(found, source=_Source.itself(value, len(batch) + len(LAST)))
        return found

    @property
    def has_partial_steps(self) -> bool:
        """Whether the elements of k leave a step."""
        return self.depth % self.layout.kr != 0

    def written(self, write: _Writer, first: int, count: int) -> SSAValue:
        """These columns of each group, packed."""
        source, layout = self.source, self.layout
        tiles, steps, groups, nr_vectors, lanes, kr = layout.shape(count, self.groups, self.depth)
        fixed = [(f"fixed{n}", size) for n, (size, _) in enumerate(source.fixed)]
        split: list[list[Part]] = [[(f"batch{d}", size)] for d, size in enumerate(self.batch)]
        split += [
            [("groups", groups), ("tiles", tiles), ("nr_vectors", nr_vectors), ("lanes", lanes)],
            [("steps", steps), ("kr", kr)],
            *([part] for part in fixed),
        ]
        units = tiles * nr_vectors * lanes

        def shape(columns: int, depth: int) -> list[int]:
            rows = [[size] for size in self.batch] + [[groups, columns], [depth]]
            rows += [[size] for _, size in fixed]
            return [size for d in source.order for size in rows[d]]

        value = source.value
        if count < self.columns:
            value = write.reshaped(value, shape(self.columns, self.depth))
            groups_at = source.order.index(len(self.batch))
            value = write.sliced(value, groups_at + 1, first, count)
        padded = write.padded(value, shape(count, self.depth), shape(units, steps * kr))
        parts = [part for d in source.order for part in split[d]]
        reshaped = write.reshaped(padded, [size for _, size in parts])
        wanted = [*(f"batch{d}" for d in range(len(self.batch))), *ORDER]
        indices = {f"fixed{n}": index for n, (_, index) in enumerate(source.fixed)}
        return write.permuted(reshaped, [name for name, _ in parts], wanted, indices)


LAST = ("units", "depth")
"""The dimensions of an operand behind those of a batch."""

ORDER = ("tiles", "steps", "groups", "nr_vectors", "lanes", "kr")
"""The dimensions of `PackedLayout`."""


@dataclass(frozen=True)
class _Source:
    """
    What an operand's elements are moved from: dimension i of `value` is dimension `order[i]` of the operand. Numbers
    behind those of the operand are of `fixed` dimensions, which have a size and the one index that is read.
    """

    value: SSAValue
    order: Sequence[int]
    fixed: Sequence[tuple[int, int]] = ()

    @classmethod
    def itself(cls, value: SSAValue, rank: int) -> Self:
        """The operand."""
        return cls(value, range(rank))

    @classmethod
    def of(cls, value: SSAValue, rank: int) -> Self:
        """What a permutation made an operand of, perhaps of a slice of one index; else the operand itself."""
        found = value
        while isinstance(owner := found.owner, kernel.ReshapeOp) and _has_more_units(owner):
            found = owner.input
        moved = cls._moved(owner, rank) if isinstance(owner, kernel.MapOp) else None
        return cls.itself(value, rank) if moved is None else moved

    @classmethod
    def _moved(cls, op: kernel.MapOp, rank: int) -> Self | None:
        """What a map reads that only moves elements."""
        places = permutation_of(op.accesses[-1])
        if places is None or not moves_elements(op):
            return None
        (source,), units = op.ins, len(places) - rank
        if tensor(source).element_type != tensor(op.results[0]).element_type:
            return None
        order, fixed = list[int](), list[tuple[int, int]]()
        for term, size in zip(op.accesses[0].terms, shape_of(source), strict=True):
            whole = term.dim is not None and term == Term(term.dim) and size == op.shape[term.dim]
            dim = places.index(term.dim) - units if whole else -1
            if dim >= 0:
                order.append(dim)
            elif term.dim is None or op.shape[term.dim] == 1:
                order.append(rank + len(fixed))
                fixed.append((size, term.offset))
            else:
                return None
        return cls(source, order, fixed) if sorted(order) == [*range(len(order))] else None


def natural_source(value: SSAValue) -> SSAValue | None:
    """
    What an operand is read from, if that lies in its order, perhaps with more dimensions of size 1: itself, or what was
    moved there and back.
    """
    return _source_in_order(value, range(len(shape_of(value))))


def transposed_source(value: SSAValue) -> SSAValue | None:
    """What an operand is read from, if only the order of its last two dimensions is another one there."""
    *batch, rows, columns = range(len(shape_of(value)))
    return _source_in_order(value, [*batch, columns, rows])


def transposing_map(value: SSAValue) -> kernel.MapOp | None:
    """The map that computes an operand in the order [batch…, K, N], and transposes it for this one use."""
    owner = value.owner
    if not isinstance(owner, kernel.MapOp) or len(owner.results) > 1 or len(owner.shape) < 2:
        return None
    *batch, k, unit = range(len(owner.shape))
    is_transposed = permutation_of(owner.accesses[-1]) == (*batch, unit, k)
    return owner if is_transposed and value.has_one_use() else None


def _source_in_order(value: SSAValue, order: Sequence[int]) -> SSAValue | None:
    source = _Source.of(value, len(order))
    is_whole = all(size == 1 for size, _ in source.fixed)
    own = [dim for dim in source.order if dim < len(order)]
    return source.value if is_whole and own == list(order) else None


def _has_more_units(op: kernel.ReshapeOp) -> bool:
    """Whether a reshape only drops dimensions of size 1 at the front."""
    before, after = shape_of(op.input), shape_of(op.result)
    units = len(before) - len(after)
    return units >= 0 and before == (*[1] * units, *after)


def erase_unread(values: Sequence[SSAValue]) -> None:
    """Erases the permutations that gave these values, and the reshapes behind them, where nobody reads them now."""
    for value in values:
        owner = value.owner
        while isinstance(owner, kernel.ReshapeOp | kernel.MapOp) and owner.parent is not None:
            if any(result.first_use is not None for result in owner.results):
                break
            above = owner.operands[0].owner if owner.operands else None
            Rewriter.erase_op(owner)
            owner = above


class _Writer:
    """Writes what packs an operand, in front of its product."""

    def __init__(self, op: Operation):
        self.op = op

    def insert(self, op: Operation) -> SSAValue:
        Rewriter.insert_op(op, InsertPoint.before(self.op))
        return op.results[0]

    def reshaped(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """The same elements in another shape."""
        if shape_of(value) == tuple(shape):
            return value
        return self.insert(kernel.ReshapeOp(value, TensorType(tensor(value).element_type, shape)))

    def sliced(self, value: SSAValue, dim: int, first: int, count: int) -> SSAValue:
        """So many elements of a dimension."""
        shape = list(shape_of(value))
        offsets, steps = [0] * len(shape), [1] * len(shape)
        shape[dim], offsets[dim] = count, first
        result = TensorType(tensor(value).element_type, shape)
        return self.insert(kernel.SliceOp(value, offsets, steps, result))

    def joined(self, parts: Sequence[SSAValue], dim: int) -> SSAValue:
        """The parts, one behind the other."""
        first = tensor(parts[0])
        shape = list(first.get_shape())
        shape[dim] = sum(shape_of(part)[dim] for part in parts)
        return self.insert(kernel.ConcatOp(parts, dim, TensorType(first.element_type, shape)))

    def padded(self, value: SSAValue, filled: Sequence[int], whole: Sequence[int]) -> SSAValue:
        """The value in shape `filled`, zeros behind it up to `whole`."""
        if filled == whole:
            return value
        high = [b - a for a, b in zip(filled, whole, strict=True)]
        zeros = [0] * len(high)
        return self.insert(kernel.PadOp(self.reshaped(value, filled), zeros, high, 0, zeros))

    def permuted(
        self,
        value: SSAValue,
        have: Sequence[str],
        wanted: Sequence[str],
        indices: Mapping[str, int],
    ) -> SSAValue:
        """The value with its dimensions, which have these names, in another order; of some, one index is wanted."""
        type = tensor(value)
        sizes = dict(zip(have, type.get_shape(), strict=True))
        shape = [sizes[name] for name in wanted]
        if not indices and [n for n in have if sizes[n] > 1] == [n for n in wanted if sizes[n] > 1]:
            return self.reshaped(value, shape)
        terms = (
            Term(None, 1, indices[name]) if name in indices else Term(wanted.index(name))
            for name in have
        )
        access = Access(len(wanted), tuple(terms))
        new = movement(value, access, TensorType(type.element_type, shape))
        set_origins(new, origins_of(self.op))
        return self.insert(new)
