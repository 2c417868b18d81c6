"""Prepares a module before its operations become LiteRT's."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...dialects import nn, qnn, rnn
from ...dialects.blob import element_count
from ...dialects.inferred import shape_of, tensor
from ...dialects.walk import all_operations
from ..decompose_cells import DecomposeCells
from ..expand_column_scales import ExpandColumnScales
from ..expand_zero_points import expand_zero_points
from ..fold_constants import FoldConstants
from ..infer_shapes import infer_types
from ..lower_sequences import lower
from ..lpt.prerequisites.raise_dequantization import RaiseDequantization
from ..scale_weights import ScaleWeights
from .biases import AddBeforeReshape, DropZeroBias
from .dynamic_range import leave_quantization_to_kernels
from .recurrent import has_kernel


def prepare(ctx: Context, module: ModuleOp) -> None:
    """
    Brings the module into the form that emitters expect: recurrent layers without a LiteRT kernel are iterators, and
    cells are decomposed.
    """
    leave_quantization_to_kernels(module)
    retyped = False
    for op in all_operations(module):
        if isinstance(op, rnn.SequenceOp) and not has_kernel(op):
            retyped |= lower(op)
    if retyped:
        infer_types(module, keep=True)
    DecomposeCells().apply(ctx, module)
    ExpandColumnScales().apply(ctx, module)
    expand_zero_points(module)
    FoldConstants().apply(ctx, module)
    rules: list[RewritePattern] = [RaiseDequantization(), QuantizeBeforePooling(), ScaleWeights()]
    whole = GreedyRewritePatternApplier([*rules, DropZeroBias(), AddBeforeReshape()])
    PatternRewriteWalker(whole).rewrite_module(module)


class QuantizeBeforePooling(RewritePattern):
    """`fake_quantize(max_pool(x)) = max_pool(fake_quantize(x))` per tensor: quantization keeps the order."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: qnn.FakeQuantizeOp, rewriter: PatternRewriter, /) -> None:
        pool = op.input.owner
        if not isinstance(pool, nn.MaxPoolOp):
            return
        if len(list(pool.result.uses)) > 1 or any(
            element_count(tensor(limits)) > 1 for limits in op.operands[1:]
        ):
            return
        quantized = qnn.FakeQuantizeOp.create(
            operands=[pool.input, *op.operands[1:]],
            result_types=[TensorType(tensor(op.result).element_type, shape_of(pool.input))],
            properties=dict(op.properties),
        )
        pooled = nn.MaxPoolOp.create(
            operands=[quantized.result],
            result_types=[op.result.type],
            properties=dict(pool.properties),
            attributes=dict(op.attributes),
        )
        rewriter.replace(op, [quantized, pooled])
