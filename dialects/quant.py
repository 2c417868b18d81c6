"""`quant`: MLIR's quantized types. A code stands for `scale * (code - zero_point)`."""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_float

from xdsl.dialects.builtin import (
    DenseArrayBase,
    Float32Type,
    IntAttr,
    IntegerType,
    Signedness,
    f32,
    i64,
)
from xdsl.ir import Attribute, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from .elements import largest_of, limits_of

PER_TENSOR = -1
"""The axis of a type with one scale for all elements."""


@irdl_attr_definition
class UniformQuantizedType(ParametrizedAttribute, TypeAttribute):
    """
    A scale and a zero point for a tensor (per tensor), or for every index along an axis (per axis). Codes may be fewer
    than their type has.

        !quant.uniform<i8:f32, 0.5:3>
        !quant.uniform<i8<-127:127>:f32:1, {0.5, 0.25:-2}>
    """

    name = "quant.uniform"

    storage: IntegerType
    axis: IntAttr
    scales: DenseArrayBase[Float32Type]
    zero_points: DenseArrayBase[IntegerType]
    least: IntAttr
    greatest: IntAttr

    @classmethod
    def of(
        cls,
        storage: IntegerType,
        scales: Sequence[float],
        zero_points: Sequence[int] = (),
        axis: int = PER_TENSOR,
        codes: tuple[int, int] | None = None,
    ) -> UniformQuantizedType:
        """
        The type of these scales; without zero points they are 0, without the least and the greatest code all of the
        storage are codes.
        """
        least, greatest = codes or limits_of(storage)
        points = list(zero_points) or [0] * len(scales)
        return cls(
            storage,
            IntAttr(axis),
            DenseArrayBase.from_list(f32, list(scales)),
            DenseArrayBase.from_list(i64, points),
            IntAttr(least),
            IntAttr(greatest),
        )

    @property
    def is_per_axis(self) -> bool:
        """Whether there is a scale for every index along the axis."""
        return self.axis.data != PER_TENSOR

    @property
    def codes(self) -> tuple[int, int]:
        """The least and the greatest code."""
        return self.least.data, self.greatest.data

    def verify(self) -> None:
        scales, points = len(self.scales.get_values()), len(self.zero_points.get_values())
        if scales != points or not scales:
            raise VerifyException(f"{self.name}: {scales} scales and {points} zero points")
        if scales > 1 and not self.is_per_axis:
            raise VerifyException(f"{self.name}: {scales} scales need an axis: <i8:f32:0, {{…}}>")
        (least, greatest), (low, high) = self.codes, limits_of(self.storage)
        if not low <= least < greatest <= high:
            raise VerifyException(
                f"{self.name}: codes from {least} to {greatest} are none of {self.storage}, from {low} to {high}"
            )

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(
                "u" if self.storage.signedness.data == Signedness.UNSIGNED else "i"
            )
            printer.print_string(f"{self.storage.width.data}")
            if self.codes != limits_of(self.storage):
                printer.print_string(f"<{self.least.data}:{self.greatest.data}>")
            printer.print_string(":f32")
            if self.is_per_axis:
                printer.print_string(f":{self.axis.data}")
            printer.print_string(", {" if self.is_per_axis else ", ")
            pairs = zip(self.scales.get_values(), self.zero_points.get_values(), strict=True)
            printer.print_list(pairs, lambda pair: printer.print_string(_spelled(*pair)))
            printer.print_string("}" if self.is_per_axis else "")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        start = parser.pos
        with parser.in_angle_brackets():
            storage = _storage(parser)
            codes = _codes(parser)
            parser.parse_punctuation(":")
            parser.parse_keyword("f32")
            axis = parser.parse_integer() if parser.parse_optional_punctuation(":") else PER_TENSOR
            parser.parse_punctuation(",")
            if axis == PER_TENSOR:
                pairs = [_pair(parser)]
            else:
                pairs = parser.parse_comma_separated_list(
                    parser.Delimiter.BRACES, lambda: _pair(parser)
                )
        scales, points = zip(*pairs, strict=True)
        try:
            return cls.of(storage, scales, points, axis, codes).parameters
        except VerifyException as error:
            parser.raise_error(str(error), start)


def storage_of(element: Attribute) -> Attribute:
    """The type in which elements are stored: of quantized ones, that of the codes."""
    return element.storage if isinstance(element, UniformQuantizedType) else element


def _storage(parser: AttrParser) -> IntegerType:
    """`i8`, or MLIR's `u8` for unsigned codes."""
    start = parser.pos
    word = parser.parse_identifier("the type of codes")
    if word[0] not in "iu" or not word[1:].isdigit():
        parser.raise_error("expected a type of codes, such as i8 or u8", start)
    signedness = Signedness.UNSIGNED if word[0] == "u" else Signedness.SIGNLESS
    return IntegerType(int(word[1:]), signedness)


def _codes(parser: AttrParser) -> tuple[int, int] | None:
    """`<-127:127>`, where not all of the storage are codes."""
    if not parser.parse_optional_punctuation("<"):
        return None
    least = parser.parse_integer()
    parser.parse_punctuation(":")
    greatest = parser.parse_integer()
    parser.parse_punctuation(">")
    return least, greatest


def _pair(parser: AttrParser) -> tuple[float, int]:
    scale = float(parser.parse_number())
    return scale, parser.parse_integer() if parser.parse_optional_punctuation(":") else 0


def _spelled(scale: float, point: int) -> str:
    """
    The shortest decimal that gives the scale in f32, and its zero point if that is not 0. The decimal is in the range
    of f32, or MLIR, which reads 64 bits, would refuse it.
    """
    texts = (f"{scale:.{digits}g}" for digits in range(1, 10))
    fits = (each for each in texts if float(each) <= largest_of(f32))
    text = next((each for each in fits if c_float(float(each)).value == scale), str(scale))
    mantissa, e, exponent = text.partition("e")
    text = f"{mantissa if '.' in mantissa else f'{mantissa}.0'}{e}{exponent}"
    return text if point == 0 else f"{text}:{point}"


Quant = Dialect("quant", [], [UniformQuantizedType])
