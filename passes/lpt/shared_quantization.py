"""Shared quantization parameters: the one scale and zero point of all sources of a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from xdsl.dialects.builtin import AnyFloat, Float64Type, IntegerAttr, IntegerType, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.hints import isa

from ...dialects.blob import BlobAttr
from ...dialects.inferred import label, shape_of, tensor
from ...dialects.nn import ConstantOp, ConvertOp, constant_of
from ...dialects.qnn import DequantizeOp, FakeQuantizeOp
from ...reference.arrays import Array, array_of, blob_of, dtype_of
from .dequantization import Dequantization, broadcast_to_rank, dequantize
from .plan import LptPlan
from .precision import ROUNDING
from .provenance import above
from .quantization_details import QuantizationDetails


@dataclass(frozen=True)
class QuantizationParameters:
    """
    The quantization parameters of `(code - zero_point) * scale`: 8-bit codes, values of type `value`. The arrays have
    the rank of the value, or rank 0 for the whole tensor.
    """

    code: IntegerType
    scale: Array
    zero_point: Array
    value: Attribute

    @classmethod
    def of_fake_quantize(cls, op: FakeQuantizeOp, plan: LptPlan) -> Self | str:
        """The parameters of a FakeQuantize, or why it will not have codes."""
        quantization = QuantizationDetails.of(op)
        if isinstance(quantization, str):
            return f"{label(op)} has {quantization}"
        if not (allowed := plan.types_of(op)):
            return f"{label(op)} has no 8-bit type that {plan.config.title} lets its consumers take"
        grid = quantization.grid(allowed)
        if (alignment := plan.alignment(op)) is not None:
            grid = alignment.grid(grid.element)
        element = tensor(op.result).element_type
        return cls._rounded(grid.element, grid.scale, grid.zero_point, op.result, element)

    @classmethod
    def of_dequantization(cls, side: Dequantization) -> Self | str:
        """The parameters of dequantized codes, or why these have more than 8 bits."""
        code = tensor(side.codes).element_type
        if not side.is_low or not isa(code, IntegerType):
            return "it is the 32-bit sum of a product; put a FakeQuantize on it"
        return cls._rounded(code, side.scale, side.zero_point, side.codes, side.element)

    @classmethod
    def _rounded(
        cls,
        code: IntegerType,
        scale: Array,
        zero_point: Array,
        like: SSAValue,
        value: Attribute,
    ) -> Self:
        """The parameters, rounded to the type in which dequantization computes."""
        rank = len(shape_of(like))
        computed = np.float64 if isinstance(value, Float64Type) else np.float32
        scale, zero_point = (
            broadcast_to_rank(np.asarray(one, computed), rank) for one in (scale, zero_point)
        )
        return cls(code, scale, zero_point, value)

    @property
    def is_per_tensor(self) -> bool:
        """Whether one scale and one zero point hold for all elements."""
        return self.scale.ndim == self.zero_point.ndim == 0

    @property
    def is_symmetric(self) -> bool:
        """Whether code 0 means 0."""
        return not self.zero_point.any()

    def same_as(self, other: QuantizationParameters) -> bool:
        """Whether equal codes mean equal values."""
        return (
            (self.code, self.value) == (other.code, other.value)
            and np.array_equal(self.scale, other.scale)
            and np.array_equal(self.zero_point, other.zero_point)
        )

    def codes_of(self, values: Array) -> Array | None:
        """The codes of values; None if one has no code, but for the rounding of f32."""
        limits = np.iinfo(dtype_of(self.code))
        with np.errstate(divide="ignore", invalid="ignore"):
            exact = np.where(
                self.scale == 0,
                np.where(values == 0, 0, np.nan),
                values.astype(np.float64) / self.scale + self.zero_point,
            )
        codes = np.rint(exact)
        rounding = 4 * np.finfo(np.float32).eps * (1 + abs(exact) + abs(self.zero_point))
        is_near = abs(exact - codes) < np.minimum(rounding, ROUNDING)
        on_grid = is_near & (limits.min <= codes) & (codes <= limits.max)
        return codes.astype(limits.dtype) if on_grid.all() else None

    def quantize(self, value: SSAValue, place: InsertPoint) -> SSAValue:
        """Inserts the quantization of a value with these parameters; returns the codes."""
        if (blob := constant_of(value)) is not None:
            codes = self.codes_of(array_of(blob))
            assert codes is not None, "it lies on the grid"
            constant = ConstantOp(blob_of(codes, self.code))
            Rewriter.insert_op(constant, place)
            return constant.result
        if (codes := self.known_codes(value)) is not None:
            return codes
        limits = np.iinfo(dtype_of(self.code))
        ends: list[Operation] = []
        for in_codes in (False, True):
            for code in (limits.min, limits.max):
                number = code if in_codes else (code - self.zero_point) * self.scale
                number = np.where(self.scale == 0, 0, number)
                ends.append(ConstantOp(self._blob(number, len(shape_of(value)))))
        quantized = FakeQuantizeOp.of(
            value, *ends, levels=IntegerAttr(256, i64), output_type=self.code
        )
        Rewriter.insert_op((*ends, quantized), place)
        return quantized.result

    def known_codes(self, value: SSAValue) -> SSAValue | None:
        """The codes that a value is dequantized from, if with these parameters."""
        if (side := Dequantization.on(value)) is None:
            return None
        grid = QuantizationParameters.of_dequantization(side)
        return (
            side.codes if isinstance(grid, QuantizationParameters) and self.same_as(grid) else None
        )

    def _blob(self, number: Array, rank: int) -> BlobAttr:
        return blob_of(broadcast_to_rank(number, rank).astype(dtype_of(self.value)), self.value)

    def retype(self, value: SSAValue) -> SSAValue:
        """Changes the type of a value to that of the codes, and leaves its uses to the caller."""
        type = TensorType(self.code, shape_of(value))
        return Rewriter.replace_value_with_new_type(value, type)

    def enter(self, value: SSAValue, place: InsertPoint) -> DequantizeOp:
        """Changes a value to codes; its uses get their dequantization, inserted at `place`."""
        codes = self.retype(value)
        values = dequantize(codes, self.scale, self.zero_point, self.value)
        Rewriter.insert_op(values, place)
        codes.replace_uses_with_if(values.result, lambda use: use.operation is not values)
        return values


def codes_on_grid(grid: Dequantization, value: SSAValue) -> ConstantOp | None:
    """The codes that dequantize to a constant, one grid for all of them; None where it has values off the grid."""
    parameters = QuantizationParameters.of_dequantization(grid)
    if (blob := constant_of(value)) is None or isinstance(parameters, str):
        return None
    codes = parameters.codes_of(array_of(blob)) if parameters.is_per_tensor else None
    return None if codes is None else ConstantOp(blob_of(codes, parameters.code))


def shared_parameters(value: SSAValue, plan: LptPlan) -> QuantizationParameters | str:
    """
    The parameters that all sources of a value's elements share, or why they share none. Data movement on the way
    requires them to be per tensor.
    """
    pending, seen, moves = [value], {value}, False
    grids: list[QuantizationParameters] = []
    constants: list[ConstantOp] = []
    while pending:
        value = pending.pop()
        if (further := above(value, plan)) is not None:
            moves |= any(moved for _, moved in further)
            new = [one for one, _ in further if one not in seen]
            pending += new
            seen.update(new)
            continue
        owner = value.owner
        if isinstance(owner, ConstantOp):
            constants.append(owner)
            continue
        grid = _source(value, plan)
        if isinstance(grid, str):
            return grid
        grids.append(grid)
    return _agreed(grids, constants, moves)


def _source(value: SSAValue, plan: LptPlan) -> QuantizationParameters | str:
    if (side := Dequantization.on(value)) is not None:
        return QuantizationParameters.of_dequantization(side)
    match value.owner:
        case FakeQuantizeOp() as op if op.output_type is None:
            return QuantizationParameters.of_fake_quantize(op, plan)
        case Operation() as op:
            return f"{label(computing(op))} gives it values that are not quantized; put a FakeQuantize on them"
        case _:
            return "an input of the model gives it values that are not quantized; put a FakeQuantize on them"


def computing(op: Operation) -> Operation:
    """The operation that computes the values which this one, if it is a conversion, only rounds to another type."""
    while isinstance(op, ConvertOp) and isinstance(tensor(op.input).element_type, AnyFloat):
        before = op.input.owner
        if not isinstance(before, Operation) or isinstance(before, FakeQuantizeOp):
            break
        op = before
    return op


def _agreed(
    grids: Sequence[QuantizationParameters], constants: Sequence[ConstantOp], moves: bool
) -> QuantizationParameters | str:
    if not grids:
        return "nothing quantized is ever given to it"
    first = grids[0]
    if not all(first.same_as(other) for other in grids):
        return "what is given to it has different scales; give all FakeQuantize one interval"
    if moves and not first.is_per_tensor:
        return "what is given to it is quantized per channel and moved; quantize it per tensor"
    for constant in constants:
        if first.codes_of(array_of(constant.value)) is None:
            return (
                f"{label(constant)} has values off the grid of what else is given to it; "
                "give it values that the FakeQuantize keeps"
            )
    return first
