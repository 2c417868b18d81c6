"""Quantization after training: a model in f32 gets FakeQuantize operations over what its values are for samples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp, i8
from xdsl.pattern_rewriter import PatternRewriteWalker

from ..dialects.module import entry_of
from ..interop.model import Model, readable_module_of
from ..passes.errors import DiagnosticError
from ..passes.legalize import legalized
from ..passes.pipeline import run_passes
from ..passes.quantize.insert import quantize as insert
from ..passes.quantize.plan import Plan, has_constant_weights
from ..passes.quantized import is_quantized
from ..passes.scale_weights import ScaleWeights
from .calibration import intervals
from .request import Inputs

if TYPE_CHECKING:
    from ..interop.model import ForeignModel


def quantize(model: Model | ModuleOp | ForeignModel, samples: Iterable[Inputs]) -> Model:
    """
    A copy of a model in f32 for `lpt`: weights are codes of 8 bits, and what they are multiplied with goes through
    FakeQuantize operations over the numbers that it is for samples. Each sample is what `infer` takes.

        model = lowstream.quantize(model, [{"X": x} for x in recordings])

    Convolutions and matrix products of constant weights are quantized, and sequences of recurrent cells; bodies of
    loops stay as they are. Raises DiagnosticException where there are no samples, or nothing to quantize.
    """
    module = legalized(readable_module_of(model)).clone()
    if is_quantized(module):
        raise DiagnosticError("quantize: the model is quantized already; run lpt on it")
    run_passes(module, "infer-shapes,fold-constants")
    PatternRewriteWalker(ScaleWeights()).rewrite_module(module)
    entry = entry_of(module)
    plan = Plan.of(entry.body.block, is_sequence=has_constant_weights).of_products()
    if not plan.weights:
        raise DiagnosticError(
            "quantize: no convolution, matrix product or sequence outside of loops has constant weights of f32; "
            "reshape the model where sizes are unknown"
        )
    known = intervals(
        module,
        lambda block: Plan.of(block, is_sequence=has_constant_weights).of_products().values,
        samples,
    )
    insert(entry, plan, known, i8)
    return Model(module)
