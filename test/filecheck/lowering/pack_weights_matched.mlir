// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=avx2 | filecheck %s
// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=avx_vnni | filecheck %s --check-prefix=BYTES

// Two weights of 64 are 128: products of codes with them fit 16 bits. 256 channels are eight pairs of blocks, whose
// table takes 4 steps, and 64 steps of each of four tiles.
// CHECK-LABEL: func.func @one_tap(
// CHECK: tensor<1x1x1x260x2x8x4xi8>
// CHECK: kernel.convolution {{.*}}{layout = {lanes = 8 : i64, kr = 4 : i64, nr_vectors = 2 : i64, merged = 2 : i64, matched_tiles = 4 : i64}}
// An instruction that sums four products in 32 bits needs no order.
// BYTES-LABEL: func.func @one_tap(
// BYTES-NOT: matched_tiles
// BYTES: func.return
func.func @one_tap(%x: tensor<1x256x13x13xui8>) -> tensor<1x64x13x13xi32> {
  %w = nn.constant dense<64> : tensor<64x256x1x1xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x256x13x13xui8>, tensor<64x256x1x1xi8>) -> tensor<1x64x13x13xi32>
  func.return %0 : tensor<1x64x13x13xi32>
}

// Two of 65 are too much.
// CHECK-LABEL: func.func @large_weights(
// CHECK-NOT: matched_tiles
// CHECK: func.return
func.func @large_weights(%x: tensor<1x256x13x13xui8>) -> tensor<1x64x13x13xi32> {
  %w = nn.constant dense<65> : tensor<64x256x1x1xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x256x13x13xui8>, tensor<64x256x1x1xi8>) -> tensor<1x64x13x13xi32>
  func.return %0 : tensor<1x64x13x13xi32>
}

// Codes of i8 become u8: 128 times the sums of weights is subtracted.
// CHECK-LABEL: func.func @signed_codes(
// CHECK: matched_tiles
// CHECK-SAME: offset_a = 128 : i64
func.func @signed_codes(%x: tensor<1x256x13x13xi8>) -> tensor<1x64x13x13xi32> {
  %w = nn.constant dense<-64> : tensor<64x256x1x1xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x256x13x13xi8>, tensor<64x256x1x1xi8>) -> tensor<1x64x13x13xi32>
  func.return %0 : tensor<1x64x13x13xi32>
}

// Windows are gathered.
// CHECK-LABEL: func.func @windows(
// CHECK: kernel.convolution {{.*}} taps [3, 3] strides [2, 2] {{.*}}matched_tiles = 4
func.func @windows(%x: tensor<1x32x27x27xui8>) -> tensor<1x64x13x13xi32> {
  %w = nn.constant dense<2> : tensor<64x32x3x3xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x32x27x27xui8>, tensor<64x32x3x3xi8>) -> tensor<1x64x13x13xi32>
  func.return %0 : tensor<1x64x13x13xi32>
}

// Taps that lie apart are not.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: matched_tiles
// CHECK: func.return
func.func @apart(%x: tensor<1x32x29x29xui8>) -> tensor<1x64x13x13xi32> {
  %w = nn.constant dense<2> : tensor<64x32x3x3xi8>
  %0 = nn.convolution %x, %w {strides = array<i64: 2, 2>, dilations = array<i64: 2, 2>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x32x29x29xui8>, tensor<64x32x3x3xi8>) -> tensor<1x64x13x13xi32>
  func.return %0 : tensor<1x64x13x13xi32>
}

// A product of many rows; 40 units are two tiles with an order in common, and half of one with an order of its own.
// CHECK-LABEL: func.func @product_of_rows(
// CHECK: tensor<2x132x1x2x8x4xi8>
// CHECK: kernel.mat_mul {{.*}}layout = {lanes = 8 : i64, kr = 4 : i64, nr_vectors = 2 : i64, matched_tiles = 2 : i64}
func.func @product_of_rows(%x: tensor<160x256xui8>) -> tensor<160x40xi32> {
  %w = nn.constant dense<2> : tensor<40x256xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<160x256xui8>, tensor<40x256xi8>) -> tensor<160x40xi32>
  func.return %0 : tensor<160x40xi32>
}

// Too few rows, short rows, and few units.
// CHECK-LABEL: func.func @small(
// CHECK-NOT: matched_tiles
// CHECK: func.return
func.func @small(%x: tensor<159x256xui8>, %y: tensor<160x252xui8>, %z: tensor<160x256xui8>) -> (tensor<159x40xi32>, tensor<160x40xi32>, tensor<160x31xi32>) {
  %w = nn.constant dense<2> : tensor<40x256xi8>
  %v = nn.constant dense<2> : tensor<40x252xi8>
  %u = nn.constant dense<2> : tensor<31x256xi8>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<159x256xui8>, tensor<40x256xi8>) -> tensor<159x40xi32>
  %1 = nn.mat_mul %y, %v {transpose_b = true} : (tensor<160x252xui8>, tensor<40x252xi8>) -> tensor<160x40xi32>
  %2 = nn.mat_mul %z, %u {transpose_b = true} : (tensor<160x256xui8>, tensor<31x256xi8>) -> tensor<160x31xi32>
  func.return %0, %1, %2 : tensor<159x40xi32>, tensor<160x40xi32>, tensor<160x31xi32>
}
