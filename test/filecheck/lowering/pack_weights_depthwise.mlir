// RUN: opt-tool %s --pack-weights=isa=avx512_vnni | filecheck %s

// Codes of 64 channels, scaled by a number for each: channels stay in the blocks in which rows are unpacked.
// CHECK-LABEL: func.func @codes(
// CHECK:         kernel.convolution [1, 2, 2, 64] {{.*}} nr_vectors = 4 : i64, {{.*}} in_blocks = 1 : i64}
func.func @codes(%x: tensor<1x4x4x64xui8>, %scale: tensor<64xf32>) -> tensor<1x2x2x64xui8> {
  %w = nn.constant dense<1> : tensor<64x3x3x1xi8>
  %y = kernel.convolution [1, 2, 2, 64] groups 64 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x4x4x64xui8>) b(%w : tensor<64x3x3x1xi8>) ins(%scale : tensor<64xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x2x64xui8> {
  ^bb0(%sum: i32, %s: f32):
    %0 = arith.sitofp %sum : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %low = arith.constant 0.0 : f32
    %high = arith.constant 255.0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 {kernel.no_overflow} : f32 to i32
    kernel.yield %5 : i32
  }
  func.return %y : tensor<1x2x2x64xui8>
}
// Nearest miss: sums are no codes.
// CHECK-LABEL: func.func @sums(
// CHECK:         kernel.convolution [1, 2, 2, 64] {{.*}} nr_vectors = 4 : i64, mr = 2 : i64, down = 0 : i64, across = 1 : i64}
func.func @sums(%x: tensor<1x4x4x64xui8>) -> tensor<1x2x2x64xi32> {
  %w = nn.constant dense<1> : tensor<64x3x3x1xi8>
  %y = kernel.convolution [1, 2, 2, 64] groups 64 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x4x4x64xui8>) b(%w : tensor<64x3x3x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x2x64xi32> {
  ^bb0(%sum: i32):
    kernel.yield %sum : i32
  }
  func.return %y : tensor<1x2x2x64xi32>
}
