// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// A reduction reads channels last as well as first.
// CHECK-LABEL: func.func @reduced(
// CHECK-NEXT:    %0 = kernel.reshape %w : tensor<4x4x1x1xf32> -> tensor<4x1x1x4xf32>
// CHECK-NEXT:    %1 = kernel.map [1, 2, 2, 4] ins(%x : tensor<1x4x2x2xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x2x4xf32> {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.convolution [1, 2, 2, 4] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%1 : tensor<1x2x2x4xf32>) b(%0 : tensor<4x1x1x4xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x2x4xf32> {
// CHECK-NEXT:    ^bb0(%4: f32):
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.reduce "max" [1, 4, 1, 1] window [2, 2] x(%3 : tensor<1x2x2x4xf32>) points [affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d1)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x1x1xf32> element {
// CHECK-NEXT:    ^bb0(%6: f32):
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         func.return %5 : tensor<1x4x1x1xf32>
func.func @reduced(%x: tensor<1x4x2x2xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x1x1xf32> {
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %1 = nn.reduce_max %0, %axes {keep_dims = true} : (tensor<1x4x2x2xf32>, tensor<2xi64>) -> tensor<1x4x1x1xf32>
  func.return %1 : tensor<1x4x1x1xf32>
}

// -----

// A caller wants channels first.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:    %0 = kernel.reshape %w : tensor<4x4x1x1xf32> -> tensor<4x1x1x4xf32>
// CHECK-NEXT:    %1 = kernel.map [1, 2, 2, 4] ins(%x : tensor<1x4x2x2xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x2x4xf32> {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.convolution [1, 2, 2, 4] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%1 : tensor<1x2x2x4xf32>) b(%0 : tensor<4x1x1x4xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x4x2x2xf32> {
// CHECK-NEXT:    ^bb0(%4: f32):
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.reduce "max" [1, 4, 1, 1] window [2, 2] x(%3 : tensor<1x4x2x2xf32>) points [affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>] steps [affine_map<(d0, d1) -> (0, 0, d0, d1)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x1x1xf32> element {
// CHECK-NEXT:    ^bb0(%6: f32):
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         } finish {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         func.return %3, %5 : tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>
func.func @returned(%x: tensor<1x4x2x2xf32>, %w: tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>) {
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  %1 = nn.reduce_max %0, %axes {keep_dims = true} : (tensor<1x4x2x2xf32>, tensor<2xi64>) -> tensor<1x4x1x1xf32>
  func.return %0, %1 : tensor<1x4x2x2xf32>, tensor<1x4x1x1xf32>
}
