"""Fourier transforms of pairs of real numbers, as operators of PyTorch that become operations of OpenVINO."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any


def real_transform(x: Any, dims: Sequence[int]) -> Any:
    """The transform along `dims`, the last of them half; the result has parts along a further dimension."""
    return _operators().rdft(x, [d % x.dim() for d in dims])


def transform(x: Any, dims: Sequence[int], inverse: bool) -> Any:
    """Of parts along the last dimension, which `dims` do not count; an inverse is divided by the number of elements."""
    name = "idft" if inverse else "dft"
    return getattr(_operators(), name)(x, [d % (x.dim() - 1) for d in dims])


def inverse_real_transform(x: Any, dims: Sequence[int], size: int) -> Any:
    """The inverse of `real_transform`, of `size` elements along the last of `dims`."""
    return _operators().irdft(x, [d % (x.dim() - 1) for d in dims], size)


@cache
def _operators() -> Any:
    torch = import_module("torch")

    def parts(x: Any) -> Any:
        return torch.view_as_real(x).clone()

    def whole(x: Any) -> Any:
        return torch.view_as_complex(x.contiguous())

    library = torch.library.Library("lowstream", "DEF")
    for schema, meaning in {
        "rdft(Tensor x, int[] dims) -> Tensor": lambda x, dims: parts(torch.fft.rfftn(x, dim=dims)),
        "dft(Tensor x, int[] dims) -> Tensor": lambda x, dims: parts(
            torch.fft.fftn(whole(x), dim=dims)
        ),
        "idft(Tensor x, int[] dims) -> Tensor": lambda x, dims: parts(
            torch.fft.ifftn(whole(x), dim=dims)
        ),
        "irdft(Tensor x, int[] dims, int size) -> Tensor": lambda x, dims, size: torch.fft.irfftn(
            whole(x), s=[*(x.shape[d] for d in dims[:-1]), size], dim=dims
        ),
    }.items():
        library.define(schema)
        library.impl(schema.partition("(")[0], meaning, "CompositeExplicitAutograd")
    globals()["_library"] = library
    return torch.ops.lowstream


def transforms_as_operations() -> list[Any]:
    """The extensions of OpenVINO's front end by which the operators above are operations."""
    kind = import_module("openvino.frontend.pytorch").ConversionExtension
    opset: Any = import_module("openvino.opset9")

    def dims(node: Any) -> Any:
        return opset.constant(list(node.get_values_from_const_input(1)))

    def back(node: Any) -> list[Any]:
        count = len(node.get_values_from_const_input(1))
        sizes = [-1] * (count - 1) + [int(node.get_values_from_const_input(2))]
        return opset.irdft(node.get_input(0), dims(node), opset.constant(sizes)).outputs()

    return [
        kind("lowstream.rdft.default", lambda n: opset.rdft(n.get_input(0), dims(n)).outputs()),
        kind("lowstream.dft.default", lambda n: opset.dft(n.get_input(0), dims(n)).outputs()),
        kind("lowstream.idft.default", lambda n: opset.idft(n.get_input(0), dims(n)).outputs()),
        kind("lowstream.irdft.default", back),
    ]
