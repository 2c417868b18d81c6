"""LiteRT's schema, and its names and numbers for `tfl`: builtins, options, element types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from ai_edge_litert import (  # pyright: ignore[reportMissingTypeStubs]
    schema_py_generated,
)
from xdsl.dialects.builtin import (
    ComplexType,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    SymbolRefAttr,
    bf16,
    f8E4M3FN,
    f8E5M2,
    f16,
    f32,
    f64,
    i1,
    i8,
)
from xdsl.ir import Attribute, Operation
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import tfl
from ...dialects.quant import UniformQuantizedType
from ...reference.arrays import Array

schema = cast(Any, schema_py_generated)  # made by flatbuffers' compiler, without types

IDENTIFIER = b"TFL3"
"""The file identifier, at byte 4 of every file."""

ABSENT = -1
"""The index of an operand that is left out."""

SUBGRAPH = "_subgraph"
"""The suffix of properties that hold a subgraph; the schema's options end in `Index`."""


def numbers_of(enumeration: str) -> Mapping[str, int]:
    """The schema's numbers of an enumeration, by name."""
    found = cast(dict[str, Any], vars(getattr(schema, enumeration)))
    return {name: number for name, number in found.items() if isinstance(number, int)}


BUILTINS = {number: name for name, number in numbers_of("BuiltinOperator").items()}
TYPE_NAMES = {number: name for name, number in numbers_of("TensorType").items()}

_ELEMENTS: Mapping[str, Attribute] = {
    "FLOAT32": f32,
    "FLOAT16": f16,
    "FLOAT64": f64,
    "BFLOAT16": bf16,
    "FLOAT8_E4M3FN": f8E4M3FN,
    "FLOAT8_E5M2": f8E5M2,
    "BOOL": i1,
    "COMPLEX64": ComplexType(f32),
    "COMPLEX128": ComplexType(f64),
    "RESOURCE": tfl.ResourceType(),
    **{f"INT{width}": IntegerType(width) for width in (4, 8, 16, 32, 64)},
    **{f"UINT{width}": IntegerType(width, Signedness.UNSIGNED) for width in (4, 8, 16, 32, 64)},
}
ELEMENTS: Mapping[int, Attribute] = {
    number: _ELEMENTS[name] for number, name in TYPE_NAMES.items() if name in _ELEMENTS
}
"""The supported element types, by the schema's numbers; older packages have not all of them."""

ELEMENT_NUMBERS: Mapping[Attribute, int] = {e: number for number, e in ELEMENTS.items()}

_TABLES = {
    name.lower(): name for name in (*numbers_of("BuiltinOptions"), *numbers_of("BuiltinOptions2"))
}


def table_of(builtin: str) -> str | None:
    """The schema's table of options of a builtin, if it has one."""
    known = tfl.OPERATIONS.get(builtin)
    if known is not None and known.TABLE:
        return known.TABLE
    return _TABLES.get(f"{builtin.replace('_', '')}Options".lower())


def version_of(op: Operation) -> int:
    """The version of its builtin that an operation needs."""
    if not isinstance(op, tfl.TflOp):
        return 1
    elements = [getattr(value.type, "element_type", None) for value in (*op.operands, *op.results)]
    has_codes = any(isinstance(e, UniformQuantizedType) and e.storage == i8 for e in elements)
    return op.CODES_VERSION if has_codes else op.VERSION


def options_of(table: Any) -> dict[str, Any]:
    """The fields of a table of options, by the schema's names."""
    return cast(dict[str, Any], vars(table))


def option_name(name: str) -> str:
    """The schema's name of a property's option: `stride_w` is `strideW`."""
    found = re.sub("_(.)", lambda letter: letter[1].upper(), name)
    return f"{found}Index" if name.endswith(SUBGRAPH) else found


def property_name(option: str) -> str:
    """The inverse of `option_name`."""
    name = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", option)
    return name.removesuffix("_index") if name.endswith(f"{SUBGRAPH}_index") else name


def attribute_of(name: str, value: Any, functions: list[str]) -> Attribute:
    """The property of this name, for the value of an option."""
    if isinstance(value, np.ndarray):
        return _known(name, cast(Array, value).tolist())
    if name in tfl.ENUMERATIONS or name == "kernel_type":
        words = tfl.ENUMERATIONS.get(name) or tfl.KERNEL_TYPES
        if not 0 <= value < len(words):
            raise DiagnosticException(f"{name} {value} is none of {', '.join(words)}")
        word = words[int(value)]
        return tfl.LstmKernelTypeAttr.of(word) if name == "kernel_type" else StringAttr(word)
    if name.endswith(SUBGRAPH):
        if not 0 <= value < len(functions):
            raise DiagnosticException(
                f"{option_name(name)} is {value}; the file has {len(functions)} subgraphs"
            )
        return SymbolRefAttr(functions[int(value)])
    if name.endswith("_type") and value in ELEMENTS:
        return ELEMENTS[value]
    return _known(name, value)


def _known(name: str, value: Any) -> Attribute:
    if (found := tfl.option_of(value)) is None:
        raise DiagnosticException(f"option {option_name(name)} has no meaning here")
    return found


def value_of(name: str, attribute: Attribute, functions: list[str]) -> Any:
    """The inverse of `attribute_of`."""
    match attribute:
        case tfl.LstmKernelTypeAttr():
            return tfl.KERNEL_TYPES.index(attribute.kind.data)
        case StringAttr():
            words = tfl.ENUMERATIONS.get(name)
            return attribute.data if words is None else words.index(attribute.data)
        case IntegerAttr():
            number = attribute.value.data
            return bool(number) if attribute.type == i1 else number
        case FloatAttr():
            return attribute.value.data
        case DenseArrayBase():
            return list(cast(DenseArrayBase[IntegerType], attribute).get_values())
        case SymbolRefAttr():
            return functions.index(attribute.string_value())
        case _:
            return ELEMENT_NUMBERS[attribute]
