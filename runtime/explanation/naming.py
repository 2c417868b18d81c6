"""Names for all operations of a model, no two alike, by which its layers are followed to kernels; and their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from ...dialects.inferred import NAME, friendly_name
from ...dialects.locations import place_of
from ...dialects.names import type_name
from ...passes.precision_report import UNLISTED


@dataclass(frozen=True)
class LayerPlace:
    """What users call a layer, and its line; either is empty where there is none."""

    name: str
    type: str
    where: str


def name_layers(module: ModuleOp, copy: ModuleOp) -> dict[str, LayerPlace]:
    """
    Names the operations of a copy of a module: as they are called, or after their type where they have no name, with a
    number where that is taken. Returns where each name's operation is.
    """
    places: dict[str, LayerPlace] = {}
    given = {name for op in copy.walk() if (name := friendly_name(op)) is not None}
    for original, op in zip(module.walk(), copy.walk(), strict=True):
        if isinstance(op, UNLISTED):
            continue
        own = friendly_name(op)
        name = next(
            each
            for each in _candidates(op, own)
            if each not in places and (each == own or each not in given)
        )
        op.attributes[NAME] = StringAttr(name)
        place = place_of(original.location)
        where = f"{place.file}:{place.line}" if place else ""
        places[name] = LayerPlace(own or "", type_name(op), where)
    return places


def _candidates(op: Operation, own: str | None) -> Iterator[str]:
    stem = own or op.name.rpartition(".")[2]
    if own is not None:
        yield own
    number = 1
    while True:
        yield f"{stem}#{number}"
        number += 1
