"""How weights are laid out once they are packed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import prod
from typing import cast

from xdsl.dialects.builtin import (
    DictionaryAttr,
    IntegerAttr,
)

from ..inferred import Shape


@dataclass(frozen=True)
class PackedLayout:
    """
    Weights [N, K] in the order in which a kernel streams them: [tiles][ceil(K / step)][groups][vectors][lanes][step].

    Tile t, vector v, lane l hold unit n = (t * vectors + v) * lanes + l of every group; what lies past N /
    groups or past K is zero.
    """

    lanes: int
    step: int
    vectors: int

    @classmethod
    def of(cls, attribute: DictionaryAttr) -> PackedLayout:
        """Reads the `layout` property."""
        return cls(*(_number(attribute, field.name) for field in fields(cls)))

    def attribute(self) -> DictionaryAttr:
        """The `layout` property."""
        return DictionaryAttr({key: IntegerAttr(value, 64) for key, value in asdict(self).items()})

    def shape(self, columns: int, groups: int, depth: int) -> Shape:
        """The packed shape of [groups * columns, depth] weights."""
        tiles = -(-columns // (self.lanes * self.vectors))
        return (tiles, -(-depth // self.step), groups, self.vectors, self.lanes, self.step)


@dataclass(frozen=True)
class ConvolutionLayout:
    """
    Filters [N, taps…, C] in the order in which a kernel streams them:
    [groups][tiles][outer taps][ceil(inner / step)][vectors][lanes][step].

    The last `merged` tap dimensions lie beside the channels in memory and are summed with them as one inner
    dimension. Tile t, vector v, lane l of a group hold unit n = (t * vectors + v) * lanes + l of it; what lies
    past the last unit or past the inner dimension is zero.
    """

    lanes: int
    step: int
    vectors: int
    merged: int

    @classmethod
    def of(cls, attribute: DictionaryAttr) -> ConvolutionLayout:
        """Reads the `layout` property."""
        return cls(*(_number(attribute, field.name) for field in fields(cls)))

    def attribute(self) -> DictionaryAttr:
        """The `layout` property."""
        return DictionaryAttr({key: IntegerAttr(value, 64) for key, value in asdict(self).items()})

    def shape(self, units: int, taps: Shape, channels: int, groups: int) -> Shape:
        """The packed shape of [groups * units, *taps, channels] filters."""
        split = len(taps) - self.merged
        inner = channels * prod(taps[split:])
        tiles = -(-units // (self.lanes * self.vectors))
        steps = -(-inner // self.step)
        return (groups, tiles, prod(taps[:split]), steps, self.vectors, self.lanes, self.step)


def _number(attribute: DictionaryAttr, key: str) -> int:
    return cast(IntegerAttr, attribute.data[key]).value.data
