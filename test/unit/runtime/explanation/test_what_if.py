"""What is measured: a layer in floating point, its advice carried out, gains and costs beside the model as it is."""

from pathlib import Path

import numpy as np
import pytest
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.dialects.nn import AddOp, ConvolutionOp, ReluOp
from lowstream.runtime.explanation.measure import error_of
from lowstream.test.unit.passes.lpt.small_models import (
    IMAGE,
    SIGNED,
    UNSIGNED,
    Layers,
    named,
    window,
)
from lowstream.tools.command import main


def network(layers: Layers) -> SSAValue:
    """Two convolutions; nothing quantizes what the second takes."""
    x = layers.convolution(layers.quantized(layers.inputs[0], SIGNED, "image"))
    x = layers.add(named(AddOp.of(x, layers.constant([0.5])), "bias"))
    x = layers.add(named(ReluOp.of(x), "relu"))
    second = ConvolutionOp.of(x, layers.weights((4, 4, 3, 3)), **window(1))
    return layers.add(named(second, "second"))


@pytest.fixture(scope="module")
def model():
    layers = Layers(IMAGE)
    return layers.module(network(layers))


@pytest.fixture(scope="module")
def explanation(model: lowstream.Model) -> lowstream.Explanation:
    image = np.random.default_rng(1).normal(0, 1, IMAGE).astype(np.float32)
    return lowstream.explain(
        model, measure=True, inputs={"input0": image}, num_threads=1, seconds=0, name="two"
    )


def layer(explanation: lowstream.Explanation, name: str):
    (found,) = (row for row in explanation.layers if row.name == name)
    return found


def test_the_advice_is_carried_out_and_measured(explanation: lowstream.Explanation):
    assert layer(explanation, "conv").is_low
    second = layer(explanation, "second")
    assert second.advice == "put a FakeQuantize on it"
    what_if = second.what_if
    assert what_if is not None
    assert what_if.changes[0].startswith("a FakeQuantize on input 0, [0, ")
    assert what_if.layers == ("second",)
    assert all(taken > 0 for taken in (*what_if.layer_ms, *what_if.model_ms))
    assert what_if.layer_ms[0] == second.milliseconds
    before, after = what_if.error
    assert before < 1e-5 < after < 0.02
    assert what_if.largest_error[0] < 1e-4 < what_if.largest_error[1]


def test_what_is_no_product_needs_no_change(explanation: lowstream.Explanation):
    assert layer(explanation, "relu").advice.startswith("nothing to change: it is no product")
    assert layer(explanation, "relu").what_if is None


def test_where_the_time_goes(explanation: lowstream.Explanation):
    whole = explanation.milliseconds
    assert whole is not None and explanation.low_share is not None
    assert sum(kernel.share for kernel in explanation.kernels) == pytest.approx(1)
    assert 0 < explanation.low_share < 1
    by_name = {kernel.name: kernel for kernel in explanation.top(100) if kernel.gops}
    products = by_name["conv"], by_name["second"]
    assert [kernel.exec_type.rpartition("_")[2] for kernel in products] == ["I8", "FP32"]
    assert [kernel.shape for kernel in products] == ["1x4x6x6"] * 2
    for kernel, depth in zip(products, (27, 36), strict=True):
        operations = 2 * 4 * 36 * depth
        assert kernel.gops == pytest.approx(operations / kernel.milliseconds / 1e6)
    assert "relu" in by_name["conv"].layers


def test_notes_say_what_was_done(explanation: lowstream.Explanation, model: lowstream.Model):
    assert "with 1 thread" in explanation.notes[0]
    assert not any("random" in note for note in explanation.notes)
    random = lowstream.explain(model, measure=True, top=1, seconds=0, num_threads=1)
    assert any("random numbers" in note for note in random.notes)
    assert "--measure" in lowstream.explain(model).notes[0]


def test_other_presets_are_tried():
    layers = Layers(IMAGE, IMAGE)
    left = layers.quantized(layers.inputs[0], UNSIGNED, "left")
    right = layers.quantized(layers.inputs[1], (-1.0, 1.55), "right")
    model = layers.module(layers.mat_mul(left, right))
    found = lowstream.explain(model, "lpt", measure=True, seconds=0, num_threads=1)
    product = layer(found, "fc")
    assert product.at_fault == "FakeQuantize 'right'"
    assert product.advice.endswith("symmetrically around 0, or use lpt{preset=cpu-x86-exact}")
    assert product.what_if is not None and "symmetric" in product.what_if.changes[0]
    (option,) = found.options
    assert option.changes == ("lpt{preset=cpu-x86-exact}",)
    assert option.layers == ("fc", "left", "right")
    assert option.error[1] < 1e-5 < product.what_if.error[1]


def test_all_changes_are_tried_together():
    layers = Layers(IMAGE)
    x = layers.convolution(layers.quantized(layers.inputs[0], UNSIGNED, "first", levels=257))
    assert isinstance(x.owner, ConvolutionOp)
    named(x.owner, "one")
    y = layers.convolution(layers.quantized(x, UNSIGNED, "other", levels=300))
    model = layers.module(layers.add(named(ReluOp.of(y), "relu")))
    found = lowstream.explain(model, measure=True, seconds=0, num_threads=1)
    changes = [row.what_if.changes for row in found.layers if row.what_if is not None]
    assert len(set(changes)) == 2
    assert found.options[0].changes == ("All 2 changes that were tried together",)
    assert set(found.options[0].layers) == {"one", "conv", "first", "other"}


def test_what_cannot_be_measured_is_said(model: lowstream.Model):
    with pytest.raises(DiagnosticException, match="inputs hold no calls"):
        lowstream.explain(model, measure=True, inputs=[])
    unknown = Layers((-1, 3))
    module = unknown.module(unknown.add(ReluOp.of(unknown.inputs[0])))
    assert lowstream.explain(module).notes[0].startswith("The model is not quantized")
    given = {"input0": np.zeros((2, 3), np.float32)}
    with pytest.raises(DiagnosticException, match="unknown dimensions; say its shape"):
        lowstream.explain(module, measure=True, inputs=given)


def test_errors_are_relative_to_what_is_wanted():
    wanted = [np.array([3.0, 4.0]), np.zeros(2)]
    assert error_of(wanted, wanted) == (0.0, 0.0)
    assert error_of([np.array([3.0, 3.0]), np.zeros(2)], wanted) == (0.2, 1.0)


def test_the_command(
    model: lowstream.Model,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.chdir(tmp_path)
    lowstream.save_model(model, "m.mlir")
    np.save("x.npy", np.zeros((2, *IMAGE), np.float32))
    with pytest.raises(SystemExit) as error:
        main(["explain", "m.mlir", "--input", "x.npy"])
    assert error.value.code == 2
    assert "--input is for --measure" in capsys.readouterr().err
    main(["explain", "m.mlir", "--measure", "--input", "x.npy", "--top", "1", "--threads", "1"])
    text = capsys.readouterr().out
    assert "Convolution 'second' (m.mlir:" in text
    assert "  tried: a FakeQuantize on input 0" in text and "  cost: outputs differ" in text
