"""
Bitwise operations on integers. LiteRT has only BITWISE_XOR: `a & b = (a + b - (a ^ b)) / 2`, and `a | b = (a & b) + (a
^ b)`.

Sums of 32-bit integers may overflow, so that the upper and lower halves are computed separately.
"""

from __future__ import annotations

from ...dialects import nn
from .elements import HOLDING_ELEMENTS
from .elementwise import elementwise
from .refusals import refuse
from .tensors import Tensor
from .writer import TflWriter, element_of

HALF = 16
"""The bits of a half."""


@elementwise(nn.BitwiseAndOp, nn.BitwiseOrOp)
def bitwise(write: TflWriter, op: nn.BitwiseOp, a: Tensor, b: Tensor) -> Tensor:
    is_or = type(op) is nn.BitwiseOrOp
    element = element_of(op.result)
    if element == "bool":
        return write.binary("LOGICAL_OR" if is_or else "LOGICAL_AND", a, b)
    if element != "int32" and "int32" not in HOLDING_ELEMENTS.get(element, ()):
        raise refuse(op, f"bits of {element} are not combined; convert to i32")
    a, b = write.cast(a, "int32"), write.cast(b, "int32")
    common = _common(write, a, b) if element != "int32" else _by_halves(write, a, b)
    if is_or:
        common = write.binary("ADD", common, write.binary("BITWISE_XOR", a, b))
    return write.cast(common, element)


def _common(write: TflWriter, a: Tensor, b: Tensor) -> Tensor:
    """`a & b` of numbers whose sum does not overflow."""
    twice = write.binary("SUB", write.binary("ADD", a, b), write.binary("BITWISE_XOR", a, b))
    return _shifted(write, twice, 1)


def _by_halves(write: TflWriter, a: Tensor, b: Tensor) -> Tensor:
    high, low = zip(_halves(write, a), _halves(write, b), strict=True)
    upper = write.binary("MUL", _common(write, *high), 1 << HALF)
    return write.binary("ADD", upper, _common(write, *low))


def _halves(write: TflWriter, x: Tensor) -> tuple[Tensor, Tensor]:
    """The upper half with its sign, and the lower one, which is not negative."""
    high = _shifted(write, x, HALF)
    return high, write.binary("SUB", x, write.binary("MUL", high, 1 << HALF))


def _shifted(write: TflWriter, x: Tensor, places: int) -> Tensor:
    return write.binary("RIGHT_SHIFT", x, places)
