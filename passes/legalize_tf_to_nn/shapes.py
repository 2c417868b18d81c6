"""Shapes and reshapes that LiteRT does not have, or defines differently."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of
from ..tensorflow import TfOp
from .translation import Translation, computes


@computes("Size")
def size(t: Translation, op: TfOp, x: SSAValue) -> SSAValue:
    return t.converted(t(nn.ReduceProdOp, t.sizes(x), t.integers(0)), op.element)


@computes("Rank")
def rank(t: Translation, op: TfOp, x: SSAValue) -> SSAValue:
    return t.constant(BlobAttr.of(TensorType(op.element, []), [len(shape_of(x))]))


@computes("Reshape")
def reshape(t: Translation, op: TfOp, x: SSAValue, wanted: SSAValue) -> SSAValue:
    sizes = t.known_one_by_one(wanted)
    if sizes.count(None) == 1 and min((size for size in sizes if size is not None), default=1) > 0:
        wanted = t.integers(*(-1 if size is None else size for size in sizes))
    return t(nn.ReshapeOp, x, t.long(wanted))


@computes("ConcatV2")
def concat(t: Translation, op: TfOp, *operands: SSAValue) -> SSAValue:
    *parts, axis = operands
    (along,) = t.integers_of(op, axis, "axis")
    return t.joined(parts, along)
