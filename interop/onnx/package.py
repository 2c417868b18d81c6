"""The `onnx` package: its protobuf messages and the schemas of its operators."""

from __future__ import annotations

from functools import cache
from typing import Any

from xdsl.utils.exceptions import DiagnosticException

from ...passes.needs import needs

DEFAULT = ("", "ai.onnx")
"""The names of ONNX's own domain of operators."""

LEARNING = "ai.onnx.ml"
"""The domain of operators of classical machine learning."""

RUNTIME = "com.microsoft"
"""The domain of ONNX Runtime's own operators, which the `onnx` package does not know."""

BLOCKED = "com.microsoft.nchwc"
"""The domain of ONNX Runtime's operators on images whose channels lie in blocks."""

TENSORRT = "trt"
"""The domain of TensorRT's operators and plugins."""

PREVIEW = "ai.onnx.preview"
"""The domain of operators that are to become ONNX's own."""

QONNX = ("qonnx.custom_op.general", "onnx.brevitas")
"""The domains of QONNX's operators: today's, and that of older versions of Brevitas."""

WITHOUT_SCHEMAS = (RUNTIME, BLOCKED, TENSORRT, *QONNX)
"""The domains that are read, and that the `onnx` package does not know."""

ADDED_BY_RUNTIME = (
    "SimplifiedLayerNormalization",
    *("Affine", "Crop", "ImageScaler", "MeanVarianceNormalization"),
    *("ParametricSoftplus", "Scale", "ScaledTanh"),
)
"""Operators that ONNX Runtime adds to ONNX's own domain; all but the first are those that ONNX tried and dropped."""


def import_onnx(what: str = "reading ONNX models") -> Any:
    """The package. Raises DiagnosticException, which says what needs it, where it is not installed."""
    try:
        import onnx
    except ImportError:
        raise DiagnosticException(needs(what, "onnx")) from None
    return onnx


EARLIER_IN_RUNTIME = {"LayerNormalization": 17, "ThresholdedRelu": 10}
"""
Operators of ONNX's own domain that ONNX Runtime knows in all opsets, and the first opset of ONNX with each. ONNX
Runtime's optimizer writes LayerNormalization into models of older opsets.
"""


@cache
def schema_of(type: str, opset: int, domain: str = "") -> Any | None:
    """The schema of an operator in an opset version of a domain; None where it has none."""
    onnx = import_onnx()
    if opset not in range(1, 1 << 31):  # the package takes 32 bits
        return None
    first = 1 if domain else EARLIER_IN_RUNTIME.get(type, 1)
    try:
        return onnx.defs.get_schema(type, max(opset, first), domain)
    except onnx.defs.SchemaError:
        return None
