// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=portable | filecheck %s

// Four lanes in a vector, one element of k in each; 3 units fill up to 4, in one tile.
// CHECK-LABEL: func.func @f32(
// CHECK:         %w = nn.constant dense<[[[[[[1.0], [3.0], [5.0], [0.0]]]], [[[[2.0], [4.0], [6.0], [0.0]]]]]]> : tensor<1x2x1x1x4x1xf32>
// CHECK-NEXT:    %0 = kernel.mat_mul [1, 3] groups 1 a(%x : tensor<1x2xf32>) b(%w : tensor<1x2x1x1x4x1xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64}} -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         func.return %0 : tensor<1x3xf32>
func.func @f32(%x: tensor<1x2xf32>) -> tensor<1x3xf32> {
  %w = nn.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
  func.return %0 : tensor<1x3xf32>
}

// CHECK-LABEL: func.func @int8(
// CHECK:         %w = nn.constant dense<[[[[[[1], [3], [5], [0]]]], [[[[2], [4], [6], [0]]]]]]> : tensor<1x2x1x1x4x1xi8>
// CHECK-NEXT:    %0 = kernel.mat_mul [1, 3] groups 1 a(%x : tensor<1x2xi8>) b(%w : tensor<1x2x1x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64}} -> tensor<1x3xi32> {
// CHECK-NEXT:    ^bb0(%1: i32):
// CHECK-NEXT:      kernel.yield %1 : i32
// CHECK:         func.return %0 : tensor<1x3xi32>
func.func @int8(%x: tensor<1x2xi8>) -> tensor<1x3xi32> {
  %w = nn.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2xi8>, tensor<3x2xi8>) -> tensor<1x3xi32>
  func.return %0 : tensor<1x3xi32>
}

// What is computed stays as it is.
// CHECK-LABEL: func.func @computed(
// CHECK:         %0 = kernel.mat_mul [1, 3] groups 1 a(%x : tensor<1x2xf32>) b(%w : tensor<3x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         func.return %0 : tensor<1x3xf32>
func.func @computed(%x: tensor<1x2xf32>, %w: tensor<3x2xf32>) -> tensor<1x3xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2xf32>, tensor<3x2xf32>) -> tensor<1x3xf32>
  func.return %0 : tensor<1x3xf32>
}

// Small matrices of a batch are packed in each call where 16 rows would gather their columns.
// CHECK-LABEL: func.func @gathered(
// CHECK: kernel.mat_mul [32, 16, 8] {{.*}} attributes {layout
// CHECK-LABEL: func.func @gathered_by_few_rows(
// CHECK: kernel.mat_mul [32, 15, 8] {{.*}} b(%w : tensor<32x8x8xf32>)
// CHECK-NOT: layout
// CHECK: func.return
func.func @gathered(%x: tensor<32x16x8xf32>, %w: tensor<32x8x8xf32>) -> tensor<32x16x8xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<32x16x8xf32>, tensor<32x8x8xf32>) -> tensor<32x16x8xf32>
  func.return %0 : tensor<32x16x8xf32>
}
func.func @gathered_by_few_rows(%x: tensor<32x15x8xf32>, %w: tensor<32x8x8xf32>) -> tensor<32x15x8xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<32x15x8xf32>, tensor<32x8x8xf32>) -> tensor<32x15x8xf32>
  func.return %0 : tensor<32x15x8xf32>
}

// Each filter reads one channel: two output rows at once, which touch three input rows; what no tap reads is zero.
// CHECK-LABEL: func.func @depthwise(
// CHECK:         %w = nn.constant dense<[[[[[[[[1], [3], [0], [0]]], [[[0], [0], [0], [0]]]]], [[[[[2], [4], [0], [0]]], [[[1], [3], [0], [0]]]]], [[[[[0], [0], [0], [0]]], [[[2], [4], [0], [0]]]]]]]]> : tensor<1x1x3x1x2x1x4x1xi8>
// CHECK-NEXT:    %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, mr = 2 : i64, down = 0 : i64, across = -1 : i64}}
func.func @depthwise(%x: tensor<1x3x2xi8>) -> tensor<1x2x2xi32> {
  %w = nn.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi8>
  %0 = kernel.convolution [1, 2, 2] groups 2 taps [2] strides [1] dilations [1]
      a(%x : tensor<1x3x2xi8>) b(%w : tensor<2x2x1xi8>) ins() outs()
      access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x2x2xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x2x2xi32>
}

