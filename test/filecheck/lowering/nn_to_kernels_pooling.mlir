// RUN: opt-tool %s --nn-to-kernels | filecheck %s

// Of 5 x 5 elements, the greatest along the first dimension, then of these along the second.
// CHECK-LABEL: func.func @in_two_steps(
// CHECK:         [[LINES:%.*]] = kernel.reduce "max" [1, 8, 12, 3] window [5] x(%{{.*}} : tensor<1x12x12x3xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0) -> (0, d0, 0, 0)>]
// CHECK:         kernel.reduce "max" [1, 8, 8, 3] window [5] x([[LINES]] : tensor<1x8x12x3xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0) -> (0, 0, d0, 0)>]
// CHECK:         func.return
func.func @in_two_steps(%x: tensor<1x3x12x12xf32>) -> tensor<1x3x8x8xf32> {
  %z = nn.relu %x : tensor<1x3x12x12xf32>
  %y = nn.max_pool %z {kernel = array<i64: 5, 5>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x3x12x12xf32> -> tensor<1x3x8x8xf32>
  func.return %y : tensor<1x3x8x8xf32>
}

// Windows of 3 x 3 are too small.
// CHECK-LABEL: func.func @at_once(
// CHECK:         kernel.reduce "max" [1, 10, 10, 3] window [3, 3] x(%{{.*}} : tensor<1x12x12x3xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>]
// CHECK-NOT:     kernel.reduce
// CHECK:         func.return
func.func @at_once(%x: tensor<1x3x12x12xf32>) -> tensor<1x3x10x10xf32> {
  %z = nn.relu %x : tensor<1x3x12x12xf32>
  %y = nn.max_pool %z {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x3x12x12xf32> -> tensor<1x3x10x10xf32>
  func.return %y : tensor<1x3x10x10xf32>
}

// An input whose rows are wide stays channels first. Windows at the left end are smaller.
// CHECK-LABEL: func.func @in_regions(
// CHECK-NOT:     kernel.pad
// CHECK:         [[LEFT:%.*]] = kernel.reduce "max" [1, 3, 10, 1] window [3, 2] x(%x : tensor<1x3x12x32xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, (d3 * 2))>]
// CHECK:         [[REST:%.*]] = kernel.reduce "max" [1, 3, 10, 15] window [3, 3] x(%x : tensor<1x3x12x32xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, ((d3 * 2) + 1))>]
// CHECK:         kernel.concat [[LEFT]], [[REST]] axis 3
func.func @in_regions(%x: tensor<1x3x12x32xf32>) -> tensor<1x3x10x16xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 3, 3>, strides = array<i64: 1, 2>, pads_begin = array<i64: 0, 1>, pads_end = array<i64: 0, 1>, dilations = array<i64: 1, 1>} : tensor<1x3x12x32xf32> -> tensor<1x3x10x16xf32>
  func.return %y : tensor<1x3x10x16xf32>
}

// With too many regions, it is pooled along columns first, in regions of these, and what that leaves is padded.
// CHECK-LABEL: func.func @along_rows(
// CHECK:         kernel.reduce "max" [1, 3, 8, 32] window [5, 1] x(%x : tensor<1x3x12x32xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0, d1) -> (0, 0, d0, d1)>]
// CHECK:         [[LINES:%.*]] = kernel.concat {{.*}} axis 2
// CHECK-NEXT:    [[PADDED:%.*]] = kernel.pad [[LINES]] low [0, 0, 0, 2] high [0, 0, 0, 2]
// CHECK-NEXT:    [[Y:%.*]] = kernel.reduce "max" [1, 3, 12, 32] window [5] x([[PADDED]] : tensor<1x3x12x36xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0) -> (0, 0, 0, d0)>]
// CHECK:         func.return [[Y]]
func.func @along_rows(%x: tensor<1x3x12x32xf32>) -> tensor<1x3x12x32xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 5, 5>, strides = array<i64: 1, 1>, pads_begin = array<i64: 2, 2>, pads_end = array<i64: 2, 2>, dilations = array<i64: 1, 1>} : tensor<1x3x12x32xf32> -> tensor<1x3x12x32xf32>
  func.return %y : tensor<1x3x12x32xf32>
}

