"""
Products of a row or of a column, with a matrix that is computed: each sum is a reduction.

    mat_mul(a, b)[0, j] = reduce "sum" of b[j, k] * a[0, k]
    mat_mul(a, b)[i, 0] = reduce "sum" of a[i, k] * b[0, k]

So every element of the matrix is read once, where it lies; packing it first would read and write it, too. The products
of a query with the keys of a decoder's cache, and of its scores with the values, are of the first form.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from math import prod
from typing import Self

from xdsl.dialects.builtin import TensorType, f32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import kernel
from ...dialects.inferred import shape_of, tensor
from ...dialects.kernel import Access, Term
from ...dialects.rewriter import Rewriter
from ..codegen.schedule.reduction_blocks import FEWEST_TOGETHER, MOST_TOGETHER, block
from ..kernel_bodies.bodies import build_body
from ..machine import Isa
from .at_run_time import natural_source, transposed_source, transposing_map

MOST_ROWS = 4
"""Vectors for which reading a matrix of f32 again takes less than packing it."""

PACKING_CYCLES, PACKING_FAR_CYCLES = 0.5, 1.5
"""
What packing an element takes, and one of a matrix as large as a second-level cache: it is read from memory and left
there. (Emerald Rapids, AVX-512.)
"""

PRODUCT_LANES, SUM_CYCLES = 0.43, 2.0
"""
What a product takes longer in a reduction than in a product of packed weights, in parts of a vector's lanes: two
instructions instead of one; and what summing up the lanes of a point takes.
"""

MOST_SHORT_COLUMNS, LONG = 2, 16
"""
Columns where the left matrix is transposed and its lines are shorter than so many vectors: packing these is cheap.
"""


@dataclass(frozen=True)
class VectorProduct:
    """
    A product of a few vectors `[batch…, vector, depth]`, in general one, with a matrix that lies in memory as
    `[batch…, unit, depth]` or, `is_transposed`, as `[batch…, depth, unit]`. Units are those of dimension `unit` of the
    domain, vectors those of dimension `other`.
    """

    op: kernel.MatMulOp
    matrix: SSAValue
    vectors: SSAValue
    is_transposed: bool
    unit: int
    other: int

    @classmethod
    def of(cls, op: kernel.MatMulOp, isa: Isa, streams: int) -> Self | None:
        """Such a product of f32 in which neighbours in memory fill vectors; there is a row for each of `streams`."""
        if len(op.a) != 1 or op.groups.value.data != 1:
            return None
        (a,), (b,) = op.a, op.b
        if not tensor(a).element_type == tensor(b).element_type == f32:
            return None
        *batch, columns, depth = shape_of(b)
        rows = prod(op.shape[:-1]) // max(1, prod(batch))
        is_far = 4 * prod(shape_of(b)) >= isa.second_level_bytes
        many = columns > MOST_ROWS and pays_to_read_again(isa, rows, depth, is_far)
        if rows <= max(streams, MOST_ROWS) or many:
            matrix, vectors, unit, other, count = b, a, -1, -2, rows
        elif columns <= MOST_ROWS:
            matrix, vectors, unit, other, count = a, b, -2, -1, columns
        else:
            return None
        if matrix is b and transposing_map(b) is not None and 2 * columns >= isa.lanes:
            return None  # it is multiplied in the order in which it is computed
        is_transposed = depth < isa.lanes or natural_source(matrix) is None
        if is_transposed:
            least = isa.lanes if count <= MOST_SHORT_COLUMNS else LONG * isa.lanes
            if matrix is b or op.shape[-2] < least or transposed_source(matrix) is None:
                return None  # a right matrix that lies as [K, N] is multiplied where it lies
        return cls(op, matrix, vectors, is_transposed, unit, other)

    def reduce(self) -> None:
        """Replaces the product by a reduction. The matrix is its first operand, whose neighbours share vectors."""
        op = self.op
        point, step = _point(op, self.matrix, self.unit), _step(self.matrix)
        matrix = self._in_order(point), self._in_order(step)
        new = kernel.ReduceOp(
            "sum",
            op.shape,
            shape_of(self.vectors)[-1:],
            [self._in_memory(), self.vectors],
            [matrix, (_point(op, self.vectors, self.other), _step(self.vectors))],
            build_body([f32, f32], operator.mul),
            kernel.Epilogue(list(op.ins), op.accesses, op.detach_region(op.body)),
            results=[tensor(result) for result in op.results],
            attributes=op.attributes,
        )
        Rewriter.replace_op(op, new)

    @property
    def _source(self) -> SSAValue:
        source = (transposed_source if self.is_transposed else natural_source)(self.matrix)
        assert source is not None
        return source

    def _in_memory(self) -> SSAValue:
        """The matrix as it lies there."""
        source = self._source
        *batch, units, depth = shape_of(self.matrix)
        shape = (*batch, depth, units) if self.is_transposed else (*batch, units, depth)
        if shape_of(source) == shape:
            return source
        reshape = kernel.ReshapeOp(source, TensorType(f32, shape))
        Rewriter.insert_op(reshape, InsertPoint.before(self.op))
        return reshape.result

    def _in_order(self, access: Access) -> Access:
        """An access to the matrix `[batch…, unit, depth]` as one to what lies in memory."""
        *batch, unit, depth = access.terms
        return Access(access.rank, (*batch, depth, unit)) if self.is_transposed else access


def pays_to_read_again(isa: Isa, rows: int, depth: int, is_far: bool) -> bool:
    """
    Whether reading the matrix where it lies takes less than packing it for so many rows, which are computed in blocks.
    """
    together = block(rows, MOST_TOGETHER)
    if together < min(rows, FEWEST_TOGETHER) or depth < isa.lanes:
        return False
    longer = rows * (PRODUCT_LANES / isa.lanes + SUM_CYCLES / depth)
    return longer < (PACKING_FAR_CYCLES if is_far else PACKING_CYCLES)


def _point(op: kernel.MatMulOp, value: SSAValue, dimension: int) -> Access:
    """Where the row of a point begins; dimensions are aligned at the back, and those of size 1 repeat."""
    *batch, _, _ = shape_of(value)
    rank = len(op.shape)
    first = rank - 2 - len(batch)
    terms = (Term(None) if size == 1 else Term(first + d) for d, size in enumerate(batch))
    return Access(rank, (*terms, Term(rank + dimension), Term(None)))


def _step(value: SSAValue) -> Access:
    return Access(1, (*[Term(None)] * (len(shape_of(value)) - 1), Term(0)))
