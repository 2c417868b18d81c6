"""What is wrong with a node that its operator's rule could not read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue

from ...dialects.blob import element_count
from ...dialects.inferred import shape_of, tensor
from ...dialects.nn.constant import constant_of
from ...reference.arrays import array_of
from .elements import data_type_of
from .node import Value
from .package import DEFAULT, import_onnx, schema_of

MOST_ELEMENTS = 1024
"""Of constants that shape inference may look at: axes, sizes and the like."""


def what_is_invalid(
    proto: Any, inputs: Sequence[Value], opsets: Mapping[str, int], error: Exception
) -> str:
    """The reason that ONNX's shape inference gives; where it gives none, what the rule failed with."""
    given = ", ".join(
        str(value.type) if isinstance(value, SSAValue) else "none" for value in inputs
    )
    reason = _inferred(proto, inputs, opsets) or f"{type(error).__name__}: {error}"
    return f"its inputs ({given}) and attributes do not fit ({reason}); export the model again"


def _inferred(proto: Any, inputs: Sequence[Value], opsets: Mapping[str, int]) -> str | None:
    """What ONNX's shape inference refuses; None where it finds nothing, or inputs are no tensors."""
    onnx = import_onnx()
    domain = "" if proto.domain in DEFAULT else proto.domain
    schema = schema_of(proto.op_type, opsets.get(domain, 1), domain)
    if schema is None:
        return None
    types, data = dict[str, Any](), dict[str, Any]()
    for name, value in zip(proto.input, inputs, strict=True):
        if not name:
            continue
        if not isinstance(value, SSAValue):
            return None
        number = data_type_of(tensor(value).element_type)
        sizes = [None if size == DYNAMIC_INDEX else size for size in shape_of(value)]
        types[name] = onnx.helper.make_tensor_type_proto(number, sizes)
        constant = constant_of(value)
        if constant is not None and element_count(constant.type) <= MOST_ELEMENTS:
            data[name] = onnx.numpy_helper.from_array(array_of(constant), name)
    imports = [onnx.helper.make_opsetid(name, version) for name, version in opsets.items()]
    its_own = onnx.shape_inference.InferenceError, onnx.checker.ValidationError
    try:
        onnx.shape_inference.infer_node_outputs(schema, proto, types, data, opset_imports=imports)
    except (*its_own, RuntimeError, ValueError) as said:
        return str(said).rsplit("]", 1)[-1].strip() or None
    return None
