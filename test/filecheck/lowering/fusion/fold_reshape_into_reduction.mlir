// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// A dimension of size 1 does not prevent it.
// CHECK-LABEL: func.func @unit(
// CHECK-NEXT:    %0 = kernel.reduce "sum" [4, 1, 1] window [8] x(%x : tensor<4x8xf32>) points [affine_map<(d0, d1, d2) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<4x1x1xf32> element {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         func.return %0 : tensor<4x1x1xf32>
func.func @unit(%x: tensor<4x8xf32>) -> tensor<4x1x1xf32> {
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.unsqueeze %x, %one : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1x8xf32>
  %1 = nn.reduce_sum %0, %axes {keep_dims = true} : (tensor<4x1x8xf32>, tensor<1xi64>) -> tensor<4x1x1xf32>
  func.return %1 : tensor<4x1x1xf32>
}

// -----

// A reshape that mixes dimensions stays.
// CHECK-LABEL: func.func @mixed(
// CHECK-NEXT:    %0 = kernel.reshape %x : tensor<4x8xf32> -> tensor<2x16xf32>
// CHECK-NEXT:    %1 = kernel.reduce "sum" [2, 1] window [16] x(%0 : tensor<2x16xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         func.return %1 : tensor<2x1xf32>
func.func @mixed(%x: tensor<4x8xf32>) -> tensor<2x1xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %shape = nn.constant dense<[2, 16]> : tensor<2xi64>
  %0 = nn.reshape %x, %shape : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<2x16xf32>
  %1 = nn.reduce_sum %0, %axes {keep_dims = true} : (tensor<2x16xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  func.return %1 : tensor<2x1xf32>
}

// -----

// Dimensions that are merged are dimensions of the window, which covers them.
// CHECK-LABEL: func.func @merged(
// CHECK-NEXT:    %0 = kernel.reduce "sum" [2, 1] window [4, 8] x(%x : tensor<2x4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0, 0)>] steps [affine_map<(d0, d1) -> (0, d0, d1)>]
func.func @merged(%x: tensor<2x4x8xf32>) -> tensor<2x1xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %shape = nn.constant dense<[2, 32]> : tensor<2xi64>
  %0 = nn.reshape %x, %shape : (tensor<2x4x8xf32>, tensor<2xi64>) -> tensor<2x32xf32>
  %1 = nn.reduce_sum %0, %axes {keep_dims = true} : (tensor<2x32xf32>, tensor<1xi64>) -> tensor<2x1xf32>
  func.return %1 : tensor<2x1xf32>
}

// -----

// Here it covers a part of them.
// CHECK-LABEL: func.func @part(
// CHECK-NEXT:    kernel.reshape %x
func.func @part(%x: tensor<2x4x8xf32>) -> tensor<2x31xf32> {
  %shape = nn.constant dense<[1, 2, 32]> : tensor<3xi64>
  %0 = nn.reshape %x, %shape : (tensor<2x4x8xf32>, tensor<3xi64>) -> tensor<1x2x32xf32>
  %1 = nn.max_pool %0 {kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x32xf32> -> tensor<1x2x31xf32>
  %2 = nn.constant dense<[2, 31]> : tensor<2xi64>
  %3 = nn.reshape %1, %2 : (tensor<1x2x31xf32>, tensor<2xi64>) -> tensor<2x31xf32>
  func.return %3 : tensor<2x31xf32>
}
