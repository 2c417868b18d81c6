"""
An .xml with its .bin: the layers that its outputs need, which answer what `graph.py` asks of OpenVINO's nodes.

What OpenVINO's reader takes for granted, and may crash without, is refused here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.utils.exceptions import DiagnosticException

from ...dialects.blob import BlobAttr, byte_size, element_count
from ...dialects.mapped import mapped
from ..mlir import SourceError
from . import refused
from .elements import UNKNOWN_RANK, constant_data, tensor_type
from .port_maps import Description, PortMap
from .text_attributes import Attributes

VERSIONS = ("10", "11")
"""Of the format: older ones have operations of other meanings, and no opsets."""

OPSETS = frozenset(f"opset{number}" for number in refused.OPSETS)
"""What a layer's version can be."""

BEFORE_OPSETS = frozenset(
    {
        "ExperimentalDetectronDetectionOutput",
        "ExperimentalDetectronGenerateProposalsSingleImage",
        "ExperimentalDetectronPriorGridGenerator",
        "ExperimentalDetectronROIFeatureExtractor",
        "ExperimentalDetectronTopKROIs",
        "GRUCell",
        "RNNCell",
        "Proposal",
    }
)
"""Operations that files have with the version `extension` or `experimental`, too."""

TYPES = {"Const": "Constant", "PReLU": "PRelu", "ReLU": "Relu", "SoftMax": "Softmax"}
"""What operations are called in files, and their classes in OpenVINO."""

PRECISIONS = {"FP64": "f64", "FP32": "f32", "FP16": "f16", "BOOL": "boolean", "BIN": "u1"}
"""Element types as ports have them; others are those of constants, in capitals."""

DEEPEST_BODY = 64
"""How many bodies may lie within one another."""

BODIES = {"body": "port_map", "then_body": "then_port_map", "else_body": "else_port_map"}
"""What bodies are called, and what says how they are joined with the layer."""

_CONTROL = re.compile(rb"&#(?:0*([1-8]|1[124-9]|2\d|3[01])|[xX]0*([1-8bBcCeEfF]|1[\da-fA-F]));")
"""References to characters that XML forbids; OpenVINO writes them where names have such."""

_STANDS_FOR = 0xF0000
"""From here on there are characters without a meaning, which stand for the forbidden ones while XML is parsed."""

_SEPARATOR = re.compile(r"(?<!\\),")


class TypeInfo(NamedTuple):
    name: str
    version_id: str


class Port(NamedTuple):
    """An output of a layer, as it is declared."""

    layer: Layer
    number: int
    element: str
    sizes: tuple[int, ...]
    names: frozenset[str]

    def get_node(self) -> Layer:
        return self.layer

    def get_index(self) -> int:
        return self.number

    def get_names(self) -> frozenset[str]:
        return self.names

    def get_target_inputs(self) -> bool:
        """Whether there is any: the only thing that is asked of them."""
        return (self.layer, self.number) in self.layer.graph.read


