"""Products whose columns are read in equal parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from xdsl.dialects.builtin import TensorType, f32, i8, i32
from xdsl.dialects.math import TanhOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import kernel
from ....dialects.elements import bits_of
from ....dialects.inferred import shape_of, tensor
from ....dialects.kernel import Access, Term
from ....dialects.origins import origins_of
from ....dialects.properties import integer
from ....dialects.rewriter import Rewriter
from ...codegen.schedule.costs import NEAR_BYTES
from ...machine import CACHE_LINE, FEWEST_REGISTERS, LEAST_FIRST_LEVEL_BYTES, Isa
from ..accesses import replace_input
from ..inlining import inline_body
from ..kernel_builder import KernelBuilder
from ..rule import FusionRule

MAX_PRODUCTS = 2
"""
The most products of one kernel (`MergeProducts`): those of an input and of a state, which recurrent layers add. Four
groups leave no registers for the sums of a third one.
"""

MAX_GROUPS = (FEWEST_REGISTERS - 2) // (1 + MAX_PRODUCTS)
"""
The most groups for which a register tile of one row has enough registers (`largest_mr`), even after `MergeProducts`:
each group has a vector of weights, and for each product one of sums, beside an activation and what an instruction
needs. The gates of an LSTM are four.
"""

ALIKE_GROUPS = 3
"""The number of groups whose register tiles have as many sums as that of one group: twelve."""

MOST_ROWS = 2
"""
The most rows of products in more groups with few registers, of floats or of bytes that become words. A register tile
has two rows of four groups or six of one, and loads, or widens, four vectors of weights for eight
multiply-accumulates: with more rows, that takes longer than writing the sums and reading them back.

