"""Elements at indices that are computed, one for each element of the result or one tuple for each slice."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, traits_def

from ..blob import BlobAttr
from ..compatible import compatible_dims
from ..inferred import (
    INDEX,
    Constants,
    TensorOp,
    normalize_axis,
    shape_of,
    spelled,
    static_shape,
)
from ..names import Names
from ..operation import op_definition
from ..properties import integer_prop
from ..traits import MovesOrFillsWithZero
from .comparison import GreaterEqualOp, LessOp, LogicalAndOp, SelectOp
from .derived import DerivedOp
from .elementwise import AddOp, MultiplyOp
from .reduction import ReduceSumOp
from .selection import GatherOp
from .shaped import InputOp
from .writer import Writer


@op_definition
class GatherElementsOp(InputOp):
    """
    `result[…, i, …] = input[…, indices[…, i, …], …]`, i along `axis`: an index for each element of the result.

    Negative indices count from the end; out of range ones give 0.

        %y = nn.gather_elements %x, %indices {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
    """

    name = "nn.gather_elements"
    NAMES: ClassVar = Names("GatherElements-6", onnx="GatherElements-13")

    indices = operand_def(INDEX)
    axis = integer_prop()

    traits = traits_def(MovesOrFillsWithZero())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        check_along(self, self.axis.value.data, shape_of(self.input), shape_of(self.indices))
        return shape_of(self.indices)


def check_along(op: TensorOp, axis: int, shape: Sequence[int], indices: Sequence[int]) -> None:
    """Raises VerifyException where indices, one for each element, leave a shape in another dimension than `axis`."""
    along = normalize_axis(op, axis, len(shape))
    fits = len(shape) == len(indices) and all(
        i == along or index <= size or DYNAMIC_INDEX in (size, index)
        for i, (size, index) in enumerate(zip(shape, indices, strict=True))
    )
    if not fits:
        raise op.op_error(
            f"indices {spelled(indices)} do not fit {spelled(shape)}; but for axis {axis} they lie inside"
        )


@op_definition
class GatherNdOp(InputOp, DerivedOp):
    """
    `result[b…, i…] = input[b…, *indices[b…, i…, :]]`: each row of the last dimension of the indices names a slice of
    what is behind the first `batch_dims` dimensions, which both have in common.

    Negative indices count from the end; slices that lie outside are 0.

        %y = nn.gather_nd %x, %indices {batch_dims = 0 : i64} : (tensor<3x4x5xf32>, tensor<6x2xi64>) -> tensor<6x5xf32>
    """

    name = "nn.gather_nd"
    NAMES: ClassVar = Names("GatherND-8", "GatherNd", "GATHER_ND", "GatherND-13")
    NEEDS_KNOWN_SHAPES: ClassVar = True

    indices = operand_def(INDEX)
    batch_dims = integer_prop(0)

    traits = traits_def(MovesOrFillsWithZero())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, indices = shape_of(self.input), shape_of(self.indices)
        batch = self.batch_dims.value.data
        named = indices[-1] if indices else 0
        if named == DYNAMIC_INDEX:
            raise self.op_error(
                f"indices {spelled(indices)} must say how many dimensions a row names"
            )
        if not 0 <= batch < max(len(indices), 1) or batch + named > len(shape) or not indices:
            raise self.op_error(
                f"indices {spelled(indices)} with batch_dims {batch} do not fit {spelled(shape)}"
            )
        for size, index in zip(shape[:batch], indices, strict=False):
            if not compatible_dims(size, index):
                raise self.op_error(
                    f"batch dimensions of {spelled(shape)} and {spelled(indices)} differ"
                )
        return (*indices[:-1], *shape[batch + named :])

    def decompose(self, write: Writer) -> SSAValue:
        shape, batch = static_shape(self.input), self.batch_dims.value.data
        named = shape_of(self.indices)[-1]
        sizes = shape[batch : batch + named]
        flat = write.reshaped(self.input, (*shape[:batch], prod(sizes), *shape[batch + named :]))
        axis = write.constant(BlobAttr.of(TensorType(i64, []), batch))
        places = flat_indices(write, self.indices, sizes)
        return write(GatherOp, flat, places, axis, batch_dims=batch)


def flat_indices(write: Writer, indices: SSAValue, sizes: Sequence[int]) -> SSAValue:
    """
    Rows of indices into dimensions of these sizes, as indices into all of them as one: below its size if the row
    lies inside, else not.
    """
    total = prod(sizes)
    strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    row: TensorType[Any] = TensorType(i64, [len(sizes)])
    size, stride = (write.constant(BlobAttr.of(row, numbers)) for numbers in (sizes, strides))
    given = write.converted(indices, i64)
    index = write(SelectOp, write(LessOp, given, 0), write(AddOp, given, size), given)
    inside = write(LogicalAndOp, write(GreaterEqualOp, index, 0), write(LessOp, index, size))
    parts = write(
        SelectOp, inside, write(MultiplyOp, index, stride), write.scalar_like(index, total)
    )
    return write(ReduceSumOp, parts, write.integers(len(shape_of(indices)) - 1))
