"""Layouts of inputs and outputs: OpenVINO's `openvino.layout_helpers`."""

from __future__ import annotations

from .interop.layouts import get_layout, set_layout
from .passes.preprocess.names import Layout

__all__ = [
    "batch_idx",
    "channels_idx",
    "depth_idx",
    "get_layout",
    "has_batch",
    "has_channels",
    "has_depth",
    "has_height",
    "has_width",
    "height_idx",
    "set_layout",
    "width_idx",
]


def has_batch(layout: Layout) -> bool:
    """Whether a dimension is N."""
    return layout.has_name("N")


def has_channels(layout: Layout) -> bool:
    """Whether a dimension is C."""
    return layout.has_name("C")


def has_depth(layout: Layout) -> bool:
    """Whether a dimension is D."""
    return layout.has_name("D")


def has_height(layout: Layout) -> bool:
    """Whether a dimension is H."""
    return layout.has_name("H")


def has_width(layout: Layout) -> bool:
    """Whether a dimension is W."""
    return layout.has_name("W")


def batch_idx(layout: Layout) -> int:
    """The dimension that is N, from the right behind dots. Raises DiagnosticException where none is."""
    return layout.get_index_by_name("N")


def channels_idx(layout: Layout) -> int:
    """The dimension that is C, as `batch_idx` has it."""
    return layout.get_index_by_name("C")


def depth_idx(layout: Layout) -> int:
    """The dimension that is D, as `batch_idx` has it."""
    return layout.get_index_by_name("D")


def height_idx(layout: Layout) -> int:
    """The dimension that is H, as `batch_idx` has it."""
    return layout.get_index_by_name("H")


def width_idx(layout: Layout) -> int:
    """The dimension that is W, as `batch_idx` has it."""
    return layout.get_index_by_name("W")
