"""Fourier transforms of pairs of real numbers, as operators of PyTorch that become operations of OpenVINO."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any


def real_transform(x: Any, dims: Sequence[int]) -> Any:
    """The transform along `dims`, the last of them half; the result has parts along a further dimension."""
    return _operators()[1].rdft(x, [d % x.dim() for d in dims])


def transform(x: Any, dims: Sequence[int], inverse: bool) -> Any:
    """Of parts along the last dimension, which `dims` do not count; an inverse is divided by the number of elements."""
    name = "idft" if inverse else "dft"
    return getattr(_operators()[1], name)(x, [d % (x.dim() - 1) for d in dims])


def inverse_real_transform(x: Any, dims: Sequence[int], size: int) -> Any:
    """The inverse of `real_transform`, of `size` elements along the last of `dims`."""
    return _operators()[1].irdft(x, [d % (x.dim() - 1) for d in dims], size)


@cache
def _operators() -> tuple[Any, Any]:
    """A library of operators, and these."""
    torch = import_module("torch")

    def parts(x: Any) -> Any:
        return torch.view_as_real(x).clone()

    def whole(x: Any) -> Any:
        return torch.view_as_complex(x.contiguous())

    def rdft(x: Any, dims: Any) -> Any:
        return parts(torch.fft.rfftn(x, dim=dims))

    def dft(x: Any, dims: Any) -> Any:
        return parts(torch.fft.fftn(whole(x), dim=dims))

    def idft(x: Any, dims: Any) -> Any:
        return parts(torch.fft.ifftn(whole(x), dim=dims))

    def irdft(x: Any, dims: Any, size: Any) -> Any:
        sizes = [*(x.shape[d] for d in dims[:-1]), size]
        return torch.fft.irfftn(whole(x), s=sizes, dim=dims)

    library = torch.library.Library("lowstream", "DEF")
    for meaning in (rdft, dft, idft):
        library.define(f"{meaning.__name__}(Tensor x, int[] dims) -> Tensor")
    library.define("irdft(Tensor x, int[] dims, int size) -> Tensor")
    for meaning in (rdft, dft, idft, irdft):
        library.impl(meaning.__name__, meaning, "CompositeExplicitAutograd")
    return library, torch.ops.lowstream  # which are those of the library as long as it lives


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

    def by(operation: str) -> Any:
        def converted(node: Any) -> list[Any]:
            return getattr(opset, operation)(node.get_input(0), dims(node)).outputs()

        return kind(f"lowstream.{operation}.default", converted)

    return [by("rdft"), by("dft"), by("idft"), kind("lowstream.irdft.default", back)]
