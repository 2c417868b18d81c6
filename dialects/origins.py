"""Origins: the operations of the model that a kernel computes, for counters and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple, cast

from xdsl.dialects.builtin import ArrayAttr, BoolAttr, DictionaryAttr, StringAttr
from xdsl.ir import Attribute, Operation

from .inferred import friendly_name
from .names import type_name
from .read_once import ReadOnce

ORIGINS = "kernel.origins"
"""The attribute that lists the origins of a kernel."""

ORIGINAL = "_original"
"""The suffix in the name of an operation whose dequantization was moved behind it."""

DEQUANTIZES = ("nn.convert", "nn.subtract", "nn.multiply", "qnn.dequantize")
"""Operations that dequantization consists of. The last of them has the layer's name."""

MOST_STEPS = len(DEQUANTIZES) + 1
"""Of the longest: both zero points are subtracted as sums, and before scaling what is constant of them."""


def layer_name(op: Operation) -> str | None:
    """
    The name of the layer that an operation computes: its own, without the suffix that it got when its dequantization,
    directly behind it, took the name over.
    """
    name = friendly_name(op)
    if name is None or not name.endswith(ORIGINAL):
        return name
    layer, behind = name.removesuffix(ORIGINAL), list(op.results)
    for _ in range(MOST_STEPS):
        users = [use.operation for value in behind for use in value.uses]
        if any(friendly_name(user) == layer for user in users):
            return layer
        behind = [value for user in users if user.name in DEQUANTIZES for value in user.results]
    return name


_TRUTH = (BoolAttr.from_bool(False), BoolAttr.from_bool(True))


MANY = 1 << 12
"""The number of lists that are cached: a model has one or two for each layer."""


class Origin(NamedTuple):
    """An operation of the model: its friendly name, OpenVINO's name of its type, whether it is in 8 bits."""

    name: str
    type: str
    low_precision: bool = False


@cache
def _entry(origin: Origin) -> DictionaryAttr:
    """An origin in the list of a kernel."""
    return DictionaryAttr(
        {
            "name": StringAttr(origin.name),
            "type": StringAttr(origin.type),
            "low_precision": _TRUTH[origin.low_precision],
        }
    )


@lru_cache(MANY)
def _entries(origins: tuple[Origin, ...]) -> ArrayAttr[DictionaryAttr]:
    """The list of a kernel: each of those that a layer becomes, and then one fused of them, has the same."""
    return ArrayAttr(map(_entry, origins))


def origin_of(op: Operation, low_precision: bool = False) -> Sequence[Origin]:
    """
    The origin of an operation that still has its friendly name, or those of the derived operation it was part of;
    nothing for one that never had any.
    """
    if ORIGINS in op.attributes:
        return [each._replace(low_precision=low_precision) for each in origins_of(op)]
    name = layer_name(op)
    return () if name is None else (Origin(name, type_name(op), low_precision),)


def origins_of(kernel: Operation) -> Sequence[Origin]:
    """What a kernel's attribute lists."""
    listed = kernel.attributes.get(ORIGINS)
    return () if listed is None else _listed(listed)


@ReadOnce
def _listed(listed: Attribute) -> Sequence[Origin]:
    found: list[Origin] = []
    for entry in cast(ArrayAttr[Attribute], listed) if isinstance(listed, ArrayAttr) else ():
        assert isinstance(entry, DictionaryAttr)
        name, type, low = (entry.data[key] for key in ("name", "type", "low_precision"))
        assert isinstance(name, StringAttr) and isinstance(type, StringAttr)
        found.append(Origin(name.data, type.data, bool(low)))
    return tuple(found)


def set_origins(kernel: Operation, origins: Iterable[Origin]) -> None:
    """Replaces what a kernel's attribute lists, each origin once."""
    if unique := tuple(dict.fromkeys(origins)):
        kernel.attributes[ORIGINS] = _entries(unique)
    else:
        kernel.attributes.pop(ORIGINS, None)
