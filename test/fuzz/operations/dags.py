"""
Random graphs of 3 to 12 operations, whose values are used again; some are results besides those that nothing uses.

What jumps, such as rounding or an order, is asked only of values that are exact on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import openvino.opset15 as opset

from .case import Array, Case, Draw

Build = Callable[..., Any]

LARGEST = 20000
"""Elements of a value at most."""


@dataclass
class Value:
    """A value of the graph that grows: its node with known shapes, and whether it is exact."""

    node: Any
    exact: bool

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self.node.get_output_shape(0))


@dataclass
class Graph:
    """Values, and the steps that make them: how, and of which."""

    draw: Draw
    values: list[Value]
    steps: list[tuple[Build, tuple[int, ...]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def add(self, name: str, build: Build, *of: int, exact: bool = False) -> None:
        """Appends what `build` makes of values. Raises RuntimeError where the operation does not take them."""
        node = build(*(self.values[i].node for i in of))
        size = np.prod(node.get_output_shape(0))
        if size > LARGEST or (not size and name == "backprop"):  # one may not leave nothing
            return
        self.steps.append((build, of))
        self.values.append(Value(node, exact and all(self.values[i].exact for i in of)))
        self.names.append(f"{name}{of}")

    def replay(self, *inputs: Any) -> list[Any]:
        """The results, of inputs whose shapes may be unknown."""
        nodes = list(inputs)
        for build, of in self.steps:
            nodes.append(build(*(nodes[i] for i in of)))
        used = {i for _, of in self.steps for i in of}
        return [nodes[i] for i in range(len(nodes)) if i not in used or i in self.shown]

    shown: frozenset[int] = frozenset()


def _constant(array: Any) -> Any:
    return opset.constant(array)


def _axes(*values: int) -> Any:
    return _constant(np.array(values, np.int64))


SMOOTH: dict[str, Build] = {
    "sigmoid": opset.sigmoid,
    "tanh": opset.tanh,
    "softplus": opset.softplus,
    "gelu": lambda x: opset.gelu(x, "erf"),
    "gelu_tanh": lambda x: opset.gelu(x, "tanh"),
    "swish": opset.swish,
    "mish": opset.mish,
    "hswish": opset.hswish,
    "hsigmoid": opset.hsigmoid,
    "elu": lambda x: opset.elu(x, 0.7),
    "erf": opset.erf,
    "sin": opset.sin,
    "exp": lambda x: opset.exp(opset.clamp(x, -4, 2)),
    "log": lambda x: opset.log(opset.add(opset.absolute(x), _constant(np.float32(0.5)))),
    "sqrt": lambda x: opset.sqrt(opset.add(opset.absolute(x), _constant(np.float32(0.1)))),
    "square": lambda x: opset.multiply(x, x),
}
EXACT: dict[str, Build] = {
    "relu": opset.relu,
    "absolute": opset.absolute,
    "negative": opset.negative,
    "clamp": lambda x: opset.clamp(x, -1.5, 2.0),
}
JUMPS: dict[str, Build] = {
    "floor": opset.floor,
    "ceiling": opset.ceiling,
    "sign": opset.sign,
    "round": lambda x: opset.round(x, "half_to_even"),
    "i32": lambda x: opset.convert(opset.convert(x, "i32"), "f32"),
    "u8": lambda x: opset.convert(opset.convert(opset.absolute(x), "u8"), "f32"),
    "i64": lambda x: opset.convert(opset.convert(x, "i64"), "f32"),
    "positive": lambda x: opset.convert(opset.greater(x, _constant(np.float32(0))), "f32"),
    "fake_quantize": lambda x: opset.fake_quantize(
        x, *(_constant(np.float32(v)) for v in (-3, 3.1, -3, 3.1)), 256
    ),
}
SUMS: dict[str, Build] = {
    "add": opset.add,
    "subtract": opset.subtract,
    "multiply": opset.multiply,
    "maximum": opset.maximum,
    "minimum": opset.minimum,
    "squared_difference": opset.squared_difference,
    "divide": lambda x, y: opset.divide(
        x, opset.add(opset.absolute(y), _constant(np.float32(0.7)))
    ),
}
NUMBERS = ("add", "subtract", "multiply")
"""Those whose results are exact where few bits are enough; not taken for granted."""


def elementwise(graph: Graph, x: int) -> None:
    draw, value = graph.draw, graph.values[x]
    if draw.flag(0.25) and value.exact:
        name = draw.one(*JUMPS)
        graph.add(name, JUMPS[name], x, exact=name != "fake_quantize")
        return
    if draw.flag(0.4):
        name = draw.one(*EXACT)
        graph.add(name, EXACT[name], x, exact=True)
        return
    name = draw.one(*SMOOTH)
    graph.add(name, SMOOTH[name], x)


def binary(graph: Graph, x: int) -> None:
    draw, shape = graph.draw, graph.values[x].shape
    name = draw.one(*SUMS)
    build, exact = SUMS[name], name in ("maximum", "minimum")
    others = [i for i, v in enumerate(graph.values) if _meet(v.shape, shape)]
    if others and draw.flag(0.7):
        pair = (x, draw.one(*others)) if draw.flag() else (draw.one(*others), x)
        graph.add(name, build, *pair, exact=exact)
        return
    other = _constant(draw.floats(*draw.broadcast(shape)))
    if draw.flag():
        graph.add(name, lambda x: build(x, other), x, exact=exact)
        return
    graph.add(name, lambda x: build(other, x), x, exact=exact)


def _meet(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


def choice(graph: Graph, x: int) -> None:
    draw, shape = graph.draw, graph.values[x].shape
    judges = [i for i, v in enumerate(graph.values) if v.exact and _meet(v.shape, shape)]
    others = [i for i, v in enumerate(graph.values) if _meet(v.shape, shape)]
    if not judges:
        return
    limit, order = _constant(np.float32(draw.one(0, 0.5))), draw.one(opset.greater, opset.less)

    def build(judge: Any, x: Any, y: Any) -> Any:
        return opset.select(order(judge, limit), x, y)

    graph.add("select", build, draw.one(*judges), x, draw.one(*others), exact=True)


def movement(graph: Graph, x: int) -> None:
    draw, shape = graph.draw, graph.values[x].shape
    rank = len(shape)
    if not rank:
        graph.add("unsqueeze", lambda x: opset.unsqueeze(x, _axes(0)), x, exact=True)
        return
    axis = draw.number(0, rank - 1)
    size = shape[axis]
    order = [int(i) for i in draw.random.permutation(rank)]
    ends = [draw.number(-size, size) for _ in range(2)]
    step = draw.one(1, 2, -1)
    where = draw.integers(-size, size - 1, *draw.shape(0, 2, 3)) if size else None
    low, high = draw.integers(0, 2, rank), draw.integers(0, 2, rank)
    made: dict[str, Build] = {
        "transpose": lambda x: opset.transpose(x, _axes(*order)),
        "flatten": lambda x: opset.reshape(x, _axes(-1), False),
        "keep": lambda x: opset.reshape(x, _axes(0, -1), True),
        "front": lambda x: opset.reshape(x, _axes(1, -1, shape[-1]), False),
        "unsqueeze": lambda x: opset.unsqueeze(x, _axes(axis)),
        "squeeze": lambda x: opset.squeeze(x, _axes(axis)),
        "slice": lambda x: opset.slice(x, *map(_axes, (ends[0], ends[1], step, axis))),
        "pad": lambda x: opset.pad(
            x, _constant(low), _constant(high), "constant", _constant(np.float32(0.5))
        ),
        "edge": lambda x: opset.pad(x, _constant(low), _constant(high), "edge"),
        "gather": lambda x: opset.gather(x, _constant(where), _constant(np.int64(axis))),
        "tile": lambda x: opset.tile(x, _axes(*(1 + low[:rank]))),
        "roll": lambda x: opset.roll(x, _axes(ends[0]), _axes(axis)),
        "half": lambda x: opset.split(x, _constant(np.int64(axis)), 2).output(0),
        "swapped": lambda x: opset.concat(
            opset.split(x, _constant(np.int64(axis)), 2).outputs()[::-1], axis
        ),
        "shuffle": lambda x: opset.shuffle_channels(x, axis, 2),
        "broadcast": lambda x: opset.broadcast(x, _axes(2, *(1,) * rank), None, "bidirectional"),
    }
    name = draw.one(*made)
    if (name in ("gather", "edge", "front") and not min(shape)) or (
        name == "squeeze" and size != 1
    ):
        return
    build = made[name]
    graph.add(name, lambda x: _node(build(x)), x, exact=True)


def _node(made: Any) -> Any:
    """An output of several as a node of its own."""
    return made if hasattr(made, "get_output_shape") else opset.reshape(made, _same(made), True)


def _same(output: Any) -> Any:
    return _axes(*(0,) * len(output.get_partial_shape()))


def joined(graph: Graph, x: int) -> None:
    draw, shape = graph.draw, graph.values[x].shape
    if not shape:
        return
    axis = draw.number(0, len(shape) - 1)
    rest = (*shape[:axis], *shape[axis + 1 :])
    fit = [
        i
        for i, v in enumerate(graph.values)
        if len(v.shape) == len(shape) and (*v.shape[:axis], *v.shape[axis + 1 :]) == rest
    ]
    of = [x, *(draw.one(*fit) for _ in range(draw.number(0, 2)))]
    graph.add("concat", lambda *x: opset.concat(list(x), axis), *of, exact=True)


def reduced(graph: Graph, x: int) -> None:
    draw, shape = graph.draw, graph.values[x].shape
    if not min(shape, default=1):
        return
    axes = [a % len(shape) for a in draw.axes(len(shape))]
    keep, axis = draw.flag(), draw.axis(len(shape)) if shape else 0
    name = draw.one("max", "min", "sum", "mean", "l2", "softmax", "log_softmax", "mvn", "cum_sum")
    made: dict[str, Build] = {
        "softmax": lambda x: opset.softmax(x, axis),
        "log_softmax": lambda x: opset.log_softmax(x, axis),
        "mvn": lambda x: opset.mvn(x, _axes(*axes), True, 0.1, "inside_sqrt"),
        "cum_sum": lambda x: opset.cum_sum(x, _constant(np.int64(axis))),
    }
    if name in made and not (shape and axes):
        return

    def reduce(x: Any) -> Any:
        return getattr(opset, f"reduce_{name}")(x, _axes(*axes), keep)

    graph.add(name, made.get(name, reduce), x, exact=name in ("max", "min"))


def product(graph: Graph, x: int) -> None:
    draw, shape = graph.draw, graph.values[x].shape
    if len(shape) < 1 or not min(shape):
        return
    if len(shape) > 1 and draw.flag(0.4):
        left = draw.flag()
        graph.add("gram", lambda x: opset.matmul(x, x, left, not left), x)
        return
    width, turned = draw.one(1, 3, 8, 17), draw.flag()
    sizes = (width, shape[-1]) if turned else (shape[-1], width)
    weights = _constant(draw.floats(*sizes, scale=0.5))
    if draw.flag(0.3) and graph.values[x].exact:
        weights = _quantized(draw.floats(*sizes, scale=0.5))
    graph.add("matmul", lambda x: opset.matmul(x, weights, False, turned), x)


def _quantized(weights: Array) -> Any:
    """Codes of 8 bits times a scale."""
    codes = np.round(weights * 40).clip(-127, 127).astype(np.int8)
    return opset.multiply(opset.convert(_constant(codes), "f32"), _constant(np.float32(1 / 40)))


def windows(graph: Graph, x: int) -> None:
    draw, shape = graph.draw, graph.values[x].shape
    if not 3 <= len(shape) <= 4 or not min(shape):
        return
    spatial = len(shape) - 2
    ones, stride = [1] * spatial, [draw.one(1, 1, 2) for _ in range(spatial)]
    taps = [draw.one(1, 1, 2, 3) for _ in range(spatial)]
    low, high = ([draw.number(0, t - 1) for t in taps] for _ in range(2))
    outputs = draw.one(1, 3, 8, 16, 17)
    full = draw.floats(outputs, shape[1], *taps, scale=0.4)
    weights = _quantized(full) if draw.flag(0.3) and graph.values[x].exact else _constant(full)
    depthwise = _constant(draw.floats(shape[1], 1, 1, *taps, scale=0.4))
    sizes = _axes(*(draw.number(1, 9) for _ in range(spatial)))
    back = _constant(draw.floats(shape[1], outputs, *taps, scale=0.4))
    made: dict[str, Build] = {
        "convolution": lambda x: opset.convolution(x, weights, stride, low, high, ones),
        "depthwise": lambda x: opset.group_convolution(x, depthwise, stride, low, high, ones),
        "backprop": lambda x: opset.convolution_backprop_data(
            x, back, stride, None, low, high, ones
        ),
        "avg_pool": lambda x: opset.avg_pool(x, stride, low, high, taps, draw_exclude),
        "max_pool": lambda x: (
            opset.max_pool(x, stride, ones, low, high, taps).output(0).get_node()
        ),
        "interpolate": lambda x: opset.interpolate(
            x, sizes, resampling, "sizes", None, None, "half_pixel", "floor", False, -0.75,
            _axes(*range(2, 2 + spatial)),
        ),
    }  # fmt: skip
    draw_exclude, resampling = draw.flag(), draw.one("linear_onnx", "nearest", "linear")
    name = draw.one("convolution", *made)
    if name == "max_pool":
        build = made[name]
        graph.add(name, lambda x: _node(build(x).output(0)), x, exact=True)
        return
    graph.add(name, made[name], x)


KINDS = (
    *(elementwise, elementwise, elementwise, binary, binary, binary),
    *(choice, movement, movement, movement, joined, reduced, product, windows, windows),
)


def dag(draw: Draw) -> Case:
    draw.specials = False
    shapes = [draw.shape(1, 4)]
    if draw.flag(0.5):
        shapes[0] = (draw.number(1, 2), draw.one(1, 2, 3, 8, 16, 17), *draw.shape(2, 2, 9))
    if draw.flag():
        shapes.append(draw.broadcast(shapes[0]))
    if draw.flag(0.3):
        shapes.append(shapes[0])
    arrays = [np.round(draw.floats(*shape) * 8) / np.float32(8) for shape in shapes]
    graph = Graph(draw, [Value(opset.parameter(list(a.shape), a.dtype), True) for a in arrays])
    wanted = draw.number(3, 12)
    for _ in range(3 * wanted):
        if len(graph.steps) == wanted:
            break
        last = len(graph.values) - 1
        x = last if draw.flag() else draw.number(0, last)
        try:
            draw.one(*KINDS)(graph, x)
        except RuntimeError:
            continue  # OpenVINO does not take such a shape
    graph.shown = frozenset(i for i in range(len(graph.values)) if draw.flag(0.1))
    return Case("dag " + " ".join(graph.names), arrays, graph.replay, tolerance=2e-4)


FAMILY = (dag,)
