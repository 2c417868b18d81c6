"""What to do about operators that are not supported, as far as it is known who wrote them."""

from __future__ import annotations

from .package import BLOCKED, QONNX, RUNTIME, TENSORRT

_OWN_OPERATORS = "export the model with ONNX's own operators, or with a function for this one"
_BEFORE_RUNTIME = (
    "give the model as it was before it was optimized for ONNX Runtime, or with a function for this "
    "operator"
)
_BEFORE_LAYOUT = (
    "give the model as it was before ONNX Runtime optimized it, or optimize it no further than "
    "ORT_ENABLE_EXTENDED"
)

_OF_DOMAINS = {
    "com.ms.internal.nhwc": _BEFORE_LAYOUT,
    "ai.onnx.preview.training": "export the model for inference, without the steps that train it",
    "ai.onnx.contrib": "run what onnxruntime-extensions does to texts, images and sounds outside of the model",
}
"""For the operators of a domain."""

_SEARCHING = ("BeamSearch", "GreedySearch", "Sampling", "WhisperBeamSearch")
_OF_RUNTIME = dict.fromkeys(
    _SEARCHING,
    "export the decoder alone, with a past as inputs and outputs, and choose tokens outside of it",
) | {"Tokenizer": "read texts outside of the model, and give it their numbers"}
"""For operators of ONNX Runtime, where it is something else than to export the model again."""

UNKNOWN = "this operator is not supported; end the model in front of it, or write it in others"
"""Why an operator that ONNX has is refused."""


def unknown_domain(domain: str) -> str:
    """Why operators of a domain are refused."""
    advice = _OF_DOMAINS.get(domain, _OWN_OPERATORS)
    return f"operators of domain '{domain}' are not supported; {advice}"


def unknown_operator(type: str, domain: str, opset: int) -> str:
    """Why an operator of a known domain is refused."""
    if domain == RUNTIME:
        advice = _OF_RUNTIME.get(type, _BEFORE_RUNTIME)
        return f"this operator of ONNX Runtime is not supported; {advice}"
    if domain == BLOCKED:
        return f"this operator of ONNX Runtime is not supported; {_BEFORE_LAYOUT}"
    if domain == TENSORRT:
        return f"this operator or plugin of TensorRT is not supported; {_OWN_OPERATORS}"
    if domain in QONNX:
        return f"this operator of QONNX is not supported; {_OWN_OPERATORS}"
    return f"opset {opset} of ONNX has no such operator"
