"""A random operator of ONNX, and the model of it in one of the versions that have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from onnx import ModelProto, defs, helper, numpy_helper

from lowstream.test.fuzz.operations.case import Array, Draw

OPSETS = range(7, 25)


@dataclass(frozen=True)
class OnnxCase:
    """Inputs have the names of the newest version; None is one that is left out."""

    type: str
    inputs: Mapping[str, Array | None]
    attributes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outputs: int = 1
    fixed: Sequence[str] = ()
    """Names of inputs that are constants."""
    tolerance: float = 1e-5
    peer: bool = True
    """Whether ONNX Runtime computes it as its specification says; else only the reference does."""
    domain: str = ""
    least: int = OPSETS[0]
    """The first version that has these attributes in this meaning."""
    most: int = OPSETS[-1]
    """The last version of which ONNX Runtime has a kernel."""

    @property
    def name(self) -> str:
        shapes = " ".join(
            "-" if a is None else f"{a.dtype}{list(a.shape)}" for a in self.inputs.values()
        )
        said = " ".join(f"{name}={value}" for name, value in self.attributes.items())
        return f"{self.type} {shapes} {said}"


@dataclass(frozen=True)
class Written:
    """A case as a model of one version, and its inputs."""

    model: ModelProto
    feeds: Mapping[str, Array]
    opset: int
    is_static: bool


def written(case: OnnxCase, draw: Draw, dynamic: bool) -> Written:
    """Some inputs are constants. Raises LookupError where the drawn version says it otherwise."""
    opset = draw.number(case.least, case.most)
    if draw.flag():
        opset = case.most
    schema = _schema(case, opset)
    inputs, attributes = dict(case.inputs), dict(case.attributes)
    if case.domain == "":
        _as_attributes(inputs, attributes, schema)
    if unknown := [name for name in attributes if name not in schema.attributes]:
        raise LookupError(unknown[0])
    constants: dict[str, Array] = {}
    feeds: dict[str, Array] = {}
    for number, (name, array) in enumerate(inputs.items()):
        if array is None:
            continue
        is_fixed = name in case.fixed or (number and draw.flag(0.35))
        (constants if is_fixed else feeds)[name] = array
    ports = []
    is_static = True
    for name, array in feeds.items():
        unknown = [dynamic and draw.flag() for _ in array.shape]
        is_static &= not any(unknown)
        shape = [
            f"{name}{i}" if u else s
            for i, (u, s) in enumerate(zip(unknown, array.shape, strict=True))
        ]
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        ports.append(helper.make_tensor_value_info(name, kind, shape))
    given = [name if array is not None else "" for name, array in inputs.items()]
    results = [f"result{i}" for i in range(case.outputs)]
    node = helper.make_node(case.type, given, results, domain=case.domain, **attributes)
    graph = helper.make_graph(
        [node],
        "graph",
        ports,
        [helper.make_empty_tensor_value_info(name) for name in results],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    imports = [helper.make_opsetid("", opset)]
    if case.domain:
        imports.append(helper.make_opsetid(case.domain, 1))
    model = helper.make_model(graph, opset_imports=imports, ir_version=10)
    return Written(model, feeds, opset, is_static)


def _schema(case: OnnxCase, opset: int) -> Any:
    if case.domain:
        return _Anything()
    try:
        return defs.get_schema(case.type, opset, "")
    except defs.SchemaError:
        raise LookupError(case.type) from None


class _Anything:
    """The schema of an operator that ONNX does not know."""

    class _All:
        def __contains__(self, name: object) -> bool:
            return True

    attributes = _All()


def _as_attributes(
    inputs: dict[str, Array | None], attributes: dict[str, Any], schema: Any
) -> None:
    """Inputs that older versions have as attributes become those."""
    known = len(schema.inputs)
    if schema.inputs and schema.inputs[-1].option == defs.OpSchema.FormalParameterOption.Variadic:
        return
    for number, (name, array) in enumerate(list(inputs.items())):
        as_attribute = {"K": "k", "constant_value": "value"}.get(name, name)
        if number < known and as_attribute not in schema.attributes:
            continue
        del inputs[name]
        if array is None:
            continue
        if as_attribute not in schema.attributes or not array.size:
            raise LookupError(name)
        attributes[as_attribute] = array.tolist() if array.ndim else array.item()
    while inputs and [*inputs.values()][-1] is None:
        inputs.popitem()


def some(draw: Draw, *shape: int, types: Sequence[Any]) -> Array:
    return np.asarray(draw.array(draw.one(*types), *shape))
