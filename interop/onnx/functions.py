"""Functions: those of a model, and those that define ONNX's own operators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.inferred import tensor
from .elements import type_proto
from .node import Value
from .package import DEFAULT, import_onnx


@dataclass(frozen=True)
class Functions:
    """A model's functions, by domain, name and overload."""

    own: dict[tuple[str, str, str], Any]

    @classmethod
    def of(cls, proto: Any) -> Functions:
        return cls({(_domain(f.domain), f.name, f.overload): f for f in proto.functions})

    def local(self, proto: Any) -> Any | None:
        """The model's function that a node calls."""
        return self.own.get((_domain(proto.domain), proto.op_type, proto.overload))

    def of_schema(
        self,
        schema: Any,
        opset: int,
        proto: Any,
        attributes: dict[str, Any],
        inputs: Sequence[Value],
    ) -> Any | None:
        """The function that defines an ONNX operator for these inputs, if there is one."""
        onnx = import_onnx()
        if schema.has_function:
            versions = [v for v in schema.function_opset_versions if v <= opset]
            made = schema.get_function_with_opset_version(max(versions)) if versions else b""
        elif schema.has_context_dependent_function:
            node = onnx.NodeProto()
            node.CopyFrom(proto)
            del node.attribute[:]
            node.attribute.extend(attributes.values())
            types = [_type_of(value) for value in inputs]
            versions = [v for v in schema.context_dependent_function_opset_versions if v <= opset]
            made = (
                schema.get_context_dependent_function_with_opset_version(
                    max(versions), node.SerializeToString(), types
                )
                if versions
                else b""
            )
        else:
            return None
        function = onnx.FunctionProto()
        function.ParseFromString(made)
        return function if made else None


def _type_of(value: Value) -> bytes:
    """A TypeProto, serialized; empty for an input that is left out."""
    if not isinstance(value, SSAValue):
        return import_onnx().TypeProto().SerializeToString()
    return type_proto(tensor(value)).SerializeToString()


def _domain(domain: str) -> str:
    return "" if domain in DEFAULT else domain
