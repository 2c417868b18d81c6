"""What is done to a copy of a module before it is written for LiteRT."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from ...dialects import context, nn, qnn, rnn
from ...dialects.blob import element_count
from ...dialects.inferred import shape_of, tensor
from ...passes.decompose_cells import DecomposeCells
from ...passes.fold_constants import FoldConstants
from ...passes.infer_shapes import infer_types
from ...passes.lower_sequences import lower, step_count
from ...passes.lpt.prerequisites.raise_dequantization import RaiseDequantization


def prepared(module: ModuleOp) -> ModuleOp:
    """
    A copy of the module in the form that the writers know: recurrent layers that LiteRT has no kernel for
    are iterators, their cells operations of `nn`.
    """
    from .write.recurrent import has_kernel

    copy, ctx = module.clone(), context()
    retyped = False
    for op in list(copy.walk()):
        if isinstance(op, rnn.SequenceOp) and not has_kernel(op) and step_count(op) is not None:
            retyped |= lower(op)
    if retyped:
        infer_types(copy, keep=True)
    DecomposeCells().apply(ctx, copy)
    FoldConstants().apply(ctx, copy)
    rules = GreedyRewritePatternApplier([RaiseDequantization(), QuantizeBeforePooling()])
    PatternRewriteWalker(rules).rewrite_module(copy)
    return copy


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
