"""
Operators on codes, and what becomes of a constant's scales when its codes move.

Scales of one dimension may stand for several while a constant is rearranged: those of the channels and
outputs of a depthwise convolution are along one dimension again where its filters are put together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...dialects import tfl
from ...reference.arrays import Array
from .refusals import NoCodesError
from .tensors import Elements, Tensor, TensorQuantization, is_same


@dataclass
class SoughtCodes:
    """
    What an operation on codes may be written as: one operator whose results are codes like these, with a fused
    activation, and operators that move codes. Where no codes are sought, only the latter.
    """

    like: Elements | None = None
    activation: str = "NONE"
    is_found: bool = False

    def take(
        self,
        builtin: str,
        inputs: Sequence[Tensor | None],
        result: Elements,
        options: dict[str, Any],
    ) -> Elements:
        """The result of an operator in place of `result`. Raises NoCodesError where the operator is not allowed."""
        kind, given = tfl.OPERATIONS[builtin], [each for each in inputs if each is not None]
        codes = [each.quantization for each in given if each.quantization is not None]
        if any(each.element.startswith("float") for each in given):
            raise NoCodesError
        if not codes:
            return result  # of shapes and places
        wide = any(each.element == "int16" for each in given if each.quantization is not None)
        gives, element = (kind.CODES_16, "int16") if wide else (kind.CODES, "int8")
        if gives is None or (gives == "same" and self.like is None):
            takes_codes = not kind.ELEMENTS or element in kind.ELEMENTS or gives is not None
            if takes_codes and is_same(result.quantization, codes[0]):
                return result
            raise NoCodesError
        if self.like is None or self.is_found or not self._gives(gives, codes):
            raise NoCodesError
        if self.activation != "NONE":
            if "fused_activation_function" not in kind.get_irdl_definition().properties:
                raise NoCodesError
            options["fused_activation_function"] = self.activation
        self.is_found = True
        return self.like

    def _gives(self, codes: tfl.Codes, given: Sequence[TensorQuantization]) -> bool:
        """Whether a kernel computes the codes that are sought."""
        wanted = self.like and self.like.quantization
        if isinstance(codes, tuple):
            scale, point = codes
            return is_same(TensorQuantization((scale,), (point,)), wanted)
        return codes == "any" or all(is_same(each, wanted) for each in given)


def transposed_quantization(
    source: Tensor, permutation: Sequence[int]
) -> TensorQuantization | None:
    """A tensor's quantization after a transpose; None where scales of neighbouring dimensions would be separated."""
    found = source.quantization
    if found is None or len(found.scales) == 1:
        return found
    places = [permutation.index(axis) for axis in _axes(source.shape, found)]
    together = places == list(range(places[0], places[0] + len(places)))
    return TensorQuantization(found.scales, found.zero_points, places[0]) if together else None


def reshaped_quantization(source: Tensor, shape: Sequence[int]) -> TensorQuantization | None:
    """A tensor's quantization after a reshape; None where its scales are not along dimensions of the new shape."""
    found = source.quantization
    if found is None or len(found.scales) == 1:
        return found
    before = math.prod(source.shape[: found.axis])
    for axis in range(len(shape)):
        other = TensorQuantization(found.scales, found.zero_points, axis)
        if math.prod(shape[:axis]) == before and shape[axis] != 1 and _axes(shape, other):
            return other
    return None


def _axes(shape: Sequence[int], quantization: TensorQuantization) -> range:
    """The dimensions that a tensor's scales are along; none where the numbers do not match."""
    first, count = quantization.axis, len(quantization.scales)
    for last in range(first + 1, len(shape) + 1):
        if math.prod(shape[first:last]) == count:
            return range(first, last)
    return range(0)


def is_kept(source: Tensor) -> bool:
    """Whether a file can express a tensor's scales."""
    found = source.quantization
    return found is None or len(found.scales) == 1 or len(found.scales) == source.shape[found.axis]


def real(codes: Tensor) -> Array:
    """The values of constant codes."""
    data, quantization = codes.data, codes.quantization
    assert data is not None and quantization is not None
    along = [1] * codes.rank
    if len(quantization.scales) > 1:
        for axis in _axes(codes.shape, quantization):
            along[axis] = codes.shape[axis]
    scales, points = (
        np.array(numbers, np.float64).reshape(along if len(numbers) > 1 else ())
        for numbers in (quantization.scales, quantization.zero_points or (0,))
    )
    return ((data - points) * scales).astype(np.float32)
