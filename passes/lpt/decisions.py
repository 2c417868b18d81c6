"""Which transformations decided about which layers, for those who ask: `with decisions() as found: run_passes(…)`."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ...dialects.origins import ORIGINAL


@dataclass(frozen=True)
class Decision:
    """A transformation, the name of the layer that it was offered, and why it declined; nothing where it did not."""

    layer: str
    transformation: str
    reason: str = ""


_FOUND: ContextVar[list[Decision] | None] = ContextVar("decisions", default=None)


@contextmanager
def decisions() -> Generator[list[Decision]]:
    """A list that the main step of `lpt` fills meanwhile, of layers that have names."""
    found: list[Decision] = []
    token = _FOUND.set(found)
    try:
        yield found
    finally:
        _FOUND.reset(token)


def note_decision(layer: str | None, transformation: str, reason: str = "") -> None:
    """Remembers a decision about a layer, if it has a name."""
    if (found := _FOUND.get()) is not None and layer is not None:
        found.append(Decision(layer.removesuffix(ORIGINAL), transformation, reason))
