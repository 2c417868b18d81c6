"""
Steps that do not count, left out and put back. With `n_t` the number of steps that count up to `t`, step `t` goes to
place `n_t - 1`, where it is read back by every step up to the next one that counts. Both ways are products with
matrices of zeros and ones, exact in floating point.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Attribute, SSAValue

from ...dialects import nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer


@dataclass(frozen=True)
class Mask:
    """Which steps count, [batch, steps, 1]; where each goes, [batch, place, step] as zeros and ones."""

    counts: SSAValue
    reads: SSAValue
    lengths: SSAValue

    @classmethod
    def of(cls, write: Writer, flags: SSAValue, element: Attribute) -> Mask:
        """Writes what there is to know of flags [batch, steps] or [batch, steps, 1]."""
        if len(shape_of(flags)) == 2:
            flags = write(nn.UnsqueezeOp, flags, write.integers(2))
        steps = shape_of(flags)[1]
        numbers = write(nn.ConvertOp, flags, destination_type=element)
        until = [float(t >= s) for t in range(steps) for s in range(steps)]
        lower = write.constant(BlobAttr.of(TensorType(element, [steps, steps]), until))
        counted = write(nn.MatMulOp, lower, numbers)  # [batch, steps, 1]
        places = [float(place + 1) for place in range(steps)]
        row = write.constant(BlobAttr.of(TensorType(element, [1, 1, steps]), places))
        reads = write(nn.ConvertOp, write(nn.EqualOp, counted, row), destination_type=element)
        total = write(nn.SqueezeOp, write.slice(counted, steps - 1, steps, 1), write.integers(1, 2))
        lengths = write(nn.ConvertOp, total, destination_type=i64)
        return cls(flags, reads, lengths)

    def packed(self, write: Writer, x: SSAValue) -> SSAValue:
        """`x` [batch, steps, size] with the steps that count in front, zeros behind."""
        only = write(nn.SelectOp, self.counts, x, write.scalar_like(x, 0))
        numbers = write(nn.ConvertOp, self.counts, destination_type=tensor(self.reads).element_type)
        goes = write(nn.MultiplyOp, self.reads, numbers)
        return write(nn.MatMulOp, goes, only, transpose_a=True)

    def unpacked(self, write: Writer, y: SSAValue, zeros: bool) -> SSAValue:
        """`y` at each step: that of the last step that counted, or zeros; with `zeros`, of steps that count alone."""
        found = write(nn.MatMulOp, self.reads, y)
        if not zeros:
            return found
        return write(nn.SelectOp, self.counts, found, write.scalar_like(found, 0))
