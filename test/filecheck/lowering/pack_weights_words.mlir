// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=avx2 | filecheck %s
// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=avx_vnni | filecheck %s --check-prefix=BYTES

// An instruction multiplies pairs of words: codes of depthwise filters become words.
// CHECK-LABEL: func.func @pairs(
// CHECK: tensor<1x1x1x1x1x1x8x2xi16>
// CHECK: kernel.convolution {{.*}}{layout = {lanes = 8 : i64, kr = 2 : i64
// One that multiplies bytes takes them as they are.
// BYTES-LABEL: func.func @pairs(
// BYTES: tensor<1x1x1x1x1x1x8x4xi8>
// BYTES: kernel.convolution {{.*}}{layout = {lanes = 8 : i64, kr = 4 : i64
func.func @pairs(%x: tensor<1x8x2x1xui8>) -> tensor<1x8x1x1xi32> {
  %w = nn.constant dense<1> : tensor<8x1x1x2x1xi8>
  %0 = nn.group_convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x8x2x1xui8>, tensor<8x1x1x2x1xi8>) -> tensor<1x8x1x1xi32>
  func.return %0 : tensor<1x8x1x1xi32>
}

// Floats stay floats.
// CHECK-LABEL: func.func @floats(
// CHECK: tensor<1x1x1x2x1x1x8x1xf32>
func.func @floats(%x: tensor<1x8x2x1xf32>) -> tensor<1x8x1x1xf32> {
  %w = nn.constant dense<1.0> : tensor<8x1x1x2x1xf32>
  %0 = nn.group_convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x8x2x1xf32>, tensor<8x1x1x2x1xf32>) -> tensor<1x8x1x1xf32>
  func.return %0 : tensor<1x8x1x1xf32>
}

// A convolution of one tap is a fast inner product: 34 pairs of channels are 17 of steps, in front of which lie sums of
// products of weights in the place of two steps.
// CHECK-LABEL: func.func @sums_of_pairs(
// CHECK: tensor<1x4x1x36x2x8x2xi8>
// CHECK: kernel.convolution {{.*}}{layout = {lanes = 8 : i64, kr = 2 : i64, nr_vectors = 2 : i64, merged = 2 : i64, fast_inner_product = 1 : i64}}
// BYTES-LABEL: func.func @sums_of_pairs(
// BYTES-NOT: fast_inner_product
// BYTES: func.return
func.func @sums_of_pairs(%x: tensor<1x68x4x4xui8>) -> tensor<1x64x4x4xi32> {
  %w = nn.constant dense<65> : tensor<64x68x1x1xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x68x4x4xui8>, tensor<64x68x1x1xi8>) -> tensor<1x64x4x4xi32>
  func.return %0 : tensor<1x64x4x4xi32>
}

// 33 steps do not come in pairs.
// CHECK-LABEL: func.func @odd_steps(
// CHECK-NOT: fast_inner_product
// CHECK: func.return
func.func @odd_steps(%x: tensor<1x66x4x4xui8>) -> tensor<1x64x4x4xi32> {
  %w = nn.constant dense<65> : tensor<64x66x1x1xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x66x4x4xui8>, tensor<64x66x1x1xi8>) -> tensor<1x64x4x4xi32>
  func.return %0 : tensor<1x64x4x4xi32>
}

// So are windows of several taps, whose channels fill vectors: 9 times 16 channels are 36 pairs of steps.
// CHECK-LABEL: func.func @windows(
// CHECK: tensor<1x4x1x74x2x8x2xi8>
// CHECK: kernel.convolution {{.*}} taps [3, 3] strides [2, 2] {{.*}}{layout = {lanes = 8 : i64, kr = 2 : i64, nr_vectors = 2 : i64, merged = 2 : i64, fast_inner_product = 1 : i64}}
func.func @windows(%x: tensor<1x16x17x17xui8>) -> tensor<1x64x8x8xi32> {
  %w = nn.constant dense<65> : tensor<64x16x3x3xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x16x17x17xui8>, tensor<64x16x3x3xi8>) -> tensor<1x64x8x8xi32>
  func.return %0 : tensor<1x64x8x8xi32>
}

// Of 12 channels, each tap leaves a part of a vector.
// CHECK-LABEL: func.func @few_channels(
// CHECK-NOT: fast_inner_product
// CHECK: func.return
func.func @few_channels(%x: tensor<1x12x17x17xui8>) -> tensor<1x64x8x8xi32> {
  %w = nn.constant dense<65> : tensor<64x12x3x3xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x12x17x17xui8>, tensor<64x12x3x3xi8>) -> tensor<1x64x8x8xi32>
  func.return %0 : tensor<1x64x8x8xi32>
}

// So is a product of rows with many units.
// CHECK-LABEL: func.func @product_of_rows(
// CHECK: kernel.mat_mul {{.*}}layout = {lanes = 8 : i64, kr = 2 : i64, nr_vectors = 2 : i64, fast_inner_product = 1 : i64}
func.func @product_of_rows(%x: tensor<8x64xui8>) -> tensor<8x64xi32> {
  %w = nn.constant dense<65> : tensor<64x64xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<8x64xui8>, tensor<64x64xi8>) -> tensor<8x64xi32>
  func.return %0 : tensor<8x64xi32>
}

// Too few rows.
// CHECK-LABEL: func.func @few_rows(
// CHECK-NOT: fast_inner_product
// CHECK: func.return
func.func @few_rows(%x: tensor<7x64xui8>) -> tensor<7x64xi32> {
  %w = nn.constant dense<65> : tensor<64x64xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<7x64xui8>, tensor<64x64xi8>) -> tensor<7x64xi32>
  func.return %0 : tensor<7x64xi32>
}
