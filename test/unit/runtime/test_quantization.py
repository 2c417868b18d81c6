"""`quantize`: models of f32 that run in 8 bits afterwards, and stay near what they were."""

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream import Model
from lowstream.passes.precision_report import precision_summary
from lowstream.reference.executor import Executor
from lowstream.test.unit.interop.tflite.test_recurrent import noise, parsed
from lowstream.test.unit.passes.lpt.test_recurrent import KINDS, Layer, samples
from lowstream.test.unit.runtime.test_converter import IMAGES

NOTHING = """
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = nn.tanh %x : tensor<?xf32>
  func.return %y : tensor<?xf32>
}
"""


@pytest.mark.parametrize("kind", KINDS)
def test_recurrent_layers_become_streams_in_8_bits(kind: str):
    module, x = Layer(kind, low=False).module(), samples()
    model = lowstream.quantize(module, [x])
    model.reshape([*x[:, :1].shape])
    lowstream.run_passes(model, "low-latency2,lpt")
    summary = precision_summary(model.module)
    assert summary.products == summary.low_products > 2
    request = lowstream.compile_model(model).create_infer_request()
    steps = [np.array(request.infer([x[:, [step]]])[0]) for step in range(x.shape[1])]
    (wanted,) = Executor(module).run([x])
    assert np.abs(np.concatenate(steps, axis=2) - wanted).max() < 0.02


def test_convolutions_take_codes_and_what_only_rounds_is_left_out():
    model = Model(parsed(IMAGES))
    text = str(model.module)
    low = lowstream.quantize(model, ({0: noise(1, 4, 6, 6, seed=seed)} for seed in range(8)))
    assert str(model.module) == text
    lowstream.run_passes(low, "lpt")
    report = lowstream.precision_report(low)
    rows = {row["type"]: row for row in report}
    assert rows["Convolution"]["inputs"] == ["u8", "i8"]
    assert rows["MatMul"]["outputs"] == ["i32"]
    given = {row["outputs"][0] for row in report if row["type"] == "FakeQuantize"}
    assert given <= {"u8", "i8"}
    x = noise(1, 4, 6, 6, seed=3)
    (wanted,) = Executor(model.module).run([x])
    error = np.abs(lowstream.compile_model(low)([x])[0] - wanted).max()
    assert 0 < error < 0.03


def test_what_cannot_be_quantized():
    with pytest.raises(DiagnosticException, match="has constant weights of f32"):
        lowstream.quantize(parsed(NOTHING), [np.zeros(3, np.float32)])
    with pytest.raises(DiagnosticException, match="no samples to calibrate with"):
        lowstream.quantize(parsed(IMAGES), [])
    with pytest.raises(DiagnosticException, match="quantized already; run lpt"):
        lowstream.quantize(lowstream.quantize(parsed(IMAGES), [noise(1, 4, 6, 6)]), [])
