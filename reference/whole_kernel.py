"""The meaning of kernels that make their results as wholes."""

from __future__ import annotations

from collections.abc import Sequence

from ..dialects import kernel
from ..dialects.kernel import body_type, shaped
from .arrays import Array, dtype_of
from .scalar import run_body, stored
from .scatter import scattered


def compute_whole(op: kernel.WholeKernelOp, reads: Sequence[Array]) -> list[Array]:
    """The results; `reads` are the ins."""
    match op:
        case kernel.ScatterOp():
            return [_scatter(op, *reads)]
        case _:
            raise AssertionError(f"{op.name} has no meaning")


def _scatter(op: kernel.ScatterOp, data: Array, indices: Array, updates: Array) -> Array:
    element = shaped(op.data).get_element_type()
    scalar = dtype_of(body_type(element))

    def combine(there: Array, update: Array) -> Array:
        (made,) = run_body(op.body.block, [there.astype(scalar), update.astype(scalar)])
        return stored(made, element)

    return scattered(data, op.axis.value.data, indices, updates, combine)
