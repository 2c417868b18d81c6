"""Runs what was written in LiteRT's own interpreter."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from xdsl.dialects.builtin import ModuleOp

from lowstream.interop.tflite import tflite_bytes
from lowstream.reference.arrays import Array
from lowstream.test.unit.interop.tflite.graph import Graph
from lowstream.test.unit.interop.tflite.serialize import parse


class LiteRt:
    """A written module, ready to run; its inputs and outputs are in the module's order."""

    def __init__(self, module: ModuleOp, delegated: bool = True):
        self.data = tflite_bytes(module)
        kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        self.interpreter: Any = Interpreter(
            model_content=self.data,
            experimental_op_resolver_type=OpResolverType.AUTO if delegated else kernels,
        )
        self.interpreter.allocate_tensors()

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        details = self.interpreter.get_input_details()
        assert len(details) == len(inputs)
        for detail, array in zip(details, inputs, strict=True):
            if tuple(detail["shape"]) != array.shape:
                self.interpreter.resize_tensor_input(detail["index"], array.shape)
        self.interpreter.allocate_tensors()
        for detail, array in zip(details, inputs, strict=True):
            self.interpreter.set_tensor(detail["index"], np.asarray(array, order="C"))
        self.interpreter.invoke()
        return [
            self.interpreter.get_tensor(detail["index"])
            for detail in self.interpreter.get_output_details()
        ]

    def reset(self) -> None:
        self.interpreter.reset_all_variables()

    @property
    def graph(self) -> Graph:
        """What the file holds."""
        return parse(self.data)

    @property
    def operators(self) -> list[str]:
        """The builtins in the order of the file."""
        return [op.builtin for op in self.graph.subgraphs[0].operators]
