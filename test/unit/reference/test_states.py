"""When a state is read and when it is set: by calls, by iterations and by branches."""

import numpy as np

from lowstream.dialects import context
from lowstream.interop.mlir import parse_module, verify
from lowstream.reference.executor import Executor

COUNTING = """
infra.variable @count : tensor<1xf32>
func.func @main(%x: tensor<3xf32>, %c: tensor<i1>) -> (tensor<1xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) {
  %zero = nn.constant dense<0.0> : tensor<1xf32>
  %before = infra.read_value @count, %zero : tensor<1xf32> -> tensor<1xf32>
  %y = infra.tensor_iterator %x
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
      body_names ["X"] : (tensor<3xf32>) -> tensor<3xf32> {
  ^bb0(%xt: tensor<1xf32>):
    %none = nn.constant dense<0.0> : tensor<1xf32>
    %now = infra.read_value @count, %none : tensor<1xf32> -> tensor<1xf32>
    %sum = nn.add %now, %xt : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    infra.assign @count, %sum : tensor<1xf32>
    %again = infra.read_value @count, %none : tensor<1xf32> -> tensor<1xf32>
    infra.yield %again : tensor<1xf32>
  }
  %chosen = infra.if %c : (tensor<i1>) -> tensor<1xf32> {
    %none = nn.constant dense<0.0> : tensor<1xf32>
    %now = infra.read_value @count, %none : tensor<1xf32> -> tensor<1xf32>
    infra.yield %now : tensor<1xf32>
  } else {
    %none = nn.constant dense<-1.0> : tensor<1xf32>
    infra.yield %none : tensor<1xf32>
  }
  %after = infra.read_value @count, %zero : tensor<1xf32> -> tensor<1xf32>
  func.return %before, %y, %chosen, %after : tensor<1xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>
}
"""


def test_a_read_gives_what_its_call_iteration_or_branch_began_with():
    module = parse_module(COUNTING, "text", context())
    verify(module)
    model, x = Executor(module), np.array([1, 2, 3], np.float32)
    calls = [model.run([x, np.array(c)]) for c in (True, False)]
    assert [[array.tolist() for array in call] for call in calls] == [
        [[0], [0, 1, 3], [6], [0]],
        [[6], [6, 7, 9], [-1], [6]],
    ]
    assert model.states["count"].tolist() == [12]
