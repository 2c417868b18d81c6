"""Ports: how operands and results take part in iterations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer


@dataclass(frozen=True)
class Slicing:
    """Where an iteration finds its part of a tensor: `part_size` elements along `axis`, `stride` further
    each time, from `start` to `end` (both may count from the back; a negative stride goes backward)."""

    axis: int
    start: int
    end: int
    stride: int
    part_size: int

    def iterations(self, size: int) -> int:
        """How many parts a dimension of `size` holds; negative limits count from its end."""
        start = self.start + size + 1 if self.start < 0 else self.start
        end = self.end + size + 1 if self.end < 0 else self.end
        return abs(end - start) // abs(self.stride)

    def begin(self, size: int, iteration: int) -> int:
        """The first index of the part of this iteration."""
        start = self.start + size + 1 if self.start < 0 else self.start
        if self.stride < 0:
            return start + (iteration + 1) * self.stride
        return start + iteration * self.stride


class PortAttr(ParametrizedAttribute):
    """How one operand or result of an iterator takes part in the iterations."""


class _FieldsPort(PortAttr):
    """A port whose text is `<name = value, …>`, one for each parameter."""

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            for i, (name, value) in enumerate(zip(self._names(), self.parameters, strict=True)):
                number = cast(IntAttr, value).data
                printer.print_string(f"{', ' if i else ''}{name} = {number}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        values: list[IntAttr] = []
        with parser.in_angle_brackets():
            for i, name in enumerate(cls._names()):
                if i:
                    parser.parse_punctuation(",")
                parser.parse_keyword(name)
                parser.parse_punctuation("=")
                values.append(IntAttr(parser.parse_integer()))
        return values

    @classmethod
    def _names(cls) -> list[str]:
        return [name for name, _ in cls.get_irdl_definition().parameters]


@dataclass(frozen=True, init=False)  # else its parameters would not count in ==
class ResultPort(_FieldsPort):
    """A port of a result of the body, by its number."""

    result: IntAttr


@dataclass(frozen=True, init=False)  # else its parameters would not count in ==
class SlicingPort(_FieldsPort):
    """A port that slices an operand, or concatenates a result, along `axis`."""

    axis: IntAttr
    start: IntAttr
    end: IntAttr
    stride: IntAttr
    part_size: IntAttr

    @property
    def slicing(self) -> Slicing:
        """The parameters as numbers."""
        parameters = (self.axis, self.start, self.end, self.stride, self.part_size)
        return Slicing(*(parameter.data for parameter in parameters))


@irdl_attr_definition
class SlicedAttr(SlicingPort):
    """The operand is sliced along `axis`; each iteration takes its part."""

    name = "infra.sliced"


@irdl_attr_definition
class MergedAttr(ResultPort):
    """The operand in the first iteration, the body's result number `result` in the later ones."""

    name = "infra.merged"


@irdl_attr_definition
class InvariantAttr(PortAttr):
    """The same operand in every iteration."""

    name = "infra.invariant"


@irdl_attr_definition
class ConcatenatedAttr(SlicingPort, ResultPort):
    """The body's result number `result` of all iterations, concatenated along `axis`."""

    name = "infra.concatenated"


@irdl_attr_definition
class IterationAttr(ResultPort):
    """The body's result number `result` of one `iteration`; -1 is the last."""

    name = "infra.iteration"

    iteration: IntAttr
