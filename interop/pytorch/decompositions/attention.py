"""Attention of PyTorch whose heads share keys and values, which OpenVINO's front end takes for a mistake."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .table import decomposes


@decomposes("scaled_dot_product_attention.default")
def _attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Tensors are `[…, head, place, size]`; each head of the keys and values is for as many of the queries in a row."""
    if dropout_p:
        raise ValueError(
            f"scaled_dot_product_attention drops elements (dropout_p {dropout_p}); give it 0.0 in evaluation mode"
        )
    if not enable_gqa or query.shape[-3] == key.shape[-3]:
        return NotImplemented
    shared = (_repeated(each, query.shape[-3] // each.shape[-3]) for each in (key, value))
    attention = import_module("torch.nn.functional").scaled_dot_product_attention
    return attention(query, *shared, attn_mask, is_causal=is_causal, scale=scale)


def _repeated(heads: Any, times: int) -> Any:
    """Each head, several times in a row."""
    wide = [-1] * (heads.dim() + 1)
    wide[-3] = times
    return heads.unsqueeze(-3).expand(wide).flatten(-4, -3)
