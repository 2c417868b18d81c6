"""FakeQuantize behind a concatenation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr
from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, op_type_rewrite_pattern

from ....dialects.blob import BlobAttr
from ....dialects.inferred import NAME, InferredOp, friendly_name, shape_of
from ....dialects.infra import IteratorOp
from ....dialects.nn import ConcatOp, ConstantOp, ReluOp, SplitOp, constant_of
from ....dialects.qnn import FakeQuantizeOp
from ....dialects.traits import moved_data
from ....reference.arrays import array_of, blob_of
from ..constants import scaled_or_shifted
from ..pattern import NamedPattern
from ..quantization_details import dequantization_of

Part = SSAValue | BlobAttr | None
"""An operand of what moves: as it was, a part of it, which is new, or none for what an input of the Concat gives."""


class MoveFakeQuantize(NamedPattern[FakeQuantizeOp]):
    """
    `fq(concat(a, b, …)) = concat(fq(a), fq(b), …)`, also with Relu or arithmetic with constants between them, which
    moves along. Limits and constants that vary along the axis are split. If the FakeQuantize gives codes, their only
    dequantization moves along. No other operation may read the values between.

    Each input then has a FakeQuantize of its own, which its producer can fuse. The parts of one Split, or the results
    of iterators, have no such producers.

    Declines values that another operation reads; parts of one Split; results of iterators; limits along the axis that
    are computed, or limits and constants along it for parts of unknown size.
    """

    name: ClassVar[str] = "move_fake_quantize"

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: FakeQuantizeOp, rewriter: PatternRewriter, /) -> None:
        if (found := concat_above(op)) is None:
            return
        concat, moving = found
        if undoes_split(concat) or all(map(comes_from_body, concat.inputs)):
            return
        if (parts := split_operands(moving, concat)) is None:
            return
        moved: list[SSAValue] = []
        for number, (value, part) in enumerate(zip(concat.inputs, parts, strict=True), 1):
            for above, others in zip(moving, part, strict=True):
                operands = [value if each is None else placed(each, rewriter) for each in others]
                new = type(above).of(*operands, **above.properties)
                rewriter.insert(numbered(new, above, number))
                value = new.results[0]
            moved.append(value)
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


def concat_above(op: FakeQuantizeOp) -> tuple[ConcatOp, list[InferredOp]] | None:
    """The concatenation, and what can move in front of it: all that is behind it, and the FakeQuantize at last."""
    moving: list[InferredOp] = [op]
    value = op.input
    while value.has_one_use():
        above = value.owner
        if isinstance(above, ConcatOp):
            return above, moving
        data = data_of(above)
        if data is None or shape_of(data) != shape_of(value) or not isinstance(above, InferredOp):
            return None
        moving.insert(0, above)
        value = data
    return None


def data_of(op: Operation | Block) -> SSAValue | None:
    """What a FakeQuantize, a Relu or arithmetic with a constant takes beside its constants."""
    match op:
        case FakeQuantizeOp() | ReluOp():
            return op.input
        case Operation():
            return scaled_or_shifted(op)
        case _:
            return None


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


def split_operands(
    moving: Sequence[InferredOp], concat: ConcatOp
) -> list[list[Sequence[Part]]] | None:
    """For each input of a Concat the operands of what moves, or None where they are not known to be separable."""
    columns = [split_along(concat, op) for op in moving]
    known = [column for column in columns if column is not None]
    return [list(row) for row in zip(*known, strict=True)] if len(known) == len(columns) else None


def split_along(concat: ConcatOp, op: InferredOp) -> list[Sequence[Part]] | None:
    """The operands of one operation for each input of a Concat."""
    rank = len(shape_of(concat.result))
    axis = concat.axis.value.data % rank - rank  # from the back, as constants broadcast
    sizes = [shape_of(value)[axis] for value in concat.inputs]
    data = data_of(op)
    columns: list[Sequence[Part]] = []
    for operand in op.operands:
        shape = shape_of(operand)
        if operand is data or len(shape) < -axis or shape[axis] == 1:
            columns.append([None if operand is data else operand] * len(sizes))
            continue
        if (blob := constant_of(operand)) is None or DYNAMIC_INDEX in sizes:
            return None
        pieces = np.split(array_of(blob), np.cumsum(sizes)[:-1], axis)
        columns.append([blob_of(piece, blob.type.element_type) for piece in pieces])
    return list(zip(*columns, strict=True))


def placed(operand: SSAValue | BlobAttr, rewriter: PatternRewriter) -> SSAValue:
    """The value of an operand."""
    if isinstance(operand, SSAValue):
        return operand
    rewriter.insert(constant := ConstantOp(operand))
    return constant.result
