"""Values with operators, for decompositions that read as equations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import TensorType, i32, i64
from xdsl.ir import Attribute, SSAValue

from ..blob import BlobAttr
from ..inferred import InferredOp, Shape, static_shape, tensor
from .comparison import (
    EqualOp,
    GreaterEqualOp,
    GreaterOp,
    LessEqualOp,
    LessOp,
    LogicalAndOp,
    LogicalOrOp,
    SelectOp,
)
from .elementwise import (
    AddOp,
    ConvertOp,
    DivideOp,
    FloorModOp,
    MaximumOp,
    MinimumOp,
    MultiplyOp,
    SubtractOp,
)
from .functions import AbsOp, CeilingOp, ExpOp, FloorOp, LogOp, RoundOp, SqrtOp
from .movement import ConcatOp
from .reduction import ReduceMaxOp, ReduceMinOp, ReduceOp, ReduceSumOp
from .selection import GatherOp
from .sorting import TopKOp
from .writer import Writer


@dataclass(frozen=True)
class Expression:
    """A value, and where operations on it are written. A number on one side is of the type of the other."""

    write: Writer
    value: SSAValue

    @property
    def shape(self) -> Shape:
        """The shape, which is known."""
        return static_shape(self.value)

    @property
    def element(self) -> Attribute:
        """The type of an element."""
        return tensor(self.value).element_type

    def on(self, value: SSAValue) -> Expression:
        """Another value, written at the same place."""
        return Expression(self.write, value)

    def constant(self, shape: Sequence[int], values: Iterable[float]) -> Expression:
        """New numbers of the type of this."""
        return self.on(constant(self.write, self.element, shape, values))

    def _with(self, op: type[InferredOp], *others: Expression | float) -> Expression:
        values = (each.value if isinstance(each, Expression) else each for each in others)
        return self.on(self.write(op, self.value, *values))

    def __add__(self, other: Expression | float) -> Expression:
        return self._with(AddOp, other)

    def __sub__(self, other: Expression | float) -> Expression:
        return self._with(SubtractOp, other)

    def __rsub__(self, number: float) -> Expression:
        return self.on(self.write(SubtractOp, number, self.value))

    def __mul__(self, other: Expression | float) -> Expression:
        return self._with(MultiplyOp, other)

    def __truediv__(self, other: Expression | float) -> Expression:
        return self._with(DivideOp, other)

    def __rtruediv__(self, number: float) -> Expression:
        return self.on(self.write(DivideOp, number, self.value))

    def __mod__(self, other: Expression | float) -> Expression:
        return self._with(FloorModOp, other)

    def __lt__(self, other: Expression | float) -> Expression:
        return self._with(LessOp, other)

    def __le__(self, other: Expression | float) -> Expression:
        return self._with(LessEqualOp, other)

    def __gt__(self, other: Expression | float) -> Expression:
        return self._with(GreaterOp, other)

    def __ge__(self, other: Expression | float) -> Expression:
        return self._with(GreaterEqualOp, other)

    def equals(self, other: Expression | float) -> Expression:
        """Where both are equal."""
        return self._with(EqualOp, other)

    def __and__(self, other: Expression) -> Expression:
        return self._with(LogicalAndOp, other)

    def __or__(self, other: Expression) -> Expression:
        return self._with(LogicalOrOp, other)

    def where(self, then: Expression | float, otherwise: Expression | float) -> Expression:
        """`then` where this is true, else `otherwise`; one of both is NaN."""
        known = then if isinstance(then, Expression) else otherwise
        assert isinstance(known, Expression), "no operand says what type the numbers have"
        values = (
            each.value
            if isinstance(each, Expression)
            else self.write.scalar_like(known.value, each)
            for each in (then, otherwise)
        )
        return self.on(self.write(SelectOp, self.value, *values))

    def at_least(self, other: Expression | float) -> Expression:
        """The greater of both."""
        return self._with(MaximumOp, other)

    def at_most(self, other: Expression | float) -> Expression:
        """The lesser of both."""
        return self._with(MinimumOp, other)

    def floor(self) -> Expression:
        """The whole number below."""
        return self._with(FloorOp)

    def ceiling(self) -> Expression:
        """The whole number above."""
        return self._with(CeilingOp)

    def rounded(self) -> Expression:
        """The nearest whole number, the even one of two."""
        return self._with(RoundOp)

    def magnitude(self) -> Expression:
        """The absolute value."""
        return self._with(AbsOp)

    def exp(self) -> Expression:
        """`e` to the power of this."""
        return self._with(ExpOp)

    def log(self) -> Expression:
        """The natural logarithm."""
        return self._with(LogOp)

    def root(self) -> Expression:
        """The square root."""
        return self._with(SqrtOp)

    def to(self, element: Attribute) -> Expression:
        """The same numbers in another type."""
        if self.element == element:
            return self
        return self.on(self.write(ConvertOp, self.value, destination_type=element))

    def reshaped(self, *shape: int) -> Expression:
        """The same elements under another shape."""
        return self.on(self.write.reshaped(self.value, shape))

    def transposed(self, *order: int) -> Expression:
        """Dimension i is dimension `order[i]` of this."""
        return self.on(self.write.transposed(self.value, order))

    def broadcast(self, *shape: int) -> Expression:
        """Repeated to a shape."""
        return self.on(self.write.broadcast(self.value, shape))

    def slice(self, axis: int, start: int, stop: int) -> Expression:
        """Elements `start` to `stop` along an axis."""
        if (start, stop) == (0, self.shape[axis]):
            return self
        return self.on(self.write.slice(self.value, start, stop, axis))

    def columns(self) -> list[Expression]:
        """Each element of the last dimension."""
        last = len(self.shape) - 1
        return [
            self.slice(last, i, i + 1).reshaped(*self.shape[:-1]) for i in range(self.shape[-1])
        ]

    def sum(self, *axes: int, keep: bool = False) -> Expression:
        """The sum along axes, which stay with size 1 where they are kept."""
        return self._reduced(ReduceSumOp, axes, keep)

    def most(self, *axes: int, keep: bool = False) -> Expression:
        """The greatest along axes."""
        return self._reduced(ReduceMaxOp, axes, keep)

    def least(self, *axes: int, keep: bool = False) -> Expression:
        """The least along axes."""
        return self._reduced(ReduceMinOp, axes, keep)

    def _reduced(self, op: type[ReduceOp], axes: Sequence[int], keep: bool) -> Expression:
        return self.on(self.write(op, self.value, self.write.integers(*axes), keep_dims=keep))

    def top(
        self,
        count: int,
        axis: int = -1,
        mode: str = "max",
        index: Attribute = i32,
        sort: str = "value",
    ) -> tuple[Expression, Expression]:
        """The greatest or least along an axis, and where they are; equal ones stay in order."""
        values, places = self.write.all(
            TopKOp,
            self.value,
            self.write.integer(count),
            axis=axis % len(self.shape),
            mode=mode,
            sort=sort,
            index_element_type=index,
        )
        return self.on(values), self.on(places)

    def gathered(self, indices: Expression, axis: int, batch: int = 0) -> Expression:
        """Elements at indices along an axis, 0 where they are outside; the first dimensions go together."""
        along = constant(self.write, i64, (), [axis])
        return self.on(self.write(GatherOp, self.value, indices.value, along, batch_dims=batch))


def constant(
    write: Writer, element: Attribute, shape: Sequence[int], values: Iterable[float]
) -> SSAValue:
    """New numbers."""
    type: TensorType[Any] = TensorType(element, shape)
    return write.constant(BlobAttr.of(type, values))


def places(write: Writer, *shape: int) -> Expression:
    """0, 1 … in i32, as many as a shape has elements."""
    count = 1
    for size in shape:
        count *= size
    return Expression(write, constant(write, i32, shape, range(count)))


def concatenated(axis: int, *parts: Expression) -> Expression:
    """One after the other along an axis."""
    if len(parts) == 1:
        return parts[0]
    first, *rest = parts
    return first.on(first.write(ConcatOp, first.value, *(each.value for each in rest), axis=axis))
