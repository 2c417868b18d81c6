"""A branch whose body does not fit the sizes of a call fails when it is taken."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.utils.exceptions import DiagnosticException

from lowstream import compile_model
from lowstream.interop.model import Model
from lowstream.lowering.lower_to_kernels import lower
from lowstream.reference.executor import Executor
from lowstream.reference.program import ProgramExecutor
from lowstream.runtime.specialize import specialized
from lowstream.test.unit.runtime.runtime_models import module as parse

UNFIT = """
func.func @main(%x: tensor<?x2xf32>, %c: tensor<i1>) -> tensor<?x2xf32> {
  %s = infra.read_value @S, %x : tensor<?x2xf32> -> tensor<?x2xf32>
  infra.assign @S, %s : tensor<?x2xf32>
  %y = infra.if %c, %x : (tensor<i1>, tensor<?x2xf32>) -> tensor<?x2xf32> {
  ^bb0(%a: tensor<?x2xf32>):
    %w = nn.constant dense<1.0> : tensor<3x2xf32>
    %sum = nn.add %a, %w : (tensor<?x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    infra.yield %sum : tensor<3x2xf32>
  } else {
  ^bb0(%b: tensor<?x2xf32>):
    %r = nn.relu %b : tensor<?x2xf32>
    infra.yield %r : tensor<?x2xf32>
  }
  %z = nn.add %y, %s : (tensor<?x2xf32>, tensor<?x2xf32>) -> tensor<?x2xf32>
  func.return %z : tensor<?x2xf32>
}
infra.variable @S : tensor<?x2xf32>
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_a_body_that_does_not_fit_fails_when_it_is_taken(threads: int):
    module = parse(UNFIT)
    compiled = compile_model(Model(module), num_threads=threads)
    request, x = compiled.create_infer_request(), np.full((2, 2), -1, np.float32)
    np.testing.assert_array_equal(request.infer([x, np.array(False)])[0], x)
    with pytest.raises(DiagnosticException, match=r"took a branch that does not fit.*add"):
        request.infer([x, np.array(True)])
    np.testing.assert_array_equal(request.infer([2 * x, np.array(False)])[0], x)
    frames = {0: np.stack([x] * 3), 1: np.array([False, True, False])}
    with pytest.raises(DiagnosticException, match=r"took a branch .*after 1 of 3 frames"):
        request.infer_sequence(frames)
    fitting = np.ones((3, 2), np.float32)
    request.reset_state()
    np.testing.assert_array_equal(request.infer([fitting, np.array(True)])[0], 3 * fitting)
    called = specialized(module, [(2, 2), ()], {})
    for executor in (Executor(called), ProgramExecutor(lower(called))):
        np.testing.assert_array_equal(executor.run([x, np.array(False)])[0], x)
        with pytest.raises(DiagnosticException, match=r"took a branch"):
            executor.run([x, np.array(True)])


def test_what_fits_no_body_is_refused_at_once():
    both = UNFIT.replace(
        "%r = nn.relu %b : tensor<?x2xf32>",
        """%v = nn.constant dense<1.0> : tensor<4x2xf32>
    %r = nn.add %b, %v : (tensor<?x2xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>""",
    )
    with pytest.raises(DiagnosticException, match=r"the model does not fit input .*nn.add"):
        specialized(parse(both), [(2, 2), ()], {})


def test_a_body_may_not_fit_what_a_model_is_reshaped_to():
    squeeze = """
    func.func @main(%x: tensor<?x2xf32>, %c: tensor<i1>) -> tensor<2xf32> {
      %y = infra.if %c, %x : (tensor<i1>, tensor<?x2xf32>) -> tensor<2xf32> {
      ^bb0(%a: tensor<?x2xf32>):
        %axis = nn.constant dense<0> : tensor<1xi64>
        %s = nn.squeeze %a, %axis : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<2xf32>
        infra.yield %s : tensor<2xf32>
      } else {
      ^bb0(%b: tensor<?x2xf32>):
        %axis = nn.constant dense<0> : tensor<1xi64>
        %r = nn.reduce_max %b, %axis {keep_dims = false} : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<2xf32>
        infra.yield %r : tensor<2xf32>
      }
      func.return %y : tensor<2xf32>
    }
    """
    model = Model(parse(squeeze))
    model.reshape({0: [3, 2]})
    request, x = compile_model(model).create_infer_request(), np.ones((3, 2), np.float32)
    np.testing.assert_array_equal(request.infer([x, np.array(False)])[0], [1, 1])
    with pytest.raises(DiagnosticException, match="took a branch that does not fit"):
        request.infer([x, np.array(True)])
