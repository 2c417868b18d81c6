"""
A node of an OpenVINO model as the operation of the same name.

Most operations need no line here: `MatMul` becomes `nn.mat_mul`, which says that it is known as that, and its
attributes become properties of the same name, in the form that the property's constraint takes. What versions before
the newest spell differently is in `versions.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import OptPropertyDef, VariadicDef
from xdsl.utils.exceptions import DiagnosticException

from ...dialects import nn
from ...dialects.element_names import OPENVINO as ELEMENTS
from ...dialects.inferred import InferredOp
from ...dialects.names import namesakes
from ...passes.shapes.read_sizes import ReadSizes
from ..property_attributes import attribute_of
from .elements import sizes_of, tensor_type
from .ir_file import Layer
from .refused import refusal
from .text_attributes import read_as
from .versions import normalize


class Values(dict[tuple[str, int], SSAValue]):
    """
    The values made so far, by the node's unique name and the number of its output, what is known of sizes, and whether
    results have the types that nodes say, or those that follow from operands.
    """

    def __init__(self, sizes: ReadSizes, declared: bool):
        super().__init__()
        self.sizes, self.declared = sizes, declared

    def replace(self, node: Any, replacements: Mapping[SSAValue, SSAValue]) -> None:
        """Outputs of this node that have a replacement are that."""
        for index in range(node.get_output_size()):
            key = node.get_name(), index
            if key in self:
                self[key] = replacements.get(self[key], self[key])


def label_of(node: Any) -> str:
    """How errors name a node: by type, version and name."""
    info = node.get_type_info()
    return f"{info.name} ({info.version_id}) '{node.get_friendly_name()}'"


def operand(node: Any, index: int, values: Values) -> SSAValue:
    """The value of an input. Raises DiagnosticException where the node that it comes from has no such output."""
    source = node.input_value(index)
    key = source.get_node().get_name(), source.get_index()
    if key not in values:
        raise DiagnosticException(
            f"its input {index} is output {key[1]} of '{source.get_node().get_friendly_name()}', which has none such"
        )
    return values[key]


def operands_of(node: Any, values: Values) -> list[SSAValue]:
    """The values of all inputs."""
    return [operand(node, index, values) for index in range(node.get_input_size())]


def output_type(node: Any, index: int) -> TensorType[Any]:
    """The type that the model gives an output."""
    if isinstance(node, Layer):
        return node.declared(index)
    element = node.get_output_element_type(index).get_type_name()
    return tensor_type(element, sizes_of(node.get_output_partial_shape(index)))


def attributes_of(node: Any, cls: type[InferredOp]) -> dict[str, Any]:
    """The attributes of a node. In a file they are text; the properties of the operation say which type they have."""
    attributes = node.get_attributes()
    return read_as(cls, attributes) if isinstance(node, Layer) else attributes


@cache
def operation_classes() -> dict[str, type[InferredOp]]:
    """The operations by OpenVINO's names of their types, in small letters: files and nodes differ in capitals."""
    return {name.lower(): op for name, op in namesakes("openvino", InferredOp).items()}


def namesake(node: Any, values: Values, outputs: int | None = None) -> list[Operation]:
    """The operation of the same name, with the first `outputs` of the node's outputs."""
    cls = operation_classes().get(node.get_type_name().lower())
    if cls is None:
        raise DiagnosticException(
            f"this operation is not supported: {refusal(node.get_type_name())}"
        )
    operands = operands_of(node, values)
    if not operands and cls.get_irdl_definition().operands:
        raise DiagnosticException("has no inputs")
    try:
        attributes, operands = normalize(node.get_type_name(), attributes_of(node, cls), operands)
    except IndexError:
        raise DiagnosticException(f"has only {len(operands)} inputs") from None
    check_inputs(cls, operands)
    types = [output_type(node, i) for i in range(outputs or node.get_output_size())]
    new = [
        v.owner for v in operands if isinstance(v.owner, nn.ConstantOp) and v.owner.parent is None
    ]
    properties = properties_of(cls, attributes)
    return [*new, cls.create(operands=operands, result_types=types, properties=properties)]


def check_inputs(cls: type[InferredOp], operands: Sequence[SSAValue]) -> None:
    """Raises DiagnosticException where an operation has not as many as it needs."""
    definitions = [each for _, each in cls.get_irdl_definition().operands]
    needed = sum(not isinstance(each, VariadicDef) for each in definitions)
    if len(operands) < needed or (len(operands) > needed == len(definitions)):
        raise DiagnosticException(f"has {len(operands)} inputs, and takes {needed}")


def properties_of(cls: type[InferredOp], attributes: dict[str, Any]) -> dict[str, Attribute]:
    """The properties of an operation. Raises DiagnosticException where it has no such attribute or one is missing."""
    definitions = cls.get_irdl_definition().properties
    properties = {
        name: definition.default_value
        for name, definition in definitions.items()
        if definition.default_value is not None
    }
    for name, value in attributes.items():
        if name not in definitions:
            raise DiagnosticException(f"attribute {name} = {value!r} is not supported")
        properties[name] = _property(cls, name, value)
    for name, definition in definitions.items():
        if name not in properties and not isinstance(definition, OptPropertyDef):
            raise DiagnosticException(f"attribute {name} is missing")
    return properties


def _property(cls: type[InferredOp], name: str, value: Any) -> Attribute:
    """An attribute as a property. Most nodes have the attributes of others, and are read once."""
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    if all(isinstance(each, int | float | str) for each in items):
        return _known_property(cls, name, repr(items), isinstance(value, list), *items)
    return _new_property(cls, name, value)


@lru_cache(maxsize=4096)
def _known_property(
    cls: type[InferredOp], name: str, text: str, is_list: bool, *items: float | str
) -> Attribute:
    """The `text` tells apart what Python takes to be equal, as True and 1."""
    return _new_property(cls, name, list(items) if is_list else items[0])


def _new_property(cls: type[InferredOp], name: str, value: Any) -> Attribute:
    constraint = cls.get_irdl_definition().properties[name].constr
    return attribute_of(name, value, constraint, ELEMENTS)
