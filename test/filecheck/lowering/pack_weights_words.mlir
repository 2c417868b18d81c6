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
