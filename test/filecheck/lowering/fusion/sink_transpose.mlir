// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Sixteen units of sixteen positions lie in registers side by side: a map turns them.
// CHECK-LABEL: @many
// CHECK:       %[[C:[0-9]+]] = kernel.convolution [1, 4, 4, 16]{{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]{{.*}} -> tensor<1x4x4x16xf32>
// CHECK:       %[[T:[0-9]+]] = kernel.map [1, 16, 4, 4] ins(%[[C]] : tensor<1x4x4x16xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>]
// CHECK:       func.return %[[T]]
func.func @many(%x: tensor<1x4x4x4xf32>, %w: tensor<16x4x1x1xf32>) -> tensor<1x16x4x4xf32> {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = nn.relu %0 : tensor<1x16x4x4xf32>
  func.return %1 : tensor<1x16x4x4xf32>
}

// -----

// Two results are both transposed by maps.
// CHECK-LABEL: @both
// CHECK:       %[[R:[0-9]+]], %[[C:[0-9]+]] = kernel.convolution [1, 4, 4, 16]{{.*}} -> tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>
// CHECK:       kernel.map [1, 16, 4, 4] ins(%{{[0-9]+}} : tensor<1x4x4x16xf32>)
// CHECK:       kernel.map [1, 16, 4, 4] ins(%{{[0-9]+}} : tensor<1x4x4x16xf32>)
func.func @both(%x: tensor<1x4x4x4xf32>, %w: tensor<16x4x1x1xf32>) -> (tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>) {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x4x4xf32>
  %1 = nn.relu %0 : tensor<1x16x4x4xf32>
  func.return %0, %1 : tensor<1x16x4x4xf32>, tensor<1x16x4x4xf32>
}

// -----

// Of fifteen positions the convolution writes each result alone.
// CHECK-LABEL: @few
// CHECK:       %[[C:[0-9]+]] = kernel.convolution [1, 3, 5, 16]{{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>]{{.*}} -> tensor<1x16x3x5xf32>
// CHECK:       func.return %[[C]]
func.func @few(%x: tensor<1x4x3x5xf32>, %w: tensor<16x4x1x1xf32>) -> tensor<1x16x3x5xf32> {
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x3x5xf32>, tensor<16x4x1x1xf32>) -> tensor<1x16x3x5xf32>
  %1 = nn.relu %0 : tensor<1x16x3x5xf32>
  func.return %1 : tensor<1x16x3x5xf32>
}

// -----

// A result of fewer dimensions than the product goes over is written as it is.
// CHECK-LABEL: func.func @fewer(
// CHECK:         [[P:%.*]] = kernel.mat_mul [16, 1, 16] {{.*}} access [affine_map<(d0, d1, d2) -> (d2, d0)>] -> tensor<16x16xf32>
// CHECK:         func.return [[P]]
func.func @fewer(%x: tensor<16x1x3xf32>, %w: tensor<16x3xf32>) -> tensor<16x16xf32> {
  %0 = kernel.mat_mul [16, 1, 16] groups 1 a(%x : tensor<16x1x3xf32>) b(%w : tensor<16x3xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d2, d0)>] -> tensor<16x16xf32> {
  ^bb0(%1: f32):
    kernel.yield %1 : f32
  }
  func.return %0 : tensor<16x16xf32>
}

// -----

