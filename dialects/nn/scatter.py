"""Updates of elements at indices that are computed."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.utils.exceptions import VerifyException

from ..inferred import INDEX, SAME_ELEMENT, Constants, TensorOp, choice, label, shape_of, spelled
from ..names import Names
from ..properties import flag_prop, word_prop
from ..traits import DataMovement
from .indexing import check_along
from .selection import constant_axis


class ScatterOp(TensorOp, ABC):
    """`data`, updated one by one at indices. Those below 0 count from the end; others outside change nothing."""

    result = result_def(SAME_ELEMENT)

    def shape_error(self) -> VerifyException:
        """What is to be raised where shapes do not fit."""
        data, indices, updates, *_ = map(shape_of, self.operands)
        return VerifyException(
            f"{label(self)}: updates {spelled(updates)} at indices {spelled(indices)} do not fit data {spelled(data)}"
        )


def fits(left: Sequence[int], right: Sequence[int]) -> bool:
    """Whether two shapes may be the same."""
    return len(left) == len(right) and all(
        a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(left, right, strict=True)
    )


@irdl_op_definition
class ScatterUpdateOp(ScatterOp):
    """
    `result = data`, but `result[…, indices[i…], …] = updates[…, i…, …]` along a constant `axis`.

        %axis = nn.constant dense<0> : tensor<i64>
        %y = nn.scatter_update %x, %indices, %updates, %axis
            : (tensor<8x4xf32>, tensor<2xi64>, tensor<2x4xf32>, tensor<i64>) -> tensor<8x4xf32>
    """

    name = "nn.scatter_update"
    NAMES: ClassVar = Names("ScatterUpdate-3")

    data = operand_def(SAME_ELEMENT)
    indices = operand_def(INDEX)
    updates = operand_def(SAME_ELEMENT)
    axis = operand_def(INDEX)

    traits = traits_def(DataMovement(0, 3))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape = shape_of(self.data)
        axis = constant_axis(self, self.axis, len(shape), constants)
        wanted = (*shape[:axis], *shape_of(self.indices), *shape[axis + 1 :])
        if not fits(shape_of(self.updates), wanted):
            raise self.shape_error()
        return [self.data.type]


@irdl_op_definition
class ScatterElementsUpdateOp(ScatterOp):
    """
    `result = data`, but `result[…, indices[…, i, …], …] = updates[…, i, …]`, i along a constant `axis`.

    With `reduction` `sum`, `prod`, `min`, `max` or `mean`, updates of one element and, where `use_init_val`, what was
    there before are put together. Of truth values, sums and maxima are `or`, products and minima `and`; means of
    integers are rounded down.

        %axis = nn.constant dense<1> : tensor<i64>
        %y = nn.scatter_elements_update %x, %indices, %updates, %axis {reduction = "sum", use_init_val = true}
            : (tensor<2x8xf32>, tensor<2x3xi64>, tensor<2x3xf32>, tensor<i64>) -> tensor<2x8xf32>
    """

    name = "nn.scatter_elements_update"
    NAMES: ClassVar = Names("ScatterElementsUpdate-12", onnx="ScatterElements-18")

    data = operand_def(SAME_ELEMENT)
    indices = operand_def(INDEX)
    updates = operand_def(SAME_ELEMENT)
    axis = operand_def(INDEX)
    reduction = word_prop("none")
    use_init_val = flag_prop(True)

    traits = traits_def(DataMovement(0, 3))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, indices = shape_of(self.data), shape_of(self.indices)
        axis = constant_axis(self, self.axis, len(shape), constants)
        choice(self, "reduction", "none", "sum", "prod", "min", "max", "mean")
        check_along(self, axis, shape, indices)
        if not fits(shape_of(self.updates), indices):
            raise self.shape_error()
        return [self.data.type]


@irdl_op_definition
class ScatterNdUpdateOp(ScatterOp):
    """
    `result = data`, but `result[*indices[i…, :]] = updates[i…]`: each row of the indices names a slice.

    With `reduction` `sum`, `sub`, `prod`, `min` or `max`, updates are put together with what is there.

        %y = nn.scatter_nd_update %x, %indices, %updates {reduction = "none"}
            : (tensor<3x4x5xf32>, tensor<6x2xi64>, tensor<6x5xf32>) -> tensor<3x4x5xf32>
    """

    name = "nn.scatter_nd_update"
    NAMES: ClassVar = Names("ScatterNDUpdate-15", "TensorScatterUpdate", onnx="ScatterND-18")

    data = operand_def(SAME_ELEMENT)
    indices = operand_def(INDEX)
    updates = operand_def(SAME_ELEMENT)
    reduction = word_prop("none")

    traits = traits_def(DataMovement(0, 3))

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, indices = shape_of(self.data), shape_of(self.indices)
        choice(self, "reduction", "none", "sum", "sub", "prod", "min", "max")
        named = indices[-1] if indices else DYNAMIC_INDEX
        if not 0 <= named <= len(shape):
            raise self.shape_error()
        if not fits(shape_of(self.updates), (*indices[:-1], *shape[named:])):
            raise self.shape_error()
        return [self.data.type]
