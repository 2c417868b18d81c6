"""
Random recurrent ONNX models, made stateful and given a signal piece by piece, against ONNX Runtime, which gets the
signal whole: `make streams`, or with SEEDS="0 10000".

Layers are LSTM, GRU, RNN, Scan and Loop, some with If in their bodies. A model is quantized in half of the cases;
then its pieces after `lpt` are compared with the whole signal after `lpt`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

os.environ["LOWSTREAM_CACHE_DIR"] = ""  # no model comes twice
import numpy as np
import onnxruntime
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model, run_passes
from lowstream.test.fuzz.try_seeds import operators, try_seeds

Array = np.ndarray[Any, Any]
FLOAT = TensorProto.FLOAT


@dataclass
class Graph:
    """A model that grows. Its signal is [steps, batch, features]; only the features change from layer to layer."""

    random: np.random.Generator
    batch: int
    quantized: bool
    nodes: list[NodeProto] = field(default_factory=list[NodeProto])
    constants: dict[str, TensorProto] = field(default_factory=dict[str, TensorProto])
    numbers: Iterator[int] = field(default_factory=count)

    def one(self, *choices: Any) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def size(self) -> int:
        return int(self.random.integers(1, 9))

    def constant(self, array: Any) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = numpy_helper.from_array(np.asarray(array), name)
        return name

    def noise(self, *shape: int) -> Array:
        return self.random.uniform(-1, 1, shape).astype(np.float32)

    def name(self, kind: str) -> str:
        return f"{kind}{next(self.numbers)}"

    def put(self, kind: str, inputs: Sequence[str], results: int = 1, **attributes: Any) -> Any:
        """A node, and the name of its result, or those of its results."""
        name = self.name(kind)
        names = [f"{name}_{i}" for i in range(results)] if results > 1 else [name]
        self.nodes.append(helper.make_node(kind, list(inputs), names, name, **attributes))
        return names if results > 1 else name

    def codes(self, x: str, low: float, high: float) -> str:
        """`x` through 8-bit codes, where the model is quantized."""
        if not self.quantized or not self.random.integers(4):
            return x
        scale = np.float32((high - low) / 255)
        point = np.uint8(round(-low / scale))
        pair = [self.constant(scale), self.constant(point)]
        return self.put("DequantizeLinear", [self.put("QuantizeLinear", [x, *pair]), *pair])

    def weights(self, *shape: int) -> str:
        """A constant, of codes where the model is quantized."""
        w = self.noise(*shape)
        if not self.quantized or not self.random.integers(4):
            return self.constant(w)
        scale = np.float32(1 / 127)
        codes = np.round(w / scale).astype(np.int8)
        pair = [self.constant(scale), self.constant(np.int8(0))]
        return self.put("DequantizeLinear", [self.constant(codes), *pair])


Layer = Callable[[Graph, str, int], tuple[str, int]]


def gated(g: Graph, x: str, features: int) -> tuple[str, int]:
    """LSTM, GRU or RNN."""
    kind, gates = g.one(("LSTM", 4), ("GRU", 3), ("RNN", 1))
    hidden = g.size()
    attributes: dict[str, Any] = {"hidden_size": hidden}
    if g.one(True, False, False):
        attributes["clip"] = float(g.one(0.5, 3.0))
    if kind == "GRU":
        attributes["linear_before_reset"] = g.one(0, 1)
    if kind == "RNN":
        attributes["activations"] = [g.one("Tanh", "Relu", "Sigmoid")]
    inputs = [
        g.codes(x, -2, 2),
        g.weights(1, gates * hidden, features),
        g.weights(1, gates * hidden, hidden),
        g.constant(g.noise(1, 2 * gates * hidden)) if g.one(True, False) else "",
    ]
    if g.one(True, False):
        count = 2 if kind == "LSTM" else 1
        inputs += ["", *(g.constant(g.noise(1, g.batch, hidden)) for _ in range(count))]
        if kind == "LSTM" and g.one(True, False):
            inputs.append(g.constant(g.noise(1, 3 * hidden)))
    while not inputs[-1]:
        inputs.pop()
    y = g.put(kind, inputs, 2, **attributes)[0]
    return g.put("Squeeze", [y, g.constant(np.array([1]))]), hidden


def product(g: Graph, x: str, features: int) -> tuple[str, int]:
    width = g.size()
    return g.put("MatMul", [g.codes(x, -2, 2), g.weights(features, width)]), width


def unary(g: Graph, x: str, features: int) -> tuple[str, int]:
    return g.put(g.one("Tanh", "Relu", "Sigmoid", "Abs", "Neg"), [x]), features


def residual(g: Graph, x: str, features: int) -> tuple[str, int]:
    return g.put(g.one("Add", "Mul", "Sub"), [x, g.constant(g.noise(features))]), features


# --- bodies ---------------------------------------------------------------------------------


def next_state(g: Graph, x: str, h: str, features: int) -> str:
    """What a body carries on, [batch, features], of the step's part of the signal and what it carried so far."""
    match g.one("sum", "product", "branch", "kept", "max"):
        case "sum":
            return g.put("Tanh", [g.put("Add", [x, h])])
        case "product":
            mixed = g.put("MatMul", [g.codes(h, -1, 1), g.weights(features, features)])
            return g.put("Sigmoid", [g.put("Add", [g.codes(x, -2, 2), mixed])])
        case "branch":
            total = g.put("ReduceSum", [x], keepdims=0)
            is_large = g.put("Greater", [total, g.constant(np.float32(0.0713))])
            branches = {
                name: branch(g, kind, x, [g.batch, features])
                for name, kind in (("then_branch", "Tanh"), ("else_branch", "Neg"))
            }
            chosen = g.put("If", [is_large], **branches)
            return g.put("Mul", [g.put("Add", [chosen, h]), g.constant(np.float32(0.5))])
        case "kept":
            return g.put("Identity", [h])
        case _:
            return g.put("Max", [x, g.put("Mul", [h, g.constant(np.float32(0.75))])])


