"""
Every reason that `lpt` can give has an advice; where that is another quantization, it is carried out on a model that
has the reason, and the report is another one.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument, OpResult, SSAValue
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException

from lowstream.dialects import context
from lowstream.dialects.inferred import friendly_name
from lowstream.dialects.infra import VariableOp
from lowstream.interop.mlir import parse_module
from lowstream.passes import precision_report
from lowstream.passes.interval import Interval
from lowstream.passes.lpt import decisions
from lowstream.passes.pipeline import run_passes
from lowstream.passes.precision_report.advice import advice_about
from lowstream.passes.precision_report.follow_advice import (
    Calibrate,
    follow_advice,
    follow_until_low,
)
from lowstream.passes.precision_report.layer_rows import layer_rows
from lowstream.reference.executor import Executor
from lowstream.runtime.explanation.naming import name_layers
from lowstream.test.unit.passes.lpt.reasons import reasons, reasons_of
from lowstream.test.unit.passes.lpt.small_models import IMAGE, SIGNED, UNSIGNED, Layers, is_low
from lowstream.test.unit.passes.lpt.test_advice import ADVICE, Advice, by_advice, model

PAGES = Path(__file__).parents[3] / "filecheck" / "passes" / "lpt"

WRAPPED = (
    r".* \(FakeQuantize .*\)",
    ".*, or .*",
    ".* has .*",
    "lpt chose it, for what takes ui8 only; .*",
    "put a FakeQuantize on it, behind the arithmetic with a constant",
)
"""Patterns of reasons that only complete others."""

LEFT_TO_THE_AUTHOR = {
    "its constant is larger": "what the model computes",
    "its constant differs along": "what the model computes",
    "it is dequantized in front of it": "nothing is wrong",
    "it adds a bias": "nothing is wrong",
    "codes that are used as they are": "nothing is wrong",
    "it pads with another value": "what the model computes",
    "'nearest' gives codes": "what the model computes",
    "is broadcast along": "scales of another tensor",
    "reverses the interval that it takes": "a negative constant of the model",
    "that no numbers express": "constants beyond what f32 holds",
    "32 bits may overflow": "how much it sums",
    "unknown size": "sizes: reshape",
    "its sizes are unknown": "sizes: reshape",
    "unknown number of steps": "sizes: reshape",
    "too few levels in common": "intervals that differ by orders of magnitude",
    "make input 1 constant": "what the model computes",
    "is computed; weights": "what the model computes",
    "beyond any bound": "what the model computes",
    "a test and no quantization": "what the model computes",
    "dequantized by Convert and Multiply": "which steps run: lpt-main alone",
    "a computed input interval": "what the model computes",
    "interval that is computed": "what the model computes",
    "intervals that are computed": "what the model computes",
    "lets its consumers take": "the configuration: test_other_presets_are_tried",
    "keeps input": "the configuration: test_other_presets_are_tried",
    "is not a code of 8 bits": "cells: test_recurrent.py",
    "nothing quantized is ever": "states: assign_and_read_value.mlir",
}
"""Parts of reasons, and what their advice would change that is not another quantization."""


def plain(pattern: str) -> str:
    """A reason as the source spells it, a number where it fills something in."""
    return re.sub(r"\\(.)", r"\1", pattern.replace(".*", "7"))


def test_every_reason_has_an_advice():
    every = [*reasons(), *reasons_of(Path(precision_report.__file__))]
    assert "it gives integers, which are exact" in every
    own = [plain(one) for one in every if one not in WRAPPED and not one.endswith(": .*")]
    assert [one for one in own if not advice_about(one)] == []


def calibrated(module: ModuleOp) -> Calibrate:
    """What values are in the reference for random inputs."""
    random = np.random.default_rng(0)
    inputs = [random.normal(0, 1, IMAGE).astype(np.float32) for _ in range(2)]
    known = {("", n): Interval.of_array(array) for n, array in enumerate(inputs)}

    def observe(op: object, _: object, results: list[np.ndarray]) -> None:
        name = friendly_name(op) or ""  # pyright: ignore[reportArgumentType]
        known.update({(name, n): Interval.of_array(array) for n, array in enumerate(results)})

    Executor(module).run(inputs, observe)  # pyright: ignore[reportArgumentType]

    def calibrate(value: SSAValue) -> Interval | None:
        if isinstance(value, BlockArgument):
            return known["", value.index]
        assert isinstance(value, OpResult)
        return known.get((friendly_name(value.op) or "?", value.index))

    return calibrate


@by_advice
def test_advice_is_followed_until_the_layer_is_low(advice: Advice):
    module = model(advice, follow=False)
    name_layers(module, module)
    text = str(module)
    followed = follow_until_low(module, "lpt", advice.layer, calibrated(module))
    assert str(module) == text
    if any(part in advice.reason for part in LEFT_TO_THE_AUTHOR):
        assert followed is None
        return
    assert followed is not None and followed.changes
    run_passes(followed.module, "lpt")
    rows = layer_rows(followed.module)
    name = advice.layer if advice.layer in rows else f"{advice.layer}/fake_quantize#0"
    assert is_low(rows[name][1])
    assert name in followed.low


def test_a_fake_quantize_is_low_by_the_advice_about_what_reads_it():
    (advice,) = (one for one in ADVICE if one.build.__name__ == "float_weights")
    module = model(advice, follow=False)
    followed = follow_until_low(module, "lpt", "fq", calibrated(module))
    assert followed is not None
    assert followed.changes == ("input 1 (filters) in i8, with a scale for each output",)
    assert {"fq", "conv"} <= followed.low


def declined_layers() -> Iterator[tuple[ModuleOp, str, str]]:
    """Models with layers that `lpt` declines: those above and those of the lit pages; the layers and the reasons."""
    for module in (*(model(one, follow=False) for one in ADVICE), *functions_of_pages()):
        name_layers(module, module)
        try:
            rows = rows_after_lpt(module)
        except (DiagnosticException, VerifyException):
            continue  # a page of errors, or of a single step
        for name, reason in rows.items():
            if reason:
                yield module, name, reason


def functions_of_pages() -> Iterator[ModuleOp]:
    for path in sorted(PAGES.rglob("*.mlir")):
        for part in path.read_text().split("// -----"):
            try:
                module = parse_module(part, str(path), context())
            except ParseError:
                continue
            variables = [op for op in module.ops if isinstance(op, VariableOp)]
            for op in module.ops:
                if isinstance(op, FuncOp):
                    yield ModuleOp([*(each.clone() for each in variables), op.clone()])


def rows_after_lpt(module: ModuleOp) -> dict[str, str]:
    """The reason of each layer."""
    final = module.clone()
    run_passes(final, "lpt")
    return {name: row["reason"] for name, (_, row) in layer_rows(final).items()}


def is_another(module: ModuleOp, name: str, reason: str) -> bool:
    """Whether the report is another one where the advice is followed."""
    changed = module.clone()
    if not follow_advice(changed, name, reason, lambda value: Interval(-1.0, 1.5)):
        return False
    return rows_after_lpt(changed).get(name) != reason


def test_every_reason_is_given_and_its_advice_changes_the_report():
    missing = {reason for reason in reasons() if reason not in WRAPPED}
    for module, name, reason in declined_layers():
        unnamed = re.sub(r"(input \d) \(\w+\)", r"\1", reason)
        about = {one for one in missing if re.match(one, unnamed)}
        if about and is_another(module, name, reason):
            missing -= about
    left = sorted(map(plain, missing))
    assert [one for one in left if not any(part in one for part in LEFT_TO_THE_AUTHOR)] == []
    assert [part for part in LEFT_TO_THE_AUTHOR if not any(part in one for one in left)] == []


def test_what_cannot_be_done_is_left():
    module = model(ADVICE[0], follow=False)
    assert follow_advice(module, "no such layer", "put a FakeQuantize on it", lambda _: None) == ()
    assert follow_advice(module, "layer", "put a FakeQuantize on it", lambda _: None) == ()


def test_what_decided_is_noted():
    layers = Layers(IMAGE)
    x = layers.convolution(layers.quantized(layers.inputs[0], UNSIGNED))
    module = layers.module(layers.max_pool(layers.quantized(x, SIGNED, "behind", levels=300)))
    with decisions.decisions() as found:
        run_passes(module.clone(), "lpt")
    by_layer = {one.layer: (one.transformation, bool(one.reason)) for one in found}
    assert by_layer["conv"] == ("convolution", False)
    assert by_layer["fq"] == ("fake_quantize_decomposition", False)
    assert by_layer["behind"] == ("fake_quantize_decomposition", True)
    count = len(found)
    run_passes(module, "lpt")
    assert len(found) == count


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        ("a; b", "b"),
        ("a; quantize it (FakeQuantize 'fq; 1')", "quantize it"),
        (
            "7 products, and 32 bits may overflow; 6 are safe",
            "sum at most 6 products in one layer, then add",
        ),
        ("whatever", ""),
    ],
)
def test_advice_stands_behind_the_reason(reason: str, advice: str):
    assert advice_about(reason) == advice


MOVED = """
func.func @main(%x: tensor<2x4xf32>) -> tensor<4x3xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %t = nn.transpose %x, %order {nn.name = "moved"} : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %q = qnn.fake_quantize %t, %l, %h, %l, %h {levels = 256 : i64}
      : (tensor<4x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4x2xf32>
  %c = nn.constant dense<2> : tensor<2x3xi8>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %y = nn.mat_mul %q, %w : (tensor<4x2xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %y : tensor<4x3xf32>
}
"""


def test_what_is_quantized_behind_a_transpose_is_quantized_in_front_of_it():
    module = parse_module(MOVED, "moved", context())
    followed = follow_until_low(module, "lpt", "moved", lambda _: Interval(0, 2.55))
    assert followed is not None
    assert followed.changes == ("a FakeQuantize on input 0, [0, 2.55] as calibrated",)