// Strides leave gaps in rows: windows go along the other dimensions first, whose rows have none. Nearest miss: with
// two elements in each dimension, that would not take less.
// CHECK-LABEL: func.func @gaps(
// CHECK-NEXT:    [[ROWS:%.*]] = kernel.reduce "max" [1, 3, 4, 4, 24] window [3, 3, 1] x(%x : tensor<1x3x12x12x24xf32>)
// CHECK:         kernel.reduce "max" [1, 3, 4, 4, 8] window [3] x([[ROWS]] : tensor<1x3x4x4x24xf32>)
func.func @gaps(%x: tensor<1x3x12x12x24xf32>) -> tensor<1x3x4x4x8xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 3, 3, 3>, strides = array<i64: 3, 3, 3>, pads_begin = array<i64: 0, 0, 0>, pads_end = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : tensor<1x3x12x12x24xf32> -> tensor<1x3x4x4x8xf32>
  func.return %y : tensor<1x3x4x4x8xf32>
}

// CHECK-LABEL: func.func @small_gaps(
// CHECK-NEXT:    kernel.reduce "max" [1, 3, 6, 6, 8] window [2, 2, 2] x(%x : tensor<1x3x12x12x16xf32>)
// CHECK-NOT:     kernel.reduce
func.func @small_gaps(%x: tensor<1x3x12x12x16xf32>) -> tensor<1x3x6x6x8xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 2, 2, 2>, strides = array<i64: 2, 2, 2>, pads_begin = array<i64: 0, 0, 0>, pads_end = array<i64: 0, 0, 0>, dilations = array<i64: 1, 1, 1>} : tensor<1x3x12x12x16xf32> -> tensor<1x3x6x6x8xf32>
  func.return %y : tensor<1x3x6x6x8xf32>
}

// Of windows that overlap by whole strides, the greatest of each stride, then of the strides of each window.
// CHECK-LABEL: func.func @strides(
// CHECK-NEXT:    [[STRIDES:%.*]] = kernel.reduce "max" [1, 2, 20] window [4] x(%x : tensor<1x2x80xf32>) points [affine_map<(d0, d1, d2) -> (d0, d1, (d2 * 4))>] steps [affine_map<(d0) -> (0, 0, d0)>]
// CHECK:         kernel.reduce "max" [1, 2, 17] window [4] x([[STRIDES]] : tensor<1x2x20xf32>) points [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] steps [affine_map<(d0) -> (0, 0, d0)>]
func.func @strides(%x: tensor<1x2x80xf32>) -> tensor<1x2x17xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 16>, strides = array<i64: 4>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x80xf32> -> tensor<1x2x17xf32>
  func.return %y : tensor<1x2x17xf32>
}

// Nearest miss: a part of a stride would be left.
// CHECK-LABEL: func.func @part_of_a_stride(
// CHECK-NEXT:    kernel.reduce "max" [1, 2, 16] window [17] x(%x : tensor<1x2x80xf32>)
// CHECK-NOT:     kernel.reduce
// CHECK:         func.return
func.func @part_of_a_stride(%x: tensor<1x2x80xf32>) -> tensor<1x2x16xf32> {
  %y = nn.max_pool %x {kernel = array<i64: 17>, strides = array<i64: 4>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x80xf32> -> tensor<1x2x16xf32>
  func.return %y : tensor<1x2x16xf32>
}

// What a kernel gave lies channels last.
// CHECK-LABEL: func.func @behind_a_kernel(
// CHECK:         kernel.reduce "max" [1, 10, 30, 3] window [3, 3]
// CHECK-NOT:     kernel.concat
// CHECK:         func.return
func.func @behind_a_kernel(%x: tensor<1x3x12x32xf32>) -> tensor<1x3x10x30xf32> {
  %z = nn.relu %x : tensor<1x3x12x32xf32>
  %y = nn.max_pool %z {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x3x12x32xf32> -> tensor<1x3x10x30xf32>
  func.return %y : tensor<1x3x10x30xf32>
}
