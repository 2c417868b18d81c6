"""Functions of PyTorch that have no operation of their own."""

from __future__ import annotations

import math
from functools import partial
from importlib import import_module
from typing import Any

from .table import decomposes_overload


@decomposes_overload("hypot.default")
def _hypot(x: Any, y: Any) -> Any:
    """`√(x² + y²)`, of squares that do not overflow."""
    torch = import_module("torch")
    x, y = x.abs(), y.abs()
    most = torch.maximum(x, y)
    ratio = torch.minimum(x, y) / most
    result = torch.where(most == 0, most, most * (1 + ratio * ratio).sqrt())
    return torch.where((x == math.inf) | (y == math.inf), math.inf, result)


@decomposes_overload("copysign.Tensor", "copysign.Scalar")
def _copysign(x: Any, sign: Any) -> Any:
    """`|x|` with the sign of another number; -0 has one, too."""
    torch = import_module("torch")
    if not x.is_floating_point():
        x = x.to(torch.float32)
    if not isinstance(sign, torch.Tensor):
        return x.abs() * math.copysign(1, sign)
    x, sign = torch.broadcast_tensors(x.abs(), sign)
    return torch.where(_has_sign(sign), -x, x)


@decomposes_overload("signbit.default")
def _has_sign(x: Any) -> Any:
    return (x < 0) | (1 / x < 0) if x.is_floating_point() else x < 0


def _extreme(name: str, x: Any, y: Any) -> Any:
    """The extreme of two numbers; of a number and NaN, the number."""
    torch = import_module("torch")
    extreme = getattr(torch, name)(x, y)
    return torch.where(x != x, y, torch.where(y != y, x, extreme))


for _operator, _name in {"fmax": "maximum", "fmin": "minimum"}.items():
    decomposes_overload(f"{_operator}.default")(partial(_extreme, _name))


_FROM = 8
"""From here on, the asymptotic series are as exact as f32."""


@decomposes_overload("lgamma.default")
def _log_gamma(x: Any) -> Any:
    """
    `log|Γ(x)|`: Stirling's series of an argument that is at least 8, less the logarithm of the factors up to there; of
    arguments below ½, `log(π / |sin πx|) - log Γ(1 - x)`. <https://dlmf.nist.gov/5.11>, <https://dlmf.nist.gov/5.5>
    """
    torch = import_module("torch")
    x = x if x.is_floating_point() else x.to(torch.float32)
    reflected = x < 0.5
    y = torch.where(reflected, 1 - x, x)
    small = y < _FROM
    factors = torch.where(small, y, 1)
    for k in range(1, _FROM):
        factors = factors * torch.where(small, y + k, 1)
    z = torch.where(small, y + _FROM, y)
    square = 1 / (z * z)
    series = (1 / 12 - square * (1 / 360 - square / 1260)) / z
    result = (z - 0.5) * (z.log() - 1) + (math.log(2 * math.pi) - 1) / 2 + series - factors.log()
    sine = ((x - x.round()) * math.pi).sin().abs()
    result = torch.where(reflected, math.log(math.pi) - sine.log() - result, result)
    return torch.where(x.abs() == math.inf, math.inf, result)


@decomposes_overload("digamma.default")
def _digamma(x: Any) -> Any:
    """
    `Γ'(x) / Γ(x)`: the asymptotic series of an argument that is at least 8, less the reciprocals up to there; of
    arguments below ½, `ψ(1 - x) - π / tan πx`. At the poles NaN, at ∓0 ±∞, as PyTorch has it.
    """
    torch = import_module("torch")
    x = x if x.is_floating_point() else x.to(torch.float32)
    reflected = x < 0.5
    y = torch.where(reflected, 1 - x, x)
    small = y < _FROM
    below = sum(torch.where(small, 1 / (y + k), 0) for k in range(_FROM))
    z = torch.where(small, y + _FROM, y)
    square = 1 / (z * z)
    series = square * (1 / 12 - square * (1 / 120 - square / 252))
    result = z.log() - 0.5 / z - series - below
    rest = x - x.round()
    result = torch.where(reflected, result - math.pi / (rest * math.pi).tan(), result)
    return torch.where(x == 0, -1 / x, torch.where((x < 0) & (rest == 0), math.nan, result))
