// RUN: opt-tool %s --pack-weights=isa=portable | filecheck %s
// RUN: opt-tool %s -p 'pack-weights{isa=portable accurate=true}' | filecheck %s --check-prefix=DIRECT

// Four tiles of 4 x 4 positions; filters are [tiles of units][points][channels][…].
// CHECK-LABEL: func.func @tiles_of_4(
// CHECK:         %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{.*}} : i64, tile = 4 : i64, rows = 4 : i64}}
// DIRECT-LABEL: func.func @tiles_of_4(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @tiles_of_4(%x: tensor<1x10x10x16xf32>) -> tensor<1x8x8x16xf32> {
  %w = nn.constant dense<1.0> : tensor<16x3x3x16xf32>
  %0 = kernel.convolution [1, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x10x10x16xf32>) b(%w : tensor<16x3x3x16xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x8x16xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<1x8x8x16xf32>
}

// At so few positions, tiles of 4 x 4 would be empty for the most part.
// CHECK-LABEL: func.func @tiles_of_2(
// CHECK:         %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{.*}} : i64, tile = 2 : i64, rows = 1 : i64}}
// DIRECT-LABEL: func.func @tiles_of_2(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @tiles_of_2(%x: tensor<1x4x4x64xf32>) -> tensor<1x2x2x64xf32> {
  %w = nn.constant dense<1.0> : tensor<64x3x3x64xf32>
  %0 = kernel.convolution [1, 2, 2, 64] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x4x4x64xf32>) b(%w : tensor<64x3x3x64xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x2x64xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<1x2x2x64xf32>
}

// Transforms would be most of the work.
// CHECK-LABEL: func.func @few_channels(
// CHECK:         %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{.*}} : i64, merged = 0 : i64}}
// DIRECT-LABEL: func.func @few_channels(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @few_channels(%x: tensor<1x10x10x15xf32>) -> tensor<1x8x8x16xf32> {
  %w = nn.constant dense<1.0> : tensor<16x3x3x15xf32>
  %0 = kernel.convolution [1, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x10x10x15xf32>) b(%w : tensor<16x3x3x15xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x8x16xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<1x8x8x16xf32>
}

// Neighbours among positions have no input in common that a tile could share.
// CHECK-LABEL: func.func @strides(
// CHECK:         %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{.*}} : i64, merged = 0 : i64}}
// DIRECT-LABEL: func.func @strides(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @strides(%x: tensor<1x11x11x16xf32>) -> tensor<1x5x5x16xf32> {
  %w = nn.constant dense<1.0> : tensor<16x3x3x16xf32>
  %0 = kernel.convolution [1, 5, 5, 16] groups 1 taps [3, 3] strides [2, 2] dilations [1, 1]
      a(%x : tensor<1x11x11x16xf32>) b(%w : tensor<16x3x3x16xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x5x5x16xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<1x5x5x16xf32>
}

// Taps lie apart.
// CHECK-LABEL: func.func @dilations(
// CHECK:         %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{.*}} : i64, merged = 0 : i64}}
// DIRECT-LABEL: func.func @dilations(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @dilations(%x: tensor<1x12x12x16xf32>) -> tensor<1x8x8x16xf32> {
  %w = nn.constant dense<1.0> : tensor<16x3x3x16xf32>
  %0 = kernel.convolution [1, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [2, 2]
      a(%x : tensor<1x12x12x16xf32>) b(%w : tensor<16x3x3x16xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x8x16xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<1x8x8x16xf32>
}

// Each group has few channels.
// CHECK-LABEL: func.func @grouped(
// CHECK:         %0 = kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{.*}} : i64, merged = 0 : i64, tile_groups = 1 : i64}}
// DIRECT-LABEL: func.func @grouped(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @grouped(%x: tensor<1x10x10x32xf32>) -> tensor<1x8x8x32xf32> {
  %w = nn.constant dense<1.0> : tensor<32x3x3x16xf32>
  %0 = kernel.convolution [1, 8, 8, 32] groups 2 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x10x10x32xf32>) b(%w : tensor<32x3x3x16xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x8x32xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<1x8x8x32xf32>
}

