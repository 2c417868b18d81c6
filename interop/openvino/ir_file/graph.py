"""The graph of an .xml, or of a body within it: the layers that its outputs need, in OpenVINO's order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.etree.ElementTree import Element

from xdsl.utils.exceptions import DiagnosticException

from ..port_maps import PortMap
from .layer import Layer, LayerOutput
from .text import notes_in, text_of
from .weights import Weights

DEEPEST_BODY = 64
"""How deep bodies may be nested."""

BODIES = {"body": "port_map", "then_body": "then_port_map", "else_body": "else_port_map"}
"""The element names of bodies and of their port maps."""


class IrModel:
    """The model, or a body in it, with the methods of OpenVINO's models that are used here."""

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
        self.name = element.get("name", "")
        self.notes = notes_in(element.find("rt_info"))
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
                    graph = IrModel(body, file, version, f"body of {layer.where}", depth + 1)
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
        Names tensors. Those that feed results get the names of these, too, and in version 10 those of operations. Of
        several tensors with one name, later ones get a number appended.
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
        """Connects ports by edges. Each edge must join existing layers, and each input have one edge."""
        found: dict[str, dict[int, LayerOutput]] = {}
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
        The layers that must come before a layer, the last one first: in the order of edges as OpenVINO creates
        operations, or of inputs as it lists them. An Assign comes after the read of its variable.
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
                    f"{layer.where} assigns the variable '{text_of(name)}', which none of its layers reads"
                )
            yield self.variables[name]

    def _ordered(self, roots: Sequence[Layer], with_reads: bool) -> list[Layer]:
        """The layers that `roots` need, and these, in topological order: depth first, the last root first."""
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

    def take_apart(self) -> None:
        """
        Breaks the references between layers, so that their memory is freed at once. They take as much memory as the
        module that was made of them, and no garbage is collected while a model is compiled.
        """
        for layer in self.layers.values():
            for body, _ in layer.bodies:
                body.take_apart()
            vars(layer).clear()
        vars(self).clear()

    def get_friendly_name(self) -> str:
        return self.name

    def get_rt_info(self) -> dict[str, Any]:
        return self.notes

    def get_parameters(self) -> list[Layer]:
        return self.parameters

    def get_results(self) -> list[Layer]:
        return self.results

    def get_ordered_ops(self) -> list[Layer]:
        return self.order

    def is_as_declared(self) -> bool:
        """Whether the types that ports declare are those that OpenVINO would infer from the inputs and constants."""
        return all(
            layer.is_as_declared() and all(body.is_as_declared() for body, _ in layer.bodies)
            for layer in self.order
        )


def _is_sink(layer: Layer) -> bool:
    """Whether a layer assigns variables, itself or in a body."""
    return layer.info.name == "Assign" or any(body.sinks for body, _ in layer.bodies)