def branch(g: Graph, kind: str, x: str, shape: Sequence[int]) -> Any:
    node = helper.make_node(kind, [x], [g.name(kind)])
    result = helper.make_tensor_value_info(node.output[0], FLOAT, shape)
    return helper.make_graph([node], g.name("branch"), [], [result])


def iterated(g: Graph, x: str, features: int) -> tuple[str, int]:
    """Scan or Loop that carries one to three values and gives one of them, or their sum, for each step."""
    kind, states = g.one("Scan", "Loop"), g.one(1, 1, 2, 3)
    outer, g.nodes = g.nodes, []
    shape = [g.batch, features]
    carried = [g.name("h") for _ in range(states)]
    values = [helper.make_tensor_value_info(name, FLOAT, shape) for name in carried]
    if kind == "Scan":
        part = g.name("x")
        values.append(helper.make_tensor_value_info(part, FLOAT, shape))
        results: list[str] = []
    else:
        step, go_on = g.name("t"), g.name("go_on")
        values = [
            helper.make_tensor_value_info(step, TensorProto.INT64, []),
            helper.make_tensor_value_info(go_on, TensorProto.BOOL, []),
            *values,
        ]
        results = [g.put("Identity", [go_on])]
        part = g.put("Gather", [x, step], axis=0)
    following = [next_state(g, part, h, features) for h in carried]
    total = following[0]
    for each in following[1:]:
        total = g.put("Add", [total, each])
    results += [*following, g.put("Identity", [total])]
    body = helper.make_graph(
        g.nodes, g.name("body"), values, [helper.make_empty_tensor_value_info(r) for r in results]
    )
    g.nodes = outer
    initial = [g.constant(g.noise(g.batch, features)) for _ in carried]
    if kind == "Scan":
        outputs = g.put("Scan", [*initial, x], states + 1, body=body, num_scan_inputs=1)
    else:
        steps = g.put("Gather", [g.put("Shape", [x]), g.constant(np.array(0))])
        outputs = g.put(
            "Loop", [steps, g.constant(np.array(True)), *initial], states + 1, body=body
        )
    return outputs[-1], features


