"""What TensorFlow's convolutions and poolings say of their window."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.inferred import Shape
from ...dialects.nn.window import Window
from .channels import Channels, numbers

AUTO_PADS = {"SAME": "same_upper", "VALID": "valid", "EXPLICIT": "explicit"}
"""
By `padding`, what `nn` calls it. `SAME` makes ⌈size / stride⌉ positions and puts the odd rest at the end, as
`same_upper` does, also of sizes that are not known yet.
"""


def window_of(channels: Channels, kernel: Shape) -> Window:
    """The window of an operation. Raises DiagnosticException where an attribute has no meaning."""
    padding = channels.op.text("padding")
    if padding not in AUTO_PADS:
        raise DiagnosticException(
            f"tf.{channels.op.name}: padding '{padding}' has no meaning; use {', '.join(AUTO_PADS)}"
        )
    begin = end = (0,) * len(kernel)
    if padding == "EXPLICIT":
        begin, end = channels.explicit_paddings()
    strides, dilations = channels.spatial("strides"), channels.spatial("dilations")
    return Window(kernel, strides, dilations, begin, end, AUTO_PADS[padding], "floor")


def properties_of(window: Window) -> dict[str, Attribute]:
    """The properties by which `nn` says a window, its kernel aside."""
    return {
        "strides": numbers(window.strides),
        "dilations": numbers(window.dilations),
        "pads_begin": numbers(window.pads_begin),
        "pads_end": numbers(window.pads_end),
        "auto_pad": StringAttr(window.auto_pad),
    }
