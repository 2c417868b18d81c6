"""LSTMs in one direction: one step, and a whole sequence."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Any, ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    BoolAttr,
    Float32Type,
    FloatAttr,
    NoneType,
    StringAttr,
    TensorType,
    UnrankedTensorType,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..compatible import compatible_shapes
from ..inferred import label, spelled
from ..quant import PER_TENSOR, UniformQuantizedType
from .attributes import LstmKernelTypeAttr
from .operation import TflOp, takes
from .parts import (
    MATRICES,
    NORMS,
    STATES,
    WEIGHTS,
    Attributes,
    Parts,
    is_absent,
    ranked_shape,
)

TENSOR = TensorType | UnrankedTensorType

INTERMEDIATES = (
    "input_to_input_intermediate",
    "input_to_forget_intermediate",
    "input_to_cell_intermediate",
    "input_to_output_intermediate",
    "effective_hidden_scale_intermediate",
)
"""The properties with the types of what LSTMs in integers compute on the way, in the order of the schema."""


def verify_elements(op: Operation, values: Sequence[SSAValue]) -> None:
    """
    Raises VerifyException where a given operand is no tensor, or, while the first one is in f32, where one that
    must be there is in another type than it.
    """
    for value in op.operands:
        if not isinstance(value.type, TENSOR | NoneType):
            raise VerifyException(
                f"{label(op)}: takes a {value.type}; operands are tensors or none"
            )
    element = _element(values[0])
    if not isinstance(element, Float32Type):
        return  # quantized: each operand has a type of its own
    for value in (*values, *op.results):
        if is_absent(value) or isinstance(_element(value), UniformQuantizedType):
            continue
        if _element(value) != element:
            raise VerifyException(
                f"{label(op)}: computes in {element}, one operand or result is a {value.type}"
            )


def _element(value: SSAValue) -> Attribute:
    type = cast("TensorType[Any] | UnrankedTensorType[Any]", value.type)
    return type.element_type


def verify_result(op: Operation, result: SSAValue, wanted: Sequence[int]) -> None:
    """Raises VerifyException where a ranked result has another shape."""
    shape = ranked_shape(result)
    if shape is not None and not compatible_shapes(shape, wanted):
        raise VerifyException(
            f"{label(op)}: result has shape {spelled(shape)}, operands give {spelled(wanted)}"
        )


@takes("input", *WEIGHTS, *STATES, *NORMS)
class LstmOperation(TflOp, ABC):
    """
    What both have: 24 operands. With `z_g = W_g x + R_g h + P_g c` (normalized and scaled where there are
    coefficients) `+ b_g`, and `a` the fused activation function:

    `c' = clip(sigmoid(z_f) * c + sigmoid(z_i) * a(z_c));  h' = clip(projection(sigmoid(z_o) * a(c')))`

    The output gate sees `c'`. Coupled gates have no input gate: `1 - sigmoid(z_f)` takes its place.
    """

    WEIGHTS: ClassVar = dict.fromkeys(MATRICES, PER_TENSOR)
    DYNAMIC_RANGE: ClassVar = True

    input = operand_def(AnyAttr())
    output = result_def(TENSOR)

    fused_activation_function = prop_def(StringAttr)
    cell_clip = opt_prop_def(FloatAttr[Float32Type])
    proj_clip = opt_prop_def(FloatAttr[Float32Type])
    asymmetric_quantize_inputs = opt_prop_def(BoolAttr)
    input_to_input_intermediate = opt_prop_def(Attribute)
    input_to_forget_intermediate = opt_prop_def(Attribute)
    input_to_cell_intermediate = opt_prop_def(Attribute)
    input_to_output_intermediate = opt_prop_def(Attribute)
    effective_hidden_scale_intermediate = opt_prop_def(Attribute)

    @property
    def parts(self) -> Parts:
        """The operands but the input, by what they are."""
        operands = list(self.operands)
        return Parts.of(operands[1:18], operands[18:20], operands[20:24])

    def check(self, batch: int, inputs: int) -> None:
        """Raises VerifyException where an operand or attribute does not fit."""
        Attributes.of(self).verify(self)
        values = [self.input, *self.parts.values]
        verify_elements(self, values)
        self.parts.verify(self, batch, inputs)

    def known_shape(self, least: int, most: int) -> tuple[int, ...] | None:
        """The input's shape; None where it has no rank. Raises VerifyException where that is not allowed."""
        shape = ranked_shape(self.input)
        if shape is not None and not least <= len(shape) <= most:
            wanted = f"{least}" if least == most else f"{least} or {most}"
            raise VerifyException(f"{label(self)}: input has rank {len(shape)}, not {wanted}")
        return shape


@irdl_op_definition
class LstmOp(LstmOperation):
    """
    One step: input [batch, n_input], output [batch, n_output].

        %h = "tfl.lstm"(%x, …) <{kernel_type = #tfl<lstm_kernel_type_attr FULL>, …}> ({
        }) : (tensor<1x3xf32>, …) -> tensor<1x2xf32>
    """

    name = "tfl.lstm"

    kernel_type = opt_prop_def(LstmKernelTypeAttr)
    internal = region_def()

    def verify_(self) -> None:
        if self.kernel_type is not None and self.kernel_type.kind.data != "FULL":
            raise VerifyException(
                f"{label(self)}: kernel_type {self.kernel_type.kind.data} has no such operands; use FULL"
            )
        shape = self.known_shape(2, 2)
        batch, inputs = shape if shape is not None else (DYNAMIC_INDEX, DYNAMIC_INDEX)
        self.check(batch, inputs)
        verify_result(self, self.output, (batch, self.parts.outputs))


@irdl_op_definition
class UnidirectionalSequenceLstmOp(LstmOperation):
    """
    A sequence: input [batch, steps, n_input], or [steps, batch, n_input] if `time_major`; the output is like it.

        %y = "tfl.unidirectional_sequence_lstm"(%x, …) <{fused_activation_function = "TANH", time_major = false, …}>
            : (tensor<2x5x3xf32>, …) -> tensor<2x5x4xf32>
    """

    name = "tfl.unidirectional_sequence_lstm"

    time_major = prop_def(BoolAttr)
    diagonal_recurrent_tensors = opt_prop_def(BoolAttr)

    def verify_(self) -> None:
        shape = self.known_shape(3, 3)
        batch, steps, inputs = batch_first(shape, bool(self.time_major))
        self.check(batch, inputs)
        wanted = (batch, steps, self.parts.outputs)
        verify_result(self, self.output, batch_first(wanted, bool(self.time_major)))
        is_diagonal = bool(self.diagonal_recurrent_tensors)
        if ranked_shape(self.parts.recurrent[1]) and self.parts.is_diagonal != is_diagonal:
            raise VerifyException(
                f"{label(self)}: recurrent weights of rank 1 and diagonal_recurrent_tensors = true "
                "go together, or neither"
            )


def batch_first(shape: Sequence[int] | None, time_major: bool) -> tuple[int, int, int]:
    """Batch, steps and size of a sequence's shape; its own inverse."""
    if shape is None:
        return DYNAMIC_INDEX, DYNAMIC_INDEX, DYNAMIC_INDEX
    first, second, size = shape
    return (second, first, size) if time_major else (first, second, size)
