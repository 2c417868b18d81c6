"""
`scale * (x · w + b) = x · (scale * w) + scale * b`: a constant factor for each output goes into the weights, as of a
batch normalization behind a convolution.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import Float32Type
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from ..dialects import nn
from ..dialects.inferred import constant_integers, shape_of, tensor
from ..dialects.nn.convolution import ConvolutionBase, ForwardConvolution
from ..dialects.nn.writer import Writer
from ..reference.arrays import Array, array_of, blob_of
from .erase_unused import erase_unused


def output_axes(op: Operation) -> tuple[int, ...]:
    """The dimensions of a product's weights, the second operand, along which outputs are; of others none."""
    match op:
        case ConvolutionBase():
            outputs = 0 if isinstance(op, ForwardConvolution) else 1
            return (0, outputs + 1) if op.GROUPED else (outputs,)
        case nn.MatMulOp() if len(shape_of(op.b)) == 2:
            return (0,) if op.transpose_b else (1,)
        case _:
            return ()


def result_axis(op: Operation) -> int:
    """The dimension of a product's result along which its outputs are."""
    return 1 if isinstance(op, ConvolutionBase) else len(shape_of(op.results[0])) - 1


class ScaleWeights(RewritePattern):
    """`scale * (x · w + b) = x · (scale * w) + scale * b`, also behind transposes; nobody else reads the sums."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nn.MultiplyOp, rewriter: PatternRewriter, /) -> None:
        if (found := ScaledProduct.of(op)) is not None and found.scale_weights():
            rewriter.replace(op, [], [found.value])


@dataclass(frozen=True)
class ScaledProduct:
    """A value that a constant factor scales, and the operations that compute it, from the last one to the product."""

    value: SSAValue
    steps: Sequence[Operation]
    factor: SSAValue

    @classmethod
    def of(cls, op: nn.MultiplyOp) -> Self | None:
        """What a multiplication scales."""
        for value, factor in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
            is_constant = nn.constant_of(factor) is not None
            if is_constant and shape_of(value) == shape_of(op.result):
                steps = _steps(value)
                return None if steps is None else cls(value, steps, factor)
        return None

    @property
    def product(self) -> Operation:
        """The convolution or product of matrices."""
        return self.steps[-1]

    def scale_weights(self) -> bool:
        """Scales its weights and what is added to it; not where the factor differs along another axis than outputs."""
        shape = shape_of(self.factor)
        rank = len(shape_of(self.value))
        return _scale(
            self.steps, constant_array(self.factor).reshape(*[1] * (rank - len(shape)), *shape)
        )


def _steps(value: SSAValue) -> Sequence[Operation] | None:
    """The operations from the last one back to the product: transposes and one bias, which nothing else reads."""
    steps = list[Operation]()
    while isinstance(op := value.owner, Operation) and value.has_one_use():
        steps.append(op)
        if isinstance(op, nn.TransposeOp) and constant_integers(op.order):
            value = op.input
        elif isinstance(op, nn.AddOp) and (place := constant_place(op)) is not None:
            value = op.operands[1 - place]
            if shape_of(value) != shape_of(op.result):
                return None
        else:
            is_known = output_axes(op) and nn.constant_of(op.operands[1]) is not None
            is_float = is_known and isinstance(tensor(op.results[0]).element_type, Float32Type)
            return steps if is_float else None
    return None


def constant_place(op: nn.AddOp) -> int | None:
    """The number of the constant operand."""
    return next((i for i, each in enumerate(op.operands) if nn.constant_of(each) is not None), None)


def _scale(steps: Sequence[Operation], scale: Array) -> bool:
    """Multiplies the bias and the weights by a factor; not where that differs along another axis than the outputs'."""
    biases: list[tuple[nn.AddOp, int, Array]] = []
    for step in steps:
        if isinstance(step, nn.TransposeOp):
            order = constant_integers(step.order)
            assert order, "the steps are of known orders"
            scale = scale.transpose(np.argsort(order))
        elif isinstance(step, nn.AddOp) and (place := constant_place(step)) is not None:
            biases.append((step, place, constant_array(step.operands[place]) * scale))
    product, axes = steps[-1], output_axes(steps[-1])
    axis, weights = result_axis(product), constant_array(product.operands[1])
    if scale.size not in (1, scale.shape[axis]):
        return False
    along = [weights.shape[i] if i in axes else 1 for i in range(weights.ndim)]
    if scale.size > 1:
        assert math.prod(along) == scale.size, "outputs are along these axes"
        scale = scale.reshape(along)
    else:
        scale = scale.reshape(())
    for step, place, bias in biases:
        replace_constant(step, place, bias)
    replace_constant(product, 1, weights * scale)
    return True


def constant_array(value: SSAValue) -> Array:
    """The numbers of a constant."""
    blob = nn.constant_of(value)
    assert blob is not None
    return array_of(blob)


def replace_constant(op: Operation, place: int, array: Array) -> None:
    """Replaces an operand of an operation by a constant."""
    before = op.operands[place]
    op.operands[place] = Writer(InsertPoint.before(op)).constant(blob_of(array.astype(np.float32)))
    erase_unused(before)