class Layer:
    """An operation, with OpenVINO's names for what is asked of one."""

    def __init__(self, graph: Graph, element: Element):
        self.graph = graph
        self.id, name = element.get("id", ""), _text(element.get("name", ""))
        self.where = f"layer '{name}' of the {graph.where}"
        kind, version = element.get("type", ""), element.get("version", "")
        if kind in BEFORE_OPSETS and version in ("extension", "experimental"):
            version = "opset6"
        self.info = TypeInfo(TYPES.get(kind, kind), version)
        self.name = name or f"{self.info.name}_{self.id}"
        data = element.find("data")
        self.result_names = _names(element.get("output_names", ""))
        self.data = {} if data is None else data.attrib
        self.ports = [self._port(i, port) for i, port in enumerate(element.iterfind("output/port"))]
        self.numbers = _numbers(element, "output")
        self.input_numbers = _numbers(element, "input")
        self.sources: list[Port] = []
        self.feeders: list[Layer] = []
        self.bodies: list[tuple[Graph, PortMap]] = []

    def _port(self, index: int, port: Element) -> Port:
        precision = port.get("precision", "")
        names = _names(port.get("names", ""))
        sizes = tuple(_size(self, dim.text) for dim in port.iterfind("dim"))
        element = PRECISIONS.get(precision, precision.lower())
        return Port(self, index, element, sizes, names)

    # --- what OpenVINO's nodes answer ---

    def get_name(self) -> str:
        return self.id

    def get_friendly_name(self) -> str:
        return self.name

    def get_type_name(self) -> str:
        return self.info.name

    def get_type_info(self) -> TypeInfo:
        return self.info

    def get_attributes(self) -> dict[str, str]:
        """As text; `text_attributes.py` says what they mean."""
        return Attributes((name, _text(value)) for name, value in self.data.items())

    def get_input_size(self) -> int:
        return len(self.sources)

    def input_value(self, index: int) -> Port:
        if index >= len(self.sources):
            raise DiagnosticException(f"has only {len(self.sources)} inputs")
        source = self.sources[index]
        return source.layer.ports[source.number]

    def get_output_size(self) -> int:
        return len(self.ports)

    def output(self, index: int) -> Port:
        return self.ports[index]

    def get_body(self) -> Graph:
        return self.get_function(0)

    def get_function(self, index: int = 0) -> Graph:
        return self._body(index)[0]

    def get_input_descriptions(self, index: int = 0) -> Sequence[Description]:
        return self._body(index)[1].inputs

    def get_output_descriptions(self, index: int = 0) -> Sequence[Description]:
        return self._body(index)[1].outputs

    def get_special_body_ports(self) -> tuple[int, int]:
        ports = self._body(0)[1]
        return ports.current_iteration, ports.condition

    def _body(self, index: int) -> tuple[Graph, PortMap]:
        if index >= len(self.bodies):
            raise DiagnosticException("has no body")
        return self.bodies[index]

    # --- what files say otherwise ---

    def declared(self, index: int) -> TensorType[Any]:
        """The type of an output; of a parameter as its attributes have it."""
        if self.info.name == "Parameter":
            return tensor_type(
                self.data.get("element_type", ""), _shape(self, self.data.get("shape"))
            )
        if index >= len(self.ports):
            raise DiagnosticException(f"{self.where} has no output {index}")
        return tensor_type(self.ports[index].element, self.ports[index].sizes)

    def is_as_declared(self) -> bool:
        """Whether a parameter or constant has the shape that its port says: else somebody has edited the file."""
        if self.info.name not in ("Parameter", "Constant") or not self.ports:
            return True
        try:
            return tuple(_shape(self, self.data.get("shape"))) == self.ports[0].sizes
        except DiagnosticException:
            return False

    def constant(self) -> BlobAttr:
        """Its data, a view of the .bin."""
        element = self.data.get("element_type", "")
        type = tensor_type(element, _shape(self, self.data.get("shape")))
        if not type.has_static_shape():
            raise DiagnosticException(f"its shape '{self.data.get('shape')}' must be numbers")
        offset, size = (_count(self, name, self.data.get(name)) for name in ("offset", "size"))
        needed = element_count(type) if element == "boolean" else byte_size(type)
        if size not in (needed, max(needed, 1)):  # an empty one is written as a byte
            raise DiagnosticException(
                f"its shape '{self.data.get('shape')}' takes {needed} bytes, and it has the size {size}"
            )
        raw = np.frombuffer(self.graph.file.bytes_of(offset, size), np.uint8)
        return constant_data(type, raw[:needed], packed=element == "u1")


class Weights:
    """The .bin, mapped when a constant first needs it."""

    def __init__(self, model: Path):
        self.model, self.path = model, model.with_suffix(".bin")
        self.data: memoryview | None = None

    def bytes_of(self, offset: int, size: int) -> memoryview:
        """A view. Raises SourceError where there is no file, or a shorter one."""
        if self.data is None:
            try:
                self.data = mapped(self.path)
            except FileNotFoundError:
                raise SourceError(
                    f"{self.path}: error: no such file; the weights belong beside {self.model.name}"
                ) from None
        if offset + size > len(self.data):
            raise SourceError(
                f"{self.path}: error: shorter than {self.model.name} says; it is truncated or another model's"
            )
        return self.data[offset : offset + size]