With more registers, a tile has six rows of four groups or thirteen of two vectors, for which half as many weights
arrive. Where vectors are whole cache lines, weights of a tile do not stay in the first-level cache, and there are
several tiles of rows, these wait for them.
"""

FLOATS_IN_LINE = CACHE_LINE // 4
"""Lanes of a vector that is a whole cache line."""


@dataclass(frozen=True)
class GroupColumns(FusionRule[kernel.MatMulOp]):
    """
    A product whose result is read only as G equal parts of its columns becomes G groups with one result each, so that
    all gates of a unit are computed together. A product of many rows may be faster alone: then it stays. That is so
    with few `registers`, where bytes may be multiplied as `words`, and for deep products where vectors are
    `whole_lines` of a cache.
    """

    registers: int = FEWEST_REGISTERS
    words: bool = False
    whole_lines: bool = False

    def on(self, isa: Isa) -> Self:
        (product,) = isa.products([(i8, i8)])
        whole_lines = isa.lanes == FLOATS_IN_LINE
        return replace(
            self, registers=isa.registers, words=product.mac.adds, whole_lines=whole_lines
        )

    def apply(self, op: kernel.MatMulOp) -> bool:
        if len(op.results) != 1 or op.groups.value.data != 1:
            return False
        result, *_ = op.results
        if not op.accesses[-1].is_identity:
            return False
        columns = op.shape[-1]
        groups = _parts(columns, _widths_read(result))
        if not 2 <= groups <= MAX_GROUPS or self._is_faster_alone(op, groups):
            return False
        _regroup(op, groups, columns // groups)
        return True

    def merges(self, first: kernel.MatMulOp, second: kernel.MatMulOp) -> bool:
        """
        Whether products of many rows, whose sums meet, become groups of one kernel: where vectors are `whole_lines`,
        the body is long, with functions as gates have, and weights of a tile stay in the first-level cache together.
        """
        if not self.whole_lines or not _has_functions(first.results[0]):
            return False
        groups, columns = first.groups.value.data, first.shape[-1]
        if groups == 1:
            results = [*first.results, *second.results]
            found = {_parts(columns, _widths_read(result, through=True)) for result in results}
            groups = found.pop() if len(found) == 1 else 0
        weights = _tile_bytes(first, groups) + _tile_bytes(second, groups)
        return 2 <= groups <= MAX_GROUPS and weights <= LEAST_FIRST_LEVEL_BYTES

    def _is_faster_alone(self, op: kernel.MatMulOp, groups: int) -> bool:
        rows = op.shape[-2]
        if groups <= ALIKE_GROUPS or rows <= MOST_ROWS:
            return False
        if self.registers <= FEWEST_REGISTERS:
            return op.accumulator == f32 or (self.words and op.accumulator == i32)
        rows_in_tile = (self.registers - groups - 2) // groups
        near = NEAR_BYTES if len(op.a) == 1 else LEAST_FIRST_LEVEL_BYTES
        return self.whole_lines and rows > rows_in_tile and _tile_bytes(op, groups) > near


def _tile_bytes(op: kernel.MatMulOp, groups: int) -> int:
    """The bytes of weights of a vector of units in each group."""
    each = zip(op.a, op.b, strict=True)
    bits = sum(shape_of(a)[-1] * bits_of(tensor(b).element_type) for a, b in each)
    return groups * FLOATS_IN_LINE * bits // 8


def _parts(columns: int, widths: set[int] | None) -> int:
    """How many equal parts of the columns have the one width of these; 0 if there are none."""
    if widths is None or len(widths) != 1 or columns % (width := min(widths)):
        return 0
    return columns // width


def _widths_read(value: SSAValue, through: bool = False) -> set[int] | None:
    """
    The widths of the parts of the columns of `value` that kernels read; None if not in parts. Those of an elementwise
    kernel are those of its results, if it is looked `through`.
    """
    widths = set[int]()
    for use in value.uses:
        reader = use.operation
        if through and isinstance(reader, kernel.MapOp) and _is_elementwise(reader, value):
            each = [_widths_read(result, through) for result in reader.results]
        else:
            each = [_widths_of(reader, value)]
        for found in each:
            if found is None:
                return None
            widths |= found
    return widths


def _has_functions(value: SSAValue) -> bool:
    """Whether elementwise work on a value has functions, as that of gates has."""
    pending, seen = [value], set[Operation]()
    while pending:
        readers = {use.operation: None for use in pending.pop().uses}
        for reader in readers:
            if not isinstance(reader, kernel.MapOp) or reader in seen:
                continue
            if any(isinstance(op, kernel.FunctionOp | TanhOp) for op in reader.body.block.ops):
                return True
            seen.add(reader)
            pending += reader.results
    return False


def _is_elementwise(reader: kernel.MapOp, value: SSAValue) -> bool:
    """Whether a kernel reads each element of a value at its own point, where it also writes all results."""
    accesses = zip([*reader.ins, *reader.results], reader.accesses, strict=True)
    own = [access for each, access in accesses if each is value or each in reader.results]
    return reader.shape == shape_of(value) and all(access.is_identity for access in own)


def _widths_of(reader: Operation, value: SSAValue) -> set[int] | None:
    """The same of a kernel."""
    if not isinstance(reader, kernel.MapOp):
        return None
    widths = set[int]()
    for operand, access in zip(reader.ins, reader.accesses, strict=False):
        if operand is not value:
            continue
        last = access.terms[-1]
        if last.dim is None or last.step != 1:
            return None
        width = reader.shape[last.dim]
        if not width or last.offset % width:
            return None
        widths.add(width)
    return widths


def _regroup(op: kernel.MatMulOp, groups: int, width: int) -> None:
    (old,) = op.results
    rank = len(op.shape)
    builder = KernelBuilder(op, (*op.shape[:-1], width), Block(), [list(op.a), list(op.b)])
    builder.properties["groups"] = integer(groups)
    sums: list[SSAValue] = [
        builder.block.insert_arg(op.accumulator, len(builder.block.args))
        for _ in range(len(op.a) * groups)
    ]
    for group in range(groups):
        arguments: list[SSAValue] = sums[group::groups]
        for value, access in zip(op.ins, op.accesses, strict=False):
            shifted = access.after(_columns_from(rank, group * width))
            arguments.append(builder.read(value, shifted))
        yields = inline_body(builder.block, op.body.block, arguments)
        element = tensor(old).element_type
        type_ = TensorType(element, builder.domain)
        builder.outputs.append((yields[0], type_, Access.identity(rank), old))
    builder.origins = list(origins_of(op))
    new = builder.build()
    Rewriter.insert_op(new, InsertPoint.before(op))
    for reader in {use.operation: None for use in old.uses}:
        assert isinstance(reader, kernel.MapOp)
        _read_groups(reader, old, new.results, width)
    Rewriter.erase_op(op)


def _read_groups(
    reader: kernel.MapOp, old: SSAValue, parts: Sequence[SSAValue], width: int
) -> None:
    for i, (value, access) in enumerate(zip(reader.ins, reader.accesses, strict=False)):
        if value is old:
            *lead, last = access.terms
            whole = Access(access.rank, (*lead, Term(last.dim)))
            replace_input(reader, i, parts[last.offset // width], whole)


def _columns_from(rank: int, offset: int) -> Access:
    return Access(rank, (*(Term(i) for i in range(rank - 1)), Term(rank - 1, 1, offset)))
