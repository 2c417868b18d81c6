// RUN: opt-tool %s --raise-loop-ports | filecheck %s
// RUN: opt-tool %s --raise-loop-ports --verify-numerics

// Each iteration appends a row: what they append is put together, behind what there was.
// CHECK-LABEL: func.func @appended
// CHECK:      [[ROWS:%.*]] = infra.loop %three, %true, %x inputs [#infra.invariant] outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 1, part_size = 1>]
// CHECK-NOT:  nn.concat
// CHECK:      infra.yield
// CHECK:      nn.concat %h, [[ROWS]] {axis = 0 : i64} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<?x4xf32>
func.func @appended(%h: tensor<2x4xf32>, %x: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %three = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %three, %true, %h, %x inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H", "X"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<1x4xf32>, %i: tensor<i64>):
    %number = nn.convert %i to f32 : tensor<i64> -> tensor<f32>
    %row = nn.multiply %b, %number : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %next = nn.concat %a, %row {axis = 0 : i64} : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    infra.yield %next : tensor<?x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}

// In front of it: the last part comes first.
// CHECK-LABEL: func.func @in_front
// CHECK:      [[ROWS:%.*]] = infra.loop {{.*}} outputs [#infra.concatenated<result = 0, axis = 0, start = -1, end = 0, stride = -1, part_size = 1>]
// CHECK:      nn.concat [[ROWS]], %h
func.func @in_front(%h: tensor<2x4xf32>, %x: tensor<1x4xf32>) -> tensor<?x4xf32> {
  %three = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %three, %true, %h, %x inputs [#infra.merged<result = 0>, #infra.invariant] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H", "X"] {current_iteration} : (tensor<i64>, tensor<i1>, tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<?x4xf32>, %b: tensor<1x4xf32>, %i: tensor<i64>):
    %number = nn.convert %i to f32 : tensor<i64> -> tensor<f32>
    %row = nn.multiply %b, %number : (tensor<1x4xf32>, tensor<f32>) -> tensor<1x4xf32>
    %next = nn.concat %row, %a {axis = 0 : i64} : (tensor<1x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    infra.yield %next : tensor<?x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}

// Nearest miss: the body reads it, too.
// CHECK-LABEL: func.func @is_read
// CHECK:      infra.loop {{.*}} inputs [#infra.merged<result = 0>]
func.func @is_read(%h: tensor<2x4xf32>) -> tensor<?x4xf32> {
  %three = nn.constant dense<3> : tensor<i64>
  %true = nn.constant dense<true> : tensor<i1>
  %y = infra.loop %three, %true, %h inputs [#infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["H"] : (tensor<i64>, tensor<i1>, tensor<2x4xf32>) -> tensor<?x4xf32> {
  ^bb0(%a: tensor<?x4xf32>):
    %axis = nn.constant dense<0> : tensor<1xi64>
    %row = nn.reduce_sum %a, %axis {keep_dims = true} : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
    %next = nn.concat %a, %row {axis = 0 : i64} : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
    infra.yield %next : tensor<?x4xf32>
  }
  func.return %y : tensor<?x4xf32>
}
