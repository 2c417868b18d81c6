"""LiteRT's values: names, constants, and the quantization of tensors of codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ComplexType, StringAttr, TensorType
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import tfl
from ...dialects.inferred import shape_of, tensor
from ...dialects.quant import UniformQuantizedType, storage_of
from ...reference.arrays import Array, dtype_of
from ...reference.tfl import dense_array


def quantization_of(value: SSAValue) -> UniformQuantizedType | None:
    """The quantization of a tensor of codes; None where it has none."""
    element = tensor(value).element_type
    return element if isinstance(element, UniformQuantizedType) else None


def given_type(value: SSAValue) -> TensorType[Any]:
    """The type of a tensor as an argument or a result: codes where it is quantized."""
    for kind, held in ((is_resource, "a resource"), (is_complex, "a tensor of complex numbers")):
        if kind(value):
            raise DiagnosticException(
                f"{held} cannot be given or taken; only tensors of real numbers can"
            )
    return TensorType(storage_of(tensor(value).element_type), shape_of(value))


def is_resource(value: SSAValue) -> bool:
    """Whether a value is the handle of a variable."""
    return _has_elements(value, tfl.ResourceType)


def is_complex(value: SSAValue) -> bool:
    """Whether a value is a tensor of complex numbers."""
    return _has_elements(value, ComplexType)


def _has_elements(value: SSAValue, kind: type[Attribute]) -> bool:
    type: Attribute = value.type
    return isinstance(type, TensorType) and isinstance(
        cast(TensorType[Any], type).element_type, kind
    )


def is_variable(value: SSAValue) -> bool:
    """Whether a tensor keeps its contents from call to call."""
    return isinstance(value.owner, tfl.VariableOp)


def data_of(value: SSAValue) -> Array | None:
    """The elements of a constant tensor, its codes where it is quantized."""
    return dense_array(value.owner.value) if isinstance(value.owner, tfl.PseudoConstOp) else None


def name_of(value: SSAValue) -> str:
    """The name of a tensor."""
    if isinstance(value, OpResult):
        return tfl.result_names(value.op)[value.index]
    assert isinstance(value, BlockArgument)
    function = value.block.parent_op()
    if not isinstance(function, func.FuncOp) or function.body.block is not value.block:
        return ""
    return tfl.argument_names(function)[value.index]


def element_name(value: SSAValue) -> str:
    """The name of the type of a tensor's elements, or of its codes, in messages."""
    return dtype_of(storage_of(tensor(value).element_type)).name


def function_name(function: func.FuncOp) -> str:
    """The name of a function in the file."""
    own = function.attributes.get(tfl.OWN_NAME)
    return own.data if isinstance(own, StringAttr) else function.sym_name.data


def outputs_of(function: func.FuncOp) -> Sequence[SSAValue]:
    """The results of a function."""
    last = function.body.block.last_op
    assert isinstance(last, func.ReturnOp), (
        "a function without a terminator does not pass verification"
    )
    return last.operands


def scale_shape(value: SSAValue) -> list[int]:
    """The shape in which the scales of a tensor broadcast to it."""
    quantization = quantization_of(value)
    assert quantization is not None
    if len(quantization.scales.get_values()) == 1:
        return []
    shape = [1] * len(shape_of(value))
    shape[quantization.axis.data] = -1
    return shape


def real_numbers(codes: SSAValue) -> Array:
    """The values of constant codes."""
    data, quantization = data_of(codes), quantization_of(codes)
    assert data is not None and quantization is not None
    scales, points = (
        np.array(numbers.get_values(), np.float64).reshape(scale_shape(codes))
        for numbers in (quantization.scales, quantization.zero_points)
    )
    return ((data - points) * scales).astype(np.float32)


def levels_of(quantization: UniformQuantizedType) -> int:
    """The number of codes of a type."""
    least, greatest = quantization.codes
    return greatest - least + 1


def interval(quantization: UniformQuantizedType) -> list[Array]:
    """The values of the lowest and the highest code of a type."""
    (scale,), (point,) = quantization.scales.get_values(), quantization.zero_points.get_values()
    return [np.array((code - point) * scale, np.float32) for code in quantization.codes]
