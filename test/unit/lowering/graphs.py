"""
Random models for tests, each value with what is known of it.

Inputs, constants and states are multiples of 1/8 up to 8, and scales are powers of two. While the numbers
of a value fit f32's 24 bits every order of computing gives the same bits; else `error` says how far two
ways of computing it may be apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    FloatAttr,
    FunctionType,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f16,
    f32,
    f64,
    i8,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowstream.dialects import infra, nn, qnn
from lowstream.dialects.inferred import shape_of, tensor
from lowstream.reference.arrays import Array, blob_of, element_of

LIMIT, UNIT = 8.0, 0.125
"""The numbers of inputs, constants and states: multiples of UNIT up to LIMIT."""

UI8 = element_of(np.dtype(np.uint8))
I64_ONE = TensorType(i64, [1])
EPSILON = 2.0**-23


@dataclass(frozen=True, repr=False)
class Known:
    """A value; its numbers are at most `bound` and, where they are exact, multiples of `unit`."""

    value: SSAValue
    bound: float = LIMIT
    unit: float | None = UNIT
    error: float = 0.0

    def __repr__(self) -> str:
        return f"{self.value.type} up to {self.bound} in {self.unit}"

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(shape_of(self.value))

    @property
    def element(self) -> Attribute:
        return tensor(self.value).element_type

    @property
    def small(self) -> bool:
        """Whether it could be an input: a state may hold it, an iterator carry it."""
        return self.unit is not None and self.bound <= LIMIT and self.unit >= UNIT

    def bounded(self, value: SSAValue, bound: float, unit: float | None, error: float) -> Known:
        """`value`, computed in f32 from this one: exact as long as its numbers fit."""
        if unit is None or bound / unit > 2**23:
            return Known(value, bound, None, error + bound * EPSILON)
        return Known(value, bound, unit, error)


Draw = Callable[[st.SearchStrategy[Any]], Any]


class Graph:
    """Writes random operations to the end of a block."""

    def __init__(self, draw: Draw, block: Block, pool: list[Known], variables: list[Operation]):
        self.draw, self.block, self.pool = draw, block, pool
        self.variables = variables
        self.nested = False

    def one(self, options: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(options))

    def chance(self) -> bool:
        return self.draw(st.booleans())

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def add(self, op: Operation) -> SSAValue:
        self.block.add_op(op)
        return op.results[0]

    def constant(self, array: Array, element: Attribute | None = None) -> SSAValue:
        return self.add(nn.ConstantOp(blob_of(array, element)))

    def indices(self, *numbers: int) -> SSAValue:
        return self.constant(np.array(numbers, np.int64))

    def array(self, shape: Sequence[int]) -> Array:
        random = np.random.default_rng(self.number(0, 1000))
        return random.integers(-16, 17, shape).astype(np.float32) * np.float32(UNIT)

    def pick(self, test: Callable[[Known], bool] = lambda known: True) -> Known | None:
        options = [known for known in self.pool if test(known)]
        return self.one(options) if options else None

    def floats(self) -> Known:
        found = self.pick(lambda known: known.element == f32 and known.bound < 1e6)
        return found or Known(self.constant(self.array((2, 4))))

    def grow(self, count: int) -> None:
        rules = RULES if not self.nested else [rule for rule in RULES if rule not in OUTER]
        for _ in range(count):
            made = self.one(rules)(self)
            self.pool += made


Rule = Callable[[Graph], Sequence[Known]]


def relu(g: Graph) -> Sequence[Known]:
    x = g.floats()
    return [replace(x, value=g.add(nn.ReluOp.of(x.value)))]


def squash(g: Graph) -> Sequence[Known]:
    x = g.floats()
    op = g.one([nn.TanhOp, nn.SigmoidOp])
    return [Known(g.add(op.of(x.value)), 1.0, None, x.error + 1e-6)]


def clamp(g: Graph) -> Sequence[Known]:
    x = g.floats()
    low, high = sorted((g.number(-8, 8), g.number(-8, 8)))
    op = nn.ClampOp.of(x.value, min=FloatAttr(float(low), f64), max=FloatAttr(float(high), f64))
    bound = min(x.bound, max(abs(low), abs(high), 0.125))
    return [Known(g.add(op), bound, x.unit, x.error)]


def binary(g: Graph) -> Sequence[Known]:
    x = g.floats()
    y = g.pick(lambda y: y.element == f32 and y.bound < 1e6 and _meet(x.shape, y.shape))
    if y is None or g.chance():
        shape = g.one([x.shape, x.shape[-1:], (), tuple(g.one([1, n]) for n in x.shape)])
        y = Known(g.constant(g.array(shape)))
    op = g.one([nn.AddOp, nn.SubtractOp, nn.MultiplyOp, nn.MaximumOp, nn.MinimumOp])
    value = g.add(op.of(x.value, y.value))
    if op is nn.MultiplyOp:
        error = x.error * y.bound + y.error * x.bound
        return [x.bounded(value, x.bound * y.bound, _unit(math.prod, x, y), error)]
    unit = _unit(min, x, y)
    bound = x.bound + y.bound if op in (nn.AddOp, nn.SubtractOp) else max(x.bound, y.bound)
    return [x.bounded(value, bound, unit, x.error + y.error)]


def _unit(combine: Callable[[list[float]], float], *parts: Known) -> float | None:
    """The unit of numbers made of exact ones."""
    units = [part.unit for part in parts if part.unit is not None]
    return combine(units) if len(units) == len(parts) else None


def _meet(left: Sequence[int], right: Sequence[int]) -> bool:
    try:
        return math.prod(np.broadcast_shapes(tuple(left), tuple(right))) <= 64
    except ValueError:
        return False


def divide(g: Graph) -> Sequence[Known]:
    x = g.floats()
    y = g.constant(np.array(2, np.float32))
    value = g.add(nn.DivideOp.of(x.value, y))
    return [x.bounded(value, x.bound, None if x.unit is None else x.unit / 2, x.error)]


def product(g: Graph) -> Sequence[Known]:
    """f32, with a computed or a constant right operand, on each side of each transpose."""
    x = g.floats()
    if not x.shape:
        return []
    transpose_a, transpose_b = g.chance(), g.chance()
    depth = x.shape[-2:][0] if transpose_a else x.shape[-1:][0]

    def fits(y: Known) -> bool:
        if y.element != f32 or not y.shape or y.bound * x.bound > 1e6:
            return False
        rows = y.shape[-1] if transpose_b or len(y.shape) == 1 else y.shape[-2]
        return rows == depth and _meet(x.shape[:-2], y.shape[:-2])

    y = g.pick(fits)
    if y is None or g.chance():
        columns = g.number(1, 5)
        shape = g.one([(columns, depth) if transpose_b else (depth, columns), (depth,)])
        y = Known(g.constant(g.array(shape)))
    flags = {
        "transpose_a": BoolAttr.from_bool(transpose_a),
        "transpose_b": BoolAttr.from_bool(transpose_b),
    }
    value = g.add(nn.MatMulOp.of(x.value, y.value, **flags))
    bound = depth * x.bound * y.bound
    error = depth * (x.error * y.bound + y.error * x.bound)
    known = x.bounded(value, bound, _unit(math.prod, x, y), error)
    return [known if known.unit else replace(known, error=error + depth * bound * EPSILON)]


def quantize(g: Graph) -> Sequence[Known]:
    """To codes or to values, per tensor or per channel, in steps that are powers of two."""
    x = g.pick(lambda known: known.element == f32 and known.unit is not None)
    if x is None or not x.shape:
        return []
    shape = g.one([(), (x.shape[-1],)])
    exponents = np.full(shape, 1.0)
    step = np.ldexp(exponents, np.random.default_rng(g.number(0, 99)).integers(-3, 1, shape))
    code = g.one([UI8, i8, None])
    first = {UI8: 0, i8: -128, None: g.one([-128, 0, -255, -7])}[code]
    low, high = step * first, step * (first + 255)
    out = (np.float32(first), np.float32(first + 255)) if code else (low, high)
    limits = [g.constant(np.asarray(limit, np.float32)) for limit in (low, high, *out)]
    properties = {"levels": IntegerAttr(256, 64)}
    if code is not None:
        properties["output_type"] = code
    value = g.add(qnn.FakeQuantizeOp.of(x.value, *limits, **properties))
    return [Known(value, 255.0, 1.0 if code else UNIT)]


def quantized_product(g: Graph) -> Sequence[Known]:
    """Codes times constant codes, then back to f32."""
    x = g.pick(lambda known: known.element in (UI8, i8) and len(known.shape) > 0)
    if x is None:
        return []
    columns, depth = g.number(1, 6), x.shape[-1]
    random = np.random.default_rng(g.number(0, 99))
    dtype = g.one([np.int8, np.uint8])
    weights = random.integers(
        np.iinfo(dtype).min, np.iinfo(dtype).max, (columns, depth), endpoint=True
    )
    b = g.constant(weights.astype(dtype))
    sums = g.add(nn.MatMulOp.of(x.value, b, transpose_b=BoolAttr.from_bool(True)))
    value = g.add(nn.ConvertOp.of(sums, destination_type=f32))
    scaled = g.add(nn.MultiplyOp.of(value, g.constant(np.array(2.0**-8, np.float32))))
    return [x.bounded(scaled, depth * 255.0 * 255 / 256, 2.0**-8, 0)]


def dequantize(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: known.element in (UI8, i8))
    if x is None:
        return []
    shape = g.one([(), x.shape[-1:]])
    scale = np.ldexp(np.ones(shape, np.float32), -g.number(0, 3))
    properties: dict[str, Attribute] = {"scale": blob_of(scale)}
    if g.chance():
        properties["zero_point"] = blob_of(np.array(100, np.int8), x.element)
    return [Known(g.add(qnn.DequantizeOp.of(x.value, **properties)), 355.0, UNIT)]


def through_half(g: Graph) -> Sequence[Known]:
    """f16 and back, which rounds."""
    x = g.pick(lambda known: known.element == f32 and known.bound < 6e4)
    if x is None:
        return []
    half = g.add(nn.ConvertOp.of(x.value, destination_type=f16))
    value = g.add(nn.ConvertOp.of(half, destination_type=f32))
    if x.unit is None:
        return [Known(value, x.bound, None, x.error + x.bound * 2.0**-10)]
    # One rounding of equal numbers: equal, though no longer multiples of the unit.
    fits = x.bound / x.unit < 2**11
    return [Known(value, x.bound * 1.001, x.unit if fits else x.unit * 2.0**-4)]


def to_codes_and_back(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: known.element in (UI8, i8))
    if x is None:
        return []
    target = g.one([f32, UI8, i8, element_of(np.dtype(np.int32))])
    value = g.add(nn.ConvertOp.of(x.value, destination_type=target))
    return [Known(value, 255.0, 1.0)]


def integers(g: Graph) -> Sequence[Known]:
    """Arithmetic on integers wraps around."""
    x = g.pick(lambda known: known.element in (UI8, i8))
    if x is None:
        return []
    y = g.pick(lambda y: y.element == x.element and _meet(x.shape, y.shape)) or x
    op = g.one([nn.AddOp, nn.SubtractOp, nn.MultiplyOp, nn.MaximumOp, nn.MinimumOp])
    return [Known(g.add(op.of(x.value, y.value)), 255.0, 1.0)]


def split(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: any(size > 1 for size in known.shape))
    if x is None:
        return []
    axis = g.one([i for i, size in enumerate(x.shape) if size > 1])
    parts = g.one([n for n in range(2, x.shape[axis] + 1) if x.shape[axis] % n == 0])
    where = g.constant(np.array(axis - g.one([0, len(x.shape)])))
    op = nn.SplitOp.of(x.value, where, num_splits=IntegerAttr(parts, 64))
    g.add(op)
    return [replace(x, value=result) for result in op.results]


def concat(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: len(known.shape) > 0 and math.prod(known.shape) <= 24)
    if x is None:
        return []
    axis = g.number(0, len(x.shape) - 1)

    def fits(y: Known) -> bool:
        return (
            y.element == x.element
            and len(y.shape) == len(x.shape)
            and all(
                m == n for i, (m, n) in enumerate(zip(x.shape, y.shape, strict=True)) if i != axis
            )
            and y.shape[axis] <= 8
        )

    parts = [x, *(g.one([y for y in g.pool if fits(y)]) for _ in range(g.number(1, 2)) if fits(x))]
    parts = parts[:: g.one([1, -1])]
    value = g.add(nn.ConcatOp.of(*(part.value for part in parts), axis=IntegerAttr(axis, 64)))
    unit = _unit(min, *parts)
    return [x.bounded(value, max(p.bound for p in parts), unit, max(part.error for part in parts))]


def slice_(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: any(size > 1 for size in known.shape))
    if x is None:
        return []
    axis = g.one([i for i, size in enumerate(x.shape) if size > 1])
    start, stop, step = g.one([(0, -1, 1), (1, 100, 1), (0, 100, 2), (-1, -100, -1), (-1, 0, -2)])
    limits = [g.indices(n) for n in (start, stop, step, axis - g.one([0, len(x.shape)]))]
    return [replace(x, value=g.add(nn.SliceOp.of(x.value, *limits)))]


def transpose(g: Graph) -> Sequence[Known]:
    x = g.one(g.pool)
    order = g.draw(st.permutations(range(len(x.shape))))
    return [replace(x, value=g.add(nn.TransposeOp.of(x.value, g.indices(*order))))]


def reshape(g: Graph) -> Sequence[Known]:
    x = g.one(g.pool)
    size = int(math.prod(x.shape))
    front = g.one([n for n in range(1, size + 1) if size % n == 0])
    shape = g.one([(-1,), (front, -1), (1, front, -1), (size // front, 1, front)])
    return [replace(x, value=g.add(nn.ReshapeOp.of(x.value, g.indices(*shape))))]


def squeeze(g: Graph) -> Sequence[Known]:
    x = g.one(g.pool)
    return [replace(x, value=g.add(nn.SqueezeOp.of(x.value)))]


def unsqueeze(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: len(known.shape) < 4)
    if x is None:
        return []
    axis = g.number(0, len(x.shape))
    return [replace(x, value=g.add(nn.UnsqueezeOp.of(x.value, g.indices(axis))))]


def broadcast(g: Graph) -> Sequence[Known]:
    x = g.pick(lambda known: math.prod(known.shape) <= 16)
    if x is None:
        return []
    lead = g.one([(), (2,)])
    target = [*lead, *(2 if size == 1 and g.chance() else size for size in x.shape)]
    return [replace(x, value=g.add(nn.BroadcastOp.of(x.value, g.indices(*target))))]


def state(g: Graph) -> Sequence[Known]:
    """Read, and perhaps assigned: from a constant, an input or something computed, while it is unset."""
    init = g.pick(lambda known: known.small and known.element == f32)
    if init is None or g.chance():
        init = Known(g.constant(g.array(g.one([(2, 4), (1, 4), (3,)]))))
    name = f"state_{len(g.variables)}"
    type = tensor(init.value)
    g.variables.append(infra.VariableOp(name, type))
    g.pool.append(Known(g.add(infra.ReadValueOp(name, init.value, type))))
    following = g.pick(lambda known: known.small and known.value.type == type)
    if following is not None and g.number(0, 3):
        g.block.add_op(infra.AssignOp(name, following.value))
    return []


def iterate(g: Graph) -> Sequence[Known]:
    """An iterator with every kind of port."""
    sliced = g.pick(lambda known: any(size in (2, 3, 4) for size in known.shape))
    if sliced is None:
        return []
    axis = g.one([i for i, size in enumerate(sliced.shape) if size in (2, 3, 4)])
    count, stride = sliced.shape[axis], g.one([1, -1])
    start, end = (0, -1) if stride > 0 else (-1, 0)
    fields = [IntAttr(n) for n in (axis, start, end, stride, 1)]
    ports: list[Attribute] = [infra.SlicedAttr(*fields)]
    part = list(sliced.shape)
    part[axis] = 1
    known = [sliced]
    types: list[Attribute] = [TensorType(sliced.element, part)]
    for _ in range(g.number(0, 2)):
        one = g.pick(lambda known: known.small and known.element == f32)
        known.append(one or Known(g.constant(g.array((2, 4)))))
        ports.append(infra.MergedAttr(IntAttr(len(ports) - 1)))
        types.append(known[-1].value.type)
    merged = len(ports) - 1
    if g.chance():
        known.append(g.one(g.pool))
        ports.append(infra.InvariantAttr())
        types.append(known[-1].value.type)
    block = Block(arg_types=types)
    pool = [replace(k, value=arg) for k, arg in zip(known, block.args, strict=True)]
    pool[1 : 1 + merged] = [Known(arg) for arg in block.args[1 : 1 + merged]]
    body = Graph(g.draw, block, pool, g.variables)
    body.nested = True
    body.grow(g.number(0, 4))
    results: list[Known] = []
    for type in types[1 : 1 + merged]:
        found = body.pick(lambda known, type=type: known.small and known.value.type == type)
        assert found is not None
        results.append(found)
    results += [body.one(body.pool) for _ in range(g.number(0 if merged else 1, 2))]
    outputs: list[Attribute] = []
    out_known: list[Known] = []
    out_types: list[Attribute] = []
    for number in range(len(results)):
        result = results[number]
        for _ in range(g.number(0, 2)):
            if g.chance():
                outputs.append(infra.IterationAttr(IntAttr(number), IntAttr(-1)))
                out_types.append(result.value.type)
            elif result.shape:
                shape = list(result.shape)
                axis = g.number(0, len(shape) - 1)
                stride = g.one([1, -1]) * shape[axis]
                limits = (0, -1) if stride > 0 else (-1, 0)
                numbers = (number, axis, *limits, stride, shape[axis])
                outputs.append(infra.ConcatenatedAttr(*map(IntAttr, numbers)))
                shape[axis] *= count
                out_types.append(TensorType(result.element, shape))
            else:
                continue
            out_known.append(result)
    block.add_op(infra.YieldOp(*(result.value for result in results)))
    op = infra.TensorIteratorOp(
        operands=[[each.value for each in known]],
        result_types=[out_types],
        properties={
            "inputs": ArrayAttr(ports),
            "outputs": ArrayAttr(outputs),
            "body_names": ArrayAttr([StringAttr(f"p{i}") for i in range(len(ports))]),
        },
        regions=[Region(block)],
    )
    g.block.add_op(op)
    return [replace(k, value=r) for k, r in zip(out_known, op.results, strict=True)]


RULES: list[Rule] = [
    relu, squash, clamp, binary, binary, binary, divide, product, product, quantize, quantize,
    quantized_product, quantized_product, dequantize, through_half, to_codes_and_back, integers,
    split, split, concat, slice_, transpose, reshape, squeeze, unsqueeze, broadcast, state, iterate,
]  # fmt: skip
OUTER = (state, quantized_product)
"""What a body does not have."""


class Model:
    """A module and what is known of its outputs."""

    def __init__(self, module: ModuleOp, outputs: list[Known], inputs: list[tuple[int, ...]]):
        self.module, self.outputs, self.inputs = module, outputs, inputs

    def __repr__(self) -> str:
        return str(self.module)

    def feeds(self, seed: int) -> list[Array]:
        """Inputs for one call."""
        random = np.random.default_rng(seed)
        return [
            random.integers(-64, 65, shape).astype(np.float32) * np.float32(UNIT)
            for shape in self.inputs
        ]


@st.composite
def models(draw: Draw) -> Model:
    """Functions of one to three inputs and 3 to 20 operations; an output may be an input, or leave twice."""
    shapes = draw(
        st.lists(
            st.sampled_from([(2, 4), (1, 4), (4,), (1, 1, 4), (2, 3, 4), (3,), ()]),
            min_size=1,
            max_size=3,
        )
    )
    types = [TensorType(f32, shape) for shape in shapes]
    block = Block(arg_types=types)
    graph = Graph(draw, block, [Known(arg) for arg in block.args], [])
    graph.grow(draw(st.integers(3, 20)))
    outputs = draw(st.lists(st.sampled_from(graph.pool), min_size=1, max_size=4))
    if draw(st.booleans()):
        outputs.append(graph.pool[-1])
    block.add_op(func.ReturnOp(*(known.value for known in outputs)))
    signature = FunctionType.from_lists(types, [known.value.type for known in outputs])
    entry = func.FuncOp("main", signature, Region(block))
    module = ModuleOp([*graph.variables, entry])
    return Model(module, outputs, shapes)
