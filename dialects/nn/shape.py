"""Operations that look at data in another shape: reshape, squeeze, unsqueeze, shape_of, broadcast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, opt_operand_def, prop_def, result_def

from ..inferred import (
    INDEX,
    MAKE_CONSTANT,
    MAX_RANK,
    Constants,
    Shape,
    TensorOp,
    broadcast,
    normalize_axis,
    shape_of,
    spelled,
    tensor,
)
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, word_prop
from .elementwise import ConvertOp
from .movement import ConcatOp
from .shaped import MovedOp


def _unknown_dimensions(op: TensorOp, target: SSAValue) -> Shape:
    """As many unknown dimensions as the list `target` has elements."""
    shape = shape_of(target)
    rank = shape[0] if len(shape) == 1 else DYNAMIC_INDEX
    if not 0 <= rank <= MAX_RANK:
        raise op.op_error(
            "the number of target dimensions is unknown; it is the size of a vector of "
            f"at most {MAX_RANK} elements"
        )
    return (DYNAMIC_INDEX,) * rank


def _known_dimensions(op: TensorOp, target: SSAValue, constants: Constants) -> Shape:
    """What is known of the elements of the list `target`, one by one, as dimensions."""
    shape, owner = _unknown_dimensions(op, target), target.owner
    if isinstance(owner, ShapeOfOp):
        return shape_of(owner.input)
    if isinstance(owner, ConvertOp) and isinstance(tensor(owner.input).element_type, IntegerType):
        return _known_dimensions(op, owner.input, constants)
    if isinstance(owner, ConcatOp):
        parts = [(part, constants(part)) for part in owner.inputs]
        known = [
            _known_dimensions(op, part, constants) if numbers is None else numbers
            for part, numbers in parts
        ]
        return tuple(size if size >= 0 else DYNAMIC_INDEX for part in known for size in part)
    return shape


@op_definition
class ReshapeOp(MovedOp):
    """
    The same elements in row-major order under another shape: -1 is what is left; with
    `special_zero`, 0 copies the input's dimension, and -1 is what is left of the dimensions that are not copied.

        %shape = nn.constant dense<[0, -1]> : tensor<2xi64>
        %y = nn.reshape %x, %shape {special_zero = true} : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<2x6xf32>
    """

    name = "nn.reshape"
    NAMES: ClassVar = Names("Reshape-1", "Reshape", "RESHAPE", "Reshape-25")

    shape = operand_def(INDEX)
    special_zero = flag_prop(False)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        source, target = shape_of(self.input), constants(self.shape)
        if target is None:
            known = _known_dimensions(self, self.shape, constants)
            return tuple(size or (DYNAMIC_INDEX if self.special_zero else 0) for size in known)
        return self.resolve(source, target)

    def resolve(self, source: Shape, target: Sequence[int]) -> Shape:
        """The shape of the result for an input of shape `source`, whose dimensions may be unknown."""
        sizes, copied = list(target), set[int]()
        for i, size in enumerate(target):
            if size == 0 and self.special_zero:
                if i >= len(source):
                    raise self.op_error(f"0 at {i} has no dimension to copy")
                sizes[i] = source[i]
                copied.add(i)
            elif size < -1:
                raise self.op_error(f"target dimension {size} is negative")
        free = [i for i, size in enumerate(target) if size == -1]
        if len(free) > 1:
            raise self.op_error("more than one target dimension is -1")
        if DYNAMIC_INDEX in source:
            return tuple(DYNAMIC_INDEX if i in free else size for i, size in enumerate(sizes))
        left = math.prod(size for i, size in enumerate(source) if i not in copied)
        known = math.prod(size for i, size in enumerate(sizes) if i not in {*copied, *free})
        if free and known and left % known == 0:
            sizes[free[0]] = left // known
        elif free and not known and left == 0:
            sizes[free[0]] = 0
        elif free or math.prod(source) != math.prod(sizes):
            total = math.prod(source)
            raise self.op_error(
                f"{total} elements of shape {list(source)} do not fit into {list(target)}"
            )
        return tuple(sizes)


@op_definition
class SqueezeOp(MovedOp):
    """
    Without the dimensions of size 1 at `axes` (all of them where there are no axes, or none in the list).

        %axes = nn.constant dense<[1]> : tensor<1xi64>
        %y = nn.squeeze %x, %axes : (tensor<2x1x8xf32>, tensor<1xi64>) -> tensor<2x8xf32>
    """

    name = "nn.squeeze"
    NAMES: ClassVar = Names("Squeeze-15", "Squeeze", "SQUEEZE", "Squeeze-25")

    axes = opt_operand_def(INDEX)
    allow_axis_skip = flag_prop(False)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = shape_of(self.input)
        known = () if self.axes is None else constants(self.axes)
        if known is None:
            raise self.op_error(f"axes must be constant; {MAKE_CONSTANT}")
        if DYNAMIC_INDEX in shape and (not known or self.allow_axis_skip):
            raise self.op_error(
                f"which dimensions of {spelled(shape)} are 1 is unknown; name them in axes"
            )
        axes = {normalize_axis(self, axis, len(shape)) for axis in known}
        if not known:
            axes = {i for i, size in enumerate(shape) if size == 1}
        for axis in sorted(axes):
            if shape[axis] not in (1, DYNAMIC_INDEX):
                if self.allow_axis_skip:
                    axes.discard(axis)
                    continue
                raise self.op_error(f"dimension {axis} is {shape[axis]}, only 1 can be squeezed")
        return [size for i, size in enumerate(shape) if i not in axes]


@op_definition
class UnsqueezeOp(MovedOp):
    """
    With new dimensions of size 1 at `axes`, counted in the result.

        %axes = nn.constant dense<[1]> : tensor<1xi64>
        %y = nn.unsqueeze %x, %axes : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1x8xf32>
    """

    name = "nn.unsqueeze"
    NAMES: ClassVar = Names("Unsqueeze-1", "ExpandDims", "EXPAND_DIMS", "Unsqueeze-25")

    axes = operand_def(INDEX)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        known = constants(self.axes)
        if known is None:
            raise self.op_error(f"axes must be constant; {MAKE_CONSTANT}")
        shape = list(shape_of(self.input))
        rank = len(shape) + len(known)
        axes = sorted(normalize_axis(self, axis, rank) for axis in known)
        if len(set(axes)) < len(axes):
            raise self.op_error(f"axes {list(known)} name a dimension twice")
        for axis in axes:
            shape.insert(axis, 1)
        return shape


@op_definition
class ShapeOfOp(TensorOp):
    """
    The input's dimensions as a vector.

        %s = nn.shape_of %x : tensor<2x8xf32> -> tensor<2xi64>
    """

    name = "nn.shape_of"
    NAMES: ClassVar = Names("ShapeOf-3", "Shape", "SHAPE", "Shape-25")

    input = operand_def(TensorType)
    result = result_def(TensorType)
    output_type = prop_def(IntegerType, default_value=i64)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        return [TensorType(self.output_type, [len(shape_of(self.input))])]


@op_definition
class BroadcastOp(MovedOp):
    """
    The input repeated to `target_shape` (modes `numpy` and `bidirectional`).

        %shape = nn.constant dense<[1, 128]> : tensor<2xi64>
        %y = nn.broadcast %x, %shape : (tensor<f32>, tensor<2xi64>) -> tensor<1x128xf32>
    """

    name = "nn.broadcast"
    NAMES: ClassVar = Names("Broadcast-3", "BroadcastTo", "BROADCAST_TO", "Expand-13")

    target_shape = operand_def(INDEX)
    mode = word_prop("numpy")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        mode = self.mode.data
        if mode not in ("numpy", "bidirectional"):
            raise self.op_error(f"mode '{mode}' is not supported; use 'numpy' or 'bidirectional'")
        target = constants(self.target_shape)
        if target is None:
            shape = _known_dimensions(self, self.target_shape, constants)
            if mode == "bidirectional":
                shape = broadcast(self, shape_of(self.input), shape)
            return shape
        source = shape_of(self.input)
        if any(size < 0 for size in target):
            raise self.op_error(f"target shape {list(target)} has negative dimensions")
        if mode == "bidirectional":
            return broadcast(self, source, tuple(target))
        aligned = target[max(0, len(target) - len(source)) :]
        if len(source) > len(target) or any(
            size not in (1, DYNAMIC_INDEX, wanted)
            for size, wanted in zip(source, aligned, strict=True)
        ):
            raise self.op_error(f"{spelled(source)} does not broadcast to {list(target)}")
        return target
