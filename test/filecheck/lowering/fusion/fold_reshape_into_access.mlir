// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// A dimension of size 1 does not prevent it.
// CHECK-LABEL: func.func @unit(
// CHECK-NEXT:    %0 = kernel.map [2, 1, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x1x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.tanh %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         func.return %0 : tensor<2x1x4xf32>
func.func @unit(%x: tensor<2x4xf32>) -> tensor<2x1x4xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.unsqueeze %x, %axes : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<2x1x4xf32>
  %1 = nn.tanh %0 : tensor<2x1x4xf32>
  func.return %1 : tensor<2x1x4xf32>
}

// -----

// A reshape that mixes dimensions stays.
// CHECK-LABEL: func.func @mixed(
// CHECK:         %0 = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.reshape %0 : tensor<2x4xf32> -> tensor<8xf32>
// CHECK-NEXT:    %6 = kernel.map [8] ins(%5 : tensor<8xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<8xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      %8 = math.tanh %7 : f32
// CHECK-NEXT:      kernel.yield %8 : f32
// CHECK:         func.return %6 : tensor<8xf32>
func.func @mixed(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %shape = nn.constant dense<[8]> : tensor<1xi64>
  %0 = nn.relu %x : tensor<2x4xf32>
  %1 = nn.reshape %0, %shape : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<8xf32>
  %2 = nn.tanh %1 : tensor<8xf32>
  func.return %2 : tensor<8xf32>
}
