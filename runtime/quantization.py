"""
Post-training quantization (PTQ): a model in f32 gets FakeQuantize operations over the ranges that its values have
for samples.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import ModuleOp, i8
from xdsl.ir import Block, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriteWalker

from ..dialects import infra, nn, rnn
from ..dialects.inferred import label, shape_of
from ..dialects.module import entry_of
from ..interop.model import Model, readable_module_of
from ..passes.errors import DiagnosticError
from ..passes.legalize import legalized
from ..passes.pipeline import run_passes
from ..passes.quantize.insert import quantize as insert
from ..passes.quantize.plan import QuantizationPlan, blocks_that_run, has_constant_weights
from ..passes.quantized import is_quantized, quantizes_weights_only
from ..passes.scale_weights import ScaleWeights
from .calibration import intervals
from .requests.request import Inputs

if TYPE_CHECKING:
    from ..interop.model import AnyPath, ForeignModel
    from .aligned_buffers import Array


def quantize(
    model: Model | ModuleOp | AnyPath | ForeignModel,
    samples: Iterable[Inputs] | Mapping[Any, Array],
) -> Model:
    """
    A quantized copy of a model in f32, or of one whose weights alone are quantized. Its weights are codes of 8 bits.
    Values that they are multiplied with go through a FakeQuantize, over the range that they have for the samples. Then
    `lpt` makes the products ones of codes.

    Each sample is what `infer` takes. All samples may come in one dict, too: for each input an array with one more
    leading dimension.

        model = lowstream.quantize(model, [{"X": x} for x in recordings])
        model = lowstream.quantize(model, {"X": recordings})

    Convolutions and matrix products with constant weights are quantized, and sequences of recurrent cells; so are those
    in bodies of loops. Those in branches stay in f32, and a warning names them.

    Raises DiagnosticException where there are no samples, inputs have different numbers of them, a sample does not fit,
    or nothing can be quantized.
    """
    if isinstance(samples, Mapping):
        samples = _one_by_one(cast("Mapping[Any, Array]", samples))
    module = legalized(readable_module_of(model)).clone()
    if is_quantized(module) and not quantizes_weights_only(module):
        raise DiagnosticError("quantize: the model is quantized already; run lpt on it")
    run_passes(module, "infer-shapes,fold-constants,sink-constants")
    PatternRewriteWalker(ScaleWeights()).rewrite_module(module)
    plans = _plans(entry_of(module).body.block)
    _warn_of_branches(module)
    _warn_of_one_step(module)
    if not any(plan.weights for plan in plans):
        raise DiagnosticError(
            "quantize: no convolution, matrix product or sequence outside of branches has constant weights of f32; "
            "reshape the model where sizes are unknown"
        )
    known = intervals(
        module, lambda block: [value for plan in _plans(block) for value in plan.values], samples
    )
    for plan in plans:
        insert(plan, known, i8)
    return Model(module)


def _one_by_one(samples: Mapping[Any, Array]) -> list[Inputs]:
    """The samples in a dict, which holds all of them input by input."""
    counts = {name: len(array) for name, array in samples.items()}
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"'{name}' has {count}" for name, count in counts.items())
        raise DiagnosticError(f"quantize: inputs have different numbers of samples: {listed}")
    return [dict(zip(samples, row, strict=True)) for row in zip(*samples.values(), strict=True)]


def _plans(entry: Block) -> list[QuantizationPlan]:
    """The plans of the entry and of bodies of loops."""
    blocks = blocks_that_run(entry)
    return [
        QuantizationPlan.of(block, is_sequence=has_constant_weights).of_products()
        for block in blocks
    ]


def _warn_of_branches(module: ModuleOp) -> None:
    """Names the branches that have weights of f32: a sample runs one of two, so that the other is not calibrated."""
    for op in module.walk():
        if isinstance(op, infra.IfOp) and any(_plans(body)[0].weights for body in op.bodies):
            warnings.warn(
                f"quantize: {label(op)}: products in branches stay in f32, a sample runs only one of the two",
                stacklevel=3,
            )


def _warn_of_one_step(module: ModuleOp) -> None:
    """
    Warns of recurrences that run one step per sample and begin with the same states for each: their states are only
    known as they begin.
    """
    for op in module.walk():
        if (states := _states_of_one_step(op)) and not any(map(_differs, states)):
            warnings.warn(
                f"quantize: {label(op)}: a sample has one step, so that its states are what they begin with; "
                "run low-latency2 first, so that samples follow each other, or reshape the model to more steps",
                stacklevel=3,
            )


def _states_of_one_step(op: Operation) -> Sequence[SSAValue]:
    """The initial values of the states of a recurrence that runs one step; nothing for others."""
    match op:
        case infra.IteratorOp() if op.iterations() == 1:
            given = zip(op.inputs, op.operands[op.first_operand :], strict=True)
            return [value for port, value in given if isinstance(port, infra.MergedAttr)]
        case rnn.SequenceOp() if shape_of(op.x)[1] == 1:
            return op.operands[1 : 1 + op.state_count]
        case _:
            return []


def _differs(value: SSAValue) -> bool:
    """Whether a value depends on what differs from sample to sample: inputs and states of the model."""
    seen, open_ = {value}, [value]
    while open_:
        owner = open_.pop().owner
        if isinstance(owner, Block | infra.ReadValueOp):
            return True
        if isinstance(owner, nn.ShapeOfOp):
            continue
        new = [operand for operand in owner.operands if operand not in seen]
        seen.update(new)
        open_ += new
    return False
