"""Operators of PyTorch that OpenVINO's front end reads as something else, in others that it reads as they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from typing import Any

Decomposition = Callable[..., Any]
"""Takes the arguments of an operator. Gives what it computes, or NotImplemented where the front end is right."""

_OVERLOADS: dict[str, Decomposition] = {}
"""By the name of the operator and its overload in ATen."""


def _decomposes(*overloads: str) -> Callable[[Decomposition], Decomposition]:
    def register(decomposition: Decomposition) -> Decomposition:
        _OVERLOADS.update(dict.fromkeys(overloads, decomposition))
        return decomposition

    return register


@contextmanager
def decomposed_calls() -> Generator[None]:
    """While a module of PyTorch is traced, its calls of these operators are calls of others."""
    by_name = {name.partition(".")[0]: decompose for name, decompose in _OVERLOADS.items()}
    by_name["row_stack"] = by_name["vstack"]

    class Mode(import_module("torch.overrides").TorchFunctionMode):
        def __torch_function__(
            self, function: Any, types: Any, args: Sequence[Any] = (), kwargs: Any = None
        ) -> Any:
            named: Mapping[str, Any] = kwargs or {}
            decompose = by_name.get(getattr(function, "__name__", ""))
            if decompose is not None and "out" not in named:
                result = decompose(*args, **named)
                if result is not NotImplemented:
                    return result
            return function(*args, **named)

    with Mode():
        yield


def decomposed_program(program: Any) -> Any:
    """A `torch.export.ExportedProgram` without these operators."""
    aten = import_module("torch").ops.aten
    table = dict[Any, Decomposition]()
    for name, decompose in _OVERLOADS.items():
        operator, _, overload = name.partition(".")
        table[getattr(getattr(aten, operator), overload)] = decompose
    found = {node.target for node in program.graph.nodes if node.op == "call_function"}
    table = {overload: each for overload, each in table.items() if overload in found}
    return program.run_decompositions(table) if table else program


@_decomposes("round.decimals")
def _round(x: Any, *, decimals: int = 0) -> Any:
    """The front end leaves `decimals` out."""
    if not decimals:
        return NotImplemented
    factor = 10.0 ** abs(decimals)
    return (x * factor).round() / factor if decimals > 0 else (x / factor).round() * factor


@_decomposes("vstack.default")
def _vstack(tensors: Sequence[Any]) -> Any:
    """The front end joins vectors end to end."""
    rows = [each.reshape(1, -1) if each.dim() < 2 else each for each in tensors]
    return import_module("torch").cat(rows, 0)


@_decomposes("softplus.default")
def _softplus(x: Any, beta: float = 1, threshold: float = 20) -> Any:
    """The front end leaves out that what is greater than `threshold` stays."""
    if threshold >= 20:
        return NotImplemented
    scaled = x * beta
    return import_module("torch").where(scaled > threshold, x, scaled.exp().log1p() / beta)


@_decomposes("any.dims")
def _any(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The front end takes the first of several dimensions alone."""
    if not isinstance(dim, list | tuple):
        return NotImplemented
    dims: list[int] = [*dim] or [*range(x.dim())]
    axes = sorted((axis % max(x.dim(), 1) for axis in dims), reverse=True)
    result = x != 0
    for axis in axes:
        result = result.any(axis, keepdim)
    return result


@_decomposes("all.dims")
def _all(x: Any, dim: Any = None, keepdim: bool = False) -> Any:
    found = _any(x == 0, dim, keepdim)
    return found if found is NotImplemented else ~found


@_decomposes("cdist.default", "_cdist_forward.default")
def _cdist(a: Any, b: Any, p: float = 2.0, compute_mode: Any = None) -> Any:
    """The front end computes the distance for `p` of 2 from differences that have a sign, for others, too."""
    if p == 2:
        return NotImplemented
    differences = (a.unsqueeze(-2) - b.unsqueeze(-3)).abs()
    if p == 0:
        return (differences != 0).to(a.dtype).sum(-1)
    if p == 1:
        return differences.sum(-1)
    return differences.amax(-1) if math.isinf(p) else (differences**p).sum(-1) ** (1 / p)


def _average_pool(
    dims: int,
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
) -> Any:
    """Where sizes are rounded up and padding counts, the front end divides the sums of last windows otherwise."""
    if not (ceil_mode and count_include_pad) or divisor_override:
        return NotImplemented
    kernel, pad = _sizes(kernel_size, dims), _sizes(padding, dims)
    steps = _sizes(stride, dims) if stride else kernel
    functional = import_module("torch.nn.functional")
    around = [size for size in reversed(pad) for _ in range(2)]
    pool = getattr(functional, f"avg_pool{dims}d")
    result = pool(functional.pad(x, around), kernel, steps, 0, True, False)
    # A window that begins behind the input and the padding in front of it is left out.
    begins = (
        slice((x.shape[axis] + before - 1) // step + 1)
        for axis, before, step in zip(range(-dims, 0), pad, steps, strict=True)
    )
    return result[(..., *begins)]


def _sizes(given: Any, dims: int) -> list[int]:
    """One number for each dimension; there may be one for all."""
    sizes: list[int] = [*given] if isinstance(given, list | tuple) else [given]
    return sizes * dims if len(sizes) == 1 else sizes


for _dims in (1, 2, 3):
    _decomposes(f"avg_pool{_dims}d.default")(partial(_average_pool, _dims))
