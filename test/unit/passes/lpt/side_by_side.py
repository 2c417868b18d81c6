"""
A model before and after LPT, layer by layer on the same inputs.

LPT keeps the names of FakeQuantize. What one gives after LPT is put in its place before LPT too, so that each
layer takes the same values here and there, and an error shows where it arises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from random_graphs import Dequantized, RandomGraph
from xdsl.dialects import func
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from lowstream.dialects.inferred import friendly_name, tensor
from lowstream.dialects.module import entry_of
from lowstream.dialects.nn import ConcatOp, ReluOp
from lowstream.dialects.qnn import FakeQuantizeOp
from lowstream.passes.lpt.marks import alignment_of
from lowstream.passes.lpt.precision import Alignment
from lowstream.passes.pipeline import run_passes
from lowstream.reference.arrays import Array
from lowstream.reference.executor import Executor
from lowstream.reference.meaning import evaluate
from lowstream.runtime.layers import Difference, compare_layers

CODE = 1 / 256
"""Of the largest number: as far as values that are not quantized may be apart, whose digits may cancel."""


@dataclass(frozen=True)
class Step:
    """What a FakeQuantize gave after LPT: in parts of its interval, or in values where it shares a grid."""

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


def optimized(module: ModuleOp) -> tuple[ModuleOp, dict[str, Alignment]]:
    """The module after LPT, and the grids that FakeQuantize of these names share with others."""
    after = module.clone()
    run_passes(after, "lpt-prerequisites,lpt-markup")
    aligned = {
        name: alignment
        for op in after.walk()
        if (name := friendly_name(op)) and (alignment := alignment_of(op)) is not None
    }
    run_passes(after, "lpt-main,lpt-cleanup")
    after.verify()
    return after, aligned


def compare(
    module: ModuleOp,
    inputs: Sequence[Array],
    graph: RandomGraph,
    after: ModuleOp,
    aligned: Mapping[str, Alignment],
) -> list[Apart]:
    """The differences at each FakeQuantize, and at each result, which the graph says how well it knows."""
    noise = [2 * one.noise + 1e-6 * float(np.max(abs(one.array))) for one in graph.results]
    steps: dict[str, Step] = {}

    def observe(op: Operation, operands: Sequence[Array], results: Sequence[Array]) -> None:
        if isinstance(op, FakeQuantizeOp) and (name := friendly_name(op)) is not None:
            steps[name] = _step(op, operands, results[0], aligned.get(name))

    found = Executor(after).run(inputs, observe)
    apart: list[Apart] = []
    values: dict[SSAValue, Array] = dict(zip(entry_of(module).body.block.args, inputs, strict=True))
    for op in entry_of(module).body.block.ops:
        operands = [values[operand] for operand in op.operands]
        if isinstance(op, func.ReturnOp):
            for i, (before, now, noisy) in enumerate(zip(operands, found, noise, strict=True)):
                assert (before.dtype, before.shape) == (now.dtype, now.shape)
                apart.append(Apart(f"result {i}", _largest(now, before), noisy))
            return apart
        results = evaluate(op, operands)
        if isinstance(op, FakeQuantizeOp):
            name = friendly_name(op)
            assert name is not None
            if (step := _found(op, steps, name, results[0].shape)) is not None:
                forced, length = _forced(op, operands, step, graph.dequantized.get(name))
                if (behind := graph.dequantized.get(name)) is not None:
                    given = (forced - behind.zero_point) * behind.scale
                    values[behind.value] = given.astype(results[0].dtype)
                with np.errstate(divide="ignore", invalid="ignore"):
                    codes = np.nan_to_num((forced - results[0].astype(np.float64)) / length)
                # Rounding of values to f16 makes codes no worse than a tenth of one.
                apart.append(Apart(name, _largest(codes, 0.0), 1.1))
                results = [forced.astype(results[0].dtype)]
        for value, array in zip(op.results, results, strict=True):
            values.setdefault(value, array)  # what is dequantized has its own already
    raise AssertionError("no end")


def wrong_on_machine(after: ModuleOp, inputs: Sequence[Array]) -> list[Difference]:
    """The layers that the machine computes otherwise than the reference: by more than one code of 256."""
    return [
        one
        for one in compare_layers(after, inputs)
        if (not one.is_close if one.is_code else one.largest > CODE)
    ]


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
        return Step(parts=np.nan_to_num((result - low) / (high - low)), levels=op.levels.value.data)


def _found(
    op: FakeQuantizeOp, steps: Mapping[str, Step], name: str, shape: Sequence[int]
) -> Step | None:
    """What this FakeQuantize gave after LPT, also where it was moved above a Concat; None where it is no more."""
    found = steps.get(name)
    if found is None:
        joined = (
            op.input.owner.operands[0].owner
            if isinstance(op.input.owner, ReluOp)
            else op.input.owner
        )
        if not isinstance(joined, ConcatOp):
            return None
        pieces = [steps.get(f"{name}_{i + 1}") for i in range(len(joined.inputs))]
        known = [piece for piece in pieces if piece is not None]
        if len(known) < len(pieces):
            return None
        axis = joined.axis.value.data
        if any(piece.parts is None for piece in known):
            if any(piece.values is None for piece in known):
                return None
            whole = np.concatenate(
                [piece.values for piece in known if piece.values is not None], axis
            )
            found = Step(values=whole, step=max(piece.step for piece in known))
        else:
            whole = np.concatenate(
                [piece.parts for piece in known if piece.parts is not None], axis
            )
            found = Step(parts=whole, levels=known[0].levels)
    array = found.parts if found.parts is not None else found.values
    assert array is not None
    return found if array.shape == tuple(shape) else None


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
