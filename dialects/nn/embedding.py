"""Sums of rows of a table, looked up in bags."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from math import prod
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, TensorType, f32, i32
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, var_operand_def

from ..compatible import compatible_shapes
from ..elements import is_narrow_float
from ..inferred import INDEX, SAME_ELEMENT, Constants, choice, shape_of, spelled, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import word_prop
from .cumulative import CumSumOp
from .derived import DerivedOp
from .expression import Expression, constant
from .scatter import ScatterNdUpdateOp
from .shaped import ShapedOp
from .writer import Writer


class EmbeddingOp(ShapedOp, DerivedOp, ABC):
    """Sums of rows of `table`."""

    table = operand_def(SAME_ELEMENT)
    indices = operand_def(INDEX)

    @property
    def is_mean(self) -> bool:
        """Whether sums are divided by the number of rows."""
        reduction = self.properties.get("reduction")
        return isinstance(reduction, StringAttr) and reduction.data == "mean"

    def bags_of(self, count: int, weights: SSAValue | None) -> Sequence[int]:
        """The shape of so many sums. Raises VerifyException where weights and indices do not fit."""
        if "reduction" in self.properties:
            choice(self, "reduction", "sum", "mean")
        table, indices = shape_of(self.table), shape_of(self.indices)
        if not table:
            raise self.op_error(f"a table has rows; {tensor(self.table)} has none")
        if weights is not None:
            if self.is_mean:
                raise self.op_error("a mean takes no weights; use reduction 'sum'")
            if not compatible_shapes(shape_of(weights), indices):
                raise self.op_error(
                    f"weights {spelled(shape_of(weights))} need one number for each of "
                    f"indices {spelled(indices)}"
                )
        return (count, *table[1:])

    def rows(self, write: Writer, indices: SSAValue, weights: SSAValue | None = None) -> Expression:
        """The rows of the table, flattened, at indices."""
        table, chosen = Expression(write, self.table), Expression(write, indices)
        table = table.reshaped(table.shape[0], prod(table.shape[1:]))
        rows = table.gathered(chosen, 0)
        if weights is not None:
            factors = Expression(write, weights)
            rows = rows * factors.reshaped(*factors.shape, 1)
        return rows

    def finished(self, write: Writer, sums: Expression) -> SSAValue:
        """The sums with the dimensions of rows."""
        return sums.reshaped(sums.shape[0], *Expression(write, self.table).shape[1:]).value


class BagsOp(EmbeddingOp, ABC):
    """Bags are parts of the indices; an empty one is a row of its own, or 0."""

    OPTIONS: ClassVar[int]
    """The number of optional operands in front of the weights."""

    @property
    def further(self) -> Sequence[SSAValue]:
        """The options: the last in front of weights says which row an empty bag is."""
        return self.operands[3:]

    @property
    def weights(self) -> SSAValue | None:
        """The factor of each row."""
        return self.further[self.OPTIONS] if len(self.further) > self.OPTIONS else None

    @property
    def default(self) -> SSAValue | None:
        """The index of the row for an empty bag."""
        return self.further[self.OPTIONS - 1] if len(self.further) >= self.OPTIONS else None

    def check_options(self) -> None:
        """Raises VerifyException where there are too many."""
        if len(self.further) > self.OPTIONS + 1:
            raise self.op_error(f"has {len(self.operands)} operands, too many")
        if len(shape_of(self.indices)) != 1:
            raise self.op_error(f"indices {spelled(shape_of(self.indices))} must be a vector")

    def summed(self, write: Writer, bag: Expression, bags: int) -> SSAValue:
        """The sums of the rows of so many bags; `bag` says which one each index belongs to, if any."""
        rows = self.rows(write, self.indices, self.weights)
        element, width = rows.element, rows.shape[1]
        if is_narrow_float(element):
            rows = rows.to(f32)
        bag = (bag < 0).where(bags, bag)
        sums = _added(bag, rows, (bags, width)).to(element)
        if not self.is_mean and self.default is None:
            return self.finished(write, sums)
        ones = bag.on(constant(write, i32, (), [1])).broadcast(*bag.shape)
        sizes = _added(bag, ones, (bags,)).reshaped(bags, 1)
        if self.is_mean:
            sums = sums / sizes.at_least(1).to(element)
        if self.default is not None:
            index = Expression(write, self.default).reshaped(1)
            none = (index < 0).where(Expression(write, self.table).shape[0], index)
            sums = sizes.equals(0).where(self.rows(write, none.value), sums)
        return self.finished(write, sums)


def _added(place: Expression, values: Expression, shape: Sequence[int]) -> Expression:
    """Zeros of a shape, each with the values of its place added, in order; what has no place there is left out."""
    zeros = values.constant((), [0]).broadcast(*shape)
    places = place.reshaped(*place.shape, 1).value
    scatter = place.write(ScatterNdUpdateOp, zeros.value, places, values.value, reduction="sum")
    return values.on(scatter)


class OffsetsOp(BagsOp, ABC):
    """Bag b holds the indices from number `offsets[b]` up to the next bag."""

    OPTIONS: ClassVar[int] = 1

    offsets = operand_def(INDEX)
    options = var_operand_def(TensorType)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        self.check_options()
        offsets = shape_of(self.offsets)
        if len(offsets) != 1:
            raise self.op_error(f"offsets {spelled(offsets)} must be a vector")
        return self.bags_of(offsets[0], self.weights)

    def decompose(self, write: Writer) -> SSAValue:
        """An index lies in the bag of the last offset up to it."""
        first = Expression(write, self.offsets)
        (count,), (bags,) = Expression(write, self.indices).shape, first.shape
        ones = first.on(constant(write, i32, (), [1])).broadcast(bags)
        begun = _added(first, ones, (count,))
        bag = begun.on(write(CumSumOp, begun.value, write.integer(0))) - 1
        return self.summed(write, bag, bags)


@op_definition
class EmbeddingBagOffsetsOp(OffsetsOp):
    """
    Bag b is the sum, or with `reduction` `mean` the mean, of the rows of the table whose indices are those from number
    `offsets[b]` up to the next bag.

    `options` are the index of the row of an empty bag (0 if it is negative or absent), and weights of rows.

        %offsets = nn.constant dense<[0, 2, 2]> : tensor<3xi64>
        %y = nn.embedding_bag_offsets %table, %indices, %offsets {reduction = "sum"}
            : (tensor<5x2xf32>, tensor<4xi64>, tensor<3xi64>) -> tensor<3x2xf32>
    """

    name = "nn.embedding_bag_offsets"
    NAMES: ClassVar = Names("EmbeddingBagOffsets-15")

    reduction = word_prop("sum")


@op_definition
class EmbeddingBagOffsetsSumOp(OffsetsOp):
    """
    As `nn.embedding_bag_offsets`, sums only.

        %y = nn.embedding_bag_offsets_sum %table, %indices, %offsets, %none, %weights
            : (tensor<5x2xf32>, tensor<4xi64>, tensor<3xi64>, tensor<i64>, tensor<4xf32>) -> tensor<3x2xf32>
    """

    name = "nn.embedding_bag_offsets_sum"
    NAMES: ClassVar = Names("EmbeddingBagOffsetsSum-3")


@op_definition
class EmbeddingSegmentsSumOp(BagsOp):
    """
    Segment s of `num_segments` (the first of the options) is the sum of the rows of the table whose indices have number
    `segment_ids[i] = s`. Further options are the index of the row of an empty segment, and weights of rows.

        %count = nn.constant dense<3> : tensor<i64>
        %y = nn.embedding_segments_sum %table, %indices, %segments, %count
            : (tensor<5x2xf32>, tensor<4xi64>, tensor<4xi64>, tensor<i64>) -> tensor<3x2xf32>
    """

    name = "nn.embedding_segments_sum"
    NAMES: ClassVar = Names("EmbeddingSegmentsSum-3")
    OPTIONS: ClassVar[int] = 2

    segment_ids = operand_def(INDEX)
    options = var_operand_def(TensorType)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        self.check_options()
        if not self.options:
            raise self.op_error("needs the number of segments; give it operand 3")
        known = constants(self.options[0])
        if known is not None and len(known) != 1:
            raise self.op_error("the number of segments must be one number")
        indices, segments = shape_of(self.indices), shape_of(self.segment_ids)
        if len(segments) != 1 or not compatible_shapes(segments, indices):
            raise self.op_error(
                f"segment_ids {spelled(segments)} need one number for each of indices "
                f"{spelled(indices)}"
            )
        return self.bags_of(DYNAMIC_INDEX if known is None else known[0], self.weights)

    def decompose(self, write: Writer) -> SSAValue:
        (count,) = self.known(self.options[0], "num_segments")
        return self.summed(write, Expression(write, self.segment_ids), count)


class PackedOp(EmbeddingOp, ABC):
    """All bags have as many indices."""

    weights = var_operand_def(SAME_ELEMENT)

    def _weights(self) -> SSAValue | None:
        return self.weights[0] if self.weights else None

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        indices = shape_of(self.indices)
        if len(indices) != 2 or len(self.weights) > 1:
            raise self.op_error(
                f"takes indices [bag, row], not {spelled(indices)}, and weights of them"
            )
        return self.bags_of(indices[0], self._weights())

    def decompose(self, write: Writer) -> SSAValue:
        rows = self.rows(write, self.indices, self._weights())
        sums = rows.sum(1)
        return self.finished(write, sums / rows.shape[1] if self.is_mean else sums)


@op_definition
class EmbeddingBagPackedOp(PackedOp):
    """
    Each row of indices is a bag: the sum, or with `reduction` `mean` the mean, of these rows of the table, times
    weights where there are some.

        %y = nn.embedding_bag_packed %table, %indices {reduction = "mean"}
            : (tensor<5x2xf32>, tensor<3x2xi64>) -> tensor<3x2xf32>
    """

    name = "nn.embedding_bag_packed"
    NAMES: ClassVar = Names("EmbeddingBagPacked-15")

    reduction = word_prop("sum")


@op_definition
class EmbeddingBagPackedSumOp(PackedOp):
    """
    As `nn.embedding_bag_packed`, sums only.

        %y = nn.embedding_bag_packed_sum %table, %indices, %weights
            : (tensor<5x2xf32>, tensor<3x2xi64>, tensor<3x2xf32>) -> tensor<3x2xf32>
    """

    name = "nn.embedding_bag_packed_sum"
    NAMES: ClassVar = Names("EmbeddingBagPackedSum-3")
