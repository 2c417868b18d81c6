"""What `CPU_DENORMALS_OPTIMIZATION` decides: whether denormal numbers count as zeros while a program runs."""

from collections.abc import Callable, Mapping

import numpy as np
import pytest

import lowstream
from lowstream.dialects import context
from lowstream.interop.mlir import parse_module
from lowstream.reference.arrays import Array

NAME = "CPU_DENORMALS_OPTIMIZATION"

DENORMALS = np.full(64, 1e-40, np.float32)


TEXT = """func.func @main(%x: tensor<64xf32> {nn.names = ["X"]}) -> (tensor<64xf32> {nn.names = ["Y"]}) {
  %c = nn.constant dense<1.0e-3> : tensor<f32>
  %0 = nn.multiply %x, %c : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  %y = nn.add %0, %x : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  func.return %y : tensor<64xf32>
}"""


def compiled(config: Mapping[str, object]) -> lowstream.CompiledModel:
    module = parse_module(TEXT, "denormals.mlir", context())
    return lowstream.compile_model(module, "CPU", config, num_threads=1)


@pytest.mark.parametrize("asked", [True, "YES"])
def test_operands_and_results_are_zeros(asked: object):
    model = compiled({NAME: asked})
    assert model.get_property(NAME) is True
    assert not model([DENORMALS])[0].any()
    just_normal = np.full(64, np.finfo(np.float32).tiny)
    np.testing.assert_array_equal(model([just_normal])[0], just_normal)


def test_they_are_kept_unless_asked():
    for model in (compiled({NAME: False}), compiled({})):
        assert model.get_property(NAME) is False
        assert model([DENORMALS])[0].all()


CALLS: dict[str, Callable[[lowstream.InferRequest, Array], object]] = {
    "infer": lambda request, x: request.infer([x]),
    "start_async": lambda request, x: (request.start_async([x]), request.wait()),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_other_arithmetic_stays(call: Callable[[lowstream.InferRequest, Array], object]):
    """The caller's, and that of programs that the same thread runs."""
    request, other = (compiled({NAME: asked}).create_infer_request() for asked in (True, False))
    call(request, DENORMALS)
    assert not request.get_output_tensor().data.any()
    call(other, DENORMALS)
    assert other.get_output_tensor().data.all()
    assert (DENORMALS * np.float32(1)).all()


def test_a_refused_value_is_named():
    with pytest.raises(lowstream.DiagnosticException, match=r"CPU_DENORMALS_OPTIMIZATION.*'maybe'"):
        compiled({NAME: "maybe"})
