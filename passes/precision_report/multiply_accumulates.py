"""Counts multiply-accumulates of operations, and the share of a model's that is in low precision."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, i8
from xdsl.ir import Operation

from ...dialects.inferred import friendly_name, shape_of
from ...dialects.infra import IteratorOp
from ...dialects.nn import MatMulOp, ScaledDotProductAttentionOp, constant_of
from ...dialects.nn.convolution import ConvolutionBase, ForwardConvolution
from ...dialects.rnn import RecurrentOp
from ...dialects.traits import multiplied
from ...reference.arrays import array_of


def sizes_multiplied(op: Operation) -> list[int] | None:
    """The sizes whose product is the number of multiply-accumulates; None for an operation that sums no products."""
    if isinstance(op, MatMulOp):
        axis = (-2 if op.transpose_a else -1) if len(shape_of(op.a)) > 1 else -1
        return [*shape_of(op.result), shape_of(op.a)[axis]]
    if isinstance(op, ScaledDotProductAttentionOp):
        widths = [shape_of(each)[-1] for each in (op.query, op.value)]
        both = DYNAMIC_INDEX if DYNAMIC_INDEX in widths else sum(widths)
        return [*shape_of(op.result)[:-1], shape_of(op.key)[-2], both]
    if isinstance(op, ConvolutionBase):
        filters = op.split_filters(shape_of(op.operands[1]))
        if isinstance(op, ForwardConvolution):
            return [*shape_of(op.results[0]), filters.inputs, *filters.kernel]
        return [*shape_of(op.operands[0]), filters.outputs, *filters.kernel]
    if isinstance(op, RecurrentOp):
        w, r = (shape_of(op.operands[weights]) for _, weights in multiplied(type(op)))
        steps = shape_of(op.operands[0])[:-1]  # batch, and time for sequences
        return [
            *steps,
            *w[:-1],
            DYNAMIC_INDEX if DYNAMIC_INDEX in (w[-1], r[-1]) else w[-1] + r[-1],
        ]
    return None


def is_sum(op: Operation) -> bool:
    """
    Whether a product sums codes by multiplying them by ones, which takes zero points out of another product; it is no
    layer of the model, and has no name.
    """
    if friendly_name(op) is not None:
        return False
    known = (constant_of(operand) for operand in op.operands[:2])
    return any(
        blob is not None and blob.type.element_type == i8 and bool((array_of(blob) == 1).all())
        for blob in known
    )


def multiply_accumulates(op: Operation) -> int | None:
    """The number in one run, over all iterations of surrounding loops; None where sizes are not known."""
    sizes = sizes_multiplied(op) or []
    around = op.parent_op()
    while around is not None:
        if isinstance(around, IteratorOp):
            sizes.append(DYNAMIC_INDEX if (count := around.iterations()) is None else count)
        around = around.parent_op()
    return None if DYNAMIC_INDEX in sizes else math.prod(sizes)


@dataclass(frozen=True)
class Summary:
    """The products of a model, those in low precision, and their multiply-accumulates."""

    products: int = 0
    low_products: int = 0
    count: int = 0
    low_count: int = 0
    unknown: int = 0

    @property
    def share(self) -> float:
        """The part of all multiply-accumulates of known size that is in low precision, 0 to 1."""
        return self.low_count / self.count if self.count else 0.0

    def __str__(self) -> str:
        if not self.products:
            return "no matrix products, convolutions or recurrent layers"
        what = "matrix products, convolutions and recurrent layers"
        text = f"{self.low_products} of {self.products} {what} are in 8 bits"
        if self.count:
            text += f", {self.share:.1%} of {self.count:,} multiply-accumulates"
        if self.unknown:
            text += f"; the size of {self.unknown} is not known"
        return text


def summarize(module: ModuleOp, is_low: Callable[[Operation], bool]) -> Summary:
    """The summary of a model's layers that are sums of products, where `is_low` says which are in low precision."""
    found = Summary()
    for op in module.walk():
        if sizes_multiplied(op) is None or is_sum(op):
            continue
        count, low = multiply_accumulates(op), is_low(op)
        found = replace(
            found,
            products=found.products + 1,
            low_products=found.low_products + low,
            count=found.count + (count or 0),
            low_count=found.low_count + (count or 0) * low,
            unknown=found.unknown + (count is None),
        )
    return found
