"""Activations that exported programs of PT2E quantize by their own extremes, in each call."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .table import decomposes_unread


@decomposes_unread("quantized_decomposed.choose_qparams.tensor")
def _scale_and_zero_point(x: Any, least: int, most: int, eps: float, dtype: Any) -> Any:
    """Of the interval of the elements and 0: its size by the number of codes, and the code of 0."""
    torch = import_module("torch")
    low, high = x.amin().clamp(max=0), x.amax().clamp(min=0)
    scale = ((high - low) / float(most - least)).clamp(min=eps)
    point = (least - (low / scale).round()).clamp(least, most)
    return scale.to(torch.float64), point.to(torch.int64)


@decomposes_unread("quantized_decomposed.quantize_per_tensor.tensor")
def _quantize(x: Any, scale: Any, zero_point: Any, least: int, most: int, dtype: Any) -> Any:
    codes = (x * (1 / scale.to(x.dtype))).round() + zero_point.to(x.dtype)
    return codes.clamp(least, most).to(dtype)


@decomposes_unread("quantized_decomposed.dequantize_per_tensor.tensor")
def _dequantize(
    x: Any, scale: Any, zero_point: Any, least: int, most: int, dtype: Any, *, out_dtype: Any = None
) -> Any:
    return (
        (x.to(scale.dtype) - zero_point.to(scale.dtype))
        .mul(scale)
        .to(out_dtype or import_module("torch").float32)
    )


@decomposes_unread("aten._int_mm.default")
def _product_of_codes(x: Any, y: Any) -> Any:
    torch = import_module("torch")
    return x.to(torch.int32) @ y.to(torch.int32)
