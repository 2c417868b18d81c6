"""Branches whose sizes only the run can tell: both bodies are computed, and one is chosen, element by element."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ...passes.shapes.computed_integers import Size
from .bounded import Bounded, Sizes, refusal
from .data_movement import size_of

ACTS = infra.FailOp | infra.ReadValueOp | infra.AssignOp | infra.IteratorOp
"""What may be done in the body that is taken alone, or takes long."""


def bodies_in_front(op: infra.IfOp) -> Sequence[Operation]:
    """The operations of both bodies, moved in front of the branch, whose inputs they read. What is yielded stays."""
    moved: list[Operation] = []
    for body in op.bodies:
        if any(isinstance(inner, ACTS) for inner in body.walk()):
            raise refusal(op)
        for argument, value in zip(body.args, op.inputs, strict=True):
            argument.replace_all_uses_with(value)
        moved += [inner for inner in body.ops if not isinstance(inner, infra.YieldOp)]
    parent = op.parent
    assert parent is not None
    for inner in moved:
        inner.detach()
    parent.insert_ops_before(moved, op)
    return moved


def either(write: Writer, condition: SSAValue, first: Bounded, second: Bounded) -> Bounded:
    """The first where the condition holds, else the second, in a shape that holds both."""
    shape = tuple(map(max, shape_of(first.value), shape_of(second.value)))
    sizes = Sizes()
    for d in range(len(shape)):
        limits = [size_of(write, each, d) for each in (first, second)]
        if isinstance(limits[0], SSAValue) or limits[0] != limits[1]:
            sizes[d] = write(nn.SelectOp, condition, *(_vector(write, each) for each in limits))
    parts = [_padded(write, each.value, shape) for each in (first, second)]
    return Bounded(write(nn.SelectOp, condition, *parts), sizes)


def _vector(write: Writer, size: Size) -> SSAValue:
    return write.integers(size) if isinstance(size, int) else size


def _padded(write: Writer, value: SSAValue, shape: Sequence[int]) -> SSAValue:
    """The same elements in a larger shape, with zeros behind."""
    element = tensor(value).element_type
    if 0 in shape_of(value):
        return write.constant(BlobAttr.of(TensorType(element, shape), 0))
    for d, size in enumerate(shape):
        rest = list(shape_of(value))
        rest[d] = size - rest[d]
        if rest[d]:
            zeros = write.constant(BlobAttr.of(TensorType(element, rest), 0))
            value = write(nn.ConcatOp, value, zeros, axis=d)
    return value
