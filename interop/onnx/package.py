"""The `onnx` package: its protobuf messages and the schemas of its operators."""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from ...passes.needs import needs

DEFAULT = ("", "ai.onnx")
"""The names of ONNX's own domain of operators."""

LEARNING = "ai.onnx.ml"
"""That of operators of classical machine learning."""

RUNTIME = "com.microsoft"
"""That of ONNX Runtime's own operators, of which the `onnx` package knows nothing."""

ADDED_BY_RUNTIME = ("SimplifiedLayerNormalization",)
"""What ONNX Runtime adds to ONNX's own domain."""


def import_onnx(what: str = "reading ONNX models") -> Any:
    """The package. Raises DiagnosticException, naming what it is for, where it is not installed."""
    try:
        import onnx
    except ImportError:
        raise DiagnosticException(needs(what, "onnx")) from None
    return onnx


@cache
def schema_of(type: str, opset: int, domain: str = "") -> Any | None:
    """What ONNX says of an operator as an opset of a domain has it; None where it has none such."""
    onnx = import_onnx()
    try:
        return onnx.defs.get_schema(type, opset, domain)
    except onnx.defs.SchemaError:
        return None