// Codes and taps are transformed to 16 bits; their sums are exact, so accuracy has nothing against it.
// CHECK-LABEL: func.func @codes(
// CHECK:         %0 = kernel.convolution {{.*}} tensor<{{.*}}xi16>{{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{.*}} : i64, tile = 4 : i64, rows = 4 : i64}}
// DIRECT-LABEL: func.func @codes(
// DIRECT:         %0 = kernel.convolution {{.*}} tile = 4 : i64
func.func @codes(%x: tensor<1x10x10x16xi8>) -> tensor<1x8x8x16xi32> {
  %w = nn.constant dense<1> : tensor<16x3x3x16xi8>
  %0 = kernel.convolution [1, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x10x10x16xi8>) b(%w : tensor<16x3x3x16xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x8x16xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x8x8x16xi32>
}

// 256 x 9 products of 128 by 127 fill more than the 26 bits that tiles of 4 x 4 leave of a sum, not the 30 of smaller ones.
// CHECK-LABEL: func.func @large_sums_of_codes(
// CHECK:         %0 = kernel.convolution {{.*}} tensor<{{.*}}xi16>{{.*}} tile = 2 : i64
func.func @large_sums_of_codes(%x: tensor<1x10x10x256xi8>) -> tensor<1x8x8x16xi32> {
  %w = nn.constant dense<127> : tensor<16x3x3x256xi8>
  %0 = kernel.convolution [1, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x10x10x256xi8>) b(%w : tensor<16x3x3x256xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x8x8x16xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x8x8x16xi32>
}

// The sums of columns are apart.
// CHECK-LABEL: func.func @sums_of_columns(
// CHECK:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @sums_of_columns(%x: tensor<1x10x10x16xi8>) -> tensor<1x8x8x16xi32> {
  %w = nn.constant dense<1> : tensor<16x3x3x16xi8>
  %0 = kernel.convolution [1, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<1x10x10x16xi8>) b(%w : tensor<16x3x3x16xi8>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {column_sums} -> tensor<1x8x8x16xi32> {
  ^bb0(%s: i32, %t: i32, %u: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x8x8x16xi32>
}

// Volumes: planes are images, whose window of two planes is one of twice the channels. Taps lie apart, planes move by 2.
// CHECK-LABEL: func.func @volumes(
// CHECK:         %0 = kernel.convolution {{.*}} b(%{{.*}} : tensor<{{[0-9]+}}x36x32x{{.*}}> {{.*}} tile = 4 : i64
// DIRECT-LABEL: func.func @volumes(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @volumes(%x: tensor<1x6x10x10x16xf32>) -> tensor<1x2x8x8x16xf32> {
  %w = nn.constant dense<1.0> : tensor<16x2x3x3x16xf32>
  %0 = kernel.convolution [1, 2, 8, 8, 16] groups 1 taps [2, 3, 3] strides [2, 1, 1] dilations [3, 1, 1]
      a(%x : tensor<1x6x10x10x16xf32>) b(%w : tensor<16x2x3x3x16xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>] -> tensor<1x2x8x8x16xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<1x2x8x8x16xf32>
}

// The direct kernel computes all images, too.
// CHECK-LABEL: func.func @images(
// CHECK:         %0 = kernel.convolution {{.*}} tile = 4 : i64
// DIRECT-LABEL: func.func @images(
// DIRECT:         %0 = kernel.convolution {{.*}} merged = 0 : i64
func.func @images(%x: tensor<8x10x10x16xf32>) -> tensor<8x8x8x16xf32> {
  %w = nn.constant dense<1.0> : tensor<16x3x3x16xf32>
  %0 = kernel.convolution [8, 8, 8, 16] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1]
      a(%x : tensor<8x10x10x16xf32>) b(%w : tensor<16x3x3x16xf32>) ins() outs()
      access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<8x8x8x16xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<8x8x8x16xf32>
}