// Gathers of rows of 16 elements write rows; shorter ones are written as they are read.
// CHECK-LABEL: func.func @gathers(
// CHECK:         [[ROWS:%.*]] = kernel.gather [1, 64, 16] {{.*}} access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x64x16xf32>
// CHECK:         [[LONG:%.*]] = kernel.map [1, 16, 64] ins([[ROWS]] : tensor<1x64x16xf32>)
// CHECK:         [[SHORT:%.*]] = kernel.gather [1, 64, 15] {{.*}} access [affine_map<(d0, d1, d2) -> (d0, d2, d1)>] -> tensor<1x15x64xf32>
// CHECK:         func.return [[LONG]], [[SHORT]]
func.func @gathers(%x: tensor<1x9x16xf32>, %z: tensor<1x9x15xf32>, %i: tensor<64xi32>) -> (tensor<1x16x64xf32>, tensor<1x15x64xf32>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %order = nn.constant dense<[0, 2, 1]> : tensor<3xi64>
  %a = nn.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<1x9x16xf32>, tensor<64xi32>, tensor<i64>) -> tensor<1x64x16xf32>
  %b = nn.gather %z, %i, %axis {batch_dims = 0 : i64} : (tensor<1x9x15xf32>, tensor<64xi32>, tensor<i64>) -> tensor<1x64x15xf32>
  %0 = nn.transpose %a, %order : (tensor<1x64x16xf32>, tensor<3xi64>) -> tensor<1x16x64xf32>
  %1 = nn.transpose %b, %order : (tensor<1x64x15xf32>, tensor<3xi64>) -> tensor<1x15x64xf32>
  func.return %0, %1 : tensor<1x16x64xf32>, tensor<1x15x64xf32>
}

// -----

// Maxima of neighbours in 32 channels of 32 x 32 are turned by a map.
// CHECK-LABEL: func.func @maxima(
// CHECK:         [[M:%.*]] = kernel.reduce "max" [1, 32, 32, 32] {{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x32x32x32xf32>
// CHECK:         [[T:%.*]] = kernel.map [1, 32, 32, 32] ins([[M]] : tensor<1x32x32x32xf32>)
// CHECK:         func.return [[T]]
func.func @maxima(%x: tensor<1x34x34x32xf32>) -> tensor<1x32x32x32xf32> {
  %3 = kernel.reduce "max" [1, 32, 32, 32] window [3, 3] x(%x : tensor<1x34x34x32xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x32x32x32xf32> element {
  ^bb0(%4: f32):
    kernel.yield %4 : f32
  } finish {
  ^bb0(%5: f32):
    kernel.yield %5 : f32
  }
  func.return %3 : tensor<1x32x32x32xf32>
}

// -----

// Of 31 rows, the reduction writes each result alone.
// CHECK-LABEL: func.func @fewer_maxima(
// CHECK:         [[M:%.*]] = kernel.reduce "max" [1, 31, 32, 32] {{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x32x31x32xf32>
// CHECK:         func.return [[M]]
func.func @fewer_maxima(%x: tensor<1x33x34x32xf32>) -> tensor<1x32x31x32xf32> {
  %0 = kernel.reduce "max" [1, 31, 32, 32] window [3, 3] x(%x : tensor<1x33x34x32xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x32x31x32xf32> element {
  ^bb0(%1: f32):
    kernel.yield %1 : f32
  } finish {
  ^bb0(%2: f32):
    kernel.yield %2 : f32
  }
  func.return %0 : tensor<1x32x31x32xf32>
}

// -----

// Neighbours in the last dimension of the domain that lie apart in x are no vectors: nothing is gained.
// CHECK-LABEL: func.func @apart(
// CHECK:         [[M:%.*]] = kernel.reduce "max" [1, 32, 32, 32] {{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x32x32x32xf32>
// CHECK:         func.return [[M]]
func.func @apart(%x: tensor<1x34x32x34xf32>) -> tensor<1x32x32x32xf32> {
  %0 = kernel.reduce "max" [1, 32, 32, 32] window [3, 3] x(%x : tensor<1x34x32x34xf32>) points [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>] steps [affine_map<(d0, d1) -> (0, d0, 0, d1)>] ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x32x32x32xf32> element {
  ^bb0(%1: f32):
    kernel.yield %1 : f32
  } finish {
  ^bb0(%2: f32):
    kernel.yield %2 : f32
  }
  func.return %0 : tensor<1x32x32x32xf32>
}
