// RUN: opt-tool %s --split-input-file --shift-and-add-convolutions=isa=avx2 | filecheck %s

// Nine sums of one output fill two vectors of 8 lanes; a padding of codes is that of the sums.
// CHECK-LABEL: @all_taps
// CHECK: [[S:%.*]] = nn.convolution %x, %{{.*}} {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_value = 3 : i64} : (tensor<1x64x32x32xui8>, tensor<9x64x1x1xi8>) -> tensor<1x9x34x34xi32>
// CHECK-COUNT-9: nn.slice [[S]], {{.*}} -> tensor<1x1x32x32xi32>
// CHECK-COUNT-8: nn.add {{.*}} -> tensor<1x1x32x32xi32>
// CHECK-NEXT: func.return
func.func @all_taps(%x: tensor<1x64x32x32xui8>) -> tensor<1x1x32x32xi32> {
  %f = nn.constant dense<1> : tensor<1x64x3x3xi8>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_value = 3 : i64} : (tensor<1x64x32x32xui8>, tensor<1x64x3x3xi8>) -> tensor<1x1x32x32xi32>
  func.return %y : tensor<1x1x32x32xi32>
}
// -----
// Of a large window, only the last dimension.
// CHECK-LABEL: @columns
// CHECK: nn.convolution {{.*}} : (tensor<1x64x64x64xf32>, tensor<27x64x9x1xf32>) -> tensor<1x27x64x72xf32>
func.func @columns(%x: tensor<1x64x64x64xf32>) -> tensor<1x3x64x64xf32> {
  %f = nn.constant dense<1.0> : tensor<3x64x9x9xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 4, 4>, pads_end = array<i64: 4, 4>, dilations = array<i64: 1, 1>} : (tensor<1x64x64x64xf32>, tensor<3x64x9x9xf32>) -> tensor<1x3x64x64xf32>
  func.return %y : tensor<1x3x64x64xf32>
}
// -----
// Nearest miss: eight outputs are a vector.
// CHECK-LABEL: @full
// CHECK: nn.convolution {{.*}} : (tensor<1x64x32x32xf32>, tensor<8x64x3x3xf32>) -> tensor<1x8x32x32xf32>
func.func @full(%x: tensor<1x64x32x32xf32>) -> tensor<1x8x32x32xf32> {
  %f = nn.constant dense<1.0> : tensor<8x64x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x64x32x32xf32>, tensor<8x64x3x3xf32>) -> tensor<1x8x32x32xf32>
  func.return %y : tensor<1x8x32x32xf32>
}
