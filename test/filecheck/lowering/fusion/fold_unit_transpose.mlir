// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// A dimension of size 1 changes places: nothing moves in memory.
// CHECK-LABEL: func.func @unit(
// CHECK-NEXT:    %0 = kernel.reshape %x : tensor<4x1x2xf32> -> tensor<1x4x2xf32>
// CHECK-NEXT:    %1 = kernel.mat_mul [1, 4, 3] groups 1 a(%0 : tensor<1x4x2xf32>) b(%w : tensor<3x2xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x4x3xf32> {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         func.return %1 : tensor<1x4x3xf32>
func.func @unit(%x: tensor<4x1x2xf32>, %w: tensor<3x2xf32>) -> tensor<1x4x3xf32> {
  %order = nn.constant dense<[1, 0, 2]> : tensor<3xi64>
  %0 = nn.transpose %x, %order : (tensor<4x1x2xf32>, tensor<3xi64>) -> tensor<1x4x2xf32>
  %1 = nn.mat_mul %0, %w {transpose_b = true} : (tensor<1x4x2xf32>, tensor<3x2xf32>) -> tensor<1x4x3xf32>
  func.return %1 : tensor<1x4x3xf32>
}

// -----

// Two other dimensions do.
// CHECK-LABEL: func.func @moves(
// CHECK-NEXT:    %0 = kernel.map [3, 4, 2] ins(%x : tensor<4x3x2xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.mat_mul [3, 4, 3] groups 1 a(%0 : tensor<3x4x2xf32>) b(%w : tensor<3x2xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x3xf32> {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         func.return %2 : tensor<3x4x3xf32>
func.func @moves(%x: tensor<4x3x2xf32>, %w: tensor<3x2xf32>) -> tensor<3x4x3xf32> {
  %order = nn.constant dense<[1, 0, 2]> : tensor<3xi64>
  %0 = nn.transpose %x, %order : (tensor<4x3x2xf32>, tensor<3xi64>) -> tensor<3x4x2xf32>
  %1 = nn.mat_mul %0, %w {transpose_b = true} : (tensor<3x4x2xf32>, tensor<3x2xf32>) -> tensor<3x4x3xf32>
  func.return %1 : tensor<3x4x3xf32>
}

// -----

// A result that leaves needs a buffer of its own.
// CHECK-LABEL: func.func @leaves(
// CHECK-NEXT:    %0 = kernel.map [1, 4] ins(%x : tensor<4x1xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         func.return %0 : tensor<1x4xf32>
func.func @leaves(%x: tensor<4x1xf32>) -> tensor<1x4xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %0 = nn.transpose %x, %order : (tensor<4x1xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  func.return %0 : tensor<1x4xf32>
}
