"""`nn.scaled_dot_product_attention`: values, averaged with the weights that queries give their keys."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i1, i64
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, var_operand_def

from ..blob import BlobAttr
from ..compatible import compatible_dims
from ..inferred import (
    SAME_ELEMENT,
    Constants,
    Shape,
    broadcast,
    floating,
    shape_of,
    spelled,
    static_shape,
    tensor,
)
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .comparison import GreaterOp, SelectOp
from .derived import DerivedOp
from .elementwise import AddOp, DivideOp, MaximumOp, MultiplyOp, SubtractOp
from .functions import ExpOp
from .matrix import MatMulOp
from .reduction import ReduceMaxOp, ReduceSumOp
from .shaped import ShapedOp
from .writer import Writer


@op_definition
class ScaledDotProductAttentionOp(ShapedOp, DerivedOp):
    """
    `result = softmax(query keyᵀ * scale + mask) value`, for each head

    `scale` is `1 / √E`, E the last dimension of queries, where there is none. `options` are, in this order and as
    far as given: the mask (numbers to add, or booleans that say which keys count; with `causal` it is
    ignored, and query i sees the keys up to number i), the scale, and the sink, an additional score of a key
    without a value. Leading dimensions broadcast. There may be fewer heads (dimension -3) of keys and values: as
    many heads of queries share each.

        %y = nn.scaled_dot_product_attention %q, %k, %v {causal = true}
            : (tensor<1x2x4x8xf32>, tensor<1x2x5x8xf32>, tensor<1x2x5x6xf32>) -> tensor<1x2x4x6xf32>
    """

    name = "nn.scaled_dot_product_attention"
    NAMES: ClassVar = Names("ScaledDotProductAttention-13")

    query = operand_def(SAME_ELEMENT)
    key = operand_def(SAME_ELEMENT)
    value = operand_def(SAME_ELEMENT)
    options = var_operand_def(TensorType)
    causal = flag_prop(False)

    @property
    def mask(self) -> SSAValue | None:
        """What says which keys count, or how much."""
        return self.options[0] if self.options and not self.causal else None

    def _groups(self) -> int:
        """How many heads of queries share one of keys."""
        query, key = shape_of(self.query), shape_of(self.key)
        if len(query) < 3 or len(key) < 3 or DYNAMIC_INDEX in (query[-3], key[-3]):
            return 1
        shared = key[-3] > 1 and query[-3] % key[-3] == 0
        return max(query[-3] // key[-3], 1) if shared else 1

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        floating(self, self.query)
        groups = self._groups()
        query, key, value = (shape_of(operand) for operand in self.operands[:3])
        if min(map(len, (query, key, value))) < 2:
            raise self.op_error("queries, keys and values have 2 dimensions or more")
        for one, other in ((query[-1], key[-1]), (key[-2], value[-2])):
            if not compatible_dims(one, other):
                raise self.op_error(
                    f"queries {spelled(query)}, keys {spelled(key)} and values "
                    f"{spelled(value)} do not fit"
                )
        if len(self.options) > 3:
            raise self.op_error(
                f"takes a mask, a scale and a sink, not {len(self.options)} more operands"
            )
        batch = broadcast(self, query[:-2], _with_heads(key, groups), _with_heads(value, groups))
        if self.mask is not None:
            wanted = (*batch, query[-2], key[-2])
            if len(broadcast(self, wanted, shape_of(self.mask))) > len(wanted):
                raise self.op_error(
                    f"mask {spelled(shape_of(self.mask))} has more dimensions than "
                    f"the scores {spelled(wanted)}"
                )
        if len(self.options) > 1 and any(
            n not in (1, DYNAMIC_INDEX) for n in shape_of(self.options[1])
        ):
            raise self.op_error(f"scale is a {self.options[1].type}; it must be one number")
        return (*batch, query[-2], value[-1])

    def decompose(self, write: Writer) -> SSAValue:
        """What one has to divide by is the sum of the powers: the product with the values comes before."""
        groups, (*_, rows, depth) = self._groups(), static_shape(self.query)
        query = _folded(write, self.query, groups)
        scores = write(MatMulOp, query, self.key, transpose_b=True)
        scores = _unfolded(write, scores, groups)
        if len(self.options) > 1:
            scores = write(MultiplyOp, scores, write.reshaped(self.options[1], ()))
        else:
            scores = write(MultiplyOp, scores, 1 / math.sqrt(depth) if depth else 1)
        if self.causal:
            columns = static_shape(self.key)[-2]
            later = write(GreaterOp, _places(write, 1, columns), _places(write, rows, 1))
            scores = write(SelectOp, later, write.scalar_like(scores, -math.inf), scores)
        elif self.mask is not None and tensor(self.mask).element_type == i1:
            scores = write(SelectOp, self.mask, scores, write.scalar_like(scores, -math.inf))
        elif self.mask is not None:
            scores = write(AddOp, scores, self.mask)
        sink = self.options[2] if len(self.options) > 2 else None
        last = write.integers(-1)
        most = write(ReduceMaxOp, scores, last, keep_dims=True)
        if sink is not None:
            most = write(MaximumOp, most, sink)
        powers = write(ExpOp, write(SubtractOp, scores, most))
        total = write(ReduceSumOp, powers, last, keep_dims=True)
        if sink is not None:
            total = write(AddOp, total, write(ExpOp, write(SubtractOp, sink, most)))
        means = write(MatMulOp, _folded(write, powers, groups), self.value)
        return write(DivideOp, _unfolded(write, means, groups), total)


def _with_heads(shape: Shape, groups: int) -> Shape:
    """The leading dimensions of keys and values, with as many heads as queries have."""
    if groups == 1:
        return shape[:-2]
    return (*shape[:-3], shape[-3] * groups)


def _folded(write: Writer, value: SSAValue, groups: int) -> SSAValue:
    """The rows of all heads that share one of keys, as those of one head."""
    if groups == 1:
        return value
    *batch, heads, rows, columns = static_shape(value)
    return write.reshaped(value, (*batch, heads // groups, groups * rows, columns))


def _unfolded(write: Writer, value: SSAValue, groups: int) -> SSAValue:
    """The same with heads of their own."""
    if groups == 1:
        return value
    *batch, heads, rows, columns = static_shape(value)
    return write.reshaped(value, (*batch, heads * groups, rows // groups, columns))


def _places(write: Writer, rows: int, columns: int) -> SSAValue:
    """0, 1 … in a row or a column."""
    return write.constant(BlobAttr.of(TensorType(i64, [rows, columns]), range(rows * columns)))