class Graph:
    """The model, or a body within it, with OpenVINO's names for what is asked of one."""

    def __init__(
        self,
        element: Element,
        file: Weights,
        version: int,
        where: str = "model",
        depth: int = 0,
    ):
        if depth > DEEPEST_BODY:
            raise DiagnosticException(f"more than {DEEPEST_BODY} bodies lie within one another")
        self.file, self.version, self.where = file, version, where
        self.layers: dict[str, Layer] = {}
        for each in element.iterfind("layers/layer"):
            layer = Layer(self, each)
            if layer.id in self.layers:
                raise DiagnosticException(
                    f"{layer.where} has the id {layer.id}, as another one has"
                )
            self.layers[layer.id] = layer
            for name, ports in BODIES.items():
                if (body := each.find(name)) is not None:
                    graph = Graph(body, file, version, f"body of {layer.where}", depth + 1)
                    layer.bodies.append((graph, PortMap.of(each, ports, graph, layer.where)))
        self._connect(element)
        self.parameters = [x for x in self.layers.values() if x.info.name == "Parameter"]
        self.results = [x for x in self.layers.values() if x.info.name == "Result"]
        self.variables = {
            layer.data.get("variable_id", ""): layer
            for layer in self.layers.values()
            if layer.info.name == "ReadValue"
        }
        for result in self.results:
            if not result.sources:
                raise DiagnosticException(f"{result.where} has no input")
        # OpenVINO's own order, for which it first looks for sinks.
        ends = [x for x in self.layers.values() if x.info.name in ("Result", "Assign")]
        reached = self._ordered(ends[::-1], with_reads=False)
        self.sinks = [layer for layer in reached if _is_sink(layer)]
        self.order = self._ordered([*self.results, *self.sinks, *self.parameters], with_reads=True)
        self._name_tensors(dict.fromkeys([*self.parameters, *reached]))
        self.read = {(port.layer, port.number) for layer in self.order for port in layer.sources}

    def _name_tensors(self, layers: Iterable[Layer]) -> None:
        """
        Those that feed results get their names, too, and in version 10 those of operations. Of several tensors with one
        name, later ones get a number behind it.
        """
        taken: set[str] = set()
        for layer in layers:
            if layer.info.name == "Result":
                source = layer.sources[0]
                names = layer.result_names
                if self.version == 10:
                    several = len(source.layer.ports) > 1
                    names = [source.layer.name + (f".{source.number}" if several else "")]
                self._add_names(source.layer, source.number, names, taken)
            for port in list(layer.ports):
                layer.ports[port.number] = port._replace(names=frozenset())
                names = port.names
                if self.version == 10 and layer.info.name == "Parameter":
                    names = [*names, layer.name]
                self._add_names(layer, port.number, names, taken)

    def _add_names(self, layer: Layer, index: int, names: Iterable[str], taken: set[str]) -> None:
        if index >= len(layer.ports):
            return
        port = layer.ports[index]
        found = set(port.names)
        for name in sorted(names):
            if name in found:
                continue
            number, free = 0, name
            while free in taken:
                number += 1
                free = f"{name}_{number}"
            found.add(free)
            taken.add(free)
        layer.ports[index] = port._replace(names=frozenset(found))

    def _connect(self, element: Element) -> None:
        """Each edge from a port to a port of layers that there are, one to each input."""
        found: dict[str, dict[int, Port]] = {}
        for edge in element.iterfind("edges/edge"):
            source, output = self._end(edge, "from")
            target, number = self._end(edge, "to")
            target.feeders.append(source)
            inputs = found.setdefault(target.id, {})
            if inputs.setdefault(number, source.ports[output]) is not source.ports[output]:
                raise DiagnosticException(f"input {number} of {target.where} has two edges")
        for id, inputs in found.items():
            layer = self.layers[id]
            if sorted(inputs) != list(range(len(inputs))):
                raise DiagnosticException(
                    f"{layer.where} has edges to its inputs {', '.join(map(str, sorted(inputs)))}; those before the "
                    "last one need one, too"
                )
            layer.sources = [inputs[number] for number in range(len(inputs))]

    def _end(self, edge: Element, end: str) -> tuple[Layer, int]:
        id, port = edge.get(f"{end}-layer", ""), edge.get(f"{end}-port", "")
        if (layer := self.layers.get(id)) is None:
            raise DiagnosticException(
                f"an edge of the {self.where} goes {end} layer '{id}', which there is not"
            )
        number = (layer.numbers if end == "from" else layer.input_numbers).get(port)
        if number is None:
            raise DiagnosticException(
                f"an edge of the {self.where} goes {end} port '{port}' of layer '{id}', which has none such"
            )
        return layer, number

    def _before(self, layer: Layer, with_reads: bool) -> Iterator[Layer]:
        """
        What has to come before a layer, the last one first: in the order of edges as OpenVINO makes operations, of
        inputs as it lists them, where an Assign comes behind the read of its variable, too.
        """
        if not with_reads:
            yield from layer.feeders
            return
        for port in reversed(layer.sources):
            yield port.layer
        if layer.info.name == "Assign":
            name = layer.data.get("variable_id", "")
            if name not in self.variables:
                raise DiagnosticException(
                    f"{layer.where} assigns the variable '{_text(name)}', which none of its layers reads"
                )
            yield self.variables[name]

    def _ordered(self, roots: Sequence[Layer], with_reads: bool) -> list[Layer]:
        """Layers that `roots` need, and these, each behind what it needs; depth first, the last root first."""
        order: dict[Layer, None] = {}
        begun: set[Layer] = set()
        stack = list(roots)
        while stack:
            layer = stack[-1]
            if layer in order:
                stack.pop()
                continue
            missing = [each for each in self._before(layer, with_reads) if each not in order]
            if not missing:
                order[stack.pop()] = None
                continue
            if layer in begun:
                raise DiagnosticException(f"{layer.where} needs its own result")
            begun.add(layer)
            stack += missing
        return list(order)

    def get_parameters(self) -> list[Layer]:
        return self.parameters

    def get_results(self) -> list[Layer]:
        return self.results

    def get_ordered_ops(self) -> list[Layer]:
        return self.order

    def is_as_declared(self) -> bool:
        """Whether the types that ports declare are those that OpenVINO inferred of its inputs and constants."""
        return all(
            layer.is_as_declared() and all(body.is_as_declared() for body, _ in layer.bodies)
            for layer in self.order
        )


