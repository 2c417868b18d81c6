// RUN: opt-tool %s --pack-weights=isa=avx512_vnni | filecheck %s

// Sums of codes stay exact, so tiles are taken where they are about as cheap.
// CHECK-LABEL: func.func @as_cheap(
// CHECK:         %0 = kernel.convolution {{.*}}xi16>{{.*}} tile = 4 : i64
func.func @as_cheap(%x: tensor<1x34x34x32xui8>) -> tensor<1x32x32x64xi32> {
  %w = nn.constant dense<1> : tensor<64x3x3x32xi8>
  %0 = kernel.convolution [1, 32, 32, 64] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x34x34x32xui8>) b(%w : tensor<64x3x3x32xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x32x32x64xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x32x32x64xi32>
}

// Of so few positions, filters are read for four rows of tiles.
// CHECK-LABEL: func.func @dearer(
// CHECK:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @dearer(%x: tensor<1x16x16x128xui8>) -> tensor<1x14x14x32xi32> {
  %w = nn.constant dense<1> : tensor<32x3x3x128xi8>
  %0 = kernel.convolution [1, 14, 14, 32] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x16x16x128xui8>) b(%w : tensor<32x3x3x128xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x14x14x32xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x14x14x32xi32>
}
