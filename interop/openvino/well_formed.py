"""
Whether the text of an OpenVINO model is whole: what OpenVINO's reader takes for granted, and may crash without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from xdsl.utils.exceptions import DiagnosticException

DEEPEST_BODY = 64
"""How many bodies may lie within one another: OpenVINO's reader calls itself for each."""

BITS = {
    "f64": 64, "f32": 32, "f16": 16, "bf16": 16, "i64": 64, "i32": 32, "i16": 16, "i8": 8,
    "u64": 64, "u32": 32, "u16": 16, "u8": 8, "boolean": 8,
    "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8,
}  # fmt: skip
"""Of the element types whose constants have a size that follows from the shape alone."""

_CONTROL = re.compile(
    rb"&#(?:0*[0-8]|0*1[124-9]|0*2\d|0*3[01]|[xX]0*(?:[0-8bBcCeEfF]|1[\da-fA-F]));"
)
"""References to characters that XML forbids; OpenVINO writes them where names have such."""


def check(data: bytes) -> None:
    """Raises DiagnosticException where the bytes of an .xml file are no whole model."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DiagnosticException(f"line {line} is not UTF-8; copy the file again") from None
    try:
        root = ElementTree.fromstring(_CONTROL.sub(b"?", data))
    except ElementTree.ParseError as error:
        raise DiagnosticException(f"not whole XML, {error}; copy the file again") from None
    if root.tag != "net":
        raise DiagnosticException(f"not OpenVINO IR, which begins with <net …>, not <{root.tag} …>")
    _check_graph(root, "model", 0)


def _check_graph(graph: Element, where: str, depth: int) -> None:
    """That of the model, or of a body within it: its edges go from port to port of its layers."""
    if depth > DEEPEST_BODY:
        raise DiagnosticException(f"more than {DEEPEST_BODY} bodies lie within one another")
    outputs, inputs = dict[str, set[str]](), dict[str, set[str]]()
    for layer in graph.iterfind("layers/layer"):
        name = f"layer '{layer.get('name', '')}' of the {where}"
        number = layer.get("id", "")
        if number in outputs:
            raise DiagnosticException(f"{name} has the id {number}, as another one has")
        outputs[number] = _ports(layer, "output")
        inputs[number] = _ports(layer, "input")
        if layer.get("type") == "Const":
            _check_constant(layer, name)
        for body in _bodies(layer):
            _check_graph(body, f"body of {name}", depth + 1)
    for edge in graph.iterfind("edges/edge"):
        for end, ports in (("from", outputs), ("to", inputs)):
            layer, port = edge.get(f"{end}-layer", ""), edge.get(f"{end}-port", "")
            if layer not in ports:
                raise DiagnosticException(
                    f"an edge of the {where} goes {end} layer '{layer}', which there is not"
                )
            if port not in ports[layer]:
                raise DiagnosticException(
                    f"an edge of the {where} goes {end} port '{port}' of layer '{layer}', which has none such"
                )


def _check_constant(layer: Element, name: str) -> None:
    """A constant takes as many bytes of the .bin as its shape and its type say."""
    data = layer.find("data")
    if data is None or (bits := BITS.get(data.get("element_type", ""))) is None:
        return
    shape, size = data.get("shape", ""), data.get("size", "")
    try:
        needed = prod(int(each) for each in shape.split(",") if each.strip()) * bits // 8
        given = int(size)
    except ValueError:
        raise DiagnosticException(
            f"{name} has the shape '{shape}' and the size '{size}'; both must be numbers"
        ) from None
    if given not in (needed, max(needed, 1)):  # an empty one is written as a byte
        raise DiagnosticException(
            f"{name} has the shape '{shape}', which takes {needed} bytes, and the size {given}"
        )


def _ports(layer: Element, side: str) -> set[str]:
    return {port.get("id", "") for port in layer.iterfind(f"{side}/port")}


def _bodies(layer: Element) -> Iterator[Element]:
    for name in ("body", "then_body", "else_body"):
        yield from layer.iterfind(name)
