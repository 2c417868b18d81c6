"""
Whether passes keep what a module computes: after each one the module runs through the reference.

`opt-tool --verify-numerics` calls it between passes, a test as the callback of a `PassPipeline`.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp, TensorType
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.traits import SymbolTable
from xdsl.utils.exceptions import DiagnosticException, PassFailedException

from ..dialects import infra, nn, qnn, rnn
from ..dialects.elements import bits_of
from ..dialects.inferred import friendly_name, label, tensor
from ..dialects.module import port_names
from ..reference.arrays import Array, array_of, dtype_of
from ..reference.executor import Executor, NoMeaningError, Recurrence
from .digits import natural
from .low_latency2 import LowLatency2, inputs_without_state
from .lower_sequences import step_count
from .lpt import Lpt, LptMain
from .lpt.main.quantization.drop_rounding import drops_rounding, round_again

log = logging.getLogger(__name__)

TOLERANCE = {2: 1e-2, 4: 1e-4, 8: 1e-4}
"""The largest difference of floating-point results by their bytes, relative to the largest number (at least 1)."""

MEAN_CODES = 0.1
"""The largest average difference of results, in steps of the coarsest quantization."""

RARE, RARE_CODES = 2e-3, 4
"""
The part of the values of a result that may be so many steps apart. A value that is rounded to the other side goes on:
around a residual block and through it, and from there into the next quantization.
"""


@dataclass(frozen=True)
class Step:
    """The results of a call, and the states after it."""

    outputs: Sequence[Array]
    states: dict[str, Array]


@dataclass(frozen=True)
class Snapshot:
    """A function at one point of the pipeline, and its results for each sequence of inputs."""

    function: func.FuncOp
    runs: list[list[Step]]
    code: float
    """One step of its coarsest quantization, now or earlier."""


class NumericsCheck:
    """
    Called after each pass, raises PassFailedException if it changed what a function gives.

    Every function runs `steps` times on each of the `inputs` random sequences, its states unset at
    first: standard normal numbers, all codes of 8-bit integers, 0 to 7 in wider ones; unknown
    dimensions are 2. Outputs must agree, and the states by name.

    - Floating-point values may be `TOLERANCE` apart, integers not at all.
    - Where a function quantizes, rounding may fall on the other side: values may be one step of the
      coarsest quantization of an activation apart, of large results a part of `RARE` by `RARE_CODES`,
      on average `MEAN_CODES` steps or what one value alone makes; 8-bit integers one code. A state
      that changed its element type is not compared.
    - `low-latency2` changes the meaning by design. What it leaves is held against the function it
      was given, run with what iterators carry kept by hand (`CarryingExecutor`).
    - `lpt` rounds some values where they are added (`drop_rounding`), which is nearer to the model without
      quantization than what it was given. This rounding is put back for the comparison.
    - Not compared, with a warning, is what the reference has no meaning for, and a function whose
      inputs changed.
    """

    def __init__(self, inputs: int = 3, steps: int = 4, seed: int = 0):
        self.inputs, self.steps, self.seed = inputs, steps, seed
        self._snapshots: dict[str, Snapshot] = {}

    @classmethod
    def parse(cls, text: str) -> Self:
        """From `inputs=3,steps=4,seed=0`, any of them. Raises ValueError where it is not that."""
        options: dict[str, int] = {}
        for part in filter(None, text.split(",")):
            key, _, value = part.partition("=")
            number = natural(value)
            if key not in ("inputs", "steps", "seed") or number is None:
                raise ValueError(f"'{part}' is none of inputs=N, steps=N and seed=N")
            options[key] = number
        if not all(options.get(key, 1) for key in ("inputs", "steps")):
            raise ValueError(f"'{text}' compares nothing; inputs and steps are 1 or more")
        return cls(**options)

    def __call__(
        self, before: ModulePass | None, module: ModuleOp, after: ModulePass | None
    ) -> None:
        """The callback of a `PassPipeline`: `before` is the pass that ran, None at first."""
        for function in module.clone().ops:
            if isinstance(function, func.FuncOp) and not function.is_declaration:
                self._check(before, function)

    def _check(self, item: ModulePass | None, function: func.FuncOp) -> None:
        name = function.sym_name.data
        old = self._snapshots.get(name)
        try:
            runs = self._run(_executor(function))
        except (DiagnosticException, ValueError) as error:
            if item is not None and old is not None and not isinstance(error, NoMeaningError):
                raise PassFailedException(
                    f"{item.name}: @{name} does not run any more: {error}"
                ) from error
            log.warning("verify-numerics: @%s is not compared: %s", name, error)
            return
        code = max(_coarsest_code(function), 0.0 if old is None else old.code)
        new = self._snapshots[name] = Snapshot(function, runs, code)
        if item is None or old is None:
            return
        if function.function_type.inputs != old.function.function_type.inputs:
            log.warning(
                "verify-numerics: @%s is not compared: %s changed its inputs", name, item.name
            )
        elif (found := self._difference(item, old, new)) is not None:
            raise PassFailedException(f"{item.name} changed what @{name} gives: {found}")

    def _run(self, executor: Executor) -> list[list[Step]]:
        runs: list[list[Step]] = []
        for sequence in range(self.inputs):
            executor.reset()
            runs.append([])
            for arrays in self._feeds(executor.entry, sequence):
                with np.errstate(all="ignore"):
                    outputs = executor.run(arrays)
                runs[-1].append(Step(outputs, dict(executor.states)))
        return runs

    def _feeds(self, function: func.FuncOp, sequence: int) -> Iterator[list[Array]]:
        random = np.random.default_rng((self.seed, sequence))
        for _ in range(self.steps):
            yield [_random_array(random, tensor(arg)) for arg in function.body.block.args]

    def _difference(self, item: ModulePass, old: Snapshot, new: Snapshot) -> str | None:
        """What the pass changed, or None."""
        before, expected, adds_states = _executor(old.function), old.runs, False
        if isinstance(item, LowLatency2):
            before = CarryingExecutor(old.function, item.use_const_initializer)
            expected, adds_states = self._run(before), True
        after, given = _executor(new.function), new.runs
        if isinstance(item, Lpt | LptMain) and drops_rounding(new.function):
            before, after = (_executor(_rounded(one.function)) for one in (old, new))
            expected, given = self._run(before), self._run(after)
        for sequence, steps in enumerate(zip(expected, given, strict=True)):
            for number, (then, now) in enumerate(zip(*steps, strict=True)):
                if (found := _step_difference(new, then, now, adds_states)) is None:
                    continue
                feeds = list(self._feeds(new.function, sequence))[: number + 1]
                first = _first_difference(_named(before, feeds), _named(after, feeds), new.code)
                return f"{found} (seed {self.seed}, inputs {sequence}, step {number}){first}"
        return None


class CarryingExecutor(Executor):
    """
    A function whose iterators and sequences keep by hand what `low-latency2` makes states: the first step
    takes what the last one of the call before left; in the first call zeros or the initial value. The
    one step of a sequence counts whatever its length says.
    """

    def __init__(self, function: func.FuncOp, zero: bool):
        super().__init__(_module_of(function), function)
        self.zero = zero
        self._carried: dict[Operation, Sequence[Array]] = {}

    def reset(self) -> None:
        super().reset()
        self._carried.clear()

    def begin(self, op: Recurrence, operands: Sequence[Array]) -> Sequence[Array]:
        carried, started = list(operands), self._carried.get(op)
        before = op.first_operand if isinstance(op, infra.IteratorOp) else 0
        for each in inputs_without_state(op):
            if started is not None:
                carried[each.operand - before] = started[each.final]
            elif self.zero:
                carried[each.operand - before] = np.zeros_like(carried[each.operand - before])
        if isinstance(op, rnn.SequenceOp) and step_count(op) == 1:
            lengths = op.state_count + 1
            carried[lengths] = np.ones_like(carried[lengths])
        return carried

    def end(self, op: Recurrence, results: Sequence[Array]) -> None:
        self._carried[op] = results


def _module_of(function: func.FuncOp) -> ModuleOp:
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    return module


def _rounded(function: func.FuncOp) -> func.FuncOp:
    """The function with the rounding that LPT dropped."""
    module = _module_of(function).clone()
    round_again(module)
    named = SymbolTable.lookup_symbol(module, function.sym_name)
    assert isinstance(named, func.FuncOp)
    return named


def _executor(function: func.FuncOp) -> Executor:
    return Executor(_module_of(function), function)


def _random_array(random: np.random.Generator, type: TensorType[Any]) -> Array:
    dtype = dtype_of(type.element_type)
    shape = [2 if size == DYNAMIC_INDEX else size for size in type.get_shape()]
    if dtype.kind == "f":
        return random.standard_normal(shape).astype(dtype)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    bits = bits_of(type.element_type)
    low, high = (0, 1 << bits) if dtype.kind == "u" else (-(1 << bits - 1), 1 << bits - 1)
    return random.integers(*((low, high) if bits <= 8 else (0, 8)), shape).astype(dtype)


# --- comparing ------------------------------------------------------------------------------


def _coarsest_code(function: func.FuncOp) -> float:
    """The largest step of a quantization of activations; 0 where nothing is quantized."""
    codes = [0.0]
    for op in function.walk():
        match op:
            case qnn.FakeQuantizeOp() if nn.constant_of(op.input) is None:
                low, high = nn.constant_of(op.output_low), nn.constant_of(op.output_high)
                if op.output_type is None and low is not None and high is not None:
                    span = np.abs(array_of(high).astype(np.float64) - array_of(low))
                    codes.append(float(span.max(initial=0)) / (op.levels.value.data - 1))
            case qnn.DequantizeOp() if nn.constant_of(op.input) is None:
                if bits_of(tensor(op.input).element_type) <= 8:
                    codes.append(float(np.abs(array_of(op.scale)).max(initial=0)))
            case _:
                pass
    return max(codes)


def _step_difference(new: Snapshot, then: Step, now: Step, adds_states: bool) -> str | None:
    """The difference of two calls; None where there is none."""
    if len(then.outputs) != len(now.outputs):
        return f"{len(now.outputs)} outputs in place of {len(then.outputs)}"
    names = port_names(new.function.res_attrs, len(now.outputs))
    for i, (expected, ours) in enumerate(zip(then.outputs, now.outputs, strict=True)):
        if found := _array_difference(ours, expected, new.code):
            return f"output {i}{''.join(f' {name!r}' for name in names[i][:1])} {found}"
    missing, added = then.states.keys() - now.states.keys(), now.states.keys() - then.states.keys()
    if missing or (added and not adds_states):
        return f"states {sorted(missing)} are gone, {sorted(added)} are new"
    for name, expected in then.states.items():
        ours = now.states[name]
        if ours.dtype == expected.dtype and (found := _array_difference(ours, expected, new.code)):
            return f"state '{name}' {found}"
    return None


def _array_difference(ours: Array, expected: Array, code: float) -> str | None:
    """The difference of `ours` beyond the tolerance; None where there is none."""
    if ours.dtype != expected.dtype or ours.shape != expected.shape:
        return f"is {ours.dtype}{list(ours.shape)}, was {expected.dtype}{list(expected.shape)}"
    if not ours.size:
        return None
    a, b = ours.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore"):
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        error = np.where(same, 0.0, np.abs(a - b))
    error = np.nan_to_num(error, nan=math.inf, posinf=math.inf)
    if ours.dtype.kind == "f":
        size = np.abs(b, where=np.isfinite(b), out=np.zeros_like(b)).max()
        rounding = TOLERANCE[ours.dtype.itemsize] * max(1.0, float(size))
        allowed = rounding + code
        if (error > allowed).mean() <= RARE:
            allowed = rounding + RARE_CODES * code
        on_average = rounding + code * max(MEAN_CODES, 1 / ours.size)
    else:
        allowed = on_average = float(bool(code) and ours.dtype.itemsize == 1)
    if error.max() > allowed:
        return f"is off by {error.max():.3g}, allowed is {allowed:.3g}"
    if error.mean() > on_average:
        return f"is off by {error.mean():.3g} on average, allowed is {on_average:.3g}"
    return None


Named = dict[tuple[str, int], tuple[str, Array]]
"""By friendly name and how often it ran before: an operation's label and its first result."""


def _named(executor: Executor, feeds: Sequence[list[Array]]) -> Named:
    found: Named = {}
    times = Counter[str]()

    def observe(op: Operation, operands: Sequence[Array], results: Sequence[Array]) -> None:
        if results and (name := friendly_name(op)) is not None:
            found[name, times[name]] = label(op), results[0]
            times[name] += 1

    executor.reset()
    for arrays in feeds:
        with np.errstate(all="ignore"):
            executor.run(arrays, observe)
    return found


def _first_difference(then: Named, now: Named, code: float) -> str:
    """Where results that have the same name on both sides first differ, as the end of a message."""
    for key, (called, ours) in now.items():
        _, expected = then.get(key, ("", ours))
        if ours.dtype == expected.dtype and _array_difference(ours, expected, code) is not None:
            return f"; the first named operation that differs is {called}"
    return ""
