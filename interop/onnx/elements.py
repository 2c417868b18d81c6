"""ONNX's element types, tensor types and constants as ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import blob
from ...dialects.blob import Blob, BlobAttr, byte_size, element_count, over_limit
from ...dialects.element_names import ONNX as ELEMENTS
from ...dialects.elements import bits_of
from ...dialects.inferred import MAX_RANK
from ...dialects.tensor_types import typed
from ...reference.arrays import array_of, blob_of, dtype_of, repeats
from .package import import_onnx

_OF_4_BITS = {"INT2": "INT4", "UINT2": "UINT4"}
"""Types of 2 bits, and those of 4 in which constants of them are read."""

READERS_OF_2_BITS = {"Cast", "DequantizeLinear"}
"""What takes such constants: what it gives depends on their values alone."""

ADVICE = {
    "STRING": "read texts outside of the model, and give it their numbers",
    **dict.fromkeys(
        _OF_4_BITS,
        "initializers that Cast or DequantizeLinear takes may have it; use 4 bits elsewhere",
    ),
}
"""What to do about an element type that is not supported, where it is known what it is for."""


@cache
def _name_of(number: int) -> str:
    """The name of an element type in ONNX's enumeration; the number where there is none."""
    names: dict[int, str] = {n: name for name, n in import_onnx().TensorProto.DataType.items()}
    return names.get(number, str(number))


@cache
def element_of(number: int) -> Attribute:
    """The element type of a number in ONNX's enumeration. Raises DiagnosticException where there is none."""
    name = _name_of(number)
    if (element := ELEMENTS.get(name)) is None:
        advice = ADVICE.get(name, f"supported are {', '.join(ELEMENTS)}")
        raise DiagnosticException(f"element type {name} is not supported; {advice}")
    return element


def data_type_of(element: Attribute) -> int:
    """The number of an element type in ONNX's enumeration."""
    name = next(name for name, each in ELEMENTS.items() if each == element)
    return import_onnx().TensorProto.DataType.Value(name)


def tensor_type(info: Any) -> TensorType[Any]:
    """The type that a ValueInfoProto says; a dimension that has a name, or nothing, becomes `?`."""
    declared = info.type
    if declared.HasField("optional_type"):  # here, an input is always given
        declared = declared.optional_type.elem_type
    kind = declared.WhichOneof("value")
    if kind != "tensor_type":
        found = f"of kind {kind.removesuffix('_type')}" if kind else "without a type"
        raise DiagnosticException(
            f"'{info.name}' is {found}, and only tensors can be inputs; give the model an input for each tensor that "
            "it holds"
        )
    type = declared.tensor_type
    if not type.HasField("shape"):
        raise DiagnosticException(
            f"the number of dimensions of '{info.name}' is unknown; give it a shape in the model"
        )
    sizes = [
        size.dim_value if size.HasField("dim_value") and size.dim_value >= 0 else DYNAMIC_INDEX
        for size in type.shape.dim
    ]
    try:
        return TensorType(element_of(type.elem_type), sizes)
    except DiagnosticException as error:
        raise DiagnosticException(f"'{info.name}': {error}") from None


