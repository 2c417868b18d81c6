"""The names of element types in OpenVINO, ONNX and safetensors."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import (
    IntegerType,
    Signedness,
    bf16,
    f4E2M1FN,
    f8E4M3FN,
    f8E4M3FNUZ,
    f8E5M2,
    f8E5M2FNUZ,
    f8E8M0FNU,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute


def _signed(width: int) -> tuple[Attribute, str, str, str]:
    return IntegerType(width), f"i{width}", f"INT{width}", f"I{width}" if width >= 8 else ""


def _unsigned(width: int) -> tuple[Attribute, str, str, str]:
    element = IntegerType(width, Signedness.UNSIGNED)
    return element, f"u{width}", f"UINT{width}", f"U{width}" if width >= 8 else ""


_ROWS: tuple[tuple[Attribute, str, str, str], ...] = (
    (f64, "f64", "DOUBLE", "F64"),
    (f32, "f32", "FLOAT", "F32"),
    (f16, "f16", "FLOAT16", "F16"),
    (bf16, "bf16", "BFLOAT16", "BF16"),
    *map(_signed, (64, 32, 16, 8, 4)),
    *map(_unsigned, (64, 32, 16, 8, 4)),
    (IntegerType(1), "boolean u1", "BOOL", ""),
    (f8E4M3FN, "f8e4m3", "FLOAT8E4M3FN", "F8_E4M3"),
    (f8E4M3FNUZ, "", "FLOAT8E4M3FNUZ", "F8_E4M3FNUZ"),
    (f8E5M2, "f8e5m2", "FLOAT8E5M2", "F8_E5M2"),
    (f8E5M2FNUZ, "", "FLOAT8E5M2FNUZ", "F8_E5M2FNUZ"),
    (f8E8M0FNU, "f8e8m0", "FLOAT8E8M0", "F8_E8M0"),
    (f4E2M1FN, "f4e2m1", "FLOAT4E2M1", ""),
)
"""Several names are separated by spaces, the one to write first; what safetensors packs has none."""


def _elements(column: int) -> Mapping[str, Attribute]:
    return {name: row[0] for row in _ROWS for name in str(row[column]).split()}


OPENVINO, ONNX, SAFETENSORS = map(_elements, (1, 2, 3))
"""The element types that tensors can have here, by their names there."""
