// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @leaves(%x: tensor<1x8x9x4xi8>, %w: tensor<6x3x3x4xi8>) {
  // expected-error@below {{kernel.convolution: 4 positions of 3 taps, stride 2, dilation 1, leave an input of 8; pad it first (kernel.pad)}}
  %0 = kernel.convolution [1, 4, 4, 6] groups 1 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x8x9x4xi8>) b(%w : tensor<6x3x3x4xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @filters(%x: tensor<1x9x9x4xi8>, %w: tensor<6x3x3x4xi8>) {
  // expected-error@below {{kernel.convolution: filters tensor<6x3x3x4xi8> are not [6, 3, 3, 2]}}
  %0 = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<6x3x3x4xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @types(%x: tensor<1x9x9x4xi8>, %w: tensor<6x3x3x4xf32>) {
  // expected-error@below {{kernel.convolution: cannot sum i8 x f32 in f32}}
  %0 = kernel.convolution [1, 4, 4, 6] groups 1 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<6x3x3x4xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @groups(%x: tensor<1x9x9x4xi8>, %w: tensor<5x3x3x2xi8>) {
  // expected-error@below {{kernel.convolution: domain [1, 4, 4, 5] and input tensor<1x9x9x4xi8> do not fit 2 groups}}
  %0 = kernel.convolution [1, 4, 4, 5] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<5x3x3x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x5xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @rank(%x: tensor<1x9x9x4xi8>, %w: tensor<6x3x3x4xi8>) {
  // expected-error@below {{kernel.convolution: domain [1, 4, 6], input tensor<1x9x9x4xi8>, 2 taps, 2 strides and 2 dilations differ in rank}}
  %0 = kernel.convolution [1, 4, 6] groups 1 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<6x3x3x4xi8>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @pads(%x: tensor<4xi8>) {
  // expected-error@below {{kernel.pad: gives tensor<5xi8>, not tensor<6xi8>}}
  %0 = kernel.pad %x low [1] high [0] interior [0] value 0 : i32 : tensor<4xi8> -> tensor<6xi8>
  func.return
}
// -----
func.func @negative(%x: tensor<4xi8>) {
  // expected-error@below {{kernel.pad: pads 1 dimensions by [1], [-1] and [0]; it needs 1 sizes of 0 or more each}}
  %0 = kernel.pad %x low [1] high [-1] interior [0] value 0 : i32 : tensor<4xi8> -> tensor<4xi8>
  func.return
}
// -----
func.func @value(%x: tensor<4xi8>) {
  // expected-error@below {{kernel.pad: value 0 : i8 is not of type i32}}
  %0 = kernel.pad %x low [1] high [0] interior [0] value 0 : i8 : tensor<4xi8> -> tensor<5xi8>
  func.return
}
// -----
func.func @slices(%x: tensor<4xi8>) {
  // expected-error@below {{kernel.slice: 3 elements from 2 on, 1 apart, leave a dimension of 4}}
  %0 = kernel.slice %x offsets [2] steps [1] : tensor<4xi8> -> tensor<3xi8>
  func.return
}
// -----
func.func @slices(%x: tensor<4xi8>) {
  // expected-error@below {{kernel.slice: 1 offsets and 2 steps for tensor<4xi8> -> tensor<2xi8>}}
  %0 = kernel.slice %x offsets [2] steps [1, 1] : tensor<4xi8> -> tensor<2xi8>
  func.return
}
// -----
func.func @slices(%x: tensor<4xi8>) {
  // expected-error@below {{kernel.slice: tensor<4xi8> and tensor<2xi32> differ in element type}}
  %0 = kernel.slice %x offsets [2] steps [1] : tensor<4xi8> -> tensor<2xi32>
  func.return
}
// -----
// The names of an earlier release.
func.func @layout(%x: tensor<1x9x9x4xi8>, %w: tensor<3x1x1x3x1x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: layout {lanes = 4 : i64, step = 1 : i64, vectors = 1 : i64, merged = 0 : i64} does not say lanes, kr, nr_vectors, merged; run pack-weights on the unpacked kernel}}
  %0 = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<3x1x1x3x1x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, step = 1 : i64, vectors = 1 : i64, merged = 0 : i64}} -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @depthwise(%x: tensor<1x9x9x4xi8>, %w: tensor<3x1x1x3x1x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: filters of 2 channels are packed as depthwise}}
  %0 = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<3x1x1x3x1x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, mr = 1 : i64, down = 0 : i64, across = 1 : i64}} -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @blocks_of_other_vectors(%x: tensor<1x3x3x4xi8>, %w: tensor<1x1x3x3x1x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: channels are in blocks of 16, which four vectors and kr 4 have, not 1 of 4 lanes and kr 1; run pack-weights on the unpacked kernel}}
  %0 = kernel.convolution [1, 1, 1, 4] groups 4 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x3x3x4xi8>) b(%w : tensor<1x1x3x3x1x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, mr = 1 : i64, down = 0 : i64, across = 1 : i64, in_blocks = 1 : i64}} -> tensor<1x1x1x4xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @more_rows_than_there_are(%x: tensor<1x3x3x2xi8>, %w: tensor<1x1x4x3x2x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: register tiles of 2 output rows, of which there are 1; run pack-weights on the unpacked kernel}}
  %0 = kernel.convolution [1, 1, 1, 2] groups 2 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x3x3x2xi8>) b(%w : tensor<1x1x4x3x2x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, mr = 2 : i64, down = 0 : i64, across = 1 : i64}} -> tensor<1x1x1x2xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @packed(%x: tensor<1x9x9x2xi8>, %w: tensor<2x3x3x1xi8>) {
  // expected-error@below {{kernel.convolution: filters tensor<2x3x3x1xi8> are not [1, 1, 3, 3, 1, 1, 4, 1]}}
  %0 = kernel.convolution [1, 4, 4, 2] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x2xi8>) b(%w : tensor<2x3x3x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, mr = 1 : i64, down = 0 : i64, across = 1 : i64}} -> tensor<1x4x4x2xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @no_rows(%x: tensor<1x3x1x2xi8>, %w: tensor<1x1x2x2x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: mr [1, 0] is not 2 positive numbers}}
  %0 = kernel.convolution [1, 2, 1, 4] groups 1 taps [2, 1] strides [1, 1] dilations [1, 1] a(%x : tensor<1x3x1x2xi8>) b(%w : tensor<1x1x2x2x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, merged = 0 : i64}, mr = array<i64: 1, 0>} -> tensor<1x2x1x4xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @no_lines(%x: tensor<1x3x1x2xi8>, %w: tensor<1x1x2x2x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: mr [2] is not 2 positive numbers}}
  %0 = kernel.convolution [1, 2, 1, 4] groups 1 taps [2, 1] strides [1, 1] dilations [1, 1] a(%x : tensor<1x3x1x2xi8>) b(%w : tensor<1x1x2x2x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, merged = 0 : i64}, mr = array<i64: 2>} -> tensor<1x2x1x4xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @block_alone(%x: tensor<1x3x1x2xi8>, %w: tensor<4x2x1x2xi8>) {
  // expected-error@below {{kernel.convolution: mr [1, 2] of weights that are not packed in tiles}}
  %0 = kernel.convolution [1, 2, 1, 4] groups 1 taps [2, 1] strides [1, 1] dilations [1, 1] a(%x : tensor<1x3x1x2xi8>) b(%w : tensor<4x2x1x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {mr = array<i64: 1, 2>} -> tensor<1x2x1x4xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @depthwise_block(%x: tensor<1x3x1x4xi8>, %w: tensor<1x1x3x1x2x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: mr [1, 2] of weights that are not packed in tiles}}
  %0 = kernel.convolution [1, 2, 1, 4] groups 4 taps [2, 1] strides [1, 1] dilations [1, 1] a(%x : tensor<1x3x1x4xi8>) b(%w : tensor<1x1x3x1x2x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, mr = 2 : i64, down = 0 : i64, across = 1 : i64}, mr = array<i64: 1, 2>} -> tensor<1x2x1x4xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @apart(%x: memref<1x4x1x2xi8>, %w: memref<1x1x4x1x4x1xi8>, %y: memref<1x2x1x4xi32>) {
  // expected-error@below {{kernel.convolution: filters merge the taps of 2 dimensions; those of 1 lie side by side in memref<1x4x1x2xi8>}}
  kernel.convolution [1, 2, 1, 4] groups 1 taps [2, 1] strides [1, 1] dilations [2, 1] a(%x : memref<1x4x1x2xi8>) b(%w : memref<1x1x4x1x4x1xi8>) ins() outs(%y : memref<1x2x1x4xi32>) access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, merged = 2 : i64}} {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @tile(%x: tensor<1x6x6x1xf32>, %w: tensor<1x25x1x1x4x1xf32>) {
  // expected-error@below {{kernel.convolution: layout WinogradLayout(lanes=4, kr=1, nr_vectors=1, tile=3, rows=1); tile is one of [2, 4], rows positive, and kr 1}}
  %0 = kernel.convolution [1, 4, 4, 4] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x6x6x1xf32>) b(%w : tensor<1x25x1x1x4x1xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, tile = 3 : i64, rows = 1 : i64}} -> tensor<1x4x4x4xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @tile_of_codes(%x: tensor<1x6x6x1xi8>, %w: tensor<1x16x1x1x4x3xi16>) {
  // expected-error@below {{kernel.convolution: layout WinogradLayout(lanes=4, kr=3, nr_vectors=1, tile=2, rows=1); tile is one of [2, 4], rows positive, and kr 1 or 2}}
  %0 = kernel.convolution [1, 4, 4, 4] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x6x6x1xi8>) b(%w : tensor<1x16x1x1x4x3xi16>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 3 : i64, nr_vectors = 1 : i64, tile = 2 : i64, rows = 1 : i64}} -> tensor<1x4x4x4xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @transformed_codes(%x: tensor<1x6x6x1xi8>, %w: tensor<1x16x1x1x4x1xi8>) {
  // expected-error@below {{kernel.convolution: filters are packed for Winograd's algorithm; that is for one group of f32, or of 8-bit codes with filters of i16, and 3 x 3 taps, strides and dilations 1}}
  %0 = kernel.convolution [1, 4, 4, 4] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x6x6x1xi8>) b(%w : tensor<1x16x1x1x4x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, tile = 2 : i64, rows = 1 : i64}} -> tensor<1x4x4x4xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @transformed_strides(%x: tensor<1x9x9x1xf32>, %w: tensor<1x16x1x1x4x1xf32>) {
  // expected-error@below {{kernel.convolution: filters are packed for Winograd's algorithm; that is for one group of f32, or of 8-bit codes with filters of i16, and 3 x 3 taps, strides and dilations 1}}
  %0 = kernel.convolution [1, 4, 4, 4] groups 1 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x1xf32>) b(%w : tensor<1x16x1x1x4x1xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, tile = 2 : i64, rows = 1 : i64}} -> tensor<1x4x4x4xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return
}
// -----
func.func @matched_without_an_offset(%x: tensor<1x4x4x16xi8>, %w: tensor<1x1x1x9x2x8x4xi8>) {
  // expected-error@below {{kernel.convolution: weights are packed in orders of matched codes; that is for one product of u8, or of i8 with an offset of 128, and weights of i8 in one group, with kr 4 and a depth of at least 16, not of i8 with an offset of 0, kr 4 and a depth of 16; run pack-weights on the unpacked kernel}}
  %0 = kernel.convolution [1, 4, 4, 16] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%x : tensor<1x4x4x16xi8>) b(%w : tensor<1x1x1x9x2x8x4xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 8 : i64, kr = 4 : i64, nr_vectors = 2 : i64, merged = 2 : i64, matched_tiles = 1 : i64}} -> tensor<1x4x4x16xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @pairs_of_two_channels(%x: tensor<1x4x4x6xi8>, %w: tensor<1x1x1x5x1x8x2xi8>) {
  // expected-error@below {{kernel.convolution: weights are packed for a fast inner product; that is for one product of 8-bit codes in one group, without an offset, kr 2 and a depth that is a multiple of 4, not kr 2 and a depth of 6; run pack-weights on the unpacked kernel}}
  %0 = kernel.convolution [1, 4, 4, 8] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%x : tensor<1x4x4x6xi8>) b(%w : tensor<1x1x1x5x1x8x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 8 : i64, kr = 2 : i64, nr_vectors = 1 : i64, merged = 2 : i64, fast_inner_product = 1 : i64}} -> tensor<1x4x4x8xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @pairs_of_some_taps(%x: tensor<1x6x6x8xi8>, %w: tensor<1x1x3x14x1x8x2xi8>) {
  // expected-error@below {{kernel.convolution: filters whose windows are gathered merge the taps of 1 dimensions, not of all 2; run pack-weights on the unpacked kernel}}
  %0 = kernel.convolution [1, 4, 4, 8] groups 1 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x6x6x8xi8>) b(%w : tensor<1x1x3x14x1x8x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {layout = {lanes = 8 : i64, kr = 2 : i64, nr_vectors = 1 : i64, merged = 1 : i64, fast_inner_product = 1 : i64}} -> tensor<1x4x4x8xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @more_zeros(%x: tensor<1x9x8x4xi8>, %w: tensor<6x3x3x4xi8>) {
  // expected-error@below {{kernel.convolution: zeros [0, 0, 9, 0] are not two numbers, of the first and of the last elements, for each of the dimensions [9, 8]}}
  %0 = kernel.convolution [1, 4, 3, 6] groups 1 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x8x4xi8>) b(%w : tensor<6x3x3x4xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {zeros = array<i64: 0, 0, 9, 0>} -> tensor<1x4x3x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}
// -----
func.func @zeros_of_one_dimension(%x: tensor<1x9x9x4xi8>, %w: tensor<6x3x3x4xi8>) {
  // expected-error@below {{kernel.convolution: zeros [1, 1] are not two numbers, of the first and of the last elements, for each of the dimensions [9, 9]}}
  %0 = kernel.convolution [1, 4, 4, 6] groups 1 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<6x3x3x4xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {zeros = array<i64: 1, 1>} -> tensor<1x4x4x6xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return
}

// -----

func.func @column_sums_of_floats(%x: tensor<1x9x9x4xf32>, %w: tensor<6x3x3x2xf32>) {
  // expected-error@below {{kernel.convolution: column_sums are for codes}}
  %y = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xf32>) b(%w : tensor<6x3x3x2xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {column_sums} -> tensor<1x4x4x6xf32> {
  ^bb0(%sum: f32):
    kernel.yield %sum : f32
  }
  func.return
}

// -----

func.func @column_sums_of_a_row(%x: tensor<1x9x9x4xi8>, %w: tensor<4x1x3x1xi8>) {
  // expected-error@below {{kernel.convolution: filters of one channel have column_sums if they have several taps along the last dimension and along another one, not [1, 3]}}
  %y = kernel.convolution [1, 4, 4, 4] groups 4 taps [1, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<4x1x3x1xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {column_sums} -> tensor<1x4x4x4xi32> {
  ^bb0(%sum: i32):
    kernel.yield %sum : i32
  }
  func.return
}

// -----

// Columns are packed as if they were rows: their sums would not be apart.
func.func @column_sums_of_rows(%x: tensor<1x9x9x16xui8>, %w: tensor<1x1x1x3x1x1x16x4xi8>) {
  // expected-error@below {{kernel.convolution: filters whose columns have sums of their own are packed across dimension 0, not 1}}
  %y = kernel.convolution [1, 7, 7, 16] groups 16 taps [3, 3] strides [1, 1] dilations [1, 1] a(%x : tensor<1x9x9x16xui8>) b(%w : tensor<1x1x1x3x1x1x16x4xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {column_sums, layout = {lanes = 16 : i64, kr = 4 : i64, nr_vectors = 1 : i64, mr = 1 : i64, down = 1 : i64, across = 0 : i64}} -> tensor<1x7x7x16xi32> {
  ^bb0(%first: i32, %second: i32, %third: i32):
    kernel.yield %first : i32
  }
  func.return
}

// -----

// A body without the sums of the second and the third column.
func.func @column_sums_missing(%x: tensor<1x9x9x4xi8>, %w: tensor<6x3x3x2xi8>) {
  // expected-error@below {{kernel.convolution: body takes ['i32'], the operands give ['i32', 'i32', 'i32']}}
  %y = kernel.convolution [1, 4, 4, 6] groups 2 taps [3, 3] strides [2, 2] dilations [1, 1] a(%x : tensor<1x9x9x4xi8>) b(%w : tensor<6x3x3x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] attributes {column_sums} -> tensor<1x4x4x6xi32> {
  ^bb0(%sum: i32):
    kernel.yield %sum : i32
  }
  func.return
}
