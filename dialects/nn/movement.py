"""Operations that move data: split, slice, concat, transpose."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, result_def, traits_def, var_operand_def, var_result_def

from ..inferred import INDEX, MAKE_CONSTANT, Constants, TensorOp, normalize_axis, shape_of, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import integer_prop
from ..tensor_types import typed
from ..traits import DataMovement
from .shaped import MovedOp


@op_definition
class SplitOp(TensorOp):
    """
    `num_splits` equal parts along a constant `axis`.

        %axis = nn.constant dense<1> : tensor<i64>
        %a, %b = nn.split %x, %axis {num_splits = 2 : i64}
            : (tensor<2x8xf32>, tensor<i64>) -> (tensor<2x4xf32>, tensor<2x4xf32>)
    """

    name = "nn.split"
    NAMES: ClassVar = Names("Split-1", "Split", "SPLIT", "Split-18")

    input = operand_def(TensorType)
    axis = operand_def(INDEX)
    results_ = var_result_def(TensorType)
    num_splits = integer_prop()

    traits = traits_def(DataMovement())

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        known, parts = constants(self.axis), self.num_splits.value.data
        if known is None or len(known) != 1:
            raise self.op_error(f"axis must be one constant; {MAKE_CONSTANT}")
        shape = list(shape_of(self.input))
        axis = normalize_axis(self, known[0], len(shape))
        if parts < 1 or (shape[axis] != DYNAMIC_INDEX and shape[axis] % parts):
            raise self.op_error(
                f"dimension {axis} of size {shape[axis]} does not split into {parts}"
            )
        if shape[axis] != DYNAMIC_INDEX:
            shape[axis] //= parts
        return [TensorType(tensor(self.input).element_type, shape)] * parts

    def verify_(self) -> None:
        parts = self.num_splits.value.data
        if parts != len(self.results):
            raise self.op_error(f"{parts} splits for {len(self.results)} results")
        super().verify_()


class LimitsOp(TensorOp, ABC):
    """An operation on the part between limits, behind its other operands."""

    start = operand_def(INDEX)
    stop = operand_def(INDEX)
    step = operand_def(INDEX)
    axes = operand_def(INDEX)


@op_definition
class SliceOp(LimitsOp, MovedOp):
    """
    Elements `start` to `stop` in steps of `step` along `axes`, limits clipped to the dimension; negative
    ones count from its end. For a negative step, a start before all elements is the first one, other than in NumPy.

        %start = nn.constant dense<[1]> : tensor<1xi64>
        %stop = nn.constant dense<[3]> : tensor<1xi64>
        %step = nn.constant dense<[1]> : tensor<1xi64>
        %axes = nn.constant dense<[0]> : tensor<1xi64>
        %y = nn.slice %x, %start, %stop, %step, %axes
            : (tensor<4x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x8xf32>
    """

    name = "nn.slice"
    NAMES: ClassVar = Names("Slice-8", "Slice", "SLICE", "Slice-13")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = list(shape_of(self.input))
        start, stop, step, axes = map(constants, self.operands[1:])
        if axes is None:
            return [DYNAMIC_INDEX] * len(shape)
        sizes = {len(part) for part in (start, stop, step, axes) if part is not None}
        if len(sizes) > 1:
            raise self.op_error("start, stop, step and axes differ in length")
        if len({normalize_axis(self, axis, len(shape)) for axis in axes}) < len(axes):
            raise self.op_error(f"axes {list(axes)} name a dimension twice")
        for i, listed in enumerate(axes):
            axis = normalize_axis(self, listed, len(shape))
            if step is not None and step[i] == 0:
                raise self.op_error(f"step 0 along axis {axis} never ends")
            if start is None or stop is None or step is None or shape[axis] == DYNAMIC_INDEX:
                shape[axis] = DYNAMIC_INDEX
            else:
                part = self.part(start[i], stop[i], step[i], shape[axis])
                shape[axis] = len(range(*part.indices(shape[axis])))
        return shape

    @staticmethod
    def part(start: int, stop: int, step: int, size: int) -> slice:
        """Python's slice of what these limits take of a dimension of `size` elements."""
        return slice(max(start, -size) if step < 0 else start, stop, step)


@op_definition
class ConcatOp(TensorOp):
    """
    The inputs one after the other along `axis`.

        %y = nn.concat %a, %b {axis = 1 : i64} : (tensor<2x4xf32>, tensor<2x8xf32>) -> tensor<2x12xf32>
    """

    name = "nn.concat"
    NAMES: ClassVar = Names("Concat-1", "ConcatV2", "CONCATENATION", "Concat-13")

    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)
    axis = integer_prop()

    traits = traits_def(DataMovement(0, None))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        if not self.inputs:
            raise self.op_error("needs at least one input")
        shapes = [shape_of(value) for value in self.inputs]
        axis = normalize_axis(self, self.axis.value.data, len(shapes[0]))
        elements = {tensor(value).element_type for value in self.inputs}
        if len(elements) > 1 or len({len(shape) for shape in shapes}) > 1:
            raise self.op_error("inputs differ in element type or rank")
        result: list[int] = []
        for i, sizes in enumerate(zip(*shapes, strict=True)):
            known = set(sizes) - {DYNAMIC_INDEX}
            if i == axis:
                result.append(DYNAMIC_INDEX if DYNAMIC_INDEX in sizes else sum(sizes))
            elif len(known) > 1:
                raise self.op_error(f"inputs differ in dimension {i}: {sizes}")
            else:
                result.append(known.pop() if known else DYNAMIC_INDEX)
        return [typed(elements.pop(), result)]


@op_definition
class TransposeOp(MovedOp):
    """
    Dimensions in the constant `order`; an empty order reverses them.

        %order = nn.constant dense<[1, 0]> : tensor<2xi64>
        %y = nn.transpose %x, %order : (tensor<2x8xf32>, tensor<2xi64>) -> tensor<8x2xf32>
    """

    name = "nn.transpose"
    NAMES: ClassVar = Names("Transpose-1", "Transpose", "TRANSPOSE", "Transpose-25")

    order = operand_def(INDEX)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, order = shape_of(self.input), constants(self.order)
        if order is None:
            raise self.op_error(f"order must be constant; {MAKE_CONSTANT}")
        order = list(order) or list(reversed(range(len(shape))))
        if sorted(order) != list(range(len(shape))):
            raise self.op_error(f"order {order} is not a permutation of {len(shape)} dimensions")
        return [shape[i] for i in order]
