"""Padding, and operations that trade batch, channels and space for each other in blocks."""

from __future__ import annotations

import math
from abc import ABC
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, StringAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, result_def, traits_def

from ..inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    Shape,
    TensorOp,
    choice,
    constant_integers,
    normalize_axis,
    shape_of,
    spelled,
    static_shape,
    tensor,
)
from ..names import Names
from ..operation import op_definition
from ..properties import integer_prop, word_prop
from ..traits import DataMovement
from .derived import DerivedOp
from .shaped import InputOp, SameTypeOp
from .writer import Writer


def _for_each(
    op: TensorOp, constants: Constants, rank: int, **operands: SSAValue
) -> list[Sequence[int] | None]:
    """Operands with a number for each dimension. Raises VerifyException for another number of numbers."""
    found = [constants(value) for value in operands.values()]
    for name, value, known in zip(operands, operands.values(), found, strict=True):
        shape = shape_of(value)
        length = shape[0] if len(shape) == 1 else DYNAMIC_INDEX
        if known is not None:
            length = len(known)
        if length not in (rank, DYNAMIC_INDEX):
            raise op.op_error(
                f"{name} has {length} numbers; it needs one for each of {rank} dimensions"
            )
    return found


@op_definition
class PadOp(InputOp):
    """
    `pads_begin` elements before and `pads_end` after each dimension; negative ones take elements away.

    They are `pad_value` (0 where absent) with mode `constant`, the border with `edge`, what lies opposite
    of the border with `reflect` (which leaves the border itself out) and `symmetric` (which repeats it).

        %begin = nn.constant dense<[1]> : tensor<1xi64>
        %end = nn.constant dense<[1]> : tensor<1xi64>
        %y = nn.pad %x, %begin, %end {pad_mode = "edge"}
            : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xf32>
    """

    name = "nn.pad"
    NAMES: ClassVar = Names("Pad-12", "PadV2 Pad MirrorPad", "PADV2 PAD MIRROR_PAD", "Pad-25")

    pads_begin = operand_def(INDEX)
    pads_end = operand_def(INDEX)
    pad_value = opt_operand_def(SAME_ELEMENT)
    pad_mode = word_prop()

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        mode = choice(self, "pad_mode", "constant", "edge", "reflect", "symmetric")
        shape = list(shape_of(self.input))
        begin, end = _for_each(
            self, constants, len(shape), pads_begin=self.pads_begin, pads_end=self.pads_end
        )
        for i, size in enumerate(shape):
            if begin is None or end is None or size == DYNAMIC_INDEX:
                shape[i] = DYNAMIC_INDEX
                continue
            pads, more = (begin[i], end[i]), max(begin[i], end[i])
            most = {"reflect": size - 1, "symmetric": size, "edge": more if size else 0}
            if more > most.get(mode, more) and more > 0:
                raise self.op_error(
                    f"{more} elements of padding do not fit the {size} of dimension {i}; "
                    f"mode '{mode}' takes at most {max(most[mode], 0)}"
                )
            shape[i] = size + sum(pads)
            if shape[i] < 0:
                raise self.op_error(
                    f"{pads[0]} and {pads[1]} take more than the {size} of dimension {i}"
                )
        return shape


class DepthOp(DerivedOp, ABC):
    """Blocks of `block_size` in every spatial dimension against channels."""

    input = operand_def(SAME_ELEMENT)
    result = result_def(SAME_ELEMENT)
    mode = word_prop()
    block_size = integer_prop()

    traits = traits_def(DataMovement())

    def _block(self) -> int:
        choice(self, "mode", "blocks_first", "depth_first")
        shape, size = shape_of(self.input), self.block_size.value.data
        if len(shape) < 3:
            raise self.op_error(f"input {spelled(shape)} has no spatial dimensions")
        if size < 1:
            raise self.op_error(f"block_size {size} must be at least 1")
        return size


def _divided(op: TensorOp, dimension: int, size: int, parts: int) -> int:
    if size == DYNAMIC_INDEX:
        return size
    if size % parts:
        raise op.op_error(f"dimension {dimension} of size {size} is not a multiple of {parts}")
    return size // parts


def _multiplied(size: int, factor: int) -> int:
    return size if size == DYNAMIC_INDEX else size * factor


