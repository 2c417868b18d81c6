"""Resource variables as other converters write them: quantized, begun with numbers, assigned and read again."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from xdsl.dialects.builtin import TensorType, f32
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects import infra
from lowstream.interop.tflite import tflite_module
from lowstream.passes.nn_to_tfl.tensors import TensorQuantization
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.graph import Graph, Operator, Subgraph, Tensor
from lowstream.test.unit.interop.tflite.put_together import Part, number
from lowstream.test.unit.interop.tflite.serialize import serialize

GRID = TensorQuantization((0.05,), (-3,))
COARSE = TensorQuantization((0.4,), (10,))


class Stream(Part):
    """A subgraph that goes on from call to call."""

    def quantized(
        self, builtin: str, inputs: Sequence[Tensor], shape: Sequence[int], **options: Any
    ):
        result = self(builtin, inputs, shape, "int8", **options)
        result.quantization = GRID
        return result

    def handle(self, name: str) -> Tensor:
        options = {"container": "", "sharedName": name}
        return self("VAR_HANDLE", [], (1,), "resource", **options)

    def assign(self, name: str, value: Tensor) -> None:
        self.graph.operators.append(Operator("ASSIGN_VARIABLE", [self.handle(name), value], []))

    def read(self, name: str, shape: Sequence[int]) -> Tensor:
        return self.quantized("READ_VARIABLE", [self.handle(name)], shape)


def codes(array: Any, grid: TensorQuantization | None = GRID) -> Tensor:
    found = number(array, "int8")
    found.quantization = grid
    return found


def initializer(value: Tensor) -> Subgraph:
    once = Stream()
    once.assign("ring", value)
    return once.graph


def window(main: Stream, x: Tensor, kept: int) -> Tensor:
    """What came before and what comes now, of which the last part stays."""
    whole = main.quantized(
        "CONCATENATION", [main.read("ring", (1, kept)), x], (1, kept + 2), axis=1
    )
    masks = dict.fromkeys(("ellipsisMask", "newAxisMask", "shrinkAxisMask"), 0)
    limits = [number(n) for n in ([0, 2], [0, 0], [1, 1])]
    options = {"beginMask": 1, "endMask": 3, **masks}
    main.assign("ring", main.quantized("STRIDED_SLICE", [whole, *limits], (1, kept), **options))
    return whole


def ring(first: Tensor) -> bytes:
    main = Stream(x := Tensor((1, 2), "int8", quantization=GRID))
    main.graph.operators.append(Operator("CALL_ONCE", [], [], {"initSubgraphIndex": 1}))
    main.gives(window(main, x, kept=3))
    return serialize(Graph([main.graph, initializer(first)]))


def check(data: bytes, calls: int = 6) -> None:
    """LiteRT, the reference and the compiled model, call by call."""
    module = tflite_module(data)
    reference, request = Executor(module), lowstream.compile_model(module).create_infer_request()
    kernels = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES  # XNNPACK loses an assignment
    interpreter: Any = Interpreter(model_content=data, experimental_op_resolver_type=kernels)
    interpreter.allocate_tensors()
    (taken,), (given,) = interpreter.get_input_details(), interpreter.get_output_details()
    for call in range(calls):
        x: Array = np.random.default_rng(call).integers(-128, 128, taken["shape"], np.int8)
        interpreter.set_tensor(taken["index"], x)
        interpreter.invoke()
        expected = interpreter.get_tensor(given["index"])
        for ours in (reference.run([x])[0], request.infer([x])[0]):
            assert ours.dtype == np.int8
            np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize("grid", [GRID, None], ids=["codes", "bytes"])
def test_codes_that_are_kept_are_values(grid: TensorQuantization | None):
    data = ring(codes([[5, -128, 127]], grid))
    check(data)
    (state,) = (op for op in tflite_module(data).ops if isinstance(op, infra.VariableOp))
    assert state.type == TensorType(f32, [1, 3])


def test_a_variable_that_is_read_again_has_what_was_assigned():
    main = Stream(x := Tensor((1, 2), "int8", quantization=GRID))
    main.graph.operators.append(Operator("CALL_ONCE", [], [], {"initSubgraphIndex": 1}))
    before = main.read("ring", (1, 2))
    main.assign("ring", x)
    after = main.read("ring", (1, 2))
    main.assign("ring", before)
    main.gives(main.quantized("CONCATENATION", [before, after], (1, 4), axis=1))
    check(serialize(Graph([main.graph, initializer(codes([[7, 9]]))])))


def test_codes_of_another_scale_are_refused():
    with pytest.raises(
        DiagnosticException,
        match=r"^READ_VARIABLE: variable 'ring' is assigned in codes of another scale than it is read in; con",
    ):
        tflite_module(ring(codes([[1, 2, 3]], COARSE)))


def test_a_variable_of_unknown_size_is_refused():
    main = Stream(x := Tensor((1, 2), "int8", quantization=GRID))
    main.gives(window(main, x, kept=-1))
    with pytest.raises(DiagnosticException, match=r"variable 'ring' has no known size, \[1, -1\]"):
        tflite_module(serialize(Graph([main.graph])))
