"""The largest or smallest elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerType, TensorType, i32
from xdsl.ir import Attribute
from xdsl.irdl import operand_def, prop_def, result_def

from ..inferred import (
    INDEX,
    SAME_ELEMENT,
    Constants,
    TensorOp,
    choice,
    normalize_axis,
    shape_of,
    tensor,
)
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop, integer_prop, word_prop


@op_definition
class TopKOp(TensorOp):
    """
    The `k` largest elements along `axis` (mode `max`) or the smallest (`min`), and their indices.

    They are sorted by `value`, best first, or by `index`; those of `none` are sorted by value, too. Of equal elements
    the ones with lower indices come first and win, whatever `stable` says. NaN is greater than any number.

        %k = nn.constant dense<3> : tensor<i64>
        %values, %indices = nn.top_k %x, %k {axis = -1 : i64, mode = "max", sort = "value", index_element_type = i32}
            : (tensor<2x8xf32>, tensor<i64>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
    """

    name = "nn.top_k"
    NAMES: ClassVar = Names("TopK-11", "TopKV2", "TOPK_V2", "TopK-24")

    input = operand_def(SAME_ELEMENT)
    k = operand_def(INDEX)
    values = result_def(SAME_ELEMENT)
    indices = result_def(INDEX)
    axis = integer_prop()
    mode = word_prop()
    sort = word_prop()
    index_element_type = prop_def(IntegerType, default_value=i32)
    stable = flag_prop(False)

    def infer_types(self, constants: Constants) -> Sequence[Attribute]:
        shape, k = list(shape_of(self.input)), constants(self.k)
        axis = normalize_axis(self, self.axis.value.data, len(shape))
        choice(self, "mode", "max", "min")
        choice(self, "sort", "value", "index", "none")
        if shape_of(self.k) not in ((), (1,)):
            raise self.op_error(f"k is a {self.k.type}; it must be a scalar")
        size, count = shape[axis], DYNAMIC_INDEX if k is None else k[0]
        if k is not None and (count < 0 or (size != DYNAMIC_INDEX and count > size)):
            raise self.op_error(
                f"k {count} is not between 0 and the {size} elements along axis {axis}"
            )
        shape[axis] = count
        return [
            TensorType(tensor(self.input).element_type, shape),
            TensorType(self.index_element_type, shape),
        ]
