"""Reductions along axes."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, f64, i1
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, result_def

from ..elements import is_integer
from ..inferred import INDEX, MAKE_CONSTANT, Constants, TensorOp, normalize_axis, shape_of, tensor
from ..names import Names
from ..operation import op_definition
from ..properties import flag_prop
from .derived import DerivedOp
from .elementwise import MultiplyOp
from .functions import AbsOp, SqrtOp
from .shaped import InputOp
from .writer import Writer


def constant_axes(op: TensorOp, axes: SSAValue, rank: int, constants: Constants) -> list[int]:
    """Constant axes, counted from the front. Raises VerifyException, naming `op`, where they do not fit."""
    known = constants(axes)
    if known is None:
        raise op.op_error(f"axes must be constant; {MAKE_CONSTANT}")
    normal = [normalize_axis(op, axis, rank) for axis in known]
    if len(set(normal)) < len(normal):
        raise op.op_error(f"axes {list(known)} name a dimension twice")
    return normal


class ReduceOp(InputOp, ABC):
    """One element for all along the constant `axes`, which stay with size 1 where `keep_dims` says so."""

    EXAMPLE: ClassVar = """%axes = nn.constant dense<[1]> : tensor<1xi64>
%y = {name} %x, %axes {{keep_dims = true}} : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2x1xf32>"""

    axes = operand_def(INDEX)
    keep_dims = flag_prop(False)

    def infer_shape(self, constants: Constants) -> Sequence[int]:
        shape = shape_of(self.input)
        axes = constant_axes(self, self.axes, len(shape), constants)
        return [
            1 if i in axes else size
            for i, size in enumerate(shape)
            if i not in axes or self.keep_dims
        ]


class ReduceLogicalOp(ReduceOp, ABC):
    """A reduction of booleans."""

    EXAMPLE: ClassVar = ReduceOp.EXAMPLE.replace("f32", "i1")

    input = operand_def(TensorType.constr(i1))
    axes = operand_def(INDEX)
    result = result_def(TensorType.constr(i1))


@op_definition
class ReduceSumOp(ReduceOp):
    """`result = sum input` along `axes`."""

    name = "nn.reduce_sum"
    NAMES: ClassVar = Names("ReduceSum-1", "Sum", "SUM", "ReduceSum-13")


@op_definition
class ReduceMeanOp(ReduceOp):
    """`result = sum input / count` along `axes`, 0 where nothing is counted; of integers truncated toward zero."""

    name = "nn.reduce_mean"
    NAMES: ClassVar = Names("ReduceMean-1", "Mean", "MEAN", "ReduceMean-18")


@op_definition
class ReduceProdOp(ReduceOp):
    """`result = product of input` along `axes`."""

    name = "nn.reduce_prod"
    NAMES: ClassVar = Names("ReduceProd-1", "Prod", "REDUCE_PROD", "ReduceProd-18")


@op_definition
class ReduceMaxOp(ReduceOp):
    """`result = max input` along `axes`."""

    name = "nn.reduce_max"
    NAMES: ClassVar = Names("ReduceMax-1", "Max", "REDUCE_MAX", "ReduceMax-20")


@op_definition
class ReduceMinOp(ReduceOp):
    """`result = min input` along `axes`."""

    name = "nn.reduce_min"
    NAMES: ClassVar = Names("ReduceMin-1", "Min", "REDUCE_MIN", "ReduceMin-20")


@op_definition
class ReduceL1Op(ReduceOp, DerivedOp):
    """`result = sum |input|` along `axes`."""

    name = "nn.reduce_l1"
    NAMES: ClassVar = Names("ReduceL1-4", "", "", "ReduceL1-18")

    def decompose(self, write: Writer) -> SSAValue:
        magnitude = write(AbsOp, self.input)
        return write(ReduceSumOp, magnitude, self.axes, keep_dims=self.keep_dims)


@op_definition
class ReduceL2Op(ReduceOp, DerivedOp):
    """`result = √(sum input²)` along `axes`."""

    name = "nn.reduce_l2"
    NAMES: ClassVar = Names("ReduceL2-4", "", "", "ReduceL2-18")

    def decompose(self, write: Writer) -> SSAValue:
        """Of integers in float64, where squares of up to 26 bits are exact."""
        element, x = tensor(self.input).element_type, self.input
        x = write.converted(x, f64 if is_integer(element) else element)
        square = write(MultiplyOp, x, x)
        root = write(SqrtOp, write(ReduceSumOp, square, self.axes, keep_dims=self.keep_dims))
        return write.converted(root, element)


@op_definition
class ReduceLogicalAndOp(ReduceLogicalOp):
    """`result = whether all are true` along `axes`."""

    name = "nn.reduce_logical_and"
    NAMES: ClassVar = Names("ReduceLogicalAnd-1", "All", "REDUCE_ALL")


@op_definition
class ReduceLogicalOrOp(ReduceLogicalOp):
    """`result = whether any is true` along `axes`."""

    name = "nn.reduce_logical_or"
    NAMES: ClassVar = Names("ReduceLogicalOr-1", "Any", "REDUCE_ANY")
