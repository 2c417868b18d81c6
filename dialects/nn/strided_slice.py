"""strided_slice: a part of a tensor, with dimensions that are taken whole, new or dropped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Literal, NamedTuple

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IntegerType
from xdsl.irdl import operand_def, opt_operand_def, traits_def

from ..inferred import INDEX, Constants, shape_of
from ..names import Names
from ..operation import op_definition
from ..properties import integers_prop
from ..traits import DataMovement
from .selection import entries_of
from .shaped import InputOp


class SliceEntry(NamedTuple):
    """What a strided slice does at one place of begin, end and strides, and to which dimension."""

    kind: Literal["keep", "slice", "shrink", "new"]
    place: int
    dimension: int


@op_definition
class StridedSliceOp(InputOp):
    """
    `input[begin:end:strides, …]` as in NumPy; masks say at which places a
    limit is left out (`begin_mask`, `end_mask`), a dimension of size 1 is new (`new_axis_mask`), a single
    element is taken (`shrink_axis_mask`) and all dimensions without a place are kept (`ellipsis_mask`).

        %begin = nn.constant dense<[0]> : tensor<1xi64>
        %end = nn.constant dense<[8]> : tensor<1xi64>
        %strides = nn.constant dense<[2]> : tensor<1xi64>
        %y = nn.strided_slice %x, %begin, %end, %strides {begin_mask = array<i64: 0>, end_mask = array<i64: 1>,
              new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>}
            : (tensor<8x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4x4xf32>
    """

    name = "nn.strided_slice"
    NAMES: ClassVar = Names("StridedSlice-1", "StridedSlice", "STRIDED_SLICE")

    begin = operand_def(INDEX)
    end = operand_def(INDEX)
    strides = opt_operand_def(INDEX)
    begin_mask = integers_prop()
    end_mask = integers_prop()
    new_axis_mask = integers_prop()
    shrink_axis_mask = integers_prop()
    ellipsis_mask = integers_prop()

    traits = traits_def(DataMovement())

    def masked(self, mask: DenseArrayBase[IntegerType], index: int) -> bool:
        """Whether a mask is set at a place; it may be shorter than there are places."""
        values = mask.get_values()
        return index < len(values) and bool(values[index])

    def entries(self, places: int, rank: int) -> Iterator[SliceEntry]:
        """What happens at each of the places, and to the dimensions that no place names."""
        new = [self.masked(self.new_axis_mask, i) for i in range(places)]
        ellipses = [i for i in range(places) if self.masked(self.ellipsis_mask, i)]
        if len(ellipses) > 1:
            raise self.op_error("ellipsis_mask has more than one place")
        named = sum(not (n or i in ellipses) for i, n in enumerate(new))
        if named > rank:
            raise self.op_error(f"begin names {named} dimensions, the input has {rank}")
        dimension = 0
        for i in range(places):
            if i in ellipses:
                for _ in range(rank - named):
                    yield SliceEntry("keep", i, dimension)
                    dimension += 1
            elif new[i]:
                yield SliceEntry("new", i, dimension)
            else:
                shrinks = self.masked(self.shrink_axis_mask, i)
                yield SliceEntry("shrink" if shrinks else "slice", i, dimension)
                dimension += 1
        for rest in range(dimension, rank):
            yield SliceEntry("keep", places, rest)

    def limits(
        self, index: int, begin: Sequence[int], end: Sequence[int], step: int
    ) -> slice[int | None, int | None, int]:
        """The slice of the place `index`, as Python's."""
        first = None if self.masked(self.begin_mask, index) else int(begin[index])
        last = None if self.masked(self.end_mask, index) else int(end[index])
        return slice(first, last, step)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = shape_of(self.input)
        begin, end = constants(self.begin), constants(self.end)
        places = entries_of(self, "begin", self.begin)
        if entries_of(self, "end", self.end) != places or (
            self.strides is not None and entries_of(self, "strides", self.strides) != places
        ):
            raise self.op_error("begin, end and strides differ in length")
        steps = [1] * places if self.strides is None else constants(self.strides)
        if steps is not None and 0 in steps:
            raise self.op_error("a stride of 0 never ends")
        limits = None
        if begin is not None and end is not None and steps is not None:
            limits = [self.limits(i, begin, end, step) for i, step in enumerate(steps)]
        result: list[int] = []
        for kind, index, dimension in self.entries(places, len(shape)):
            if kind == "shrink":
                first = None if begin is None else begin[index]
                self._check_element(first, shape[dimension], dimension)
            elif kind == "new":
                result.append(1)
            elif kind == "keep":
                result.append(shape[dimension])
            elif limits is None or shape[dimension] == DYNAMIC_INDEX:
                result.append(DYNAMIC_INDEX)
            else:
                result.append(len(range(*limits[index].indices(shape[dimension]))))
        return result

    def _check_element(self, first: int | None, size: int, dimension: int) -> None:
        """Raises VerifyException where a single element is known to lie outside of its dimension."""
        if first is None or size == DYNAMIC_INDEX or -size <= first < size:
            return
        raise self.op_error(f"element {first} is none of the {size} of dimension {dimension}")
