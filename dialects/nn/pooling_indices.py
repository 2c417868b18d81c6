"""The indices of max pooling: where in a window the greatest element lies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod

from xdsl.dialects.builtin import IntegerType, TensorType, i32, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, prop_def, result_def

from ..blob import BlobAttr
from ..inferred import Constants, normalize_axis, shape_of, static_shape
from ..operation import op_definition
from ..properties import integer_prop
from .comparison import LessOp, SelectOp
from .derived import DerivedOp
from .elementwise import AddOp, ConvertOp, FloorModOp
from .pooling import PoolingOp
from .reduction import ReduceMaxOp, ReduceMinOp
from .selection import GatherOp
from .window import Window
from .writer import Writer

NOWHERE = 2**31 - 1
"""Greater than every place."""

MOST_AT_ONCE = 64
"""Elements of a window that are compared at once; of a larger one, those along one dimension after the other."""


@op_definition
class MaxPoolIndicesOp(PoolingOp, DerivedOp):
    """
    Where the elements of `nn.max_pool` come from: the index of the first greatest element of each window in the
    input, of which the dimensions from `axis` on are flattened. It is output 1 of OpenVINO's MaxPool.

        %i = nn.max_pool_indices %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 0>,
              pads_end = array<i64: 0>, dilations = array<i64: 1>, axis = 0 : i64, index_element_type = i64}
            : tensor<1x8x6xf32> -> tensor<1x8x3xi64>
    """

    name = "nn.max_pool_indices"

    input = operand_def(TensorType)
    result = result_def(TensorType)
    axis = integer_prop(0)
    index_element_type = prop_def(IntegerType, default_value=i64)

    @property
    def element(self) -> Attribute:
        return self.index_element_type

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        normalize_axis(self, self.axis.value.data, len(shape_of(self.input)))
        return super().infer_shape(constants)

    def decompose(self, write: Writer) -> SSAValue:
        batch, channels, *sizes = static_shape(self.input)
        window = self.pooling_window()
        count, positions = prod(sizes), window.positions(sizes)
        seen = [_seen(window, d, size, positions[d]) for d, size in enumerate(sizes)]
        x = write.reshaped(self.input, (batch, channels, count))
        x = write.transposed(x, (0, 2, 1))
        if prod(window.kernel) <= MOST_AT_ONCE:
            _, places = greatest(write, x, flat_places(seen, sizes))
        else:
            x = write.reshaped(x, (batch, *sizes, channels))
            places = write.reshaped(_place(write, x, seen), (batch, prod(positions), channels))
        axis = normalize_axis(self, self.axis.value.data, len(sizes) + 2)
        if axis < 2:
            begins = (
                (axis == 0) * n * channels * count + c * count
                for n, c in product(range(batch), range(channels))
            )
            type = TensorType(i64, (batch, 1, channels))
            places = write(AddOp, places, write.constant(BlobAttr.of(type, begins)))
        elif (inner := prod(sizes[axis - 2 :])) < count:
            places = write(FloorModOp, places, inner)
        places = write.reshaped(write.transposed(places, (0, 2, 1)), (batch, channels, *positions))
        return write(ConvertOp, places, destination_type=self.index_element_type)


def _seen(window: Window, d: int, size: int, positions: int) -> list[list[int]]:
    """Which elements of a dimension each position sees; the nearest one where it sees none."""
    ((before, _),) = window.padding((size,) * (d + 1))[d:]
    seen: list[list[int]] = []
    for position in range(positions):
        first = position * window.strides[d] - before
        taps = (first + k * window.dilations[d] for k in range(window.kernel[d]))
        seen.append([tap for tap in taps if 0 <= tap < size] or [0 if first < 0 else size - 1])
    return seen


def _place(write: Writer, x: SSAValue, seen: Sequence[Sequence[Sequence[int]]]) -> SSAValue:
    """
    The least place of a greatest element among those that positions see of x `[batch, …, channel]`, in i64: the
    greatest of rows first, so that 31 x 31 elements are 62.
    """
    sizes = shape_of(x)[1:-1]
    places = write.constant(BlobAttr.of(TensorType(i64, (1, *sizes, 1)), range(prod(sizes))))
    for d, rows in reversed(list(enumerate(seen, start=1))):
        longest = max(map(len, rows))
        flat = [tap for row in rows for tap in (*row, *[row[-1]] * (longest - len(row)))]
        known = write.constant(BlobAttr.of(TensorType(i32, (len(rows), longest)), flat))
        axis = write.constant(BlobAttr.of(TensorType(i64, []), d))
        windows, where = (write(GatherOp, each, known, axis, batch_dims=0) for each in (x, places))
        inside = write.integers(d + 1)
        most = write(ReduceMaxOp, windows, inside, keep_dims=True)
        nowhere = write.scalar_like(where, NOWHERE)
        first = write(SelectOp, write(LessOp, windows, most), nowhere, where)
        places = write(ReduceMinOp, first, inside, keep_dims=False)
        x = write.reshaped(most, shape_of(places))
    return places


def flat_places(seen: Sequence[Sequence[Sequence[int]]], sizes: Sequence[int]) -> list[list[int]]:
    """
    What positions see of each dimension, as places in all dimensions, flattened: a row for each position, in
    order. The last element of a shorter row repeats.
    """
    rows = [[_flat(place, sizes) for place in product(*position)] for position in product(*seen)]
    longest = max(map(len, rows))
    return [[*row, *[row[-1]] * (longest - len(row))] for row in rows]


def _flat(place: Iterable[int], sizes: Sequence[int]) -> int:
    flat = 0
    for index, size in zip(place, sizes, strict=True):
        flat = flat * size + index
    return flat


def greatest(
    write: Writer, x: SSAValue, places: Sequence[Sequence[int]]
) -> tuple[SSAValue, SSAValue]:
    """
    The greatest of the elements of x `[batch, element, channel]` in each row of places, and the least place of
    one that is not less, in i64: both `[batch, row, channel]`.
    """
    rows, width = len(places), len(places[0])
    flat = [place for row in places for place in row]
    known = write.constant(BlobAttr.of(TensorType(i32, (rows, width)), flat))
    axis = write.constant(BlobAttr.of(TensorType(i64, []), 1))
    windows = write(GatherOp, x, known, axis, batch_dims=0)
    inside = write.integers(2)
    most = write(ReduceMaxOp, windows, inside, keep_dims=True)
    where = write.constant(BlobAttr.of(TensorType(i64, (rows, width, 1)), flat))
    nowhere = write.scalar_like(where, NOWHERE)
    first = write(SelectOp, write(LessOp, windows, most), nowhere, where)
    batch, _, channels = static_shape(x)
    return (
        write.reshaped(most, (batch, rows, channels)),
        write(ReduceMinOp, first, inside, keep_dims=False),
    )