def read_graph(path: Path) -> Graph:
    """The model of a file. Raises DiagnosticException where it is not a whole model."""
    root = _root(path.read_bytes())
    version = root.get("version", "")
    if version not in VERSIONS:
        raise DiagnosticException(
            f"version {version or 'none'} of OpenVINO IR is not read, only {' and '.join(VERSIONS)}; convert the "
            "model again with a newer OpenVINO"
        )
    return Graph(root, Weights(path), int(version))


def _root(data: bytes) -> Element:
    if b"<net" not in data[:4096]:
        raise DiagnosticException("not OpenVINO IR, which begins with <net …>")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DiagnosticException(f"line {line} is not UTF-8; copy the file again") from None
    if b"<!DOCTYPE" in data:
        raise DiagnosticException("has a document type, as no OpenVINO IR has")
    try:
        root = ElementTree.fromstring(_CONTROL.sub(_stand_in, data))
    except ElementTree.ParseError as error:
        raise DiagnosticException(f"not whole XML, {error}; copy the file again") from None
    if root.tag != "net":
        raise DiagnosticException(f"not OpenVINO IR, which begins with <net …>, not <{root.tag} …>")
    return root


def _stand_in(reference: re.Match[bytes]) -> bytes:
    decimal, hexadecimal = reference.groups()
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(_STANDS_FOR + code).encode()


_FORBIDDEN = {_STANDS_FOR + code: code for code in range(32)}


def _text(text: str) -> str:
    """With the characters that XML forbids."""
    return text if text.isascii() else text.translate(_FORBIDDEN)


def _names(text: str) -> frozenset[str]:
    """Those of a tensor; a comma within one has a backslash in front."""
    return frozenset(_text(name).replace("\\,", ",") for name in _SEPARATOR.split(text) if name)


def _numbers(layer: Element, side: str) -> dict[str, int]:
    """The places of ports by their ids."""
    ports: dict[str, int] = {}
    for number, port in enumerate(layer.iterfind(f"{side}/port")):
        ports.setdefault(port.get("id", ""), number)
    return ports


def _size(layer: Layer, text: str | None) -> int:
    try:
        size = int(text or "")
    except ValueError:
        size = -2
    if not -1 <= size < 2**63:
        raise DiagnosticException(f"{layer.where} has a dimension '{text}', which is no size")
    return size


def _count(layer: Layer, name: str, text: str | None) -> int:
    if text is None or not text.isascii() or not text.strip().isdigit() or len(text) > 20:
        raise DiagnosticException(f"its {name} '{text or ''}' must be a number of bytes")
    return int(text)


def _shape(layer: Layer, text: str | None) -> list[int]:
    """Of an attribute as `?,1..8,3`; a range that holds one size is that one."""
    if text is None:
        raise DiagnosticException(f"{layer.where} has no shape")
    inner = text.strip().removeprefix("[").removesuffix("]").strip()
    if inner == "...":
        raise DiagnosticException(UNKNOWN_RANK)
    return [_dimension(layer, each.strip()) for each in inner.split(",")] if inner else []


def _dimension(layer: Layer, text: str) -> int:
    if text == "?":
        return -1
    least, dots, most = text.partition("..")
    if not dots:
        return _size(layer, text)
    least, most = (_size(layer, each) if each.strip() else -1 for each in (least, most))
    return least if least == most else -1


def _is_sink(layer: Layer) -> bool:
    """Whether it assigns variables, itself or in a body."""
    return layer.info.name == "Assign" or any(body.sinks for body, _ in layer.bodies)
