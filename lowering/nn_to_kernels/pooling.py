"""Pooling: channels last, what lies outside put around the input first."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue

from ...dialects import kernel, nn
from ...dialects.elements import limits_of
from ...dialects.inferred import shape_of, static_shape, tensor
from ...dialects.kernel import Access, Term, body_type
from ...dialects.nn.window import Window
from ...dialects.origins import origin_of, set_origins
from ...reference.arrays import Array, dtype_of
from ..bodies import Scalar, build_body
from .chain import Chain
from .reduction import Element, Quotient, check_numbers, signed_order, summand
from .rule import Lowered, constant, is_integer, is_low, rule


@rule(nn.MaxPoolOp)
def max_pool(op: nn.MaxPoolOp) -> Lowered:
    element = check_numbers(op)
    lowest = limits_of(element)[0] if is_integer(element) else float("-inf")
    chain, order = Chain(op), signed_order(element)
    return _pooled(chain, op, "max", lowest, order, [], order)


@rule(nn.AvgPoolOp)
def avg_pool(op: nn.AvgPoolOp) -> Lowered:
    element = check_numbers(op)
    window = op.pooling_window()
    most = prod(window.kernel)
    counts = _counts(window, static_shape(op.input)[2:], static_shape(op.result)[2:])
    if op.counts_outside():
        counts = np.full_like(counts, most)
    parts = Quotient(element, most, rounded=is_low(op.input))
    chain = Chain(op)
    ins: list[SSAValue] = []
    if np.unique(counts).size > 1:
        divisors = counts[None, ..., None].astype(dtype_of(parts.type))
        ins.append(chain.add(constant(divisors, parts.type)))

    def finish(total: Scalar, *count: Scalar) -> Scalar:
        divisor = count[0] if count else total.body.constant(int(counts.flat[0]), parts.type)
        return parts.emit(total, divisor)

    return _pooled(chain, op, "sum", 0, summand(element, most), ins, finish)


def _counts(window: Window, sizes: Sequence[int], positions: Sequence[int]) -> Array:
    """How many elements of the input each position sees; at least 1, to divide by."""
    counts = np.ones((), np.int64)
    for d, (size, count, (low, _)) in enumerate(
        zip(sizes, positions, window.padding(sizes), strict=True)
    ):
        first = np.arange(count) * window.strides[d] - low
        dilation = window.dilations[d]
        before, until = (
            np.clip(-((first - end) // dilation), 0, window.kernel[d]) for end in (0, size)
        )  # taps before the input's beginning and before its end
        counts = counts[..., None] * (until - before)
    return np.maximum(counts, 1)


def _pooled(
    chain: Chain,
    op: nn.MaxPoolOp | nn.AvgPoolOp,
    combiner: str,
    outside: float,
    element: Element,
    ins: Sequence[SSAValue],
    finish: Element,
) -> Lowered:
    result, window = tensor(op.result), op.pooling_window()
    batch, channels, *positions = static_shape(op.result)
    sizes = static_shape(op.input)[2:]
    domain, spatial = (batch, *positions, channels), len(positions)
    low = [before for before, _ in window.padding(sizes)]
    high = [
        max((count - 1) * stride + extent - size - before, 0)
        for count, stride, extent, size, before in zip(
            positions, window.strides, window.extents, sizes, low, strict=True
        )
    ]
    x = chain.channels_last(op.input)
    if any((*low, *high)):
        x = chain.add(kernel.PadOp(x, [0, *low, 0], [0, *high, 0], outside))
    rank = len(domain)
    points = (Term(d + 1, stride) for d, stride in enumerate(window.strides))
    steps = (Term(d, dilation) for d, dilation in enumerate(window.dilations))
    made = build_body([body_type(result.element_type)], element)
    last = made.block.last_op
    assert last is not None
    scalars = [last.operands[0].type, *(tensor(value).element_type for value in ins)]
    new = kernel.ReduceOp(
        combiner,
        domain,
        window.kernel,
        [x],
        [Access(rank, (Term(0), *points, Term(rank - 1)))],
        [Access(spatial, (Term(None), *steps, Term(None)))],
        made,
        ins,
        [*(Access.broadcast(domain, shape_of(value)) for value in ins), Access.identity(rank)],
        build_body(scalars, finish),
        results=[TensorType(result.element_type, domain)],
    )
    set_origins(new, origin_of(op, is_low(op.input)))
    return Lowered(chain.channels_first(chain.add(new)), ops=chain.ops)
