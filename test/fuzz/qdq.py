"""
Random ONNX models with QuantizeLinear and DequantizeLinear around their operators, against ONNX Runtime, before and
after `lpt`: `make qdq`, or with SEEDS="0 10000".

Inputs and scales are such that all arithmetic is exact: scales are powers of two, so that both sides give the same
bits, halves included.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

os.environ["LOWSTREAM_CACHE_DIR"] = ""  # no model comes twice
import ml_dtypes
import numpy as np
import onnxruntime
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model, read_model, run_passes
from lowstream.test.fuzz.try_seeds import operators, try_seeds

Array = np.ndarray[Any, Any]

LIMITS = {
    "ui8": (0, 255),
    "i8": (-128, 127),
    "ui16": (0, 65535),
    "i16": (-32768, 32767),
    "ui4": (0, 15),
    "i4": (-8, 7),
}
STORED = {
    "ui8": np.uint8,
    "i8": np.int8,
    "ui16": np.uint16,
    "i16": np.int16,
    "ui4": ml_dtypes.uint4,
    "i4": ml_dtypes.int4,
}


@dataclass
class Graph:
    """A model that grows: values in f32, by name, with their shapes."""

    random: np.random.Generator
    opset: int
    nodes: list[NodeProto] = field(default_factory=list[NodeProto])
    constants: dict[str, Any] = field(default_factory=dict[str, Any])
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])

    def one(self, *choices: Any) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def constant(self, array: Any, type: str | None = None) -> str:
        """An initializer; of codes where a type is named."""
        name = f"c{len(self.constants)}"
        if type is not None:
            array = array.astype(STORED[type])
        self.constants[name] = numpy_helper.from_array(array, name)
        return name

    def put(self, kind: str, inputs: Sequence[str], **attributes: Any) -> str:
        """A node of one result."""
        name = f"{kind}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name, **attributes))
        return name

    def value(self, name: str, shape: Sequence[int]) -> str:
        self.shapes[name] = tuple(map(int, shape))
        return name

    def types(self) -> Sequence[str]:
        """The types of codes in this version of the operators."""
        return tuple(LIMITS) if self.opset >= 21 else ("ui8", "i8")

    def quantization(
        self, shape: tuple[int, ...], type: str, weights: bool, axis: int
    ) -> tuple[list[str], dict[str, int], Array, Array]:
        """Scales, zero points and attributes, for a tensor, along an axis, or in blocks."""
        low, high = LIMITS[type]
        how = self.one("tensor", "tensor", "axis" if self.opset >= 13 else "tensor")
        if self.opset >= 21 and len(shape) > 1 and not self.random.integers(8):
            how = "block"
        block = self.one(*[b for b in (1, 2, 4, 8) if shape[axis] >= b])
        size: tuple[int, ...] = ()
        if how == "axis":
            size = (shape[axis],)
        elif how == "block":
            size = tuple(-(-n // block) if i == axis else n for i, n in enumerate(shape))
        finest = -5 if high < 16 else -7 if high < 256 else -10
        scale = 2.0 ** self.random.integers(finest, finest + 3, size)
        point = self.random.integers(low, high, size, endpoint=True) // self.one(1, 1, 2, 16)
        if self.one(True, weights, not weights):
            point = np.zeros(size, np.int64)
        elif self.one(True, False):
            point = np.full(size, (low + high + 1) // 2)
        names = [self.constant(np.asarray(scale, np.float32))]
        attributes: dict[str, int] = {}
        if how != "tensor" or (self.opset >= 13 and self.one(True, False)):
            attributes["axis"] = axis - self.one(0, len(shape))
        if how == "block":
            attributes["block_size"] = block
        if point.any() or type != "ui8" or self.one(True, False):
            names.append(self.constant(np.asarray(point), type))

        def spread(a: Any) -> Array:
            a = np.asarray(a)
            if how == "axis":
                return a.reshape([-1 if i == axis else 1 for i in range(len(shape))])
            return np.repeat(a, block, axis).take(range(shape[axis]), axis) if how == "block" else a

        return names, attributes, spread(scale), spread(point)

    def qdq(self, x: str) -> str:
        """A value, quantized and dequantized."""
        shape = self.shapes[x]
        type = self.one(*self.types(), "ui8", "i8", "ui8", "i8")
        axis = int(self.random.integers(len(shape)))
        names, attributes, *_ = self.quantization(shape, type, False, axis)
        q = self.put("QuantizeLinear", [x, *names], **attributes)
        x = self.put("DequantizeLinear", [q, *names], **attributes)
        return self.value(x, shape)

    def weights(self, shape: tuple[int, ...], axis: int) -> str:
        """Codes that are dequantized, values, or values that are quantized and dequantized."""
        if not self.random.integers(6):
            return self.constant(self.random.integers(-8, 8, shape).astype(np.float32) / 8)
        type = self.one(*self.types(), "i8", "i8", "i8")
        names, attributes, scale, point = self.quantization(shape, type, True, axis)
        low, high = LIMITS[type]
        codes = self.random.integers(max(low, -200), min(high, 200), shape, endpoint=True)
        if self.one(True, False, False) and type not in ("ui4", "i4"):
            values = ((codes - point) * scale).astype(np.float32)
            q = self.put("QuantizeLinear", [self.constant(values), *names], **attributes)
        else:
            q = self.constant(codes, type)
        return self.put("DequantizeLinear", [q, *names], **attributes)

    def maybe(self, x: str) -> str:
        """Mostly a value that is quantized."""
        return self.qdq(x) if self.random.integers(4) else x

    def bias(self, size: int) -> list[str]:
        """None, values, or codes of i32."""
        kind = self.one("none", "values", "codes")
        if kind == "none":
            return []
        codes = self.random.integers(-500, 500, size)
        if kind == "values":
            return [self.constant(codes.astype(np.float32) / 64)]
        scale = 2.0 ** self.random.integers(-9, -6, size if self.opset >= 13 else ())
        names = [self.constant(codes.astype(np.int32)), self.constant(np.float32(scale))]
        if np.ndim(scale):
            names[1] = self.constant(scale.astype(np.float32))
            return [self.put("DequantizeLinear", names, axis=0)]
        return [self.put("DequantizeLinear", names)]


def convolution(g: Graph, x: str) -> str | None:
    n, c, *size = g.shapes[x] if len(g.shapes[x]) == 4 else (0, 0)
    if not n:
        return None
    group = g.one(1, 1, c, 2 if c % 2 == 0 else 1)
    out = group * g.one(1, 2, 3)
    k = g.one(1, 3, 2)
    stride = g.one(1, 1, 2)
    pads = g.one([0] * 4, [1] * 4, [0, 1, 1, 0]) if k > 1 else [0] * 4
    if any(s + pads[i] + pads[i + 2] < k for i, s in enumerate(size)):
        return None
    w = g.weights((out, c // group, k, k), 0)
    name = g.put(
        "Conv", [g.maybe(x), w, *g.bias(out)], group=group, strides=[stride] * 2, pads=pads
    )
    sizes = [(s + pads[i] + pads[i + 2] - k) // stride + 1 for i, s in enumerate(size)]
    return g.value(name, (n, out, *sizes))


def transposed(g: Graph, x: str) -> str | None:
    if len(g.shapes[x]) != 4:
        return None
    n, c, h, w = g.shapes[x]
    k, stride = g.one((2, 2), (3, 1), (3, 2))
    out = g.one(1, 2, 4)
    name = g.put(
        "ConvTranspose",
        [g.maybe(x), g.weights((c, out, k, k), 1), *g.bias(out)],
        strides=[stride] * 2,
    )
    return g.value(name, (n, out, *((s - 1) * stride + k for s in (h, w))))


def product(g: Graph, x: str) -> str:
    *lead, k = g.shapes[x]
    out = g.one(1, 3, 8)
    if len(lead) == 1 and g.one(True, False):
        flip = g.one(0, 1)
        w = g.weights((out, k) if flip else (k, out), 0 if flip else 1)
        return g.value(g.put("Gemm", [g.maybe(x), w, *g.bias(out)], transB=flip), (*lead, out))
    y = g.put("MatMul", [g.maybe(x), g.weights((k, out), 1)])
    g.value(y, (*lead, out))
    return add_constant(g, y) if g.one(True, False) else y


def add_constant(g: Graph, x: str) -> str:
    b = g.constant(g.random.integers(-32, 32, g.shapes[x][-1:]).astype(np.float32) / 16)
    return g.value(g.put("Add", g.one([x, b], [b, x])), g.shapes[x])


def attention(g: Graph, x: str) -> str | None:
    """A product of two values."""
    if len(g.shapes[x]) < 2:
        return None
    *lead, m, k = g.shapes[x]
    axes = list(range(len(lead) + 2))
    axes[-2:] = axes[-1], axes[-2]
    t = g.put("Transpose", [g.maybe(x)], perm=axes)
    g.value(t, (*lead, k, m))
    return g.value(g.put("MatMul", [g.maybe(x), g.maybe(t)]), (*lead, m, m))


def unary(kind: str, **attributes: Any) -> Callable[[Graph, str], str | None]:
    return lambda g, x: g.value(g.put(kind, [g.maybe(x)], **attributes), g.shapes[x])


def clip(g: Graph, x: str) -> str:
    low, high = g.one((0.0, 6.0), (-1.0, 1.0), (0.5, 2.0))
    if g.opset < 11:
        return g.value(g.put("Clip", [g.maybe(x)], min=low, max=high), g.shapes[x])
    ends = [g.constant(np.float32(end)) for end in (low, high)]
    return g.value(g.put("Clip", [g.maybe(x), *ends]), g.shapes[x])


def binary(g: Graph, x: str) -> str:
    """Of two values of one shape, or with a constant."""
    same = [name for name, shape in g.shapes.items() if shape == g.shapes[x]]
    kind = g.one("Add", "Add", "Mul", "Sub", "Max", "Min")
    if g.one(True, True, False):
        other = g.maybe(g.one(*same))
    else:
        shape = g.one((), g.shapes[x][-1:], (g.shapes[x][1], *[1] * (len(g.shapes[x]) - 2)))
        other = g.constant(2.0 ** np.asarray(g.random.integers(-2, 2, shape), np.float32))
    return g.value(g.put(kind, g.one([g.maybe(x), other], [other, g.maybe(x)])), g.shapes[x])


def concat(g: Graph, x: str) -> str:
    shape = g.shapes[x]
    same = [name for name, each in g.shapes.items() if each == shape]
    axis = int(g.random.integers(1, len(shape)))
    inputs = [g.maybe(x), g.maybe(g.one(*same))]
    sizes = list(shape)
    sizes[axis] *= 2
    return g.value(g.put("Concat", inputs, axis=axis), sizes)


def pool(g: Graph, x: str) -> str | None:
    if len(g.shapes[x]) != 4 or min(g.shapes[x][2:]) < 2:
        return None
    n, c, h, w = g.shapes[x]
    kind = g.one("MaxPool", "AveragePool", "GlobalAveragePool")
    if kind == "GlobalAveragePool":
        if (h * w) & (h * w - 1):
            return None
        return g.value(g.put(kind, [g.maybe(x)]), (n, c, 1, 1))
    name = g.put(kind, [g.maybe(x)], kernel_shape=[2, 2], strides=[2, 2])
    return g.value(name, (n, c, h // 2, w // 2))


def transpose(g: Graph, x: str) -> str:
    order = [0, *(1 + g.random.permutation(len(g.shapes[x]) - 1)).tolist()]
    return g.value(g.put("Transpose", [g.maybe(x)], perm=order), [g.shapes[x][i] for i in order])


def reshape(g: Graph, x: str) -> str:
    n, *rest = g.shapes[x]
    total = int(np.prod(rest))
    shape = g.one((n, total), (n, total, 1), (n, rest[0], total // rest[0]))
    target = g.constant(np.array(shape, np.int64))
    return g.value(g.put("Reshape", [g.maybe(x), target]), shape)


def cut(g: Graph, x: str) -> str | None:
    shape = list(g.shapes[x])
    axis = int(g.random.integers(1, len(shape)))
    if shape[axis] < 2:
        return None
    start, step = g.one(0, 1), g.one(1, 2)
    ints = [g.constant(np.array([n], np.int64)) for n in (start, shape[axis], axis, step)]
    shape[axis] = -(-(shape[axis] - start) // step)
    return g.value(g.put("Slice", [g.maybe(x), *ints]), shape)


def gather(g: Graph, x: str) -> str:
    shape = list(g.shapes[x])
    axis = int(g.random.integers(1, len(shape)))
    index = g.random.integers(-shape[axis], shape[axis], 3)
    name = g.put("Gather", [g.maybe(x), g.constant(index)], axis=axis)
    shape[axis] = 3
    return g.value(name, shape)


def pad(g: Graph, x: str) -> str | None:
    if g.opset < 11:
        return None
    shape = g.shapes[x]
    widths = g.random.integers(0, 2, 2 * len(shape))
    widths[[0, len(shape)]] = 0
    value = [g.constant(np.float32(g.one(0.0, 0.5)))] if g.one(True, False) else []
    name = g.put("Pad", [g.maybe(x), g.constant(widths), *value])
    return g.value(name, [n + widths[i] + widths[i + len(shape)] for i, n in enumerate(shape)])


def resize(g: Graph, x: str) -> str | None:
    if len(g.shapes[x]) != 4 or g.opset < 13:
        return None
    n, c, h, w = g.shapes[x]
    inputs = [g.maybe(x), "", g.constant(np.array([1, 1, 2, 2], np.float32))]
    how = g.one(
        {
            "mode": "nearest",
            "coordinate_transformation_mode": "asymmetric",
            "nearest_mode": "floor",
        },
        {"mode": "linear", "coordinate_transformation_mode": "half_pixel"},
    )
    return g.value(g.put("Resize", inputs, **how), (n, c, 2 * h, 2 * w))


def reduce(g: Graph, x: str) -> str | None:
    shape = list(g.shapes[x])
    axis = int(g.random.integers(1, len(shape)))
    kind = g.one("ReduceMean", "ReduceSum", "ReduceMax")
    if kind == "ReduceMean" and shape[axis] & (shape[axis] - 1):
        return None
    inputs = [g.maybe(x)]
    attributes: dict[str, Any] = {"keepdims": 1}
    if g.opset >= (13 if kind == "ReduceSum" else 18):
        inputs.append(g.constant(np.array([axis], np.int64)))
    else:
        attributes["axes"] = [axis]
    shape[axis] = 1
    return g.value(g.put(kind, inputs, **attributes), shape)


LAYERS: tuple[Callable[[Graph, str], str | None], ...] = (
    *(convolution,) * 3,
    *(product,) * 3,
    *(binary,) * 3,
    transposed,
    attention,
    unary("Relu"),
    unary("LeakyRelu", alpha=0.25),
    unary("Abs"),
    unary("Neg"),
    clip,
    concat,
    pool,
    transpose,
    reshape,
    cut,
    gather,
    pad,
    resize,
    reduce,
)


def graph_of(seed: int) -> tuple[ModelProto, dict[str, Array]]:
    """A model and its input."""
    random = np.random.default_rng(seed)
    g = Graph(random, int(random.choice([10, 11, 12, 13, 14, 17, 18, 19, 20, 21, 22, 23])))

    def size() -> int:
        return int(random.integers(1, 7))

    shape = (g.one(1, 1, 2), size() + 1, *(size() for _ in range(g.one(0, 1, 2, 2))))
    x = g.value("x", shape)
    feeds = {"x": (random.integers(-64, 64, shape) / 16).astype(np.float32)}
    for _ in range(int(random.integers(1, 6))):
        layer = LAYERS[int(random.integers(len(LAYERS)))]
        before = list(g.shapes.items()), list(g.nodes)
        if (y := layer(g, x)) is None or np.prod(g.shapes[y]) > 4000:
            g.shapes, g.nodes = dict(before[0]), before[1]
        else:
            x = y
    x = g.maybe(x)
    graph = helper.make_graph(
        g.nodes,
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_empty_tensor_value_info(x)],
        list(g.constants.values()),
    )
    imports = [helper.make_opsetid("", g.opset)]
    return helper.make_model(graph, opset_imports=imports, ir_version=10), feeds


def wanted_of(proto: ModelProto, feeds: dict[str, Array]) -> Array:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return np.asarray(session.run(None, feeds)[0])


def failure_of(seed: int) -> str | None:
    """What is wrong with a seed; an empty text where ONNX Runtime refuses the model."""
    proto, feeds = graph_of(seed)
    try:
        wanted = wanted_of(proto, feeds)
    except Exception:  # noqa: BLE001 (of any kind: there is nothing to compare with)
        return ""
    try:
        model = read_model(proto)
        for passes in ("", "lpt"):
            run_passes(model, passes)
            compiled = compile_model(model, num_threads=1, pipeline=None)
            given = np.asarray(compiled(feeds)[0])
            if (given.dtype, given.shape) != (wanted.dtype, wanted.shape):
                return f"{passes}: {given.dtype} {given.shape}, not {wanted.dtype} {wanted.shape}"
            apart = np.abs(given.astype(np.float64) - wanted)
            if apart.size and not (apart <= 1e-6 * np.abs(wanted).max(initial=1)).all():
                return (
                    f"{passes}: {(apart > 0).sum()} of {apart.size} are up to {apart.max()} apart"
                )
    except DiagnosticException as error:
        return f"refused: {error}"
    except Exception as error:  # noqa: BLE001 (of any kind: the seed says how to see it again)
        return f"{type(error).__name__}: {error}"
    return None


if __name__ == "__main__":
    try_seeds(__doc__, 500, lambda seed: operators(graph_of(seed)[0]), failure_of)
