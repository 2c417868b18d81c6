"""LSTM, GRU and RNN whose weights, inputs and first states come from DequantizeLinear: what ONNX Runtime gives."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import ModelProto, NodeProto

from lowstream import compile_model, read_model
from lowstream.dialects import nn
from lowstream.dialects.elements import bits_of
from lowstream.dialects.inferred import tensor
from lowstream.passes.pipeline import run_passes
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.onnx.graphs import FLOAT, Array, model, node, runtime
from lowstream.test.unit.pairwise import each_pair

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
PRODUCTS = {"LSTM": 3, "GRU": 6, "RNN": 3}
"""For each direction: X, and two codes of H."""

SCALES = {"tensor": -1, "direction": 0, "row": 1}
"""What has a scale, and the number of its dimension."""

TOLERANCE = 2e-4
"""Two codes of H have 16 bits; a step of a layer passes on what they leave."""


@dataclass(frozen=True)
class Layer:
    kind: str = "LSTM"
    direction: str = "forward"
    linear: int = 0
    element: str = "int8"
    scales: str = "row"
    zero_point: bool = False
    bias: bool = True
    state: bool = False
    lengths: bool = False
    steps: int = 4
    seed: int = 0

    @property
    def directions(self) -> int:
        return 2 if self.direction == "bidirectional" else 1

    def model(self) -> ModelProto:
        """A layer of 5 units over `x` [steps, 2, 3]; its X and H are quantized, if there is an H."""
        random, rows = np.random.default_rng(self.seed), GATES[self.kind] * 5
        nodes = [quantized("x")]
        constants: dict[str, Array] = {
            "x_scale": np.array(0.03, np.float32),
            "x_zero": np.array(120, np.uint8),
        }
        for name, columns in (("w", 3), ("r", 5)):
            nodes.append(self._weights(constants, random, name, rows, columns))
        ports = {"x": (FLOAT, [self.steps, 2, 3])}
        given = ["x_near", "w", "r", "b" if self.bias else "-", "l" if self.lengths else "-"]
        if self.bias:
            constants["b"] = random.normal(size=(self.directions, 2 * rows)).astype(np.float32)
        if self.lengths:
            constants["l"] = random.integers(1, self.steps + 1, 2).astype(np.int32)
        if self.state:
            constants["h_scale"] = np.array(1 / 128, np.float32)
            constants["h_zero"] = np.array(128, np.uint8)
            ports["h"] = (FLOAT, [self.directions, 2, 5])
            nodes.append(quantized("h"))
            given.append("h_near")
        linear = {"linear_before_reset": self.linear} if self.kind == "GRU" else {}
        layer = node(
            self.kind, " ".join(given), "y", hidden_size=5, direction=self.direction, **linear
        )
        return model([*flat(nodes), layer], ports, "y", constants)

    def inputs(self) -> dict[str, Array]:
        random = np.random.default_rng(self.seed + 1)
        found = {"x": random.normal(size=(self.steps, 2, 3)).astype(np.float32)}
        if self.state:
            found["h"] = random.uniform(-1, 1, (self.directions, 2, 5)).astype(np.float32)
        return found

    def _weights(
        self,
        constants: dict[str, Array],
        random: np.random.Generator,
        name: str,
        rows: int,
        columns: int,
    ) -> list[NodeProto]:
        shape, limits = (self.directions, rows, columns), np.iinfo(self.element)
        axis = SCALES[self.scales]
        size = () if axis < 0 else (shape[axis],)
        middle = 128 if self.element == "uint8" else 0
        zero = random.integers(-30, 30, size) if self.zero_point else np.zeros(size)
        codes = random.integers(limits.min, limits.max + 1, shape)
        constants[f"{name}_codes"] = codes.astype(self.element)
        constants[f"{name}_scale"] = random.uniform(0.001, 0.004, size).astype(np.float32)
        constants[f"{name}_zero"] = np.asarray(zero + middle).astype(self.element)
        along = {} if axis < 0 else {"axis": axis}
        names = f"{name}_codes {name}_scale {name}_zero"
        return [node("DequantizeLinear", names, name, **along)]


def quantized(name: str) -> list[NodeProto]:
    """`<name>_near`, a value on the grid of `<name>_scale` and `<name>_zero`."""
    return [
        node("QuantizeLinear", f"{name} {name}_scale {name}_zero", f"{name}_codes"),
        node("DequantizeLinear", f"{name}_codes {name}_scale {name}_zero", f"{name}_near"),
    ]


def flat(nodes: list[list[NodeProto]]) -> list[NodeProto]:
    return [each for some in nodes for each in some]


LAYERS = st.builds(
    Layer,
    st.sampled_from(list(GATES)),
    st.sampled_from(["forward", "reverse", "bidirectional"]),
    st.integers(0, 1),
    st.sampled_from(["int8", "uint8"]),
    st.sampled_from(list(SCALES)),
    *4 * [st.booleans()],
    steps=st.integers(1, 4),
    seed=st.integers(0, 99),
)


@given(LAYERS)
@settings(max_examples=20, deadline=None)
def test_products_of_codes_give_what_onnx_runtime_gives(layer: Layer):
    """In 8 bits, and within what two codes of H leave."""
    proto, inputs = layer.model(), layer.inputs()
    (wanted,) = runtime(proto, inputs)
    (exact,) = Executor(read_model(proto).module).run(list(inputs.values()))
    np.testing.assert_allclose(exact, wanted, rtol=1e-5, atol=1e-5)
    module = read_model(proto).module
    run_passes(module, "lpt")
    products = [op for op in module.walk() if isinstance(op, nn.MatMulOp)]
    least = layer.directions * PRODUCTS[layer.kind]
    assert least <= len(products) <= least * (1 + layer.zero_point)  # each with one of ones
    for product in products:
        assert {bits_of(tensor(value).element_type) for value in product.operands} == {8}
    (found,) = Executor(module).run(list(inputs.values()))
    np.testing.assert_allclose(found, wanted, rtol=0, atol=TOLERANCE)


@each_pair(
    order=["low-latency2,lpt", "lpt,low-latency2"], zero_point=[False, True], kind=list(GATES)
)
def test_frames_one_by_one_give_the_whole_sequence(kind: str, zero_point: bool, order: str):
    layer = Layer(kind, zero_point=zero_point, element="uint8")
    (wanted,) = runtime(layer.model(), layer.inputs())
    module = read_model(replace(layer, steps=1).model()).module
    run_passes(module, order)
    request = compile_model(module).create_infer_request()
    found = [np.array(request.infer([frame[None]])[0]) for frame in layer.inputs()["x"]]
    np.testing.assert_allclose(np.concatenate(found), wanted, rtol=0, atol=TOLERANCE)
