"""The results of an inference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import index as index_of
from typing import TYPE_CHECKING, Any, SupportsIndex, cast

import numpy as np

from ...passes.errors import DiagnosticError, shown
from ...passes.port_names import PortNames
from ..ports import Port

if TYPE_CHECKING:
    import numpy.typing as npt

    from .appended import Appended

    Array = npt.NDArray[Any]

Key = int | str | Port | PortNames
"""A port by its position, by one of its names, or itself."""


class Results:
    """
    The outputs of one inference, by position or by name: `results[0]`, `results["Y"]`. As a mapping, whose keys
    are the ports (`keys`, `items`, `"Y" in results`); as a sequence, of the arrays (`y, z = results`).

    An output is copied when it is first asked for, and what was not asked for is copied before the
    request runs again; so the values stay, and what nobody looks at costs nothing. Outputs whose memory is not written
    while somebody has them are `lent` instead.
    """

    __slots__ = ("buffers", "copies", "lent", "ports")

    def __init__(
        self,
        ports: Sequence[Port],
        buffers: Sequence[Array],
        copies: dict[int, Array] | None = None,
        lent: Mapping[int, Appended] | None = None,
    ):
        self.ports, self.buffers, self.lent = ports, buffers, lent or {}
        self.copies: dict[int, Array] = {} if copies is None else copies

    def keep(self) -> None:
        """Copies all arrays that are not copied yet: the buffers are about to be written."""
        for index in range(len(self.ports)):
            self[index]

    def share(self) -> None:
        """From here on, arrays are the buffers themselves, not copies: later calls change them."""
        for index, port in enumerate(self.ports):
            self.copies[index] = port.present(self.buffers, index)

    def __getitem__(self, key: Key) -> Array:
        index = position_of(key, self.ports, "output")
        if (copy := self.copies.get(index)) is None:
            shown, lender = self.ports[index].present(self.buffers, index), self.lent.get(index)
            copy = self.copies[index] = shown.copy() if lender is None else lender.lend(shown)
        return copy

    def __contains__(self, key: object) -> bool:
        match key:
            case PortNames():
                return names_one(key, self.ports)
            case str():
                return names_one(key, self.ports)
            case _:
                return isinstance(key, int) and -len(self) <= key < len(self)

    def keys(self) -> tuple[Port, ...]:
        """The ports of the outputs."""
        return tuple(self.ports)

    def values(self) -> tuple[Array, ...]:
        """The arrays, in the order of the outputs."""
        return tuple(self)

    def items(self) -> tuple[tuple[Port, Array], ...]:
        """The ports with their arrays."""
        return tuple(zip(self.ports, self, strict=True))

    def to_dict(self) -> dict[Port, Array]:
        """The arrays by port."""
        return dict(self.items())

    def to_tuple(self) -> tuple[Array, ...]:
        """The arrays, in the order of the outputs."""
        return tuple(self)

    def names(self) -> tuple[set[str], ...]:
        """The names of each output."""
        return tuple(set(port.names) for port in self.ports)

    def get(self, key: Key, default: Any = None) -> Any:
        """The array of an output, or the default where there is none."""
        return self[key] if key in self else default  # noqa: SIM401

    def __len__(self) -> int:
        return len(self.ports)

    def __iter__(self) -> Iterator[Array]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        listed = (f"{name}: {kind}" for name, kind, *_ in self._rows())
        return f"<Results {', '.join(listed)}>"

    def _repr_html_(self) -> str:
        """What a notebook shows: types, and the range of values."""
        from ...passes.html_table import html_table

        return html_table(("output", "type", "min", "mean", "max"), list(self._rows()), (2, 3, 4))

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for port, array in self.items():
            kind = replace(port, shape=array.shape).kind
            wide = array.astype(float)
            numbers = (wide.min(), wide.mean(), wide.max()) if wide.size else ()
            listed = [f"{number:.6g}" for number in numbers] or [""] * 3
            yield port.any_name, kind, *listed


def names_one(key: Key, ports: Sequence[Port]) -> bool:
    """Whether a key is one of these ports, or a name of one; positions name none."""
    if isinstance(key, PortNames):
        key = key.any_name
    return isinstance(key, str) and any(key in port.names for port in ports)


def position_of(key: Key, ports: Sequence[Port], role: str) -> int:
    """
    The index of the port that `key` names or counts. Raises DiagnosticException where there is none;
    IndexError would do for positions, but would not say how many there are.
    """
    if type(key) is int and 0 <= key < len(
        ports
    ):  # what follows takes longer than a small model's call
        return key
    if isinstance(key, PortNames):
        key = key.any_name
    if isinstance(key, str):
        for index, port in enumerate(ports):
            if key in port.names:
                return index
        names = [name for port in ports for name in port.names]
        from difflib import get_close_matches  # models from the cache start without it

        near = " or ".join(f"'{name}'" for name in get_close_matches(key, names, 2))
        if near:
            raise DiagnosticError(f"there is no {role} {shown(key)}; did you mean {near}?")
        listed = ", ".join(f"'{name}'" for name in names) or "none"
        raise DiagnosticError(f"there is no {role} {shown(key)}; {role}s: {listed}")
    given = cast("Any", key)
    if isinstance(given, np.ndarray):
        raise DiagnosticError(
            f"{role}s go by position, name or port, not by ndarray; results give arrays, and results.items() ports, too"
        )
    if not isinstance(given, SupportsIndex):
        listed = ", ".join(f"'{port.any_name}'" for port in ports) or "none"
        raise DiagnosticError(
            f"{role}s go by position, name or port, not by {type(key).__name__}; there is no {role} {shown(key)}; "
            f"{role}s: {listed}"
        )
    key = index_of(given)
    if not -len(ports) <= key < len(ports):
        raise DiagnosticError(f"there is no {role} {shown(key)}; the model has {len(ports)}")
    return key % len(ports)


def distinct_places(keys: Iterable[Any], ports: Sequence[Port]) -> dict[Any, int]:
    """The index of the input that each key names. Raises DiagnosticException where there is none, or two name one."""
    places = {key: position_of(key, ports, "input") for key in keys}
    keys_of = dict[int, Any]()
    for key, place in places.items():
        if place in keys_of:
            raise DiagnosticError(
                f"{ports[place]} was given twice, as {shown(keys_of[place])} and as {shown(key)}; give one array for it"
            )
        keys_of[place] = key
    return places


def by_key(inputs: Any, count: int) -> Mapping[Any, Any]:
    """
    The arguments of a call with `count` inputs, by key: a mapping, a list in the order of inputs, or one array. Raises
    DiagnosticException where there are too many or too few arrays without keys.
    """
    if inputs.__class__ is dict:  # so that the usual case asks no abstract class
        return inputs
    if isinstance(inputs, (list, tuple)):
        given: Sequence[Any] = cast("Any", inputs)
    elif isinstance(inputs, Mapping):
        return cast("Mapping[Any, Any]", inputs)
    else:
        given = [inputs]
    if len(given) != count:
        raise DiagnosticError(
            f"the model takes {count} inputs, was given {len(given)}; name them in a dict to set some"
        )
    return dict(enumerate(given))
