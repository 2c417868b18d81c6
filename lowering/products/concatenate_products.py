"""`concatenate-products`: a sum of two products is one product, of what they multiply side by side."""

from __future__ import annotations

from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, f32
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.walk import all_operations

FEWEST_ROWS = 2
"""Of a stream. With one there are registers enough for both sums, and weights are streamed in any case."""

FEWEST_UNITS = 64
"""The number of times that a concatenated element is multiplied: copying it then costs a few percent at most."""


class ConcatenateProducts(ModulePass):
    """
    `mat_mul(a, w) + mat_mul(c, r) = mat_mul(concat(a, c), concat(w, r))` in f32, where w and r are constants.

    So an element of `x W^T + h R^T`, of the gates of recurrent cells above all, is one sum. Two sums, which a kernel
    adds in the end, would share the registers, and its register tiles would have half the rows.
    """

    name = "concatenate-products"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        known = dict[tuple[SSAValue, SSAValue], BlobAttr]()
        fewest = FEWEST_ROWS * infra.streams_of(op)
        for inner in all_operations(op):
            if isinstance(inner, nn.AddOp):
                _concatenate(inner, fewest, known)


def _concatenate(
    op: nn.AddOp, fewest: int, known: dict[tuple[SSAValue, SSAValue], BlobAttr]
) -> None:
    """Puts one product in the place of a sum of two; the steps of an unrolled loop share their weights."""
    first, second = (_product(value, fewest) for value in op.operands)
    if first is None or second is None or first is second:
        return
    rows = shape_of(first.a)[:-1]
    if rows != shape_of(second.a)[:-1] or first.transpose_b != second.transpose_b:
        return
    write = Writer(InsertPoint.before(op))
    a = write(nn.ConcatOp, first.a, second.a, axis=len(rows))
    weights = first.b, second.b
    if weights not in known:
        known[weights] = _side_by_side(first, second)
    b = write.constant(known[weights])
    result = write(nn.MatMulOp, a, b, transpose_b=bool(first.transpose_b))
    assert isinstance(result.owner, nn.MatMulOp)
    set_origins(result.owner, [*origin_of(first), *origin_of(second), *origin_of(op)])
    Rewriter.replace_op(op, [], [result])
    for each in (first, second):
        Rewriter.erase_op(each)


def _product(value: SSAValue, fewest: int) -> nn.MatMulOp | None:
    """
    The f32 product that a value is, if nothing else uses it, its weights are known, and it has so many rows at least.
    """
    op = value.owner
    if not isinstance(op, nn.MatMulOp) or not value.has_one_use() or op.transpose_a:
        return None
    if tensor(value).element_type != f32 or nn.constant_of(op.b) is None:
        return None
    rank, type = len(shape_of(op.a)), tensor(op.a)
    if rank < 2 or len(shape_of(op.b)) != 2 or not type.has_static_shape():
        return None
    is_worth_it = prod(shape_of(op.a)[:-1]) >= fewest and shape_of(value)[-1] >= FEWEST_UNITS
    return op if is_worth_it else None


def _side_by_side(first: nn.MatMulOp, second: nn.MatMulOp) -> BlobAttr:
    """The weights of both products, concatenated along the summed dimension."""
    import numpy as np

    from ...reference.arrays import blob_of
    from ...reference.constants import constant_arrays

    arrays = constant_arrays((first.b, second.b)) or []
    return blob_of(np.concatenate(arrays, axis=1 if first.transpose_b else 0))
