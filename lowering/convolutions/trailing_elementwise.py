"""
Elementwise operations behind a convolution, also behind its transpose, which are computed on its parts before these are
joined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import nn
from ...dialects.inferred import InferredOp, constant_integers, shape_of
from ...dialects.nn.convolution import ConvolutionBase
from ...dialects.nn.writer import Writer
from ...dialects.origins import origin_of, set_origins
from ...dialects.rewriter import Rewriter
from ...dialects.traits import Broadcasts, Elementwise
from ...passes.erase_unused import erase_unused


@dataclass(frozen=True)
class Trailing:
    """
    Elementwise operations behind a convolution, in order. Only `value`, the last result, has other readers. Between
    them may be a transpose, to dimensions of the convolution in this `order`.
    """

    op: ConvolutionBase
    ops: tuple[InferredOp, ...]
    value: SSAValue
    order: tuple[int, ...] = ()

    @classmethod
    def behind(cls, op: ConvolutionBase) -> Self:
        """The longest chain of them with one result."""
        ops, value = _chain(op.result, 1)
        found = cls(op, ops, value)
        users = [use.operation for use in value.uses]
        if len(users) != 1 or not isinstance(transpose := users[0], nn.TransposeOp):
            return found
        if not (order := tuple(constant_integers(transpose.order) or ())):
            return found
        more, value = _chain(transpose.result, order.index(1))
        return cls(op, (*ops, transpose, *more), value, order) if more else found

    def on(
        self, write: Writer, part: SSAValue, constant: Callable[[SSAValue], SSAValue]
    ) -> SSAValue:
        """
        The same operations on `part`, some results of the convolution; `constant` gives what replaces a constant
        operand.
        """
        new = part.owner
        assert isinstance(new, Operation)
        new.attributes |= self.op.attributes
        moved: dict[SSAValue, SSAValue] = {self.op.result: part}
        for each in self.ops:
            if isinstance(each, nn.TransposeOp):
                moved[each.result] = moved[each.input]
                continue
            operands = [moved.get(v) or constant(self._in_order(write, v)) for v in each.operands]
            new = type(each).of(*operands, **each.properties)
            new.attributes |= each.attributes
            write.builder.insert(new)
            moved[each.results[0]] = new.results[0]
        return moved[self.value]

    def _in_order(self, write: Writer, value: SSAValue) -> SSAValue:
        """A constant for each channel, as it broadcasts to the convolution's result."""
        if not self.order or max(shape_of(value), default=1) == 1:
            return value
        from ...reference.arrays import array_of, blob_of

        blob = nn.constant_of(value)
        assert blob is not None
        array = array_of(blob).reshape(1, -1, *[1] * (len(self.order) - 2))
        return write.constant(blob_of(array, blob.type.element_type))

    def replace(self, result: SSAValue, block: Block) -> None:
        """Inserts operations, which compute `result`, and erases all these and the convolution."""
        origins = origin_of(self.op)
        if self.order:
            result = Writer(InsertPoint.at_end(block)).transposed(result, self.order)
        new = list(block.ops)
        for each in new:
            each.detach()
            if not isinstance(each, nn.ConstantOp) and not origin_of(each):
                set_origins(each, origins)
        last = self.value.owner
        assert isinstance(last, Operation)
        Rewriter.insert_op(new, InsertPoint.before(last))
        self.value.replace_all_uses_with(result)
        erase_unused(self.value)


def _chain(start: SSAValue, channels: int) -> tuple[tuple[InferredOp, ...], SSAValue]:
    """The longest chain behind a value, whose channels are a dimension of it, and the value that it computes."""
    ops, computed = list[InferredOp](), {start}
    found: tuple[tuple[InferredOp, ...], SSAValue] = ((), start)
    assert isinstance(start.owner, Operation)
    following = start.owner.next_op
    while following is not None:
        if _follows(following, computed, channels):
            assert isinstance(following, InferredOp)
            ops.append(following)
            computed.add(following.results[0])
            left = [v for v in computed if any(u.operation not in ops for u in v.uses)]
            if left == [following.results[0]]:
                found = (tuple(ops), left[0])
        following = following.next_op
    return found


def _follows(op: Operation, computed: set[SSAValue], channels: int) -> bool:
    """Whether an operation computes each element from elements of `computed` and from constants for channels."""
    if not isinstance(op, InferredOp) or not op.has_trait(Elementwise) or len(op.results) != 1:
        return False
    inside = [value for value in op.operands if value in computed]
    others = [value for value in op.operands if value not in computed]
    if not inside or (others and not op.has_trait(Broadcasts)):
        return False
    shape = shape_of(inside[0])
    return shape_of(op.results[0]) == shape and all(
        _is_by_channel(v, shape, channels) for v in others
    )


def _is_by_channel(value: SSAValue, shape: Sequence[int], channels: int) -> bool:
    """Whether a value is a constant that is uniform, or differs between channels only, those of a dimension."""
    if nn.constant_of(value) is None or len(own := shape_of(value)) > len(shape):
        return False
    padded = (1,) * (len(shape) - len(own)) + tuple(own)
    return all(size == 1 for d, size in enumerate(padded) if d != channels)
