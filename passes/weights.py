"""Parts of weights: constants are cut while compiling, under what quantizes or dequantizes them."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from ..dialects import nn, qnn
from ..dialects.blob import Blob, BlobAttr
from ..dialects.elements import bits_of
from ..dialects.inferred import NAME, InferredOp, shape_of, tensor
from ..dialects.nn.writer import Writer
from .erase_unused import erase_unused

ELEMENTWISE = (
    nn.ConvertOp,
    nn.SubtractOp,
    nn.MultiplyOp,
    qnn.DequantizeOp,
    qnn.FakeQuantizeOp,
)
"""What stands between a constant and weights; LPT looks for it there, so parts have it, too."""

MOST_OPERATIONS = 16
"""On the way from constants to weights; chains that dequantize have up to six."""


def is_known(weights: SSAValue) -> bool:
    """Whether these are a constant, or computed from constants by a few operations of `ELEMENTWISE` alone."""
    pending, seen = [weights], 0
    while pending:
        op, seen = pending.pop().owner, seen + 1
        if seen > MOST_OPERATIONS:
            return False
        if isinstance(op, ELEMENTWISE):
            pending += op.operands
        elif not isinstance(op, nn.ConstantOp):
            return False
    return True


def folded(write: Writer, value: SSAValue) -> SSAValue:
    """The constant that a value is which constants give; what computed it goes."""
    from ..reference.arrays import Array, array_of, blob_of
    from ..reference.executor import evaluate

    def array(value: SSAValue) -> Array:
        op = value.owner
        assert isinstance(op, Operation), "constants give it"
        if isinstance(op, nn.ConstantOp):
            return array_of(op.value)
        return evaluate(op, [array(operand) for operand in op.operands])[0]

    constant = write.constant(blob_of(array(value), tensor(value).element_type))
    erase_unused(value)
    return constant


def rows(write: Writer, weights: SSAValue, start: int, stop: int, drop: bool = False) -> SSAValue:
    """
    Rows of weights; with `drop`, one row without its first dimension. Where the weights are known,
    `f(a, b)[rows] = f(a[rows], b[rows])` for everything on the way from the constants.
    """
    if is_known(weights):
        return _Cut(len(shape_of(weights)), start, stop, drop).value(write, weights)
    whole = (start, stop) == (0, shape_of(weights)[0])
    part = weights if whole else write.slice(weights, start, stop, 0)
    return write(nn.SqueezeOp, part, write.integers(0)) if drop else part


class _Cut:
    """Which rows of a tensor of rank `rank` are wanted; what has fewer dimensions broadcasts to it."""

    def __init__(self, rank: int, start: int, stop: int, drop: bool):
        self.rank, self.start, self.stop, self.drop = rank, start, stop, drop

    def value(self, write: Writer, value: SSAValue) -> SSAValue:
        op = value.owner
        if isinstance(op, nn.ConstantOp):
            return write.constant(self.blob(op.value))
        operands = [self.value(write, operand) for operand in cast(Operation, op).operands]
        assert isinstance(op, ELEMENTWISE), "`is_known` says so"
        properties = {
            name: self.blob(given) if isinstance(given, BlobAttr) else given
            for name, given in op.properties.items()
        }
        cls: type[InferredOp] = type(op)
        part = write.builder.insert(cls.of(*operands, **properties))
        part.attributes.update({key: a for key, a in op.attributes.items() if key != NAME})
        return part.results[0]

    def blob(self, whole: BlobAttr) -> BlobAttr:
        """These rows of a constant, without a copy where elements are whole bytes."""
        shape = whole.type.get_shape()
        if len(shape) < self.rank:
            return whole
        count, *inner = shape
        start, stop = (0, 1) if count == 1 else (self.start, self.stop)
        kept = inner if self.drop else [stop - start, *inner]
        type, data = TensorType(whole.type.element_type, kept), whole.data
        if data.splat:
            return BlobAttr(Blob(type, data.buffer, splat=True))
        if bits_of(whole.type.element_type) < 8:
            from ..reference.arrays import array_of, blob_of

            return blob_of(array_of(whole)[start:stop].reshape(kept), whole.type.element_type)
        row = data.nbytes // count
        part = memoryview(data.buffer).cast("B")[start * row : stop * row]
        return BlobAttr(Blob(type, part))
