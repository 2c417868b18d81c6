"""Writing operations at one place of a module, and clearing away what they made unused."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.transforms.dead_code_elimination import is_trivially_dead

from ..dialects import nn
from ..dialects.blob import BlobAttr
from ..dialects.inferred import InferredOp, tensor


class Writer:
    """Writes operations of inferred types, one after the other."""

    def __init__(self, place: InsertPoint):
        self.builder = Builder(place)

    def __call__(
        self, op: type[InferredOp], *operands: SSAValue, **properties: Attribute
    ) -> SSAValue:
        """Writes an operation. Returns its first result."""
        return self.builder.insert(op.of(*operands, **properties)).results[0]

    def constant(self, value: BlobAttr) -> SSAValue:
        return self.builder.insert(nn.ConstantOp(value)).result

    def scalar_like(self, value: SSAValue, number: float) -> SSAValue:
        """A number of the element type of `value`."""
        return self.constant(BlobAttr.of(TensorType(tensor(value).element_type, []), number))

    def integers(self, *values: int) -> SSAValue:
        """A list of axes, limits or sizes."""
        return self.constant(BlobAttr.of(TensorType(i64, [len(values)]), values))

    def split(self, value: SSAValue, parts: int, axis: int) -> Sequence[SSAValue]:
        """Equal parts along an axis."""
        along = self.constant(BlobAttr.of(TensorType(i64, []), axis))
        number = IntegerAttr(parts, i64)
        return self.builder.insert(nn.SplitOp.of(value, along, num_splits=number)).results

    def slice(self, value: SSAValue, start: int, stop: int, axis: int) -> SSAValue:
        """Elements `start` to `stop` along an axis."""
        return self(nn.SliceOp, value, *map(self.integers, (start, stop, 1, axis)))


def erase_unused(*values: SSAValue) -> None:
    """Erases what gives these values and all that only it needed, where nothing uses it."""
    pending = [value.owner for value in values]
    while pending:
        op = pending.pop()
        if isinstance(op, Operation) and op.parent is not None and is_trivially_dead(op):
            pending += [operand.owner for operand in op.operands]
            Rewriter.erase_op(op)
