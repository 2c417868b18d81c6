"""Writing operations for importers: what constants determine is a constant at once."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from ..dialects.inferred import InferredOp
from ..dialects.nn.writer import Writer
from ..dialects.properties import Property
from .fold_constants import folded, is_dequantization, put_constants


class FoldingWriter(Writer):
    """
    As its base. Operations on constants, and `nn.shape_of` of a known shape, become constants as they are written,
    where the results are small or one element repeated: axes and sizes that a model computes are constants by the
    time that an operation asks for them. Weights that a model transposes or converts stay as it has them.
    """

    def all(
        self, op: type[InferredOp], *operands: SSAValue | float, **properties: Property
    ) -> Sequence[SSAValue]:
        results = super().all(op, *operands, **properties)
        made = results[0].owner
        assert isinstance(made, InferredOp)
        return settled(made)


def settled(op: InferredOp) -> Sequence[SSAValue]:
    """The results of an operation in its block, which constants take the place of where they are known and small."""
    if is_dequantization(op) or (values := folded(op, spread=0)) is None:
        return op.results
    return put_constants(op, values)