// Where a channel has more units than there are channels, vectors go along the units.
// CHECK-LABEL: func.func @one_channel(
// CHECK:         %w = nn.constant dense<[[[[[[[1], [3], [0], [0]]]], [[[[2], [4], [0], [0]]]]]]]> : tensor<1x1x2x1x1x4x1xi8>
// CHECK-NEXT:    %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, merged = 0 : i64}}
func.func @one_channel(%x: tensor<1x3x1x1xi8>) -> tensor<1x2x1x2xi32> {
  %w = nn.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
  %0 = kernel.convolution [1, 2, 1, 2] groups 1 taps [2, 1] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x3x1x1xi8>) b(%w : tensor<2x2x1x1xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x1x2xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x2x1x2xi32>
}

// The units of two groups of two channels share a vector: [all groups][tiles][taps][steps][vectors][lanes][step].
// CHECK-LABEL: func.func @groups(
// CHECK:         %w = nn.constant dense<[[[[[[[1], [5], [0], [0]]], [[[2], [6], [0], [0]]]], [[[[3], [7], [0], [0]]], [[[4], [8], [0], [0]]]]]]]> : tensor<1x1x2x2x1x4x1xi8>
// CHECK-NEXT:    %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, merged = 0 : i64, tile_groups = 4 : i64}}
func.func @groups(%x: tensor<1x2x1x4xi8>) -> tensor<1x1x1x2xi32> {
  %w = nn.constant dense<[[[[1, 2]], [[3, 4]]], [[[5, 6]], [[7, 8]]]]> : tensor<2x2x1x2xi8>
  %0 = kernel.convolution [1, 1, 1, 2] groups 2 taps [2, 1] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x2x1x4xi8>) b(%w : tensor<2x2x1x2xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x1x1x2xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x1x1x2xi32>
}

// Three units fill no vector, and would lie across two: [groups][tiles][taps][steps][vectors][lanes][step].
// CHECK-LABEL: func.func @groups_across_vectors(
// CHECK:         %w = nn.constant dense<[[[[[[[1], [2], [3], [0]]]]]], [[[[[[4], [5], [6], [0]]]]]]]> : tensor<2x1x1x1x1x4x1xi8>
// CHECK-NEXT:    %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, merged = 0 : i64}}
func.func @groups_across_vectors(%x: tensor<1x1x2xi8>) -> tensor<1x1x6xi32> {
  %w = nn.constant dense<[[[1]], [[2]], [[3]], [[4]], [[5]], [[6]]]> : tensor<6x1x1xi8>
  %0 = kernel.convolution [1, 1, 6] groups 2 taps [1] strides [1] dilations [1]
      a(%x : tensor<1x1x2xi8>) b(%w : tensor<6x1x1xi8>) ins() outs()
      access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x1x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x1x6xi32>
}

// Filters that are computed stay as they are.
// CHECK-LABEL: func.func @computed_filters(
// CHECK-NEXT:    %0 = kernel.convolution {{.*}} b(%w : tensor<2x2x1x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x1x1x2xi32> {
func.func @computed_filters(%x: tensor<1x2x1x4xi8>, %w: tensor<2x2x1x2xi8>) -> tensor<1x1x1x2xi32> {
  %0 = kernel.convolution [1, 1, 1, 2] groups 2 taps [2, 1] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x2x1x4xi8>) b(%w : tensor<2x2x1x2xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x1x1x2xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x1x1x2xi32>
}
