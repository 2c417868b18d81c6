"""Data movement that costs nothing once memory is planned: reshapes, concatenations, slices and pads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    TensorType,
)
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyOf,
    base,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

from ..formatted import FormattedOp
from ..inferred import label
from ..operation import initialize, op_definition
from ..properties import INTEGER, INTEGERS, integer, integers
from ..tensor_types import typed
from .types import Shaped, body_type, shaped, storage_bytes


@op_definition
class ReshapeOp(FormattedOp):
    """
    The same elements in row-major order under another shape; costs nothing once memory is planned.

        %y = kernel.reshape %x : tensor<1x1x8xf32> -> tensor<1x8xf32>
    """

    name = "kernel.reshape"

    input = operand_def(TensorType)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `->` type($result)"

    def __init__(self, input: SSAValue, result: TensorType[Any]):
        initialize(self, [input], [result])

    def verify_(self) -> None:
        source, target = shaped(self.input), shaped(self.result)
        same = source.get_element_type() == target.get_element_type()
        if not same or storage_bytes(source) != storage_bytes(target):
            raise VerifyException(
                f"{label(self)}: {source} and {target} differ in size or element type"
            )


@op_definition
class ConcatOp(FormattedOp):
    """
    The inputs one after the other along `axis`; once memory is planned, each is made in its place.

        %y = kernel.concat %a, %b axis 1 : (tensor<2x4xf32>, tensor<2x8xf32>) -> tensor<2x12xf32>
    """

    name = "kernel.concat"

    inputs = var_operand_def(TensorType)
    result = result_def(TensorType)
    axis = prop_def(INTEGER)

    traits = traits_def(Pure())
    assembly_format = "$inputs `axis` $axis attr-dict `:` functional-type(operands, results)"

    def __init__(self, inputs: Sequence[SSAValue], axis: int, result: TensorType[Any]):
        initialize(self, inputs, [result], {"axis": integer(axis)})

    def verify_(self) -> None:
        axis, result = self.axis.value.data, shaped(self.result)
        shape = list(result.get_shape())
        rank = len(shape)
        inputs = [shaped(value) for value in self.inputs]
        fits = 0 <= axis < rank and bool(inputs)
        for one in inputs:
            other = list(one.get_shape())
            fits = fits and len(other) == rank
            fits = fits and other[:axis] + other[axis + 1 :] == shape[:axis] + shape[axis + 1 :]
            fits = fits and one.get_element_type() == result.get_element_type()
        if not fits or sum(one.get_shape()[axis] for one in inputs) != shape[axis]:
            listed = ", ".join(map(str, inputs))
            raise VerifyException(
                f"{label(self)}: {listed or 'nothing'} along axis {axis} is not {result}"
            )


@op_definition
class SliceOp(FormattedOp):
    """
    Every `steps`-th element from `offsets` on, as many as the result holds:

        result[i] = input[offsets + i * steps]

    Costs nothing once memory is planned: its readers look into the memory of the input.

        %y = kernel.slice %x offsets [0, 4] steps [1, 1] : tensor<2x8xui8> -> tensor<2x4xui8>
    """

    name = "kernel.slice"

    input = operand_def(TensorType)
    offsets = prop_def(INTEGERS)
    steps = prop_def(INTEGERS)
    result = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = (
        "$input `offsets` $offsets `steps` $steps attr-dict `:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        input: SSAValue,
        offsets: Sequence[int],
        steps: Sequence[int],
        result: TensorType[Any],
    ):
        properties = {"offsets": offsets, "steps": steps}
        initialize(self, [input], [result], {k: integers(v) for k, v in properties.items()})

    def verify_(self) -> None:
        source, target = shaped(self.input), shaped(self.result)
        offsets, steps = self.offsets.get_values(), self.steps.get_values()
        sizes, wanted = source.get_shape(), target.get_shape()
        if not len(offsets) == len(steps) == len(sizes) == len(wanted):
            raise VerifyException(
                f"{label(self)}: {len(offsets)} offsets and {len(steps)} steps for {source} -> {target}"
            )
        if source.get_element_type() != target.get_element_type():
            raise VerifyException(f"{label(self)}: {source} and {target} differ in element type")
        for offset, step, size, count in zip(offsets, steps, sizes, wanted, strict=True):
            if offset < 0 or step < 1 or (count and offset + (count - 1) * step >= size):
                raise VerifyException(
                    f"{label(self)}: {count} elements from {offset} on, {step} apart, leave a dimension "
                    f"of {size}"
                )


@op_definition
class PadOp(FormattedOp):
    """
    The input with `value` around it and, where `interior` is not 0, between its elements:

        result[low + i * (interior + 1)] = input[i]

    Once memory is planned, the input is made in its place inside the result.

        %y = kernel.pad %x low [0, 1, 1, 0] high [0, 1, 1, 0] interior [0, 0, 0, 0] value 0 : i32
            : tensor<1x8x8x4xui8> -> tensor<1x10x10x4xui8>
    """

    name = "kernel.pad"

    input = operand_def(TensorType)
    low = prop_def(INTEGERS)
    high = prop_def(INTEGERS)
    interior = prop_def(INTEGERS)
    value = prop_def(AnyOf((base(IntegerAttr), base(FloatAttr))))  # of the element's body type
    result = result_def(TensorType)

    traits = traits_def(Pure())
    assembly_format = (
        "$input `low` $low `high` $high `interior` $interior `value` $value attr-dict "
        "`:` type($input) `->` type($result)"
    )

    def __init__(
        self,
        input: SSAValue,
        low: Sequence[int],
        high: Sequence[int],
        value: float,
        interior: Sequence[int] | None = None,
    ):
        type = shaped(input)
        gaps = [0] * len(low) if interior is None else interior
        scalar = body_type(type.get_element_type())
        filling = (
            IntegerAttr(int(value), scalar)
            if isa(scalar, IntegerType)
            else FloatAttr(value, cast(AnyFloat, scalar))
        )
        properties = {
            name: integers(sizes)
            for name, sizes in (("low", low), ("high", high), ("interior", gaps))
        }
        types = [_padded(type, low, high, gaps)]
        initialize(self, [input], types, {**properties, "value": filling})

    @property
    def filling(self) -> IntegerAttr[Any] | FloatAttr[Any]:
        """What lies around the input."""
        return cast("IntegerAttr[Any] | FloatAttr[Any]", self.value)

    @property
    def has_gaps(self) -> bool:
        """Whether there is something between the elements."""
        return any(self.interior.get_values())

    def verify_(self) -> None:
        source, target = shaped(self.input), shaped(self.result)
        low, high, gaps = (side.get_values() for side in (self.low, self.high, self.interior))
        rank = len(source.get_shape())
        if any(len(side) != rank or min(side, default=0) < 0 for side in (low, high, gaps)):
            raise VerifyException(
                f"{label(self)}: pads {rank} dimensions by {list(low)}, {list(high)} and {list(gaps)}; it "
                f"needs {rank} sizes of 0 or more each"
            )
        if self.filling.type != (wanted := body_type(source.get_element_type())):
            raise VerifyException(f"{label(self)}: value {self.value} is not of type {wanted}")
        if target != (made := _padded(source, low, high, gaps)):
            raise VerifyException(f"{label(self)}: gives {made}, not {target}")


def _padded(
    type: Shaped,
    low: Sequence[int],
    high: Sequence[int],
    gaps: Sequence[int],
) -> TensorType[Any]:
    """The type of a tensor with so many elements before, after and between its own along each dimension."""
    sizes = [
        before + size + max(size - 1, 0) * gap + after
        for before, size, gap, after in zip(low, type.get_shape(), gaps, high, strict=True)
    ]
    return typed(type.get_element_type(), sizes)