def type_proto(type: TensorType[Any]) -> Any:
    """The TypeProto of one of our types."""
    sizes = [None if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    return import_onnx().helper.make_tensor_type_proto(data_type_of(type.element_type), sizes)


def constant_data(tensor: Any, data: Any) -> BlobAttr:
    """
    The elements of a TensorProto: a splat where one repeats, else a view of `data`, its raw bytes. Without raw bytes,
    the numbers are in the field of their type.
    """
    element, type = element_of(tensor.data_type), _type_of(tensor, tensor.dims)
    shape = type.get_shape()
    if data is None:
        return _listed(tensor, type)
    if bits_of(element) == 1:
        values = np.frombuffer(data, np.bool_)
        _check_count(tensor, values.size, element_count(type))
        return blob_of(values.reshape(shape), element)
    raw = np.frombuffer(data, np.uint8)
    _check_count(tensor, raw.size, byte_size(type), "bytes")
    if (size := bits_of(element) // 8) and repeats(raw, element_count(type)):
        return BlobAttr(Blob(type, raw[:size].tobytes(), splat=True))
    return BlobAttr(Blob(type, raw.data))


def has_2_bits(tensor: Any) -> bool:
    """Whether elements of a TensorProto are `INT2` or `UINT2`."""
    return _name_of(tensor.data_type) in _OF_4_BITS


def widened_data(tensor: Any, data: Any) -> BlobAttr:
    """The elements of a TensorProto of 2 bits, the first in the lowest ones, in 4 bits."""
    name = _name_of(tensor.data_type)
    element = ELEMENTS[_OF_4_BITS[name]]
    type = typed(element, tensor.dims)
    raw = np.array(tensor.int32_data, np.uint8) if data is None else np.frombuffer(data, np.uint8)
    count = element_count(type)
    _check_count(tensor, raw.size, math.ceil(count / 4), "bytes")
    codes = (raw[:, None] >> np.arange(0, 8, 2) & 3).reshape(-1)[:count].astype(np.int8)
    values = codes if name == "UINT2" else (codes ^ 2) - 2
    return blob_of(values.reshape(type.get_shape()).astype(dtype_of(element)), element)


def sparse_data(sparse: Any, raw: Callable[[Any], Any]) -> BlobAttr:
    """The elements of a SparseTensorProto, zeros where it has none. `raw` gives the raw bytes of its tensors."""
    values, places = (
        array_of(constant_data(each, raw(each))) for each in (sparse.values, sparse.indices)
    )
    type, name = _type_of(sparse.values, sparse.dims), sparse.values.name
    if (nbytes := byte_size(type)) > blob.MAX_BYTES:
        raise DiagnosticException(f"tensor '{name}' would take {over_limit(nbytes)}")
    dense = np.zeros(type.get_shape(), values.dtype)
    limits = (dense.size,) if places.ndim == 1 else dense.shape
    fits = places.shape in ((values.size,), (values.size, len(limits)))
    rows = places.reshape(-1, len(limits) if fits else 1)
    if not fits or not ((rows >= 0) & (rows < limits)).all():
        raise DiagnosticException(
            f"tensor '{name}' of shape {list(dense.shape)} has {values.size} elements at indices {list(places.shape)} "
            "that do not fit it; the file is damaged"
        )
    dense.reshape(-1)[np.ravel_multi_index(tuple(rows.T), limits)] = values.reshape(-1)
    return blob_of(dense, type.element_type)


def _type_of(tensor: Any, dims: Sequence[int]) -> TensorType[Any]:
    if len(dims) > MAX_RANK or any(size < 0 for size in dims):
        raise DiagnosticException(f"tensor '{tensor.name}' cannot have shape {list(dims)}")
    return typed(element_of(tensor.data_type), dims)


def _check_count(tensor: Any, have: int, need: int, what: str = "elements") -> None:
    if have != need:
        raise DiagnosticException(
            f"tensor '{tensor.name}' of shape {list(tensor.dims)} has {have} {what}, not {need}; the file is damaged"
        )


_FIELDS = {
    "FLOAT": ("float_data", np.float32),
    "DOUBLE": ("double_data", np.float64),
    "INT64": ("int64_data", np.int64),
    "UINT64": ("uint64_data", np.uint64),
    "UINT32": ("uint64_data", np.uint32),
    "INT32": ("int32_data", np.int32),
    "INT16": ("int32_data", np.int16),
    "INT8": ("int32_data", np.int8),
    "UINT16": ("int32_data", np.uint16),
    "UINT8": ("int32_data", np.uint8),
    "BOOL": ("int32_data", np.uint8),
    "FLOAT16": ("int32_data", np.uint16),
    "BFLOAT16": ("int32_data", np.uint16),
    "INT4": ("int32_data", np.uint8),
    "UINT4": ("int32_data", np.uint8),
    "FLOAT4E2M1": ("int32_data", np.uint8),
    **{name: ("int32_data", np.uint8) for name in ELEMENTS if name.startswith("FLOAT8")},
}
"""The field with the numbers of an element type, and the type of its bytes."""


def _listed(tensor: Any, type: TensorType[Any]) -> BlobAttr:
    name = _name_of(tensor.data_type)
    field, dtype = _FIELDS[name]
    values = np.array(getattr(tensor, field), np.int64 if field == "int32_data" else dtype)
    raw = values.astype(dtype)
    per_number = 2 if bits_of(type.element_type) == 4 else 1
    _check_count(tensor, raw.size, math.ceil(element_count(type) / per_number), "numbers")
    return constant_data(tensor, raw.tobytes())
