// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Codes are read where numbers four times as wide were, each of them twice.
// CHECK-LABEL: func.func @codes(
// CHECK-NEXT:    %0 = kernel.map [2, 4] ins(%y, %q : tensor<2x4xf32>, tensor<4xui8>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32, %2: i32):
// CHECK-NEXT:      %3 = arith.uitofp %2 : i32 to f32
// CHECK-NEXT:      %4 = arith.addf %1, %3 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         func.return %0 : tensor<2x4xf32>
func.func @codes(%q: tensor<4xui8>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
  %1 = nn.add %y, %0 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}

// -----

// Numbers as wide as the results are stored.
// CHECK-LABEL: func.func @numbers(
// CHECK-NEXT:    %0 = kernel.map [4] ins(%q : tensor<4xi32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: i32):
// CHECK-NEXT:      %2 = arith.sitofp %1 : i32 to f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:      %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         func.return %3 : tensor<2x4xf32>
func.func @numbers(%q: tensor<4xi32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = nn.convert %q to f32 : tensor<4xi32> -> tensor<4xf32>
  %1 = nn.add %y, %0 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}
