"""A value at its largest size, and the value that says how much of it counts."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import infra, nn
from ...dialects.blob import BlobAttr
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.nn.writer import Writer
from ...passes.raise_loop_ports.loop import is_equal
from ...passes.shapes.sum_of_sizes import Sum

Sizes = dict[int, SSAValue]
"""By dimension, the value (a vector of one integer) that holds its size."""


@dataclass(frozen=True)
class Bounded:
    """A value at its largest size, and by dimension the value that holds the size that counts."""

    value: SSAValue
    sizes: Sizes


BEGIN = (
    nn.SliceOp | nn.TopKOp | nn.BroadcastOp | nn.PadOp | nn.InterpolateOp | nn.RangeOp | infra.IfOp
)
"""What makes values of dynamic size."""


def begins(op: Operation) -> bool:
    """
    Whether an operation makes something of dynamic size: a slice of a value of known shape, as many of its best,
    repetitions of it, so many elements around it, a branch, or numbers up to that size; or a branch with such an
    operation in it.
    """
    if not _takes_known_shapes(op):
        return False
    within = op.walk() if isinstance(op, infra.IfOp) else (op,)
    return any(
        _takes_known_shapes(x) and not all(tensor(y).has_static_shape() for y in x.results)
        for x in within
    )


def _takes_known_shapes(op: Operation) -> bool:
    return isinstance(op, BEGIN) and all(tensor(x).has_static_shape() for x in op.operands)


def is_same(left: SSAValue, right: SSAValue) -> bool:
    """Whether two sizes are equal: computed alike, or the same sum of the same integers."""
    return is_equal(left, right) or Sum.of(left).plus(Sum.of(right), -1) == Sum(0)


def same(left: Sizes, right: Sizes) -> bool:
    """Whether sizes are computed alike, dimension by dimension."""
    return left.keys() == right.keys() and all(is_same(left[d], right[d]) for d in left)


def refusal(op: Operation) -> DiagnosticException:
    """The error for an operation without a law."""
    if begins(op):
        return DiagnosticException(
            f"{label(op)}: only the run can tell the size of its result, and there is no law for how it is computed; "
            "let that size be fixed (with a mask for what counts), or end the model in front of it (trim)"
        )
    return DiagnosticException(
        f"{label(op)}: reads a value whose size only the run can tell, and has no law for that; let the values that it "
        "reads have fixed sizes (as of the best k, or with a mask), or end the model in front of it (trim)"
    )


def masked(write: Writer, value: SSAValue, axis: int, size: SSAValue, other: float) -> SSAValue:
    """What is there along an axis, and another number beyond."""
    shape = shape_of(value)
    numbers = BlobAttr.of(TensorType(tensor(size).element_type, [shape[axis]]), range(shape[axis]))
    exists = write(nn.LessOp, write.constant(numbers), size)
    exists = write.reshaped(exists, [shape[axis] if d == axis else 1 for d in range(len(shape))])
    return write(nn.SelectOp, exists, value, write.scalar_like(value, other))
