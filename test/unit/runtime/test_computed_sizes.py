"""Outputs whose sizes only the run can tell: they have those that the reference gives, call by call."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from xdsl.utils.exceptions import DiagnosticException

import lowstream
from lowstream.interop.model import Model
from lowstream.reference.executor import Executor
from lowstream.test.unit.runtime.runtime_models import module

CHOSEN = """
func.func @main(%x: tensor<2x4xf32> {nn.names = ["X"]}) -> (tensor<?x1xf32> {nn.names = ["Y"]}, tensor<2x?xi64>) {
  %n = nn.non_zero %x {output_type = i64} : tensor<2x4xf32> -> tensor<2x?xi64>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %t = nn.transpose %n, %order : (tensor<2x?xi64>, tensor<2xi64>) -> tensor<?x2xi64>
  %e = nn.gather_nd %x, %t {batch_dims = 0 : i64} : (tensor<2x4xf32>, tensor<?x2xi64>) -> tensor<?xf32>
  %axis = nn.constant dense<1> : tensor<1xi64>
  %u = nn.unsqueeze %e, %axis : (tensor<?xf32>, tensor<1xi64>) -> tensor<?x1xf32>
  %two = nn.constant dense<2.0> : tensor<f32>
  %y = nn.multiply %u, %two : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x1xf32>
  func.return %y, %n : tensor<?x1xf32>, tensor<2x?xi64>
}
"""
"""The elements of X that are not 0, doubled, and where they are."""


def test_results_have_the_size_that_the_call_gave_them():
    compiled = lowstream.compile_model(Model(module(CHOSEN)))
    assert [port.shape for port in compiled.outputs] == [(-1, 1), (2, -1)]
    reference, request = Executor(module(CHOSEN)), compiled.create_infer_request()
    kept = []
    for x in (np.eye(2, 4), np.zeros((2, 4)), np.arange(8).reshape(2, 4)):
        inputs = [x.astype(np.float32)]
        wanted, results = reference.run(inputs), request.infer(inputs)
        assert len(results) == 2
        assert_array_equal(request.get_tensor("Y"), wanted[0])
        kept.append((wanted, results))
    for wanted, results in kept:
        for have, want in zip(results, wanted, strict=True):
            assert_array_equal(have, want)
    again = pickle.loads(pickle.dumps(compiled))
    assert again.outputs == compiled.outputs
    assert_array_equal(again(inputs)["Y"], wanted[0])


def test_what_has_no_law_is_refused():
    text = CHOSEN.replace("nn.multiply %u, %two", "nn.add %u, %u").replace(
        "(tensor<?x1xf32>, tensor<f32>)", "(tensor<?x1xf32>, tensor<?x1xf32>)"
    )
    lowstream.compile_model(Model(module(text)))  # both have the same size
    text = CHOSEN.replace(
        "nn.gather_nd %x, %t {batch_dims = 0 : i64} : (tensor<2x4xf32>, tensor<?x2xi64>) -> tensor<?xf32>",
        "nn.reduce_max %n, %axis0 : (tensor<2x?xi64>, tensor<1xi64>) -> tensor<2xi64>",
    )
    text = text.replace("  %e =", "  %axis0 = nn.constant dense<1> : tensor<1xi64>\n  %e =").split(
        "  %u"
    )[0]
    text += "  func.return %e, %n : tensor<2xi64>, tensor<2x?xi64>\n}"
    text = text.replace("-> (tensor<?x1xf32> {", "-> (tensor<2xi64> {")
    with pytest.raises(DiagnosticException, match=r"nn\.reduce_max: reads a value whose size"):
        lowstream.compile_model(Model(module(text)))
