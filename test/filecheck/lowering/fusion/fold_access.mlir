// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// A transpose between them is an access, as is a dimension of size 1.
// CHECK-LABEL: func.func @through(
// CHECK:         %0 = kernel.map [4, 1, 2] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<4x1x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.tanh %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         func.return %0 : tensor<4x1x2xf32>
func.func @through(%x: tensor<2x4xf32>) -> tensor<4x1x2xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.transpose %x, %order : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %1 = nn.unsqueeze %0, %axes : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<4x1x2xf32>
  %2 = nn.tanh %1 : tensor<4x1x2xf32>
  func.return %2 : tensor<4x1x2xf32>
}

// -----

// A product reads memory, and so the copy.
// CHECK-LABEL: func.func @factor(
// CHECK-NEXT:    %0 = kernel.map [2, 3] ins(%x : tensor<3x2xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.mat_mul [2, 4] groups 1 a(%0 : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         func.return %2 : tensor<2x4xf32>
func.func @factor(%x: tensor<3x2xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %0 = nn.transpose %x, %order : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = nn.mat_mul %0, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}

// -----

// What computes is no movement; each element of it is read twice.
// CHECK-LABEL: func.func @repeated(
// CHECK:         %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.tanh %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:      %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         func.return %3 : tensor<2x4xf32>
func.func @repeated(%x: tensor<4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = nn.tanh %x : tensor<4xf32>
  %1 = nn.add %y, %0 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}
