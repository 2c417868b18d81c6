"""Writes operations for importers, and folds constants at once."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import nn
from ..dialects.inferred import InferredOp
from ..dialects.nn.writer import Writer
from ..dialects.properties import Property
from .fold_constants import folded, is_dequantization, put_constants
from .shapes.read_sizes import ReadSizes


class FoldingWriter(Writer):
    """
    As its base. Operations on constants become constants as they are written, where the results are small or one
    element repeated: axes and sizes that a model computes are constants by the time that an operation asks for them.
    Weights that a model transposes or converts stay as it has them, and so do sizes, which follow the model's inputs
    where these get other shapes; types are those for the shapes that there are.
    """

    def __init__(self, place: InsertPoint, sizes: ReadSizes):
        super().__init__(place)
        self.sizes, self.constants = sizes, sizes.known

    def all(
        self, op: type[InferredOp], *operands: SSAValue | float, **properties: Property
    ) -> Sequence[SSAValue]:
        made = super().all(op, *operands, **properties)[0].owner
        assert isinstance(made, InferredOp)
        return settled(made, self.sizes)


def settled(op: InferredOp, sizes: ReadSizes) -> Sequence[SSAValue]:
    """
    The results of an operation in its block; known and small ones are replaced by constants. Where it needs constants
    and has known sizes, these become constants.
    """
    sizes.fix(op)
    if is_dequantization(op) or _may_change(op) or (values := folded(op, is_read=True)) is None:
        return op.results
    return put_constants(op, values)


def _may_change(op: Operation) -> bool:
    """Whether it computes sizes, which follow the model's inputs. Sizes of constants, and ranks, never change."""
    return isinstance(op, nn.ShapeOfOp) and not isinstance(
        op.input.owner, nn.ShapeOfOp | nn.ConstantOp
    )
