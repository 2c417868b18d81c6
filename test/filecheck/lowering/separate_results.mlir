// RUN: opt-tool %s --nn-to-kernels --separate-results | filecheck %s

infra.variable @h : tensor<2xf32>

// An input that may be its own result is so, once.
// CHECK-LABEL: func.func @returned(
// CHECK-SAME:    kernel.aliases = array<i64: 0, 0>
// CHECK:         %0 = kernel.map [2] ins(%x : tensor<2xf32>)
// CHECK:         %2 = kernel.map [2] ins(%y : tensor<2xf32>)
// CHECK:         func.return %x, %0, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @returned(%x: tensor<2xf32> {infra.returned}, %y: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  func.return %x, %x, %y : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// A value that leaves once is written where it belongs.
// CHECK-LABEL: func.func @once(
// CHECK:         %0 = kernel.map [2] ins(%x : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         func.return %0 : tensor<2xf32>
func.func @once(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = nn.relu %x : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// One that leaves twice is copied for the second.
// CHECK-LABEL: func.func @twice(
// CHECK:         %0 = kernel.map [2] ins(%x : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.map [2] ins(%0 : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%6: f32):
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         func.return %0, %5 : tensor<2xf32>, tensor<2xf32>
func.func @twice(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = nn.relu %x : tensor<2xf32>
  func.return %0, %0 : tensor<2xf32>, tensor<2xf32>
}

// Also where the second is a reshape of it.
// CHECK-LABEL: func.func @reshaped(
// CHECK:         %axis = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT:    %0 = kernel.map [2] ins(%x : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.reshape %0 : tensor<2xf32> -> tensor<1x2xf32>
// CHECK-NEXT:    %6 = kernel.map [1, 2] ins(%5 : tensor<1x2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         func.return %0, %6 : tensor<2xf32>, tensor<1x2xf32>
func.func @reshaped(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<1x2xf32>) {
  %axis = nn.constant dense<[0]> : tensor<1xi64>
  %0 = nn.relu %x : tensor<2xf32>
  %1 = nn.unsqueeze %0, %axis : (tensor<2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  func.return %0, %1 : tensor<2xf32>, tensor<1x2xf32>
}

// Inputs, constants and states are copied.
// CHECK-LABEL: func.func @passed(
// CHECK:         %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
// CHECK-NEXT:    %1 = infra.read_value @h, %0 : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    %2 = kernel.map [2] ins(%x : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         infra.assign @h, %2 : tensor<2xf32>
// CHECK-NEXT:    %4 = kernel.map [2] ins(%x : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%5: f32):
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         %6 = kernel.map [2] ins(%0 : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         %8 = kernel.map [2] ins(%1 : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%9: f32):
// CHECK-NEXT:      kernel.yield %9 : f32
// CHECK:         func.return %4, %6, %8 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
func.func @passed(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = infra.read_value @h, %0 : tensor<2xf32> -> tensor<2xf32>
  infra.assign @h, %x : tensor<2xf32>
  func.return %x, %0, %1 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// An iterator's arguments that it gives back.
// CHECK-LABEL: func.func @swapped(
// CHECK:         %0 = infra.tensor_iterator %x, %y inputs [#infra.merged<result = 1>, #infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>] body_names ["a", "b"] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
// CHECK-NEXT:      %1 = kernel.map [2] ins(%a : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:      ^bb0(%2: f32):
// CHECK-NEXT:        kernel.yield %2 : f32
// CHECK:           %3 = kernel.map [2] ins(%b : tensor<2xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
// CHECK-NEXT:      ^bb0(%4: f32):
// CHECK-NEXT:        kernel.yield %4 : f32
// CHECK:           infra.yield %1, %3 : tensor<2xf32>, tensor<2xf32>
// CHECK:         func.return %0 : tensor<2xf32>
func.func @swapped(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = infra.tensor_iterator %x, %y inputs [#infra.merged<result = 1>, #infra.merged<result = 0>] outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["a", "b"] : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    infra.yield %a, %b : tensor<2xf32>, tensor<2xf32>
  }
  func.return %0 : tensor<2xf32>
}