@op_definition
class DepthToSpaceOp(DepthOp):
    """
    Channels become blocks of space: `result[n, c, d * block + k] = input[n, k * C + c, d]`, with
    `depth_first` `input[n, c * block + k, d]`, in every spatial dimension.

        %y = nn.depth_to_space %x {mode = "blocks_first", block_size = 2 : i64}
            : tensor<1x8x2x3xf32> -> tensor<1x2x4x6xf32>
    """

    name = "nn.depth_to_space"
    NAMES: ClassVar = Names("DepthToSpace-1", "DepthToSpace", "DEPTH_TO_SPACE", "DepthToSpace-28")

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        block, (batch, channels, *sizes) = self._block(), shape_of(self.input)
        channels = _divided(self, 1, channels, block ** len(sizes))
        spatial = (_multiplied(size, block) for size in sizes)
        return [TensorType(tensor(self.input).element_type, (batch, channels, *spatial))]

    def decompose(self, write: Writer) -> SSAValue:
        block, (batch, channels, *sizes) = self._block(), static_shape(self.input)
        rank = len(sizes)
        kept, blocks = channels // block**rank, [block] * rank
        if self.mode.data == "blocks_first":
            parts, first, kept_at = [*blocks, kept], 1, 1 + rank
        else:
            parts, first, kept_at = [kept, *blocks], 2, 1
        order = [0, kept_at, *(d for k in range(rank) for d in (2 + rank + k, first + k))]
        return _regrouped(write, self, (batch, *parts, *sizes), order)


