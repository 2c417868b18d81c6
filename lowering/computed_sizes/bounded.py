"""A value at its largest size, and the value that says how much of it counts."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.inferred import label, tensor
from ...passes.raise_loop_ports.loop import is_equal

Sizes = dict[int, SSAValue]
"""By dimension, the value (a vector of one integer) that holds its size."""

Size = int | SSAValue
"""A known size, or the value that holds it."""


@dataclass(frozen=True)
class Bounded:
    """A value at its largest size, and by dimension the value that holds the size that counts."""

    value: SSAValue
    sizes: Sizes


def begins(op: Operation) -> bool:
    """Whether an operation is a slice of a value of known shape to a computed size."""
    return (
        isinstance(op, nn.SliceOp)
        and tensor(op.input).has_static_shape()
        and not tensor(op.result).has_static_shape()
    )


def same(left: Sizes, right: Sizes) -> bool:
    """Whether sizes are computed alike, dimension by dimension."""
    return left.keys() == right.keys() and all(is_equal(left[d], right[d]) for d in left)


def refusal(op: Operation) -> DiagnosticException:
    return DiagnosticException(
        f"{label(op)}: reads a value whose size only the run can tell, and has no law for that; let the values that it "
        "reads have fixed sizes (as of the best k, or with a mask), or end the model in front of it (trim)"
    )
