"""Files put together operator by operator, and run in LiteRT's interpreter as what is read of them is here."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from xdsl.dialects.builtin import ModuleOp

import lowstream
from lowstream.interop.tflite import tflite_module
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Operator, Subgraph, Tensor


def by_litert(data: bytes, inputs: Sequence[Array]) -> list[Array]:
    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter: Any = Interpreter(model_content=data, experimental_op_resolver_type=kernels)
    interpreter.allocate_tensors()
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]


def check(data: bytes, *inputs: Array, compiled: bool = True) -> ModuleOp:
    """Reads a file and runs it in the reference and compiled, against LiteRT's interpreter. Returns the module."""
    module, expected = tflite_module(data), by_litert(data, inputs)
    ways = [Executor(module).run(inputs)]
    if compiled:
        ways.append(list(lowstream.compile_model(module).create_infer_request().infer(inputs)))
    for ours in ways:
        for mine, theirs in zip(ours, expected, strict=True):
            assert mine.shape == theirs.shape and mine.dtype == theirs.dtype
            np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)
    return module


def noise(*shape: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


class Part:
    """A subgraph while it is put together."""

    def __init__(self, *inputs: Tensor):
        self.graph = Subgraph("part", list(inputs))

    def __call__(
        self,
        builtin: str,
        inputs: Sequence[Tensor | None],
        shape: Sequence[int],
        element: str = "float32",
        **options: Any,
    ) -> Tensor:
        result = Tensor(tuple(shape), element)
        self.graph.operators.append(Operator(builtin, inputs, [result], options))
        return result

    def gives(self, *outputs: Tensor) -> Subgraph:
        self.graph.outputs = list(outputs)
        return self.graph


def number(value: Any, element: str = "int32") -> Tensor:
    array = np.array(value, element)
    return Tensor(array.shape, element, data=array)