@op_definition
class SpaceToDepthOp(DepthOp):
    """
    Blocks of space become channels: the inverse of `depth_to_space`.

        %y = nn.space_to_depth %x {mode = "blocks_first", block_size = 2 : i64}
            : tensor<1x2x4x6xf32> -> tensor<1x8x2x3xf32>
    """

    name = "nn.space_to_depth"
    NAMES: ClassVar = Names("SpaceToDepth-1", "SpaceToDepth", "SPACE_TO_DEPTH", "SpaceToDepth-28")

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        block, (batch, channels, *sizes) = self._block(), shape_of(self.input)
        channels = _multiplied(channels, block ** len(sizes))
        spatial = (_divided(self, i, size, block) for i, size in enumerate(sizes, 2))
        return [TensorType(tensor(self.input).element_type, (batch, channels, *spatial))]

    def decompose(self, write: Writer) -> SSAValue:
        block, (batch, channels, *sizes) = self._block(), static_shape(self.input)
        rank = len(sizes)
        parts = (n for size in sizes for n in (size // block, block))
        spaces, blocks = ([begin + 2 * k for k in range(rank)] for begin in (2, 3))
        first = [*blocks, 1] if self.mode.data == "blocks_first" else [1, *blocks]
        return _regrouped(write, self, (batch, channels, *parts), [0, *first, *spaces])


class BatchOp(DerivedOp, ABC):
    """Blocks of space against the batch."""

    input = operand_def(SAME_ELEMENT)
    block_shape = operand_def(INDEX)
    begin = operand_def(INDEX)
    end = operand_def(INDEX)
    result = result_def(SAME_ELEMENT)

    def _known(self, constants: Constants) -> tuple[Sequence[int], ...] | None:
        block, begin, end = _for_each(
            self,
            constants,
            len(shape_of(self.input)),
            block_shape=self.block_shape,
            begin=self.begin,
            end=self.end,
        )
        if block is None or begin is None or end is None:
            return None
        if any(size < 1 for size in block) or block[0] != 1:
            raise self.op_error(
                f"block_shape {list(block)} must be 1 and then numbers of at least 1"
            )
        if any(size < 0 for size in (*begin, *end)) or begin[0] or end[0]:
            raise self.op_error(
                f"begin {list(begin)} and end {list(end)} must be 0 and then no negative numbers"
            )
        return block, begin, end

    def _numbers(self) -> tuple[Sequence[int], ...]:
        return tuple(
            self.known(value, name)
            for name, value in zip(("block_shape", "begin", "end"), self.operands[1:], strict=True)
        )

    def _unknown(self) -> Sequence[Attribute]:
        type = tensor(self.input)
        return [TensorType(type.element_type, [DYNAMIC_INDEX] * type.get_num_dims())]


@op_definition
class BatchToSpaceOp(BatchOp):
    """
    The batch becomes blocks of space, of which `begin` and `end` elements are cropped.

        %block = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
        %begin = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
        %end = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
        %y = nn.batch_to_space %x, %block, %begin, %end
            : (tensor<4x1x3xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x1x6xf32>
    """

    name = "nn.batch_to_space"
    NAMES: ClassVar = Names("BatchToSpace-2", "BatchToSpaceND", "BATCH_TO_SPACE_ND")

    traits = traits_def(DataMovement())

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        if (known := self._known(constants)) is None:
            return self._unknown()
        block, begin, end = known
        batch, *sizes = shape_of(self.input)
        result = [_divided(self, 0, batch, math.prod(block))]
        for i, size in enumerate(sizes, 1):
            size = _multiplied(size, block[i])
            if size != DYNAMIC_INDEX and size - begin[i] - end[i] < min(size, 1):
                raise self.op_error(
                    f"crops {begin[i]} and {end[i]} leave nothing of the {size} of dimension {i}"
                )
            result.append(size if size == DYNAMIC_INDEX else size - begin[i] - end[i])
        return [TensorType(tensor(self.input).element_type, result)]

    def decompose(self, write: Writer) -> SSAValue:
        shape, ((_, *blocks), begin, end) = static_shape(self.input), self._numbers()
        rank, batch = len(blocks), shape[0] // math.prod(blocks)
        value = write.reshaped(self.input, (*blocks, batch, *shape[1:]))
        value = write.transposed(
            value, [rank, *(d for k in range(rank) for d in (rank + 1 + k, k))]
        )
        grown = [batch, *(size * block for size, block in zip(shape[1:], blocks, strict=True))]
        value = write.reshaped(value, grown)
        for axis, size in enumerate(grown):
            if begin[axis] or end[axis]:
                value = write.slice(value, begin[axis], size - end[axis], axis)
        return value


@op_definition
class SpaceToBatchOp(BatchOp):
    """
    Blocks of space, padded with `begin` and `end` zeros, become batch.

        %block = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
        %begin = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
        %end = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
        %y = nn.space_to_batch %x, %block, %begin, %end
            : (tensor<2x1x6xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<4x1x3xf32>
    """

    name = "nn.space_to_batch"
    NAMES: ClassVar = Names("SpaceToBatch-2", "SpaceToBatchND", "SPACE_TO_BATCH_ND")

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        if (known := self._known(constants)) is None:
            return self._unknown()
        block, begin, end = known
        batch, *sizes = shape_of(self.input)
        result = [_multiplied(batch, math.prod(block))]
        for i, size in enumerate(sizes, 1):
            whole = size if size == DYNAMIC_INDEX else size + begin[i] + end[i]
            result.append(_divided(self, i, whole, block[i]))
        return [TensorType(tensor(self.input).element_type, result)]

    def decompose(self, write: Writer) -> SSAValue:
        (_, *blocks), begin, end = self._numbers()
        value: SSAValue = self.input
        if any((*begin, *end)):
            mode = StringAttr("constant")
            value = write(PadOp, value, self.begin, self.end, pad_mode=mode)
        rank, (batch, *sizes) = len(blocks), static_shape(value)
        parts = [(size // block, block) for size, block in zip(sizes, blocks, strict=True)]
        value = write.reshaped(value, (batch, *(n for pair in parts for n in pair)))
        blocks_at, spaces_at = ([first + 2 * k for k in range(rank)] for first in (2, 1))
        value = write.transposed(value, [*blocks_at, 0, *spaces_at])
        return write.reshaped(value, (batch * math.prod(blocks), *(size for size, _ in parts)))


@op_definition
class ShuffleChannelsOp(SameTypeOp, DerivedOp):
    """
    `group` groups along `axis`, dealt out in turn: `result[i * group + g] = input[g * size + i]`.

        %y = nn.shuffle_channels %x {axis = 1 : i64, group = 2 : i64} : tensor<1x8x4xf32>
    """

    name = "nn.shuffle_channels"
    NAMES: ClassVar = Names("ShuffleChannels-1")

    axis = integer_prop()
    group = integer_prop()

    traits = traits_def(DataMovement())

    def check(self, constants: Constants) -> None:
        shape: Shape = shape_of(self.input)
        axis = normalize_axis(self, self.axis.value.data, len(shape))
        if self.group.value.data < 1:
            raise self.op_error(f"group {self.group.value.data} must be at least 1")
        _divided(self, axis, shape[axis], self.group.value.data)

    def decompose(self, write: Writer) -> SSAValue:
        shape, groups = static_shape(self.input), self.group.value.data
        axis = normalize_axis(self, self.axis.value.data, len(shape))
        parts = (*shape[:axis], groups, shape[axis] // groups, *shape[axis + 1 :])
        order = list(range(len(parts)))
        order[axis : axis + 2] = axis + 1, axis
        return _regrouped(write, self, parts, order)


def _regrouped(
    write: Writer, op: DepthOp | ShuffleChannelsOp, parts: Iterable[int], order: Sequence[int]
) -> SSAValue:
    """The input cut into parts, which come in another order, under the shape of the result."""
    value = write.transposed(write.reshaped(op.input, tuple(parts)), order)
    (result,) = op.infer_types(constant_integers)
    assert isinstance(result, TensorType)
    return write.reshaped(value, cast(TensorType[Any], result).get_shape())
