"""Moves biases directly behind their product, where kernels take them, and removes zero biases."""

from __future__ import annotations

import math

from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import shape_of
from ...dialects.nn.writer import Writer
from ...reference.arrays import array_of, blob_of


class DropZeroBias(RewritePattern):
    """`x + 0 = x` of numbers."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nn.AddOp, rewriter: PatternRewriter, /) -> None:
        for value, added in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            blob = nn.constant_of(added)
            if blob is not None and value.type == op.result.type and not array_of(blob).any():
                rewriter.replace(op, [], [value])
                return


class AddBeforeReshape(RewritePattern):
    """`reshape(x · w) + b = reshape(x · w + b)`, where the outputs stay along the last dimension."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nn.AddOp, rewriter: PatternRewriter, /) -> None:
        for value, added in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            reshape, outputs = value.owner, shape_of(op.result)[-1:]
            blob = nn.constant_of(added)
            if blob is None or not isinstance(reshape, nn.ReshapeOp):
                continue
            product, shape = reshape.input, shape_of(added)
            if not isinstance(product.owner, nn.MatMulOp) or not value.has_one_use():
                continue
            if shape_of(product)[-1:] != outputs or value.type != op.result.type:
                continue
            if math.prod(shape[:-1]) != 1 or not product.has_one_use():
                continue
            write = Writer(InsertPoint.before(op))
            bias = write.constant(blob_of(array_of(blob).reshape(shape[-1:])))
            total = write(nn.AddOp, product, bias)
            zero = bool(reshape.special_zero)
            moved = write(nn.ReshapeOp, total, reshape.shape, special_zero=zero)
            rewriter.replace(op, [], [moved])
            return
