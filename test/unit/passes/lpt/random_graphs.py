"""
Random quantized models out of all that LPT takes part in, each value with an array it may have.

Every value is computed while the model is written, and again with disturbed operands (`echo`): by that much
two right ways of computing it may differ. Intervals are calibrated on the values, and no step is shorter
than eight such differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from test_numerics import intervals
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseArrayBase,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f16,
    f32,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowstream.dialects import nn
from lowstream.dialects.inferred import NAME
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt.precision import LEVELS
from lowstream.reference.arrays import Array, blob_of, dtype_of
from lowstream.reference.meaning import evaluate

LARGEST = 500
"""Elements of a value that further operations take."""
BOUND = 300.0
"""The largest number that further operations take: its products still fit f16."""
ROUNDING = 0.01
"""How far, in codes, LPT may move a zero point to a whole number."""
COARSE = 255 * float(np.finfo(np.float16).eps)
"""The same where an f16 interval says no better."""


@dataclass(frozen=True)
class Known:
    """A value, an array that it has, and the one it has where what it is made of is disturbed."""

    value: SSAValue
    array: Array
    echo: Array

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def is_fit(self) -> bool:
        """Whether further operations may take it: few numbers, none large, and most of their digits known."""
        if not 0 < self.array.size <= LARGEST:
            return False
        largest = float(np.max(abs(self.array)))
        return largest <= BOUND and 64 * self.noise <= largest

    @property
    def noise(self) -> float:
        """By how much two ways of computing it may differ."""
        return 4 * float(np.max(abs(self.array.astype(np.float64) - self.echo), initial=0.0))


@dataclass(frozen=True)
class Dequantized:
    """`value = (code - zero_point) * scale` for the codes that a FakeQuantize gives."""

    scale: float
    zero_point: float
    value: SSAValue


@dataclass
class RandomGraph:
    """A model of at least `size` operations; the first ones do not depend on `size`."""

    seed: int
    size: int
    element: Attribute = f32
    pool: list[Known] = field(init=False)
    used: set[SSAValue] = field(init=False)
    block: Block = field(init=False)
    dequantized: dict[str, Dequantized] = field(init=False)
    """What is behind each FakeQuantize that is written as quantize/dequantize."""
    results: list[Known] = field(init=False)

    def __repr__(self) -> str:
        return f"RandomGraph({self.seed}, {self.size}, {self.element})"

    def build(self) -> tuple[ModuleOp, list[Array]]:
        """The module, and inputs for it."""
        self.dequantized, self.pool, self.used = {}, [], set()
        self.count, self.step = 0, 0.0
        self.random = random = np.random.default_rng([self.seed, 0])
        rank = self.one([1, 2, 2, 2, 3])
        sizes = [self.number(1, 6 if rank < 3 else 3) for _ in range(rank)]
        shape = (self.one([1, 1, 2]), self.one([1, 2, 3, 4, 4, 6]), *sizes)
        count = self.one([1, 1, 2])
        self.block = Block(arg_types=[TensorType(self.element, shape)] * count)
        inputs = [self.cast(random.normal(0.3, 2, shape)) for _ in range(count)]
        for value, array in zip(self.block.args, inputs, strict=True):
            self.pool.append(Known(value, array, array))
        step = 0
        while self.count < self.size:
            step += 1
            self.random = np.random.default_rng([self.seed, step])
            self.grow()
        return self.finish(), inputs

    def grow(self) -> None:
        """Adds one layer: mostly on something that is quantized."""
        x = self.pick()
        if self.chance(0.7):
            x = self.quantize(x)
        made = self.one(RULES)(self, x)
        self.pool += [one for one in made if one.is_fit]

    def finish(self) -> ModuleOp:
        """Returns what nothing uses; one value more, and one twice, now and then."""
        random = self.random = np.random.default_rng([self.seed, 1 << 30])
        results = [one for one in self.pool if one.value not in self.used][-4:]
        if self.chance(0.3):
            results.append(self.one(self.pool))
        results = [self.quantize(one) if random.random() < 0.4 else one for one in results]
        self.results = results
        values = [one.value for one in results]
        self.block.add_op(func.ReturnOp(*values))
        types = ([a.type for a in self.block.args], [value.type for value in values])
        module = ModuleOp([func.FuncOp("main", types, Region(self.block))])
        module.verify()
        return module

    # --- drawing ---

    def one(self, options: Sequence[Any]) -> Any:
        return options[int(self.random.integers(len(options)))]

    def chance(self, share: float = 0.5) -> bool:
        return bool(self.random.random() < share)

    def number(self, low: int, high: int) -> int:
        return int(self.random.integers(low, high + 1))

    def pick(self, fits: Callable[[Known], bool] = lambda known: True) -> Known:
        """One of the values, mostly a late one."""
        options = [known for known in self.pool if fits(known)]
        return options[-1] if self.chance() else self.one(options)

    def cast(self, array: Any) -> Array:
        return np.asarray(array).astype(dtype_of(self.element))

    # --- writing ---

    def many(self, kind: type[Any], *operands: Known, **properties: Any) -> list[Known]:
        """Writes an operation and computes it, twice."""
        op: Operation = kind.of(*(one.value for one in operands), **properties)
        self.block.add_op(op)
        self.used.update(one.value for one in operands)
        self.count += 1
        with np.errstate(all="ignore"):  # what gets too large is not used
            arrays = evaluate(op, [one.array for one in operands])
            echoes = evaluate(op, [one.echo for one in operands])
            return [
                Known(value, array, self.disturbed(echo))
                for value, array, echo in zip(op.results, arrays, echoes, strict=True)
            ]

    def add(self, kind: type[Any], *operands: Known, **properties: Any) -> Known:
        return self.many(kind, *operands, **properties)[0]

    def disturbed(self, array: Array) -> Array:
        """As another order of computing would round it."""
        if array.dtype.kind != "f":
            return array
        epsilon = float(np.finfo(array.dtype).eps)
        largest = float(np.max(abs(array), initial=0.0))
        wide = array + self.random.uniform(-epsilon, epsilon, array.shape) * largest / 4
        return (wide * (1 + self.random.uniform(-epsilon, epsilon, array.shape))).astype(
            array.dtype
        )

    def constant(self, array: Any, dtype: Any = None) -> Known:
        array = self.cast(array) if dtype is None else np.asarray(array, dtype)
        element = self.element if dtype is None else None
        op = nn.ConstantOp(blob_of(array, element))
        self.block.add_op(op)
        return Known(op.result, array, array)

    def indices(self, *numbers: Any) -> Known:
        return self.constant(np.array(numbers, np.int64), np.int64)

    def fake_quantize(self, x: Known, limits: Sequence[Any], levels: int) -> Known:
        ends = [self.constant(limit) for limit in limits]
        made = self.add(FakeQuantizeOp, x, *ends, levels=IntegerAttr(levels, i64))
        assert isinstance(made.value.owner, Operation)
        made.value.owner.attributes[NAME] = StringAttr(f"fq{self.count}")
        return Known(made.value, made.array, made.array)

    def quantize(self, x: Known) -> Known:
        """A FakeQuantize, or quantize/dequantize, on the interval of the values or somewhat less or more."""
        levels = self.one([256, 256, 256, *LEVELS])
        per_channel = self.chance(0.2) and len(x.shape) > 1
        axes = tuple(i for i in range(len(x.shape)) if not per_channel or i != 1)
        low = np.min(x.array, axes, keepdims=per_channel, initial=0.0).astype(np.float64)
        high = np.max(x.array, axes, keepdims=per_channel, initial=0.0).astype(np.float64)
        kinds = ["signed", "zero point", "between codes"]
        kind = "unsigned" if (low >= 0).all() and self.chance(0.8) else self.one(kinds)
        first, last = (float(end) for end in intervals(kind, 1.0, levels))
        scale = np.maximum(high / last, low / first if first else 0) * self.random.uniform(0.7, 1.1)
        least = max(8 * x.noise, 1e-3 / levels, float(np.max(scale)) * 1e-3)
        scale = np.maximum(scale, least)
        if levels == 256 and not per_channel and kind != "between codes" and self.chance(0.3):
            return self.quantize_dequantize(x, kind, float(scale))
        low, high = (self.cast(end) for end in intervals(kind, scale, levels))
        factor = self.random.uniform(0.5, 2) if self.chance(0.1) else 1.0
        output = [low * factor, high * factor]
        made = self.fake_quantize(x, [low, high, *output], levels)
        return self.shaken(made, float(np.max(scale)) * factor)

    def shaken(self, made: Known, step: float) -> Known:
        """With the echo that a rounded zero point gives."""
        self.step = step
        rounding = ROUNDING if self.element == f32 else COARSE
        return Known(made.value, made.array, self.cast(made.array + rounding * step))

    def quantize_dequantize(self, x: Known, kind: str, scale: float) -> Known:
        """FakeQuantize -> Convert -> Convert -> Subtract -> Multiply."""
        low, high = (float(end) for end in intervals(kind, scale, 256))
        code = self.one([np.uint8, np.int8])
        first = np.iinfo(code).min
        zero_point = first - round(low / scale)
        made = self.fake_quantize(x, [low, high, first, first + 255], 256)
        assert isinstance(made.value.owner, Operation)
        name = made.value.owner.attributes[NAME]
        assert isinstance(name, StringAttr)
        rounded = float(self.cast(scale))
        codes = self.add(
            nn.ConvertOp, made, destination_type=blob_of(np.zeros(1, code)).type.element_type
        )
        codes = Known(codes.value, codes.array, codes.array)
        values = self.add(nn.ConvertOp, codes, destination_type=self.element)
        values = Known(values.value, values.array, values.array)
        if zero_point:
            values = self.add(nn.SubtractOp, values, self.constant(zero_point))
        values = self.add(nn.MultiplyOp, values, self.constant(rounded))
        self.dequantized[name.data] = Dequantized(rounded, zero_point, values.value)
        return self.shaken(values, scale)

    def weights(self, shape: Sequence[int], channel: int) -> Known:
        """A constant, quantized per tensor or for each channel, as values or as codes."""
        levels = self.one([255, 255, 256, 15, 16])
        per_channel = self.chance(0.7)
        spread = [size if i == channel else 1 for i, size in enumerate(shape)]
        scale = self.random.uniform(0.3, 1, spread if per_channel else ()) / levels
        kind = self.one(["signed"] * 4 + ["zero point"])
        low, high = intervals(kind, scale, levels)
        values = self.random.uniform(low, high, shape)
        if self.chance(0.1):
            return self.constant(values)
        if self.chance(0.7):
            limits = [self.cast(end) for end in (low, high)] * 2
            return self.shaken(
                self.fake_quantize(self.constant(values), limits, levels), float(np.max(scale))
            )
        codes = self.random.integers(-127, 128, shape)
        w = self.add(nn.ConvertOp, self.constant(codes, np.int8), destination_type=self.element)
        if kind != "signed":
            w = self.add(nn.SubtractOp, w, self.constant(self.number(-20, 20)))
        return self.add(nn.MultiplyOp, w, self.constant(scale))


Rule = Callable[[RandomGraph, Known], Sequence[Known]]


def i64s(numbers: Sequence[int]) -> DenseArrayBase[Any]:
    return DenseArrayBase.from_list(i64, [int(number) for number in numbers])


def boolean(value: bool) -> BoolAttr:
    return BoolAttr.from_bool(value)


def window(g: RandomGraph, x: Known, most: int) -> dict[str, list[int]] | None:
    """A window that fits, as lists of sizes."""
    sizes = x.shape[2:]
    if not 1 <= len(sizes) <= 3 or min(sizes, default=0) < 1:
        return None
    kernel = [g.number(1, min(most, size)) for size in sizes]
    pads = [[g.one([0, 0, k // 2]) for k in kernel] for _ in range(2)]
    return {
        "kernel": kernel,
        "strides": [g.one([1, 1, 2]) for _ in sizes],
        "pads_begin": pads[0],
        "pads_end": pads[1],
        "dilations": [
            1 if 2 * k - 1 > size else g.one([1, 1, 2])
            for k, size in zip(kernel, sizes, strict=True)
        ],
    }


def convolution(g: RandomGraph, x: Known) -> Sequence[Known]:
    """One of the four kinds, with a bias or none."""
    if (found := window(g, x, 3)) is None:
        return []
    channels, kernel = x.shape[1], found.pop("kernel")
    backward, grouped = g.chance(0.25), g.chance(0.4)
    groups = g.one([n for n in range(1, channels + 1) if channels % n == 0]) if grouped else 1
    inputs, outputs = channels // groups, g.number(1, 3)
    order = (inputs, outputs) if backward else (outputs, inputs)
    shape = (*((groups,) if grouped else ()), *order, *kernel)
    filters = g.weights(shape, grouped + backward)
    if backward:
        found |= {"pads_begin": [0] * len(kernel), "pads_end": [0] * len(kernel)}
        found["output_padding"] = [0] * len(kernel)
    kinds = {
        (False, False): nn.ConvolutionOp,
        (False, True): nn.GroupConvolutionOp,
        (True, False): nn.ConvolutionBackpropDataOp,
        (True, True): nn.GroupConvolutionBackpropDataOp,
    }
    properties = {key: i64s(value) for key, value in found.items()}
    y = g.add(kinds[backward, grouped], x, filters, **properties)
    if g.chance():
        bias = g.random.normal(size=(1, y.shape[1], *[1] * len(kernel)))
        y = g.add(nn.AddOp, y, g.constant(bias))
    return [y]


def product(g: RandomGraph, x: Known) -> Sequence[Known]:
    """With constant weights, or with another value of the model."""
    if len(x.shape) < 2:
        return []
    flip_a, flip_b = g.chance(0.2), g.chance()
    depth = x.shape[-2] if flip_a else x.shape[-1]

    def fits(y: Known) -> bool:
        return (
            len(y.shape) > 1
            and y.shape[-1 if flip_b else -2] == depth
            and meet(x.shape[:-2], y.shape[:-2])
        )

    if g.chance(0.3) and any(map(fits, g.pool)):
        y = g.quantize(g.pick(fits))
    else:
        columns = g.number(1, 6)
        y = g.weights((columns, depth) if flip_b else (depth, columns), 0 if flip_b else 1)
    flags = {"transpose_a": boolean(flip_a), "transpose_b": boolean(flip_b)}
    result = g.add(nn.MatMulOp, x, y, **flags)
    if g.chance(0.3):
        result = g.add(nn.AddOp, result, g.constant(g.random.normal(size=result.shape[-1])))
    return [result]


def meet(left: Sequence[int], right: Sequence[int]) -> bool:
    try:
        return math.prod(np.broadcast_shapes(tuple(left), tuple(right))) <= LARGEST
    except ValueError:
        return False


def pooling(g: RandomGraph, x: Known) -> Sequence[Known]:
    if (found := window(g, x, 3)) is None:
        return []
    # A window that lies in the padding alone has no maximum.
    for key in ("pads_begin", "pads_end"):
        found[key] = [
            min(pad, (k - 1) // 2) for pad, k in zip(found[key], found["kernel"], strict=True)
        ]
    found["dilations"] = [1] * len(found["kernel"])
    properties: dict[str, Any] = {key: i64s(value) for key, value in found.items()}
    properties["rounding_type"] = StringAttr(g.one(["floor", "ceil", "ceil_torch"]))
    if g.chance():
        return [g.add(nn.MaxPoolOp, x, **properties)]
    x = g.quantize(x)
    step = g.step
    mean = g.add(nn.AvgPoolOp, x, exclude_pad=boolean(g.chance()), **properties)
    # Means of codes may be codes, each half of one away; `noise` counts fourfold.
    apart = g.random.choice([-1, 1], mean.shape) * step / 8
    return [Known(mean.value, mean.array, g.cast(mean.echo + apart))]


def arithmetic(g: RandomGraph, x: Known) -> Sequence[Known]:
    """With a constant, or with another value: a residual."""
    kind = g.one([nn.AddOp, nn.AddOp, nn.MultiplyOp, nn.SubtractOp])
    if g.chance(0.6):
        y = g.pick(lambda y: meet(x.shape, y.shape))
        y = g.quantize(y) if g.chance(0.7) else y
    else:
        spread = [size if i == 1 else 1 for i, size in enumerate(x.shape)]
        y = g.constant(g.random.normal(1, 1, g.one([(), spread, x.shape])))
    pair = (x, y) if g.chance(0.8) else (y, x)
    return [g.add(kind, *pair)]


def activation(g: RandomGraph, x: Known) -> Sequence[Known]:
    match g.number(0, 4):
        case 0 | 1:
            return [g.add(nn.ReluOp, x)]
        case 2:
            low, high = sorted(g.random.normal(0, 2, 2))
            return [g.add(nn.ClampOp, x, min=FloatAttr(low, f64), max=FloatAttr(high, f64))]
        case 3 if len(x.shape) > 1:
            slopes = g.random.uniform(-0.5, 1.5, g.one([1, x.shape[1]]))
            return [g.add(nn.PReluOp, x, g.constant(slopes))]
        case _:
            return [g.add(g.one([nn.SigmoidOp, nn.TanhOp]), x)]


def concat(g: RandomGraph, x: Known) -> Sequence[Known]:
    if not x.shape:
        return []
    axis = g.number(0, len(x.shape) - 1)

    def fits(y: Known) -> bool:
        return len(x.shape) == len(y.shape) and all(
            m == n for i, (m, n) in enumerate(zip(x.shape, y.shape, strict=True)) if i != axis
        )

    others = [g.pick(fits) for _ in range(g.number(1, 2)) if any(map(fits, g.pool))]
    others = [g.quantize(other) if g.chance(0.7) else other for other in others] or [x]
    return [g.add(nn.ConcatOp, x, *others, axis=IntegerAttr(axis, i64))]


def split(g: RandomGraph, x: Known) -> Sequence[Known]:
    options = [i for i, size in enumerate(x.shape) if size > 1]
    if not options:
        return []
    axis = g.one(options)
    size, at = x.shape[axis], g.constant(axis, np.int64)
    if g.chance():
        first = g.number(1, size - 1)
        return g.many(nn.VariadicSplitOp, x, at, g.indices(first, size - first))
    parts = g.one([n for n in range(2, size + 1) if size % n == 0])
    return g.many(nn.SplitOp, x, at, num_splits=IntegerAttr(parts, i64))


def slices(g: RandomGraph, x: Known) -> Sequence[Known]:
    options = [i for i, size in enumerate(x.shape) if size > 1]
    if not options:
        return []
    axis = g.one(options)
    start, stop, step = g.one([(0, -1, 1), (1, 100, 1), (0, 100, 2), (-1, -100, -1)])
    if g.chance():
        limits = [g.indices(number) for number in (start, stop, step, axis)]
        return [g.add(nn.SliceOp, x, *limits)]
    rank = len(x.shape)
    begin, end = ([number if i == axis else 0 for i in range(rank)] for number in (start, stop))
    steps = [step if i == axis else 1 for i in range(rank)]
    whole = [int(i != axis) for i in range(rank)]
    none = i64s([0] * rank)
    masks = {
        "begin_mask": i64s(whole), "end_mask": i64s(whole), "new_axis_mask": none,
        "shrink_axis_mask": none, "ellipsis_mask": none,
    }  # fmt: skip
    return [
        g.add(nn.StridedSliceOp, x, *(g.indices(*part) for part in (begin, end, steps)), **masks)
    ]


def pad(g: RandomGraph, x: Known) -> Sequence[Known]:
    if not x.shape:
        return []
    mode = g.one(["constant", "constant", "edge", "reflect", "symmetric"])
    begin, end = ([min(g.number(-1, 1), size - 1) for size in x.shape] for _ in range(2))
    pads = [
        [max(n, 0) if size < 3 else n for n, size in zip(part, x.shape, strict=True)]
        for part in (begin, end)
    ]
    numbers = [g.indices(*part) for part in pads]
    value = [g.constant(g.one([0, 0, 0.5]))] if mode == "constant" and g.chance() else []
    return [g.add(nn.PadOp, x, *numbers, *value, pad_mode=StringAttr(mode))]


def reshape(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    match g.number(0, 4):
        case 0 if rank > 2:
            return [g.add(nn.ReshapeOp, x, g.indices(0, 0, -1), special_zero=boolean(True))]
        case 1 if rank > 1:
            at = g.number(0, rank - 2)
            merged = (*x.shape[:at], x.shape[at] * x.shape[at + 1], *x.shape[at + 2 :])
            return [g.add(nn.ReshapeOp, x, g.indices(*merged))]
        case 2 if 1 in x.shape and rank > 2:
            ones = [i for i, size in enumerate(x.shape) if size == 1]
            return [g.add(nn.SqueezeOp, x, g.indices(g.one(ones)))]
        case 3 if rank < 5:
            return [g.add(nn.UnsqueezeOp, x, g.indices(g.number(0, rank)))]
        case _:
            target = [2 if size == 1 and g.chance() else size for size in x.shape]
            return [g.add(nn.BroadcastOp, x, g.indices(*target))]


def transpose(g: RandomGraph, x: Known) -> Sequence[Known]:
    return [g.add(nn.TransposeOp, x, g.indices(*g.random.permutation(len(x.shape))))]


def interpolate(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    if rank < 3:
        return []
    axes = range(2, rank)
    mode = g.one(["nearest", "nearest", "linear_onnx", "linear", "cubic"])
    if mode == "linear_onnx" and rank - 2 > 3:
        return []
    sizes = [g.number(1, 2) * x.shape[axis] for axis in axes]
    properties: dict[str, Any] = {
        "mode": StringAttr(mode),
        "shape_calculation_mode": StringAttr("sizes"),
        "coordinate_transformation_mode": StringAttr(
            g.one(["asymmetric", "half_pixel", "align_corners"])
        ),
        "antialias": boolean(False),
        "pads_begin": i64s([]),
        "pads_end": i64s([]),
    }
    return [g.add(nn.InterpolateOp, x, g.indices(*sizes), g.indices(*axes), **properties)]


def reduction(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    if rank < 2:
        return []
    kind = g.one([nn.ReduceMeanOp, nn.ReduceSumOp, nn.ReduceMaxOp, nn.ReduceMinOp])
    axes = g.indices(*sorted(g.random.choice(rank, g.number(1, rank - 1), replace=False)))
    return [g.add(kind, x, axes, keep_dims=boolean(g.chance(0.7)))]


def normalization(g: RandomGraph, x: Known) -> Sequence[Known]:
    rank = len(x.shape)
    if rank < 2:
        return []
    axes = g.indices(*g.one([range(1, rank), range(2, rank) if rank > 2 else [1], [1]]))
    eps = FloatAttr(g.one([1e-3, 1e-2]), f64)
    if g.chance():
        mode = StringAttr(g.one(["inside_sqrt", "outside_sqrt"]))
        scaled = boolean(g.chance(0.7))
        return [g.add(nn.MvnOp, x, axes, eps=eps, eps_mode=mode, normalize_variance=scaled)]
    mode = StringAttr(g.one(["add", "max"]))
    return [g.add(nn.NormalizeL2Op, x, axes, eps=eps, eps_mode=mode)]


def gather(g: RandomGraph, x: Known) -> Sequence[Known]:
    if not x.shape:
        return []
    axis = g.number(0, len(x.shape) - 1)
    size = x.shape[axis]
    at = g.one([(), (g.number(1, 4),), (2, 2)])
    indices = g.constant(g.random.integers(0, size, at), np.int64)
    return [
        g.add(nn.GatherOp, x, indices, g.constant(axis, np.int64), batch_dims=IntegerAttr(0, i64))
    ]


def blocks(g: RandomGraph, x: Known) -> Sequence[Known]:
    """Depth, batch and channels change places."""
    rank = len(x.shape)
    if rank < 3 or rank > 5:
        return []
    spatial = rank - 2
    kind = g.number(0, 2)
    if x.shape[1] % 2**spatial == 0:
        mode = StringAttr(g.one(["blocks_first", "depth_first"]))
        return [g.add(nn.DepthToSpaceOp, x, mode=mode, block_size=IntegerAttr(2, i64))]
    if kind < 2 and x.shape[0] % 2 == 0:
        numbers = [[1, 1, 2, *[1] * (spatial - 1)], [0] * rank, [0] * rank]
        return [g.add(nn.BatchToSpaceOp, x, *(g.indices(*part) for part in numbers))]
    if kind > 0 and x.shape[2] % 2 == 0:
        numbers = [[1, 1, 2, *[1] * (spatial - 1)], [0] * rank, [0] * rank]
        return [g.add(nn.SpaceToBatchOp, x, *(g.indices(*part) for part in numbers))]
    if x.shape[1] % 2 == 0:
        return [g.add(nn.ShuffleChannelsOp, x, axis=IntegerAttr(1, i64), group=IntegerAttr(2, i64))]
    return []


RULES: list[Rule] = [
    convolution, convolution, convolution, convolution, product, product, pooling, pooling,
    arithmetic, arithmetic, arithmetic, arithmetic, activation, activation, concat, concat, split,
    slices, pad, reshape, transpose, interpolate, reduction, normalization, gather, blocks, blocks,
]  # fmt: skip


def graph_of(seed: int) -> RandomGraph:
    """The graph of a long run's seed: 3 to 30 operations, f32 or f16."""
    random = np.random.default_rng(seed)
    return RandomGraph(seed, int(random.integers(3, 31)), f16 if random.random() < 0.25 else f32)
