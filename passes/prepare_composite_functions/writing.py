"""Writing fused operations, and those of TensorFlow that prepare their operands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    TensorType,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import tfl
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.writer import Writer
from ..tensorflow import new_op

LSTM = {"cell_clip": 0.0, "fused_activation_function": "TANH", "proj_clip": 0.0}
"""The options of an LSTM in LiteRT that are Keras' and lingvo's; a clip of 0 is none."""


class TfWriter(Writer):
    """As `Writer`, for operations of `tf` and `tfl`, too."""

    def __init__(self, place: InsertPoint):
        super().__init__(place)
        self._none: SSAValue | None = None

    def op(self, op: Operation) -> Sequence[SSAValue]:
        """Writes an operation. Returns its results."""
        return self.builder.insert(op).results

    def tf(
        self,
        name: str,
        operands: Sequence[SSAValue],
        *shapes: Sequence[int],
        element: Attribute | None = None,
        **properties: Attribute,
    ) -> Sequence[SSAValue]:
        """Writes `tf.<name>` with results of these shapes, elements as those of the first operand."""
        kind = tensor(operands[0]).element_type if element is None else element
        types = [TensorType(kind, shape) for shape in shapes]
        return self.op(new_op(name, operands, types, properties))

    @property
    def none(self) -> SSAValue:
        """Stands for operands that are absent."""
        if self._none is None:
            self._none = self.builder.insert(tfl.NoValueOp()).none_val
        return self._none

    def numbers(self, *values: int) -> SSAValue:
        """A list of axes, limits or sizes, for operations of `tf`."""
        type = TensorType(i32, [len(values)])
        return self._const(DenseIntOrFPElementsAttr.from_list(type, list(values)))

    def number(self, value: int) -> SSAValue:
        """One axis or size, for operations of `tf`."""
        return self._const(DenseIntOrFPElementsAttr.from_list(TensorType(i32, []), [value]))

    def filled(self, value: float, like: SSAValue, shape: Sequence[int]) -> SSAValue:
        """A tensor of one number, of a shape that is known, with elements as those of `like`."""
        type = cast(Any, TensorType(tensor(like).element_type, shape))
        return self._const(DenseIntOrFPElementsAttr.from_list(type, [value]))

    def _const(self, value: DenseIntOrFPElementsAttr[Any]) -> SSAValue:
        op = new_op("Const", [], [cast(Attribute, value.type)], {"value": value})
        return self.builder.insert(op).results[0]

    def zeros(self, like: SSAValue, size: int) -> SSAValue:
        """Zeros [batch, size] for the batch of `like`, which is its first dimension."""
        batch = shape_of(like)[0]
        if batch != DYNAMIC_INDEX:
            return self.filled(0.0, like, [batch, size])
        (sizes,) = self.tf("Shape", [like], [len(shape_of(like))], element=i32)
        first, one = self.numbers(0), self.numbers(1)
        (rows,) = self.tf("Slice", [sizes, first, one], [1], element=i32)
        axis = self.number(0)
        (shape,) = self.tf("ConcatV2", [rows, self.numbers(size), axis], [2], element=i32)
        zero = self.filled(0.0, like, [])
        (result,) = self.tf("Fill", [shape, zero], [batch, size], element=tensor(like).element_type)
        return result

    def matrix_transposed(self, matrix: SSAValue) -> SSAValue:
        """A matrix with rows for columns."""
        rows, columns = shape_of(matrix)
        return self.tf("Transpose", [matrix, self.numbers(1, 0)], [columns, rows])[0]

    def parts(self, value: SSAValue, sizes: Sequence[int], axis: int = 0) -> Sequence[SSAValue]:
        """Parts of these sizes along an axis."""
        shape = list(shape_of(value))
        shapes = [[*shape[:axis], size, *shape[axis + 1 :]] for size in sizes]
        operands = [value, self.numbers(*sizes), self.number(axis)]
        return self.tf("SplitV", operands, *shapes)

    def flat(self, value: SSAValue, size: int) -> SSAValue:
        """All elements, of which there are `size`, in one dimension."""
        return self.tf("Reshape", [value, self.numbers(size)], [size])[0]

    def backward(self, value: SSAValue, axis: int) -> SSAValue:
        """The elements of an axis from the last to the first."""
        return self.tf("ReverseV2", [value, self.numbers(axis)], shape_of(value))[0]

    def step(self, value: SSAValue, axis: int, which: int) -> SSAValue:
        """One element of an axis, which is then gone; -1 is the last."""
        rank = len(shape_of(value))
        at = [0] * rank
        at[axis] = which
        stop = [0] * rank
        stop[axis] = which + 1
        others = sum(1 << i for i in range(rank) if i != axis)
        masks = {
            "begin_mask": others,
            "end_mask": others if which != -1 else others | 1 << axis,
            "ellipsis_mask": 0,
            "new_axis_mask": 0,
            "shrink_axis_mask": 1 << axis,
        }
        shape = [size for i, size in enumerate(shape_of(value)) if i != axis]
        limits = [self.numbers(*at), self.numbers(*stop), self.numbers(*[1] * rank)]
        attributes = {name: IntegerAttr(mask, i64) for name, mask in masks.items()}
        return self.tf("StridedSlice", [value, *limits], shape, **attributes)[0]

    def widened(self, value: SSAValue, axis: int) -> SSAValue:
        """The value with a new dimension of 1."""
        shape = list(shape_of(value))
        shape.insert(axis, 1)
        return self.tf("ExpandDims", [value, self.number(axis)], shape)[0]
