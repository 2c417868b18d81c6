"""Writing operations of inferred types, one after the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects.builtin import TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..blob import BlobAttr
from ..inferred import Constants, InferredOp, constant_integers, shape_of, tensor
from ..locations import inherit
from ..properties import Property
from .constant import ConstantOp
from .elementwise import ClampOp, ConvertOp
from .movement import ConcatOp, SliceOp, SplitOp, TransposeOp
from .shape import BroadcastOp, ReshapeOp


class Writer:
    """
    Writes operations at one place. A number among operands is a constant of the element type of those that are values.
    What is written stands in the text where `source` does, or what it is written in front of.
    """

    constants: Constants = staticmethod(constant_integers)
    """What result types are inferred with."""

    def __init__(self, place: InsertPoint, source: Operation | None = None):
        source = source or place.insert_before
        self.builder = Builder(place)
        self.builder.operation_insertion_handler.append(lambda new: inherit(new, source))

    def __call__(
        self, op: type[InferredOp], *operands: SSAValue | float, **properties: Property
    ) -> SSAValue:
        """Writes an operation. Returns its first result."""
        return self.all(op, *operands, **properties)[0]

    def all(
        self, op: type[InferredOp], *operands: SSAValue | float, **properties: Property
    ) -> Sequence[SSAValue]:
        """As a call, for operations with several results."""
        like = next((each for each in operands if isinstance(each, SSAValue)), None)
        values: list[SSAValue] = []
        for each in operands:
            if not isinstance(each, SSAValue):
                assert like is not None, "no operand says what type the number has"
                each = self.scalar_like(like, each)
            values.append(each)
        return self._write(op, values, properties)

    def _write(
        self, op: type[InferredOp], values: Sequence[SSAValue], properties: dict[str, Property]
    ) -> Sequence[SSAValue]:
        return self.builder.insert(op.inferred(self.constants, values, properties)).results

    def constant(self, value: BlobAttr) -> SSAValue:
        return self.builder.insert(ConstantOp(value)).result

    def scalar_like(self, value: SSAValue, number: float) -> SSAValue:
        """A number of the element type of `value`."""
        return self.constant(BlobAttr.of(_scalar(tensor(value).element_type), number))

    def integer(self, value: int) -> SSAValue:
        """One axis or size."""
        return self.constant(BlobAttr.of(_scalar(i64), value))

    def integers(self, *values: int) -> SSAValue:
        """A list of axes, limits or sizes."""
        return self.constant(_integers(values))

    def joined(self, values: Sequence[SSAValue], axis: int) -> SSAValue:
        """Values put together along an axis; one alone is itself."""
        return values[0] if len(values) == 1 else self(ConcatOp, *values, axis=axis)

    def converted(self, value: SSAValue, element: Attribute) -> SSAValue:
        """A value with elements of another type."""
        if tensor(value).element_type == element:
            return value
        return self(ConvertOp, value, destination_type=element)

    def clamp(self, value: SSAValue, low: float, high: float) -> SSAValue:
        """A value between two limits."""
        return self(ClampOp, value, min=float(low), max=float(high))

    def reshaped(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """The same elements under another shape."""
        if shape_of(value) == tuple(shape):
            return value
        return self(ReshapeOp, value, self.integers(*shape))

    def broadcast(self, value: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A value repeated to a shape."""
        if shape_of(value) == tuple(shape):
            return value
        return self(BroadcastOp, value, self.integers(*shape))

    def transposed(self, value: SSAValue, order: Sequence[int]) -> SSAValue:
        """A value whose dimension i is dimension `order[i]` of `value`."""
        if list(order) == list(range(len(order))):
            return value
        return self(TransposeOp, value, self.integers(*order))

    def split(self, value: SSAValue, parts: int, axis: int) -> Sequence[SSAValue]:
        """Equal parts along an axis."""
        return self.all(SplitOp, value, self.integer(axis), num_splits=parts)

    def slice(self, value: SSAValue, start: int, stop: int, axis: int) -> SSAValue:
        """Elements `start` to `stop` along an axis."""
        return self(SliceOp, value, *map(self.integers, (start, stop, 1, axis)))

    def part(self, value: SSAValue, firsts: Sequence[int], shape: Sequence[int]) -> SSAValue:
        """The part of a value that has this shape, from index `firsts` on."""
        if shape_of(value) == tuple(shape):
            return value
        stops = [first + size for first, size in zip(firsts, shape, strict=True)]
        limits = firsts, stops, [1] * len(stops), range(len(stops))
        return self(SliceOp, value, *(self.integers(*each) for each in limits))


class SharingWriter(Writer):
    """A writer of operations without effects: what it writes a second time is what it has written already."""

    def __init__(self, place: InsertPoint, source: Operation | None = None):
        super().__init__(place, source)
        self._written: dict[Hashable, Sequence[SSAValue]] = {}

    def _write(
        self, op: type[InferredOp], values: Sequence[SSAValue], properties: dict[str, Property]
    ) -> Sequence[SSAValue]:
        key = op, *values, *((name, _hashable(each)) for name, each in properties.items())
        if (results := self._written.get(key)) is None:
            results = self._written[key] = super()._write(op, values, properties)
        return results

    def constant(self, value: BlobAttr) -> SSAValue:
        if (results := self._written.get(value)) is None:
            results = self._written[value] = (super().constant(value),)
        return results[0]


def _hashable(given: Property) -> Hashable:
    """A property as part of a key: 1, 1.0 and True are different."""
    if isinstance(given, Attribute):
        return given
    if isinstance(given, Sequence) and not isinstance(given, str):
        return tuple(given)
    return type(given), given


@lru_cache(maxsize=64)
def _scalar(element: Attribute) -> TensorType[Any]:
    return TensorType(element, [])


@lru_cache(maxsize=4096)
def _integers(values: tuple[int, ...]) -> BlobAttr:
    """Models have few different lists of axes and sizes, and thousands of each."""
    return BlobAttr.of(TensorType(i64, [len(values)]), values)
