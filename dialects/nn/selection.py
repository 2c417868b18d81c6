"""Operations that pick, repeat or make elements: gather, tile, range and the like."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import cycle
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, result_def, traits_def, var_result_def

from ..compatible import compatible_dims, compatible_shapes
from ..elements import is_integer
from ..inferred import (
    INDEX,
    MAKE_CONSTANT,
    MAX_RANK,
    SAME_ELEMENT,
    Constants,
    TensorOp,
    choice,
    normalize_axis,
    shape_of,
    spelled,
    static_shape,
    tensor,
)
from ..names import Names
from ..operation import op_definition
from ..properties import integer_prop, word_prop
from ..traits import DataMovement, MovesOrFillsWithZero
from .constant import constant_of
from .derived import DerivedOp
from .movement import ConcatOp
from .shaped import InputOp, MovedOp, TypedOp
from .writer import Writer


def constant_axis(op: TensorOp, axis: SSAValue, rank: int, constants: Constants) -> int:
    known = constants(axis)
    if known is None or len(known) != 1:
        raise op.op_error(f"axis must be one constant; {MAKE_CONSTANT}")
    return normalize_axis(op, known[0], rank)


@op_definition
class GatherOp(InputOp):
    """
    `result[…, indices…, …] = input[…, index, …]` along a constant `axis`; the first `batch_dims` dimensions
    of both go together.

    Negative indices count from the end; out of range ones give 0.

        %axis = nn.constant dense<0> : tensor<i64>
        %y = nn.gather %x, %indices, %axis {batch_dims = 0 : i64}
            : (tensor<8x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x4xf32>
    """

    name = "nn.gather"
    NAMES: ClassVar = Names("Gather-8", "GatherV2 Gather", "GATHER", "Gather-13")

    indices = operand_def(INDEX)
    axis = operand_def(INDEX)
    batch_dims = integer_prop()

    traits = traits_def(MovesOrFillsWithZero())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, indices = shape_of(self.input), shape_of(self.indices)
        axis = constant_axis(self, self.axis, len(shape), constants)
        batch = self.batch_dims.value.data
        if not -len(indices) <= batch <= len(indices) or batch % (len(indices) or 1) > axis:
            raise self.op_error(
                f"batch_dims {batch} does not fit indices {spelled(indices)} and axis {axis}"
            )
        if batch < 0:
            batch += len(indices)
        for i, (left, right) in enumerate(zip(shape[:batch], indices, strict=False)):
            if not compatible_dims(left, right):
                raise self.op_error(
                    f"batch dimension {i} is {left} in the input, {right} in the indices"
                )
        return (*shape[:axis], *indices[batch:], *shape[axis + 1 :])


def entries_of(op: TensorOp, name: str, value: SSAValue) -> int:
    """The number of elements of a list. Raises VerifyException where it is unknown or too large."""
    shape = shape_of(value)
    length = shape[0] if len(shape) == 1 else DYNAMIC_INDEX
    if not 0 <= length <= MAX_RANK:
        raise op.op_error(
            f"{name} is a {value.type}; it must be a vector of at most {MAX_RANK} elements"
        )
    return length


@op_definition
class VariadicSplitOp(TensorOp):
    """
    Parts of the constant `split_lengths` along a constant `axis`; -1 is what is left.

        %axis = nn.constant dense<1> : tensor<i64>
        %lengths = nn.constant dense<[3, 5]> : tensor<2xi64>
        %a, %b = nn.variadic_split %x, %axis, %lengths
            : (tensor<2x8xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<2x3xf32>, tensor<2x5xf32>)
    """

    name = "nn.variadic_split"
    NAMES: ClassVar = Names("VariadicSplit-1", "SplitV", "SPLIT_V", "Split-18")

    input = operand_def(TensorType)
    axis = operand_def(INDEX)
    split_lengths = operand_def(INDEX)
    results_ = var_result_def(TensorType)

    traits = traits_def(DataMovement())

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape = shape_of(self.input)
        axis = constant_axis(self, self.axis, len(shape), constants)
        element, size = tensor(self.input).element_type, shape[axis]
        lengths = constants(self.split_lengths)
        if lengths is None:
            parts = [DYNAMIC_INDEX] * entries_of(self, "split_lengths", self.split_lengths)
        else:
            parts = self._resolve(axis, size, lengths)
        return [TensorType(element, (*shape[:axis], part, *shape[axis + 1 :])) for part in parts]

    def _resolve(self, axis: int, size: int, lengths: Sequence[int]) -> list[int]:
        """The sizes of the parts."""
        free, known = lengths.count(-1), sum(length for length in lengths if length >= 0)
        is_wrong = known > size if free else known != size
        if (is_wrong and size != DYNAMIC_INDEX) or free > 1 or min(lengths, default=0) < -1:
            raise self.op_error(
                f"lengths {list(lengths)} do not fit dimension {axis} of size {size}"
            )
        left = DYNAMIC_INDEX if size == DYNAMIC_INDEX else size - known
        return [left if length == -1 else length for length in lengths]


@op_definition
class ReverseSequenceOp(InputOp):
    """
    In each entry along `batch_axis`, the first `seq_lengths` elements along `seq_axis` in reverse order.

        %y = nn.reverse_sequence %x, %lengths {batch_axis = 0 : i64, seq_axis = 1 : i64}
            : (tensor<2x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
    """

    name = "nn.reverse_sequence"
    NAMES: ClassVar = Names(
        "ReverseSequence-1", "ReverseSequence", "REVERSE_SEQUENCE", "ReverseSequence-28"
    )

    seq_lengths = operand_def(TensorType)
    batch_axis = integer_prop()
    seq_axis = integer_prop()

    traits = traits_def(DataMovement())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, lengths = shape_of(self.input), shape_of(self.seq_lengths)
        batch = normalize_axis(self, self.batch_axis.value.data, len(shape))
        if batch == normalize_axis(self, self.seq_axis.value.data, len(shape)):
            raise self.op_error(f"batch_axis and seq_axis are both {batch}")
        if not compatible_shapes(lengths, (shape[batch],)):
            raise self.op_error(
                f"seq_lengths {spelled(lengths)} need one number for each entry of "
                f"dimension {batch} of {spelled(shape)}"
            )
        return shape_of(self.input)


@op_definition
class RollOp(MovedOp, DerivedOp):
    """
    Elements move on by `shift` along `axes` and around the end; one shift is for all axes, which may repeat.

        %shift = nn.constant dense<1> : tensor<i64>
        %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
        %y = nn.roll %x, %shift, %axes : (tensor<2x8xf32>, tensor<i64>, tensor<2xi64>) -> tensor<2x8xf32>
    """

    name = "nn.roll"
    NAMES: ClassVar = Names("Roll-7", "Roll")

    shift = operand_def(INDEX)
    axes = operand_def(INDEX)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shifts, axes = constants(self.shift), constants(self.axes)
        for axis in axes or ():
            normalize_axis(self, axis, len(shape_of(self.input)))
        if shifts is not None and axes is not None and len(shifts) not in (1, len(axes)):
            raise self.op_error(f"has {len(shifts)} shifts for {len(axes)} axes")
        return shape_of(self.input)

    def decompose(self, write: Writer) -> SSAValue:
        value, sizes = self.input, static_shape(self.input)
        shifts, axes = self.known(self.shift, "shift"), self.known(self.axes, "axes")
        for axis, shift in zip(axes, cycle(shifts)):
            if cut := -shift % max(sizes[axis], 1):
                ends = write.slice(value, cut, sizes[axis], axis), write.slice(value, 0, cut, axis)
                value = write(ConcatOp, *ends, axis=axis)
        return value


@op_definition
class TileOp(InputOp):
    """
    The input `repeats` times after itself in each dimension; the shorter of both gets ones in front.

        %repeats = nn.constant dense<[1, 3]> : tensor<2xi64>
        %y = nn.tile %x, %repeats : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<2x12xf32>
    """

    name = "nn.tile"
    NAMES: ClassVar = Names("Tile-1", "Tile", "TILE", "Tile-13")

    repeats = operand_def(INDEX)

    traits = traits_def(DataMovement())

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, repeats = shape_of(self.input), constants(self.repeats)
        rank = entries_of(self, "repeats", self.repeats)
        if repeats is None:
            return [DYNAMIC_INDEX] * max(rank, len(shape))
        if any(count < 0 for count in repeats):
            raise self.op_error(f"repeats {list(repeats)} must not be negative")
        missing = rank - len(shape)
        sizes = (*[1] * missing, *shape)
        counts = (*[1] * -missing, *repeats)
        return [
            size if size == DYNAMIC_INDEX else size * count
            for size, count in zip(sizes, counts, strict=True)
        ]


@op_definition
class RangeOp(TypedOp):
    """
    `start`, `start + step` … up to but without `stop`, in `output_type`, to which all three are converted
    first if it is one of integers.

        %start = nn.constant dense<0> : tensor<i64>
        %stop = nn.constant dense<8> : tensor<i64>
        %step = nn.constant dense<2> : tensor<i64>
        %y = nn.range %start, %stop, %step {output_type = i64}
            : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<4xi64>
    """

    name = "nn.range"
    NAMES: ClassVar = Names("Range-4", "Range", "RANGE", "Range-27")

    start = operand_def(TensorType)
    stop = operand_def(TensorType)
    step = operand_def(TensorType)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        for name, value in zip(("start", "stop", "step"), self.operands, strict=True):
            if shape_of(value) not in ((), (1,)):
                raise self.op_error(f"{name} is a {value.type}; it must be a scalar")
        known = [_number(value, constants) for value in self.operands]
        numbers = [value for value in known if value is not None]
        if len(numbers) < len(known):
            return [DYNAMIC_INDEX]
        if not all(map(math.isfinite, numbers)):
            raise self.op_error(f"{numbers} must be finite")
        if is_integer(self.output_type):
            numbers = list(map(int, numbers))
        start, stop, step = numbers
        if step == 0:
            raise self.op_error("a step of 0 never ends")
        return [max(math.ceil((stop - start) / step), 0)]


def _number(value: SSAValue, constants: Constants) -> float | None:
    """A scalar that is known while compiling, also one in floating point."""
    if is_integer(tensor(value).element_type):
        known = constants(value)
    else:
        blob = constant_of(value)
        known = None if blob is None else list(blob.data.values())
    return None if known is None else known[0]


@op_definition
class OneHotOp(TensorOp):
    """
    `result[…, k, …] = on_value if k = index else off_value`, `k` below `depth` a new dimension at `axis`.
    Negative indices are off everywhere, or with `normalize` count from the end.

        %depth = nn.constant dense<5> : tensor<i64>
        %y = nn.one_hot %indices, %depth, %on, %off {axis = -1 : i64}
            : (tensor<3xi64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<3x5xf32>
    """

    name = "nn.one_hot"
    NAMES: ClassVar = Names("OneHot-16", "OneHot", "ONE_HOT", "OneHot-28")

    indices = operand_def(INDEX)
    depth = operand_def(INDEX)
    on_value = operand_def(SAME_ELEMENT)
    off_value = operand_def(SAME_ELEMENT)
    result = result_def(SAME_ELEMENT)
    axis = integer_prop()
    negative_indices_mode = word_prop("ignore_negative")

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, depth = list(shape_of(self.indices)), constants(self.depth)
        for name, value in zip(("depth", "on_value", "off_value"), self.operands[1:], strict=True):
            if shape_of(value) not in ((), (1,)):
                raise self.op_error(f"{name} is a {value.type}; it must be a scalar")
        if depth is not None and depth[0] < 0:
            raise self.op_error(f"depth {depth[0]} must not be negative")
        choice(self, "negative_indices_mode", "ignore_negative", "normalize")
        axis = normalize_axis(self, self.axis.value.data, len(shape) + 1)
        shape.insert(axis, DYNAMIC_INDEX if depth is None else depth[0])
        return [TensorType(tensor(self.on_value).element_type, shape)]
