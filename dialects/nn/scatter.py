"""Updates of elements at indices that are computed."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.irdl import operand_def, traits_def
from xdsl.utils.exceptions import VerifyException

from ..compatible import compatible_shapes
from ..inferred import INDEX, SAME_ELEMENT, Constants, choice, shape_of, spelled
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, word_prop
from ..traits import DataMovement
from .indexing import check_along
from .selection import constant_axis
from .shaped import ShapedOp


class ScatterOp(ShapedOp, ABC):
    """`data`, updated one by one at indices. Those below 0 count from the end; others outside change nothing."""

    data = operand_def(SAME_ELEMENT)
    indices = operand_def(INDEX)
    updates = operand_def(SAME_ELEMENT)

    traits = traits_def(DataMovement(0, 3))

    def shape_error(self) -> VerifyException:
        """What is to be raised where shapes do not fit."""
        data, indices, updates, *_ = map(shape_of, self.operands)
        return self.op_error(
            f"updates {spelled(updates)} at indices {spelled(indices)} do not fit data {spelled(data)}"
        )


@op_definition
class ScatterUpdateOp(ScatterOp):
    """
    `result = data`, but `result[…, indices[i…], …] = updates[…, i…, …]` along a constant `axis`.

        %axis = nn.constant dense<0> : tensor<i64>
        %y = nn.scatter_update %x, %indices, %updates, %axis
            : (tensor<8x4xf32>, tensor<2xi64>, tensor<2x4xf32>, tensor<i64>) -> tensor<8x4xf32>
    """

    name = "nn.scatter_update"
    NAMES: ClassVar = Names("ScatterUpdate-3")

    axis = operand_def(INDEX)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = shape_of(self.data)
        axis = constant_axis(self, self.axis, len(shape), constants)
        wanted = (*shape[:axis], *shape_of(self.indices), *shape[axis + 1 :])
        if not compatible_shapes(shape_of(self.updates), wanted):
            raise self.shape_error()
        return shape_of(self.data)


@op_definition
class ScatterElementsUpdateOp(ScatterOp):
    """
    `result = data`, but `result[…, indices[…, i, …], …] = updates[…, i, …]`, i along a constant `axis`.

    With `reduction` `sum`, `prod`, `min`, `max` or `mean`, updates of one element and, where `use_init_val`, what was
    there before are put together. Of booleans, sums and maxima are `or`, products and minima `and`; means of
    integers are rounded down.

        %axis = nn.constant dense<1> : tensor<i64>
        %y = nn.scatter_elements_update %x, %indices, %updates, %axis {reduction = "sum", use_init_val = true}
            : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<i64>) -> tensor<2x8xf32>
    """

    name = "nn.scatter_elements_update"
    NAMES: ClassVar = Names("ScatterElementsUpdate-12", onnx="ScatterElements-18")

    axis = operand_def(INDEX)
    reduction = word_prop("none")
    use_init_val = flag_prop(True)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, indices = shape_of(self.data), shape_of(self.indices)
        axis = constant_axis(self, self.axis, len(shape), constants)
        choice(self, "reduction", "none", "sum", "prod", "min", "max", "mean")
        check_along(self, axis, shape, indices)
        if not compatible_shapes(shape_of(self.updates), indices):
            raise self.shape_error()
        return shape_of(self.data)


@op_definition
class ScatterNdUpdateOp(ScatterOp):
    """
    `result = data`, but `result[*indices[i…, :]] = updates[i…]`: each row of the indices names a slice.

    With `reduction` `sum`, `sub`, `prod`, `min` or `max`, updates are put together with what is there; a difference of
    booleans is `xor`.

        %y = nn.scatter_nd_update %x, %indices, %updates {reduction = "none"}
            : (tensor<3x4x5xf32>, tensor<6x2xi64>, tensor<6x5xf32>) -> tensor<3x4x5xf32>
    """

    name = "nn.scatter_nd_update"
    NAMES: ClassVar = Names("ScatterNDUpdate-15", "TensorScatterUpdate", onnx="ScatterND-18")

    reduction = word_prop("none")

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape, indices = shape_of(self.data), shape_of(self.indices)
        choice(self, "reduction", "none", "sum", "sub", "prod", "min", "max")
        updates = shape_of(self.updates)
        named = indices[-1] if indices else DYNAMIC_INDEX
        if indices and named == DYNAMIC_INDEX:
            named = len(shape) - (len(updates) - len(indices[:-1]))
        if not 0 <= named <= len(shape):
            raise self.shape_error()
        if not compatible_shapes(updates, (*indices[:-1], *shape[named:])):
            raise self.shape_error()
        return shape_of(self.data)
