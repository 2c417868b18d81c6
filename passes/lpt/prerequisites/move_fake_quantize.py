"""FakeQuantize behind a concatenation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.blob import BlobAttr
from ....dialects.inferred import NAME, friendly_name, shape_of
from ....dialects.infra import IteratorOp
from ....dialects.nn import ConcatOp, ConstantOp, ReluOp, SplitOp, constant_of
from ....dialects.qnn import FakeQuantizeOp
from ....dialects.traits import moved_data
from ....reference.arrays import array_of, blob_of
from ..pattern import NamedPattern
from ..quantization_details import dequantization_of

IntervalLimit = SSAValue | BlobAttr
"""A limit of a FakeQuantize: as it was, or a part of it, which is new."""


class MoveFakeQuantize(NamedPattern[FakeQuantizeOp]):
    """
    `fq(concat(a, b, …)) = concat(fq(a), fq(b), …)`, also with a Relu between them, which moves along. Limits that vary
    along the axis are split. If the FakeQuantize gives codes, their only dequantization moves along. No other operation
    may read the values between.

    Each input then has a FakeQuantize of its own, which its producer can fuse. The parts of one Split, or the results
    of iterators, have no such producers.

    Declines values that another operation reads; parts of one Split; results of iterators; limits along the axis that
    are computed, or for parts of unknown size.
    """

    name: ClassVar[str] = "move_fake_quantize"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FakeQuantizeOp, rewriter: PatternRewriter, /) -> None:
        relu = op.input.owner if isinstance(op.input.owner, ReluOp) else None
        joined = op.input if relu is None else relu.input
        concat = joined.owner
        if not isinstance(concat, ConcatOp) or undoes_split(concat):
            return
        if all(map(comes_from_body, concat.inputs)):
            return
        if not op.input.has_one_use() or not joined.has_one_use():
            return
        if (parts := split_limits(op, concat)) is None:
            return
        moved: list[SSAValue] = []
        for number, (value, limits) in enumerate(zip(concat.inputs, parts, strict=True), 1):
            if relu is not None:
                rewriter.insert(above := numbered(ReluOp.of(value), relu, number))
                value = above.results[0]
            operands = [placed(limit, rewriter) for limit in limits]
            quantize = FakeQuantizeOp.of(value, *operands, **op.properties)
            rewriter.insert(numbered(quantize, op, number))
            moved.append(quantize.result)
        if (
            op.output_type is None
            or (side := dequantization_of(op)) is None
            or not side.is_per_tensor
        ):
            below = ConcatOp.of(*moved, **concat.properties)
            below.attributes |= op.attributes
            rewriter.replace(op, below)
            return
        values = [side.over(codes) for codes in moved]
        below = ConcatOp.of(*(each.result for each in values), **concat.properties)
        rewriter.insert((*values, below))
        for dequantization in [use.operation for use in op.result.uses]:
            below.attributes |= dequantization.attributes
            rewriter.replace(dequantization, [], [below.result])
        rewriter.erase(op)


def undoes_split(concat: ConcatOp) -> bool:
    """Whether all inputs come from one Split."""
    owners = {value.owner for value in concat.inputs}
    return len(owners) == 1 and isinstance(owners.pop(), SplitOp)


def comes_from_body(value: SSAValue) -> bool:
    """Whether an iterator gives the elements of a value, however they are moved."""
    while isinstance(op := value.owner, Operation) and (moved := moved_data(op)):
        value = moved[0]
    return isinstance(value.owner, IteratorOp)


def numbered(new: Operation, old: Operation, number: int) -> Operation:
    """A new operation that is the part of this number of an old one."""
    new.attributes |= old.attributes
    if (name := friendly_name(old)) is not None:
        new.attributes[NAME] = StringAttr(f"{name}_{number}")
    return new


def split_limits(op: FakeQuantizeOp, concat: ConcatOp) -> list[Sequence[IntervalLimit]] | None:
    """The limits for each input of a Concat, or None where they are not known to be separable."""
    rank = len(shape_of(concat.result))
    axis = concat.axis.value.data % rank - rank  # from the back, as limits broadcast
    sizes = [shape_of(value)[axis] for value in concat.inputs]
    columns: list[Sequence[IntervalLimit]] = []
    for limit in op.operands[1:]:
        shape = shape_of(limit)
        if len(shape) < -axis or shape[axis] == 1:
            columns.append([limit] * len(sizes))
            continue
        if (blob := constant_of(limit)) is None or DYNAMIC_INDEX in sizes:
            return None
        pieces = np.split(array_of(blob), np.cumsum(sizes)[:-1], axis)
        columns.append([blob_of(piece, blob.type.element_type) for piece in pieces])
    return list(zip(*columns, strict=True))


def placed(limit: IntervalLimit, rewriter: PatternRewriter) -> SSAValue:
    """The value of a limit."""
    if isinstance(limit, SSAValue):
        return limit
    rewriter.insert(constant := ConstantOp(limit))
    return constant.result
