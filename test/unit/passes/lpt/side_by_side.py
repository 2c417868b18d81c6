"""
A model before and after LPT, layer by layer on the same inputs.

LPT keeps the names of FakeQuantize. What one gives after LPT is put in its place before LPT too, so that each
layer takes the same values here and there, and an error shows where it arises.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from lowstream.dialects.inferred import friendly_name, tensor
from lowstream.dialects.nn import ConcatOp, MultiplyOp, ReluOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt import LptCleanup, LptMain, LptMarkup, LptPrerequisites
from lowstream.passes.lpt.attributes import alignment_of
from lowstream.passes.lpt.config import DEFAULT, LptConfig
from lowstream.passes.lpt.main.quantization.drop_rounding import round_again
from lowstream.passes.lpt.precision import Alignment
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.meaning import MEANINGS
from lowstream.test.unit.passes.lpt.other_meanings import instead, result_of
from lowstream.test.unit.passes.lpt.random_graphs import Dequantized, RandomGraph


@dataclass(frozen=True)
class Step:
    """
    What a FakeQuantize gave after LPT: in parts of its interval, or in values where it shares a grid. Nobody can tell
    parts of an interval of length 0; they are NaN.
    """

    parts: Array | None = None
    values: Array | None = None
    step: float = 0.0
    levels: int = 0


@dataclass(frozen=True)
class Apart:
    """How far both are apart at a FakeQuantize, in its codes, or at a result of the model."""

    name: str
    largest: float
    allowed: float

    @property
    def is_close(self) -> bool:
        return self.largest <= self.allowed


def optimized(
    module: ModuleOp, preset: str = DEFAULT, config: LptConfig | None = None
) -> tuple[ModuleOp, dict[str, Alignment]]:
    """The module after LPT, and the grids that FakeQuantize of these names share with others."""
    after = module.clone()
    run_passes(after, [LptPrerequisites(preset, config), LptMarkup(preset, config)])
    aligned = {
        name: alignment
        for op in after.walk()
        if (name := friendly_name(op)) and (alignment := alignment_of(op)) is not None
    }
    run_passes(after, [LptMain(preset, config), LptCleanup(preset, config)])
    return after, aligned


def compare(
    module: ModuleOp,
    inputs: Sequence[Array],
    graph: RandomGraph,
    after: ModuleOp,
    aligned: Mapping[str, Alignment],
) -> list[Apart]:
    """
    The differences at each FakeQuantize, whenever it runs, and at each result, which the graph says how well it
    knows. A model with states is called twice. What LPT leaves unrounded is rounded again: it may be half a step off,
    which is many of a finer FakeQuantize behind it.
    """
    calls = 2 if graph.variables else 1
    steps: dict[str, list[Step]] = defaultdict(list)

    def observe(op: Operation, operands: Sequence[Array], results: Sequence[Array]) -> None:
        if isinstance(op, FakeQuantizeOp) and (name := friendly_name(op)) is not None:
            steps[name].append(_step(op, operands, results[0], aligned.get(name)))

    rounded = after.clone()
    round_again(rounded)
    executor = Executor(rounded)
    found = [executor.run(inputs, observe) for _ in range(calls)]
    judge = Judge(graph, steps)
    with judge.in_charge():
        executor = Executor(module)
        wanted = [executor.run(inputs) for _ in range(calls)]
    noise = [2 * one.noise + 1e-6 * float(np.max(abs(one.array))) for one in graph.results]
    for now, before in zip(found, wanted, strict=True):
        for i, (one, other, allowed) in enumerate(zip(now, before, noise, strict=True)):
            assert (one.dtype, one.shape) == (other.dtype, other.shape)
            judge.apart.append(Apart(f"result {i}", _largest(one, other), allowed))
    return judge.apart


@dataclass
class Judge:
    """Runs in the model before LPT: compares its FakeQuantize with those after it, and puts these in their place."""

    graph: RandomGraph
    steps: Mapping[str, Sequence[Step]]
    """What each gave, run by run."""
    apart: list[Apart] = field(default_factory=list[Apart])
    runs: Counter[str] = field(default_factory=Counter[str])
    given: dict[SSAValue, Array] = field(default_factory=dict[SSAValue, Array])
    """The values behind codes that another FakeQuantize gave: dequantized, they have theirs already."""

    @contextmanager
    def in_charge(self) -> Iterator[None]:
        """The reference executor asks the judge, also within bodies."""
        quantize, multiply = MEANINGS[FakeQuantizeOp], MEANINGS[MultiplyOp]

        def judged(op: FakeQuantizeOp, *operands: Array) -> Array:
            return self.judged(op, operands, result_of(quantize, op, operands))

        def dequantized(op: MultiplyOp, *operands: Array) -> Array:
            if op.result in self.given:
                return self.given.pop(op.result)
            return result_of(multiply, op, operands)

        with instead({FakeQuantizeOp: judged, MultiplyOp: dequantized}):
            yield

    def judged(self, op: FakeQuantizeOp, operands: Sequence[Array], result: Array) -> Array:
        """What goes on from this FakeQuantize, which gives `result` on its own."""
        name = friendly_name(op)
        assert name is not None
        run = self.runs[name]
        self.runs[name] += 1
        if (step := _found(op, self.steps, name, run, result.shape)) is None:
            return result
        behind = self.graph.dequantized.get(name)
        forced, length = _forced(op, operands, step, behind)
        forced = np.where(np.isnan(forced), result, forced)
        if behind is not None:
            values = (forced - behind.zero_point) * behind.scale
            self.given[behind.value] = values.astype(result.dtype)
        with np.errstate(divide="ignore", invalid="ignore"):
            codes = np.nan_to_num((forced - result.astype(np.float64)) / length)
        # Rounding of values to f16 makes codes no worse than a tenth of one.
        self.apart.append(Apart(name, _largest(codes, 0.0), 1.1))
        return forced.astype(result.dtype)


def _largest(one: Array, other: Array | float) -> float:
    return float(np.max(abs(one.astype(np.float64) - other), initial=0.0))


def _step(
    op: FakeQuantizeOp, operands: Sequence[Array], result: Array, alignment: Alignment | None
) -> Step:
    element = tensor(op.result).element_type
    if alignment is not None and isa(element, IntegerType):
        grid = alignment.grid(element)
        return Step(values=(result - grid.zero_point) * grid.scale, step=float(grid.scale))
    low, high = (operand.astype(np.float64) for operand in operands[3:])
    with np.errstate(divide="ignore", invalid="ignore"):
        return Step(parts=(result - low) / (high - low), levels=op.levels.value.data)


def _found(
    op: FakeQuantizeOp,
    steps: Mapping[str, Sequence[Step]],
    name: str,
    run: int,
    shape: Sequence[int],
) -> Step | None:
    """
    What this FakeQuantize gave after LPT when it ran for this time, also where it was moved above a Concat;
    None where it is no more.
    """

    def of(name: str) -> Step | None:
        runs = steps.get(name, ())
        return runs[run] if run < len(runs) else None

    found = of(name) or _joined(op, lambda number: of(f"{name}_{number}"))
    if found is None:
        return None
    array = found.parts if found.parts is not None else found.values
    assert array is not None
    return found if array.shape == tuple(shape) else None


def _joined(op: FakeQuantizeOp, piece: Callable[[int], Step | None]) -> Step | None:
    """The pieces of a FakeQuantize of a Concat, also with a Relu between them."""
    before = op.input.owner
    joined = before.input.owner if isinstance(before, ReluOp) else before
    if not isinstance(joined, ConcatOp):
        return None
    pieces = [piece(i) for i, _ in enumerate(joined.inputs, 1)]
    known = [one for one in pieces if one is not None]
    axis = joined.axis.value.data
    parts = [one.parts for one in known if one.parts is not None]
    if len(parts) == len(pieces):
        return Step(parts=np.concatenate(parts, axis), levels=known[0].levels)
    values = [one.values for one in known if one.values is not None]
    if len(values) == len(pieces):
        return Step(values=np.concatenate(values, axis), step=max(one.step for one in known))
    return None


def _forced(
    op: FakeQuantizeOp, operands: Sequence[Array], step: Step, behind: Dequantized | None
) -> tuple[Array, Array]:
    """The values of these codes in the place of this FakeQuantize's, and the length of a code there."""
    low, high = (operand.astype(np.float64) for operand in operands[3:])
    own = (high - low) / (op.levels.value.data - 1)
    if step.parts is not None:
        return low + step.parts * (high - low), (high - low) / (step.levels - 1)
    assert step.values is not None
    scale, zero_point = (1.0, 0.0) if behind is None else (behind.scale, behind.zero_point)
    return step.values / scale + zero_point, np.maximum(step.step / scale, own)
