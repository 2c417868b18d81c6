"""
Random quantized models out of all that LPT takes part in, each value with an array it may have.

Every value is computed while the model is written, and again with disturbed operands (`echo`): by that much
two right ways of computing it may differ. Intervals are calibrated on the values, and no step is shorter
than eight such differences. Layers are in `random_layers`, what has a body or a state in `random_bodies`,
recurrent layers in `random_recurrent`, other ways to write the same in `random_forms`, what models write seldom in
`random_wider`, bodies in bodies in `random_nested`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    IntegerAttr,
    ModuleOp,
    StringAttr,
    TensorType,
    f16,
    f32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowstream.dialects import infra, nn
from lowstream.dialects.inferred import NAME
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt.config import COMPILED, DEFAULT
from lowstream.reference.arrays import Array, blob_of, dtype_of
from lowstream.reference.executor import Executor
from lowstream.reference.meaning import MEANINGS, evaluate
from lowstream.test.unit.passes.lpt.other_meanings import instead, result_of
from lowstream.test.unit.passes.lpt.test_numerics import intervals

EDITION = 3
"""What seeds mean. Earlier editions know less; seeds of them that failed are kept with them."""
EDITIONS = 4
"""How many there are; long runs take the last."""
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
    reach: float = 0.0
    """How far, at most, a value is from the one of code 0: arithmetic on codes rounds numbers of that size."""

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


def run(op: Operation, arrays: Sequence[Array]) -> list[Array]:
    """What an operation gives, which may have bodies."""
    if not op.regions:
        return evaluate(op, arrays)
    block = Block(arg_types=[operand.type for operand in op.operands])
    copy = op.clone(dict(zip(op.operands, block.args, strict=True)))
    block.add_ops([copy, func.ReturnOp(*copy.results)])
    types = (list(block.arg_types), list(copy.result_types))
    return Executor(ModuleOp([func.FuncOp("main", types, Region(block))])).run(arrays)


def run_twice(
    op: Operation, arrays: Sequence[Array], echoes: Sequence[Array], rounding: float
) -> tuple[list[Array], list[Array]]:
    """The same of a value and of its echo. FakeQuantize in a body gives both the same, but for `rounding` of a step."""
    if not op.regions:
        return run(op, arrays), run(op, echoes)
    own, given = MEANINGS[FakeQuantizeOp], deque[Array]()

    def noted(op: FakeQuantizeOp, *operands: Array) -> Array:
        given.append(result_of(own, op, operands))
        return given[-1]

    def echoed(op: FakeQuantizeOp, *operands: Array) -> Array:
        result = result_of(own, op, operands)
        if given and given[0].shape == result.shape:
            result = given.popleft()
        step = (operands[4].astype(np.float64) - operands[3]) / (op.levels.value.data - 1)
        return (result + rounding * step).astype(result.dtype)

    with instead({FakeQuantizeOp: noted}):
        results = run(op, arrays)
    with instead({FakeQuantizeOp: echoed}):
        return results, run(op, echoes)


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
    edition: int = EDITION
    pool: list[Known] = field(init=False)
    used: set[SSAValue] = field(init=False)
    block: Block = field(init=False)
    dequantized: dict[str, Dequantized] = field(init=False)
    """What is behind each FakeQuantize that is written as quantize/dequantize."""
    variables: list[Operation] = field(init=False)
    """The states."""
    results: list[Known] = field(init=False)

    def __repr__(self) -> str:
        return f"RandomGraph({self.seed}, {self.size}, {self.element}, {self.edition})"

    @property
    def rounding(self) -> float:
        """By how much, in codes, LPT may move a zero point."""
        return ROUNDING if self.element == f32 else COARSE

    @property
    def preset(self) -> str:
        """What LPT is asked for: mostly its default, or what models are compiled with."""
        chosen = np.random.default_rng([self.seed, 1 << 31]).random()
        if self.edition == 1 or chosen < 0.8:
            return COMPILED if self.edition > 2 and chosen < 0.4 else DEFAULT
        return "all" if chosen < 0.95 else "cpu-arm"

    def build(self) -> tuple[ModuleOp, list[Array]]:
        """The module, and inputs for it."""
        self.dequantized, self.pool, self.used, self.variables = {}, [], set(), []
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
        from lowstream.test.unit.passes.lpt.random_layers import LAYERS
        from lowstream.test.unit.passes.lpt.random_more import MORE
        from lowstream.test.unit.passes.lpt.random_nested import NESTED
        from lowstream.test.unit.passes.lpt.random_wider import WIDER

        wider = [*LAYERS, *MORE, *WIDER]
        known = [LAYERS, [*LAYERS, *MORE], wider, [*wider, *NESTED, *NESTED]]
        made = self.one(known[self.edition - 1])(self, x)
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
        module = ModuleOp([*self.variables, func.FuncOp("main", types, Region(self.block))])
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
        return self.write(kind.of(*(one.value for one in operands), **properties), operands)

    def write(self, op: Operation, operands: Sequence[Known]) -> list[Known]:
        """The same for an operation that is there already."""
        self.block.add_op(op)
        self.used.update(one.value for one in operands)
        self.count += 1
        reach = max((one.reach for one in operands), default=0.0)
        with np.errstate(all="ignore"):  # what gets too large is not used
            arrays, echoes = run_twice(
                op,
                [one.array for one in operands],
                [one.echo for one in operands],
                self.rounding,
            )
            return [
                Known(value, array, self.disturbed(echo), reach)
                for value, array, echo in zip(op.results, arrays, echoes, strict=True)
            ]

    def add(self, kind: type[Any], *operands: Known, **properties: Any) -> Known:
        return self.many(kind, *operands, **properties)[0]

    @contextmanager
    def body(self, *arguments: Known) -> Iterator[list[Known]]:
        """Writes to a new block, which has arguments like these values and can use nothing else."""
        outer = self.block, self.pool
        self.block = Block(arg_types=[one.value.type for one in arguments])
        self.pool = [
            replace(one, value=value) for one, value in zip(arguments, self.block.args, strict=True)
        ]
        try:
            yield list(self.pool)
        finally:
            self.block, self.pool = outer

    def end(self, *results: Known) -> Region:
        """The body that ends here."""
        self.block.add_op(infra.YieldOp(*(one.value for one in results)))
        return Region(self.block)

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
        reach = float(np.max(np.subtract(limits[3], limits[2], dtype=np.float64)))
        return Known(made.value, made.array, made.array, reach)

    def quantize(self, x: Known) -> Known:
        """A FakeQuantize, or quantize/dequantize, on the interval of the values or somewhat less or more."""
        levels = self.one([256, 256, 256, 15, 16, 255, 256])
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
        low, high = intervals(kind, scale, levels)
        if self.edition > 1 and per_channel and kind in ("zero point", "between codes"):
            steps = np.random.default_rng([self.seed, self.count]).integers(
                0, levels // 4, scale.shape
            )
            low, high = (end + steps * scale for end in (low, high))
        low, high = self.cast(low), self.cast(high)
        factor = self.random.uniform(0.5, 2) if self.chance(0.1) else 1.0
        output = [low * factor, high * factor]
        made = self.fake_quantize(x, [low, high, *output], levels)
        return self.shaken(made, float(np.max(scale)) * factor)

    def shaken(self, made: Known, step: float) -> Known:
        """With the echo that a rounded zero point gives."""
        self.step = step
        return replace(made, echo=self.cast(made.array + self.rounding * step))

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
        if self.edition > 1 and self.chance(0.1):
            values = self.fake_quantize(values, [first, first + 255] * 2, 256)
        if zero_point:
            values = self.add(nn.SubtractOp, values, self.constant(zero_point))
        values = self.add(nn.MultiplyOp, values, self.constant(rounded))
        self.dequantized[name.data] = Dequantized(rounded, zero_point, values.value)
        return self.shaken(replace(values, reach=255 * scale), scale)

    def weights(self, shape: Sequence[int], channel: int, columns: bool = False) -> Known:
        """A constant, quantized per tensor or for each channel, maybe its `columns`, as values or as codes."""
        if self.edition > 1 and self.chance(0.2):
            from lowstream.test.unit.passes.lpt.random_forms import written_weights

            return written_weights(self, shape, channel)
        levels = self.one([255, 255, 256, 15, 16])
        per_channel = self.chance(0.7)
        channel_shape = [size if i == channel else 1 for i, size in enumerate(shape)]
        if columns and levels in (15, 256):
            channel_shape[-1] = shape[-1]
        scale = self.random.uniform(0.3, 1, channel_shape if per_channel else ()) / levels
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


def graph_of(seed: int, edition: int = EDITION) -> RandomGraph:
    """The graph of a long run's seed: 3 to 30 operations, f32 or f16."""
    random = np.random.default_rng(seed)
    size, element = int(random.integers(3, 31)), f16 if random.random() < 0.25 else f32
    return RandomGraph(seed, size, element, edition)
