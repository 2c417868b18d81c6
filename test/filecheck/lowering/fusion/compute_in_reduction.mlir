// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// What only the reduction reads is computed there.
// CHECK-LABEL: func.func @alone(
// CHECK-NEXT:    %0 = kernel.reduce "sum" [4, 1] window [8] x(%x : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.exp %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         func.return %0 : tensor<4x1xf32>
func.func @alone(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %e = nn.exp %x : tensor<4x8xf32>
  %0 = nn.reduce_sum %e, %axes {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  func.return %0 : tensor<4x1xf32>
}

// -----

// What somebody else reads too is computed once.
// CHECK-LABEL: func.func @twice(
// CHECK:         kernel.map [4, 8]
// CHECK:         kernel.reduce "sum" [4, 1] window [8] x(
// CHECK-NEXT:    ^bb0(%{{.*}}: f32):
// CHECK-NEXT:      kernel.yield
func.func @twice(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>) {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %e = nn.exp %x : tensor<4x8xf32>
  %0 = nn.reduce_sum %e, %axes {keep_dims = true} : (tensor<4x8xf32>, tensor<1xi64>) -> tensor<4x1xf32>
  func.return %e, %0 : tensor<4x8xf32>, tensor<4x1xf32>
}

// -----

// Windows that overlap would compute an element several times.
// CHECK-LABEL: func.func @overlap(
// CHECK-NEXT:    %e = kernel.map [1, 2, 5, 5] ins(%x : tensor<1x2x5x5xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x5x5xf32> {
// CHECK-NEXT:    ^bb0(%0: f32):
// CHECK-NEXT:      %1 = math.exp %0 : f32
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.reduce "max" [1, 3, 3, 2] window [3, 3] x(%e : tensor<1x2x5x5xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] steps [affine_map<(d0, d1) -> (0, 0, d0, d1)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x2x3x3xf32> element {
// CHECK-NEXT:    ^bb0(%3: f32):
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%4: f32):
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         func.return %2 : tensor<1x2x3x3xf32>
func.func @overlap(%x: tensor<1x2x5x5xf32>) -> tensor<1x2x3x3xf32> {
  %e = nn.exp %x : tensor<1x2x5x5xf32>
  %0 = nn.max_pool %e {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x2x5x5xf32> -> tensor<1x2x3x3xf32>
  func.return %0 : tensor<1x2x3x3xf32>
}
