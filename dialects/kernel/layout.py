"""How weights are laid out once they are packed."""

from __future__ import annotations

from dataclasses import dataclass
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
        numbers = [
            cast(IntegerAttr, attribute.data[key]).value.data
            for key in ("lanes", "step", "vectors")
        ]
        return cls(*numbers)

    def attribute(self) -> DictionaryAttr:
        """The `layout` property."""
        fields = {"lanes": self.lanes, "step": self.step, "vectors": self.vectors}
        return DictionaryAttr({key: IntegerAttr(value, 64) for key, value in fields.items()})

    def shape(self, columns: int, groups: int, depth: int) -> Shape:
        """The packed shape of [groups * columns, depth] weights."""
        tiles = -(-columns // (self.lanes * self.vectors))
        return (tiles, -(-depth // self.step), groups, self.vectors, self.lanes, self.step)
