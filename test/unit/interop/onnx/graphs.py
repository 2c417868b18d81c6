"""Small ONNX models, and what ONNX Runtime makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from lowstream import compile_model, read_model
from lowstream.test.unit.interop.onnx.sessions import session_of

Array = np.ndarray[Any, Any]

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
FLOAT16, INT32, UINT8 = TensorProto.FLOAT16, TensorProto.INT32, TensorProto.UINT8


def node(type: str, inputs: str, outputs: str, **attributes: Any) -> NodeProto:
    """A node that is called as its first output; `-` is an input that is left out."""
    given = ["" if name == "-" else name for name in inputs.split()]
    return helper.make_node(type, given, outputs.split(), outputs.split()[0], **attributes)


def model(
    nodes: Sequence[NodeProto],
    inputs: Mapping[str, tuple[int, Sequence[int | str]]],
    outputs: str,
    constants: Mapping[str, Array] | None = None,
    opset: int = 21,
    functions: Sequence[Any] = (),
) -> ModelProto:
    """Inputs with element types and shapes; outputs whose types nobody says."""
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info(name, *type) for name, type in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in outputs.split()],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    imports = [
        helper.make_opsetid("", opset),
        *(helper.make_opsetid(f.domain, 1) for f in functions),
    ]
    return helper.make_model(graph, opset_imports=imports, functions=list(functions), ir_version=10)


def runtime(proto: ModelProto, feeds: dict[str, Array]) -> list[Array]:
    """What ONNX Runtime gives."""
    return session_of(proto.SerializeToString()).run(None, feeds)  # pyright: ignore[reportReturnType]


def check(proto: ModelProto, feeds: dict[str, Array], tolerance: float = 1e-5) -> None:
    """Compiled, the model gives what ONNX Runtime gives: types, shapes and values."""
    request = compile_model(read_model(proto)).create_infer_request()
    results = request.infer(feeds)
    names = [output.name for output in proto.graph.output]
    for k, (name, wanted) in enumerate(zip(names, runtime(proto, feeds), strict=True)):
        given = np.asarray(results[k])
        assert (given.dtype, given.shape) == (wanted.dtype, wanted.shape), name
        np.testing.assert_allclose(given, wanted, tolerance, tolerance, err_msg=name)


def random(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