LAYERS: tuple[Layer, ...] = (*(gated,) * 3, *(iterated,) * 3, product, unary, residual)


@dataclass(frozen=True)
class Case:
    """A model, its signal, and the number of steps in each of the pieces; all have as many where `fixed` says so."""

    proto: ModelProto
    signal: Array
    pieces: Sequence[int]
    fixed: bool
    quantized: bool


def case_of(seed: int) -> Case:
    random = np.random.default_rng(seed)
    g = Graph(random, int(random.integers(1, 3)), quantized=bool(random.integers(2)))
    x, features = "x", g.size()
    shape = (g.batch, features)
    for _ in range(int(random.integers(1, 5))):
        x, features = g.one(*LAYERS)(g, x, features)
    graph = helper.make_graph(
        g.nodes,
        "graph",
        [helper.make_tensor_value_info("x", FLOAT, ["steps", *shape])],
        [helper.make_empty_tensor_value_info(x)],
        list(g.constants.values()),
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    fixed = g.one(True, False)
    pieces = [g.one(1, 1, 2, 3)] * 4 if fixed else [g.one(1, 2, 3) for _ in range(4)]
    return Case(proto, g.noise(sum(pieces), *shape) * 2, pieces, fixed, g.quantized)


def wanted_of(case: Case) -> Array:
    """What ONNX Runtime makes of the whole signal."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        case.proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return np.asarray(session.run(None, {"x": case.signal})[0])


def apart(given: Array, wanted: Array) -> str | None:
    """How two results differ, if they do."""
    if (given.dtype, given.shape) != (wanted.dtype, wanted.shape):
        return f"{given.dtype} {given.shape}, not {wanted.dtype} {wanted.shape}"
    wrong = ~np.isclose(given, wanted, rtol=1e-4, atol=1e-5)
    if wrong.any():
        return f"{wrong.sum()} of {wrong.size} are up to {np.abs(given - wanted).max()} apart"
    return None


def failure_of(seed: int) -> str | None:
    """What is wrong with a seed; an empty text where ONNX Runtime refuses the model."""
    case = case_of(seed)
    try:
        wanted = wanted_of(case)
    except Exception:  # noqa: BLE001 (of any kind: there is nothing to compare with)
        return ""
    try:
        whole = read_model(case.proto)
        found = np.asarray(compile_model(whole, num_threads=1, pipeline=None)(case.signal)[0])
        if (failure := apart(found, wanted)) is not None:
            return f"whole: {failure}"
        passes = ["low-latency2{use-const-initializer=false}"]
        if case.fixed:
            shape = "x".join(map(str, (case.pieces[0], *case.signal.shape[1:])))
            passes.insert(0, f'reshape{{inputs="x={shape}"}}')
        if case.quantized:
            run_passes(whole, "lpt")
            wanted = np.asarray(compile_model(whole, num_threads=1, pipeline=None)(case.signal)[0])
            passes.insert(len(passes) * case.pieces[0] % 2, "lpt")
        streamed = read_model(case.proto)
        run_passes(streamed, ",".join(passes))
        request = compile_model(streamed, num_threads=1, pipeline=None).create_infer_request()
        for _ in range(2):
            parts = np.split(case.signal, np.cumsum(case.pieces)[:-1])
            given = np.concatenate([np.array(request.infer([part])[0]) for part in parts])
            if (failure := apart(given, wanted)) is not None:
                return f"{','.join(passes)}: {failure}"
            request.reset_state()
    except DiagnosticException as error:
        return f"refused: {error}"
    except Exception as error:  # noqa: BLE001 (of any kind: the seed says how to see it again)
        return f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    try_seeds(__doc__, 300, lambda seed: operators(case_of(seed).proto), failure_of)
