"""How a layer's bodies are joined with its inputs and outputs, as an .xml says it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element

from xdsl.utils.exceptions import DiagnosticException

from ...passes.digits import integer

if TYPE_CHECKING:
    from .ir_file import IrModel


class Kind(NamedTuple):
    name: str


@dataclass(frozen=True)
class Description:
    """An input or output of a body, with the names that OpenVINO has for what it says."""

    kind: str
    input_index: int = 0
    output_index: int = 0
    body_parameter_index: int = 0
    body_value_index: int = 0
    axis: int = 0
    start: int = 0
    end: int = 0
    stride: int = 0
    part_size: int = 0
    iteration: int = -1

    def get_type_info(self) -> Kind:
        return Kind(self.kind)


@dataclass(frozen=True)
class PortMap:
    """What belongs to one body."""

    inputs: Sequence[Description] = field(default_factory=list[Description])
    outputs: Sequence[Description] = field(default_factory=list[Description])
    current_iteration: int = -1
    """The number of the body's parameter that is it, or -1."""

    condition: int = -1
    """The number of the body's result that says whether to go on, or -1."""

    @classmethod
    def of(cls, layer: Element, name: str, body: IrModel, where: str) -> PortMap:
        """Raises DiagnosticException where it names parameters, results or numbers that are none."""
        reader = _Reader(where, body)
        back: dict[str, str] = {}
        for edge in layer.iterfind("back_edges/edge"):
            back.setdefault(edge.get("to-layer", ""), edge.get("from-layer", ""))
        inputs: list[Description] = []
        outputs: list[Description] = []
        current = condition = -1
        for number, port in reader.inputs(layer, name):
            if port.get("purpose") == "current_iteration":
                current = reader.parameter(port)
            if (description := reader.input(number, port, back)) is not None:
                inputs.append(description)
        for number, port in reader.outputs(layer, name):
            value = reader.value(port)
            if port.get("purpose") == "execution_condition":
                condition = value
            if number >= 0:
                outputs.append(reader.output(len(outputs), port, value))
        return cls(inputs, outputs, current, condition)


@dataclass(frozen=True)
class _Reader:
    where: str
    body: IrModel

    def inputs(self, layer: Element, name: str) -> list[tuple[int, Element]]:
        """The ports of inputs in the order of their numbers; those of no input come last."""
        ports = self.by_number(layer, f"{name}/input")
        return sorted(ports, key=lambda each: (each[0] < 0, each[0]))

    def outputs(self, layer: Element, name: str) -> list[tuple[int, Element]]:
        """The ports of outputs in the order of their numbers."""
        return sorted(self.by_number(layer, f"{name}/output"), key=lambda each: each[0])

    def input(self, number: int, port: Element, back: Mapping[str, str]) -> Description | None:
        """What a port says of an input, given the edges from results back to parameters; None for no input."""
        parameter, result = self.parameter(port), back.get(port.get("internal_layer_id", ""))
        if "axis" in port.attrib:
            return Description(
                "SliceInputDescription",
                input_index=number,
                body_parameter_index=parameter,
                **self.slicing(port),
            )
        if result is not None:
            value = self.place(result, "Result")
            return Description("MergedInputDescription", number, 0, parameter, value)
        if number >= 0:
            return Description("InvariantInputDescription", number, 0, parameter)
        return None

    def output(self, number: int, port: Element, value: int) -> Description:
        """What a port says of an output that a result of the body gives."""
        if "axis" not in port.attrib:
            return Description("BodyOutputDescription", 0, number, 0, value)
        return Description(
            "ConcatOutputDescription",
            output_index=number,
            body_value_index=value,
            **self.slicing(port),
        )

    def parameter(self, port: Element) -> int:
        """The number of the body's parameter that an input is for."""
        return self.place(port.get("internal_layer_id", ""), "Parameter")

    def value(self, port: Element) -> int:
        """The number of the body's result that an output is of."""
        return self.place(port.get("internal_layer_id", ""), "Result")

    def by_number(self, layer: Element, path: str) -> Iterator[tuple[int, Element]]:
        """Ports with the numbers of the layer's inputs or outputs; of several with the same, the first."""
        found: dict[int, Element] = {}
        for port in layer.iterfind(path):
            found.setdefault(self.integer(port, "external_port_id"), port)
        yield from found.items()

    def integer(self, port: Element, name: str, default: int | None = None) -> int:
        text = port.get(name)
        if text is None and default is not None:
            return default
        number = integer((text or "").strip())
        if number is None or not -(2**63) <= number < 2**63:
            raise DiagnosticException(
                f"{self.where} has the {name} '{text or ''}' in its port map, which is not a number"
            )
        return number

    def slicing(self, port: Element) -> dict[str, int]:
        defaults = {"axis": None, "start": 0, "end": -1, "stride": 1, "part_size": 1}
        return {name: self.integer(port, name, default) for name, default in defaults.items()}

    def place(self, id: str, kind: str) -> int:
        """Which parameter or result of the body a layer is."""
        layers = self.body.parameters if kind == "Parameter" else self.body.results
        for place, layer in enumerate(layers):
            if layer.id == id:
                return place
        raise DiagnosticException(
            f"{self.where} names layer '{id}' in its port map, which is no {kind} of its body"
        )
