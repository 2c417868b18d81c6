"""The windows of TensorFlow's convolutions and poolings."""

from __future__ import annotations

from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import Shape
from ...dialects.nn.window import Window
from ...dialects.properties import Property
from ..channels_last import AUTO_PADS, window_properties
from ..tensorflow_rules.channels import Channels


def window_of(channels: Channels, kernel: Shape) -> Window:
    """The window of an operation. Raises DiagnosticException where an attribute has no meaning."""
    padding = channels.op.text("padding")
    if padding not in AUTO_PADS:
        raise DiagnosticException(
            f"{channels.op.label}: padding '{padding}' has no meaning; use {', '.join(AUTO_PADS)}"
        )
    begin = end = (0,) * len(kernel)
    if padding == "EXPLICIT":
        begin, end = channels.explicit_paddings()
    strides, dilations = channels.spatial("strides"), channels.spatial("dilations")
    return Window(kernel, strides, dilations, begin, end, AUTO_PADS[padding], "floor")


def properties_of(window: Window) -> dict[str, Property]:
    """The properties by which `nn` says a window, its kernel aside."""
    pads = window.pads_begin, window.pads_end
    return window_properties(window.strides, window.dilations, window.auto_pad, *pads)
