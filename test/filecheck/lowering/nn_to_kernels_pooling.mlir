// RUN: opt-tool %s --nn-to-kernels | filecheck %s

// Of 5 x 5 elements, the greatest along the first dimension, then of these along the second.
// CHECK-LABEL: func.func @in_two_steps(
// CHECK:         %2 = kernel.reduce "max" [1, 8, 12, 3] window [5] x(%0 : tensor<1x12x12x3xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0) -> (0, d0, 0, 0)>]
// CHECK:         %5 = kernel.reduce "max" [1, 8, 8, 3] window [5] x(%2 : tensor<1x8x12x3xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0) -> (0, 0, d0, 0)>]
// CHECK:         func.return
func.func @in_two_steps(%x: tensor<1x3x12x12xf32>) -> tensor<1x3x8x8xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 5, 5>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x3x12x12xf32> -> tensor<1x3x8x8xf32>
  func.return %y : tensor<1x3x8x8xf32>
}

// Windows of 3 x 3 are too small.
// CHECK-LABEL: func.func @at_once(
// CHECK:         %2 = kernel.reduce "max" [1, 10, 10, 3] window [3, 3] x(%0 : tensor<1x12x12x3xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>]
// CHECK-NOT:     kernel.reduce
// CHECK:         func.return
func.func @at_once(%x: tensor<1x3x12x12xf32>) -> tensor<1x3x10x10xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x3x12x12xf32> -> tensor<1x3x10x10xf32>
  func.return %y : tensor<1x3x10x10xf32>
}
