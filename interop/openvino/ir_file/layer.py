"""A layer of an .xml and its ports, with the methods of OpenVINO's nodes that `graph.py` uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree.ElementTree import Element

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.utils.exceptions import DiagnosticException

from ....dialects.blob import BlobAttr
from ....dialects.names import SPELLED
from .. import refused
from ..elements import constant_data, constant_size, constant_type, tensor_type
from ..port_maps import Description, PortMap
from ..text_attributes import Attributes
from .text import count_of, names_of, numbers_of, ports_of, shape_of, size_of, text_of

if TYPE_CHECKING:
    from .graph import IrModel

OPSETS = frozenset(f"opset{number}" for number in refused.OPSETS)
"""The allowed versions of a layer."""

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
"""Operations that files also have with the version `extension` or `experimental`."""

PRECISIONS = {"FP64": "f64", "FP32": "f32", "FP16": "f16", "BOOL": "boolean", "BIN": "u1"}
"""Element types as ports spell them; in constants they are spelled differently."""


class TypeInfo(NamedTuple):
    name: str
    version_id: str


class LayerOutput(NamedTuple):
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
        """Whether the port has any readers, which is all that is asked."""
        return (self.layer, self.number) in self.layer.graph.read


class Layer:
    """An operation, with the methods of OpenVINO's nodes that are used here."""

    def __init__(self, graph: IrModel, element: Element):
        self.graph = graph
        self.id, name = element.get("id", ""), text_of(element.get("name", ""))
        self.where = f"layer '{name}' of the {graph.where}"
        kind, version = element.get("type", ""), element.get("version", "")
        if kind in BEFORE_OPSETS and version in ("extension", "experimental"):
            version = "opset6"
        self.info = TypeInfo(SPELLED.get(kind, kind), version)
        self.name = name or f"{self.info.name}_{self.id}"
        data = element.find("data")
        self.result_names = names_of(element.get("output_names", ""))
        self.data = {} if data is None else data.attrib
        outputs = ports_of(element, "output")
        self.ports = [self._port(i, port) for i, port in enumerate(outputs)]
        self.numbers = numbers_of(outputs)
        self.input_numbers = numbers_of(ports_of(element, "input"))
        self.sources: list[LayerOutput] = []
        self.feeders: list[Layer] = []
        self.bodies: list[tuple[IrModel, PortMap]] = []

    def _port(self, index: int, port: Element) -> LayerOutput:
        precision = port.get("precision", "")
        names = names_of(port.get("names", ""))
        sizes = tuple(size_of(self.where, dim.text) for dim in port if dim.tag == "dim")
        element = PRECISIONS.get(precision, precision.lower())
        return LayerOutput(self, index, element, sizes, names)

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
        """The attributes as text; `text_attributes.py` gives them types."""
        return Attributes((name, text_of(value)) for name, value in self.data.items())

    def get_input_size(self) -> int:
        return len(self.sources)

    def input_value(self, index: int) -> LayerOutput:
        if index >= len(self.sources):
            raise DiagnosticException(f"has only {len(self.sources)} inputs")
        source = self.sources[index]
        return source.layer.ports[source.number]

    def get_output_size(self) -> int:
        return len(self.ports)

    def output(self, index: int) -> LayerOutput:
        return self.ports[index]

    def get_body(self) -> IrModel:
        return self.get_function(0)

    def get_function(self, index: int = 0) -> IrModel:
        return self._body(index)[0]

    def get_input_descriptions(self, index: int = 0) -> Sequence[Description]:
        return self._body(index)[1].inputs

    def get_output_descriptions(self, index: int = 0) -> Sequence[Description]:
        return self._body(index)[1].outputs

    def get_special_body_ports(self) -> tuple[int, int]:
        ports = self._body(0)[1]
        return ports.current_iteration, ports.condition

    def _body(self, index: int) -> tuple[IrModel, PortMap]:
        if index >= len(self.bodies):
            raise DiagnosticException("has no body")
        return self.bodies[index]

    # --- what files say otherwise ---

    def declared(self, index: int) -> TensorType[Any]:
        """The declared type of an output; for a parameter, its attributes say it."""
        if self.info.name == "Parameter":
            return tensor_type(
                self.data.get("element_type", ""), shape_of(self.where, self.data.get("shape"))
            )
        if index >= len(self.ports):
            raise DiagnosticException(f"{self.where} has no output {index}")
        return tensor_type(self.ports[index].element, self.ports[index].sizes)

    def is_as_declared(self) -> bool:
        """Whether a parameter or constant has the shape of its port; if not, somebody has edited the file."""
        if self.info.name not in ("Parameter", "Constant") or not self.ports:
            return True
        try:
            return tuple(shape_of(self.where, self.data.get("shape"))) == self.ports[0].sizes
        except DiagnosticException:
            return False

    def constant(self) -> BlobAttr:
        """The elements of a constant, as a view of the .bin."""
        element = self.data.get("element_type", "")
        type = constant_type(element, shape_of(self.where, self.data.get("shape")))
        if not type.has_static_shape():
            raise DiagnosticException(f"its shape '{self.data.get('shape')}' must be numbers")
        offset, size = (count_of(name, self.data.get(name)) for name in ("offset", "size"))
        needed = constant_size(element, type)
        if size not in (needed, max(needed, 1)):  # an empty one is written as a byte
            raise DiagnosticException(
                f"its shape '{self.data.get('shape')}' takes {needed} bytes, and it has the size {size}"
            )
        raw = np.frombuffer(self.graph.file.bytes_of(offset, size), np.uint8)
        return constant_data(type, raw[:needed], element)
