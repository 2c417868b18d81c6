"""What the dimensions of inputs and outputs are, which is a note of the port."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..passes.preprocess.names import Layout

if TYPE_CHECKING:
    from .port import Port

LAYOUT = "layout"
"""The name of the note."""


def get_layout(port: Port) -> Layout:
    """What the dimensions of an input or output are, where `set_layout` has said it."""
    notes = port.rt_info
    return Layout(notes[LAYOUT].value if LAYOUT in notes else "")


def set_layout(port: Port, layout: Layout | str) -> None:
    """Says what the dimensions of an input or output are. Raises DiagnosticException where there are others."""
    said = Layout(layout)
    said.names(len(port.partial_shape))
    port.set_rt_info(str(said), LAYOUT)
