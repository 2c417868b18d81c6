"""Layouts of inputs and outputs: OpenVINO's `openvino.layout_helpers`."""

from __future__ import annotations

from .interop.layouts import get_layout, set_layout

__all__ = ["get_layout", "set_layout"]
