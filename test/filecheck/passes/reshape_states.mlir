// RUN: opt-tool %s --split-input-file --reshape='inputs="X=3x4"' | filecheck %s
// RUN: opt-tool %s --split-input-file --reshape='inputs="X=3x4"' --reshape='inputs="X=3x4"' | filecheck %s

// What is joined to the state has three rows, so the state has three, which all begin with its initial value.
// CHECK:       infra.variable @h : tensor<3x2xf32>
// CHECK:       [[INIT:%.*]] = nn.constant dense<{{\[}}[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]]> : tensor<3x2xf32>
// CHECK:       infra.read_value @h, [[INIT]] : tensor<3x2xf32> -> tensor<3x2xf32>
// CHECK:       nn.concat {{.*}} -> tensor<3x6xf32>
infra.variable @h : tensor<1x2xf32>
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x6xf32> {nn.names = ["Y"]}) {
  %init = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %h = infra.read_value @h, %init : tensor<1x2xf32> -> tensor<1x2xf32>
  %y = nn.concat %x, %h {axis = 1 : i64} : (tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x6xf32>
  %axis = nn.constant dense<1> : tensor<i64>
  %sizes = nn.constant dense<[4, 2]> : tensor<2xi64>
  %first, %next = nn.variadic_split %y, %axis, %sizes : (tensor<1x6xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<1x4xf32>, tensor<1x2xf32>)
  infra.assign @h, %next : tensor<1x2xf32>
  func.return %y : tensor<1x6xf32>
}

// -----

// An iterator of two iterations whose body has it. The state that does not follow keeps its one row.
// CHECK-DAG:   infra.variable @h : tensor<3x2xf32>
// CHECK-DAG:   infra.variable @count : tensor<1x1xf32>
// CHECK:       infra.tensor_iterator {{.*}} -> tensor<3x2xf32>
infra.variable @h : tensor<1x2xf32>
infra.variable @count : tensor<1x1xf32>
func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x2xf32> {nn.names = ["Y"]}, tensor<1x1xf32>) {
  %zero = nn.constant dense<0.0> : tensor<1x2xf32>
  %h = infra.read_value @h, %zero : tensor<1x2xf32> -> tensor<1x2xf32>
  %y = infra.tensor_iterator %x, %h
      inputs [#infra.sliced<axis = 1, start = 0, end = -1, stride = 2, part_size = 2>, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X_t", "H_t"] : (tensor<1x4xf32>, tensor<1x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%xt: tensor<1x2xf32>, %ht: tensor<1x2xf32>):
    %both = nn.concat %xt, %ht {axis = 1 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x4xf32>
    %axis = nn.constant dense<1> : tensor<i64>
    %a, %b = nn.split %both, %axis {num_splits = 2 : i64} : (tensor<1x4xf32>, tensor<i64>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
    %next = nn.add %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
    infra.yield %next : tensor<1x2xf32>
  }
  infra.assign @h, %y : tensor<1x2xf32>
  %one = nn.constant dense<1.0> : tensor<f32>
  %none = nn.constant dense<0.0> : tensor<1x1xf32>
  %old = infra.read_value @count, %none : tensor<1x1xf32> -> tensor<1x1xf32>
  %new = nn.add %old, %one : (tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>
  infra.assign @count, %new : tensor<1x1xf32>
  func.return %y, %new : tensor<1x2xf32>, tensor<1x1xf32>
}
