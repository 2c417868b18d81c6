"""Constants and conversions of element types."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IntegerType, Signedness, TensorType, f8E8M0FNU, f32, i1, i64
from xdsl.ir import Attribute, SSAValue

from ....dialects import nn
from ....dialects.blob import BlobAttr
from ....dialects.elements import bits_of, is_integer, is_small_float, largest_of
from ....dialects.inferred import tensor
from ..elements import element_of
from ..node import Node, Values
from ..rule_table import rule

U8 = IntegerType(8, Signedness.UNSIGNED)


@rule("Constant")
def constant(node: Node) -> Values:
    """Elements or numbers, in one of its attributes."""
    (name, value), *_ = node.attributes.items()
    match name:
        case "value" | "sparse_value":
            return node.scope.constant(value, "")
        case "value_float" | "value_floats":
            element: Attribute = f32
        case "value_int" | "value_ints":
            element = i64
        case _:
            raise node.refuse(
                f"attribute {name} is not supported; tensors of strings are none here"
            )
    values = np.atleast_1d(value).tolist()
    shape = [len(values)] if name.endswith("s") else []
    return node.write.constant(BlobAttr.of(TensorType(element, shape), values))


@rule("Identity")
def identity(node: Node) -> Values:
    return node.value(0)


@rule("Dropout")
def dropout(node: Node) -> Values:
    """The input: in inference nothing is dropped."""
    training = [0] if node.version < 12 or node.get(2) is None else node.known(2)
    ratio = node.get(1)
    if training is None or any(training):
        blob = None if ratio is None else nn.constant_of(ratio)
        if blob is None or any(blob.data.values()):
            raise node.refuse("training_mode is on, or computed; export the model for inference")
    x = node[0]
    if not node.uses(1):
        return x
    kept = node.write(nn.EqualOp, x, x)
    return [x, node.write(nn.LogicalOrOp, kept, node.write(nn.LogicalNotOp, kept))]


def converted(node: Node, value: SSAValue, element: Attribute) -> SSAValue:
    """A value in another element type; as a boolean, whether it is not 0."""
    return node.write.converted(value, element)


@rule("Cast")
def cast(node: Node) -> Values:
    return _cast(node, element_of(node.needed("to")))


@rule("CastLike")
def cast_like(node: Node) -> Values:
    return _cast(node, node.element(1))


@rule("BitCast")
def bit_cast(node: Node) -> Values:
    """Between integers of the same width, a conversion does the same."""
    element = node.type_named("to")
    assert element is not None
    x = node[0] if node.element() != i1 else converted(node, node[0], U8)
    source = tensor(x).element_type
    if bits_of(source) != bits_of(element):
        raise node.refuse(f"{source} and {element} have different numbers of bits; use Cast")
    if source == element or (is_integer(source) and is_integer(element)):
        return converted(node, x, element)
    return node.write(nn.BitcastOp, x, destination_type=element)


def _cast(node: Node, element: Attribute) -> SSAValue:
    mode = node("round_mode", "up")
    if element == f8E8M0FNU and node.element(0) != element and mode != "nearest":
        raise node.refuse(f"round_mode '{mode}' is not supported; use 'nearest'")
    return (saturated if node("saturate", 1) else converted)(node, node[0], element)


def saturated(node: Node, value: SSAValue, element: Attribute) -> SSAValue:
    """The same, but numbers beyond the largest 8-bit float become that."""
    if not is_small_float(element) or tensor(value).element_type == element:
        return converted(node, value, element)
    if is_integer(tensor(value).element_type):
        value = converted(node, value, f32)
    most = largest_of(element)
    if element.SEMANTICS.has_sign and most < largest_of(tensor(value).element_type):
        value = node.write.clamp(value, -most, most)
    return converted(node, value, element)
