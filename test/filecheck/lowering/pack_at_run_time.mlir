// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=portable --loop-invariant-code-motion | filecheck %s
// RUN: opt-tool %s --nn-to-kernels --pack-weights=isa=avx512_vnni | filecheck %s --check-prefix=U8

// A right operand of floats that is given as [K, N] is read where it lies: nothing moves it.
// CHECK-LABEL: func.func @in_place(
// CHECK-NEXT:    kernel.mat_mul [128, 64] groups 1 a(%x : tensor<128x48xf32>) b(%w : tensor<48x64xf32>)
// CHECK-SAME:      attributes {k_by_n}
func.func @in_place(%x: tensor<128x48xf32>, %w: tensor<48x64xf32>) -> tensor<128x64xf32> {
  %0 = nn.mat_mul %x, %w : (tensor<128x48xf32>, tensor<48x64xf32>) -> tensor<128x64xf32>
  func.return %0 : tensor<128x64xf32>
}

// So it is with a batch, however small, and for one row.
// CHECK-LABEL: func.func @row_in_place(
// CHECK-NEXT:    kernel.mat_mul [2, 1, 5] groups 1 a(%x : tensor<2x1x3xf32>) b(%w : tensor<2x3x5xf32>)
// CHECK-SAME:      attributes {k_by_n}
func.func @row_in_place(%x: tensor<2x1x3xf32>, %w: tensor<2x3x5xf32>) -> tensor<2x1x5xf32> {
  %0 = nn.mat_mul %x, %w : (tensor<2x1x3xf32>, tensor<2x3x5xf32>) -> tensor<2x1x5xf32>
  func.return %0 : tensor<2x1x5xf32>
}

// Dimensions of size 1 between are none.
// CHECK-LABEL: func.func @unit_in_place(
// CHECK-NEXT:    [[R:%.*]] = kernel.reshape %w : tensor<48x1x64xf32> -> tensor<48x64xf32>
// CHECK-NEXT:    kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x48xf32>) b([[R]] : tensor<48x64xf32>)
// CHECK-SAME:      attributes {k_by_n}
func.func @unit_in_place(%x: tensor<8x48xf32>, %w: tensor<48x1x64xf32>) -> tensor<8x64xf32> {
  %0 = kernel.map [1, 64, 48] ins(%w : tensor<48x1x64xf32>) outs() access [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x64x48xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %1 = kernel.reshape %0 : tensor<1x64x48xf32> -> tensor<64x48xf32>
  %2 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x48xf32>) b(%1 : tensor<64x48xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return %2 : tensor<8x64xf32>
}

// More rows than 128 share what is packed by a map, in the order in which it lies: nothing transposes it before.
// CHECK-LABEL: func.func @given(
// CHECK-NEXT:    [[R:%.*]] = kernel.reshape %w : tensor<48x64xf32> -> tensor<48x1x1x8x2x4xf32>
// CHECK-NEXT:    [[P:%.*]] = kernel.map [8, 48, 1, 2, 4, 1] ins([[R]] : tensor<48x1x1x8x2x4xf32>) outs()
// CHECK-SAME:      access [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d5, d2, d0, d3, d4)>,
// CHECK:         kernel.mat_mul [129, 64] groups 1 a(%x : tensor<129x48xf32>) b([[P]] : tensor<8x48x1x2x4x1xf32>)
// CHECK-SAME:      layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 2 : i64}
func.func @given(%x: tensor<129x48xf32>, %w: tensor<48x64xf32>) -> tensor<129x64xf32> {
  %0 = nn.mat_mul %x, %w : (tensor<129x48xf32>, tensor<48x64xf32>) -> tensor<129x64xf32>
  func.return %0 : tensor<129x64xf32>
}

// Transposed, with a batch; zeros fill the last tile, which alone is copied for that.
// CHECK-LABEL: func.func @filled(
// CHECK:         [[W:%.*]] = kernel.slice {{.*}} : tensor<2x1x61x64xf32> -> tensor<2x1x60x64xf32>
// CHECK-NEXT:    [[R:%.*]] = kernel.reshape [[W]] : tensor<2x1x60x64xf32> -> tensor<2x1x15x1x4x64x1xf32>
// CHECK-NEXT:    [[T:%.*]] = kernel.map [2, 15, 64, 1, 1, 4, 1] ins([[R]] :
// CHECK:         [[L:%.*]] = kernel.slice {{.*}} : tensor<2x1x61x64xf32> -> tensor<2x1x1x64xf32>
// CHECK-NEXT:    [[F:%.*]] = kernel.pad [[L]] {{.*}} : tensor<2x1x1x64xf32> -> tensor<2x1x4x64xf32>
// CHECK-NEXT:    [[Q:%.*]] = kernel.reshape [[F]] : tensor<2x1x4x64xf32> -> tensor<2x1x1x1x4x64x1xf32>
// CHECK-NEXT:    [[S:%.*]] = kernel.map [2, 1, 64, 1, 1, 4, 1] ins([[Q]] :
// CHECK:         [[P:%.*]] = kernel.concat [[T]], [[S]] axis 1 :
// CHECK:         kernel.mat_mul [2, 8, 61] groups 1 a(%x : tensor<2x8x64xf32>) b([[P]] :
func.func @filled(%x: tensor<2x8x64xf32>, %w: tensor<2x61x64xf32>) -> tensor<2x8x61xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x8x64xf32>, tensor<2x61x64xf32>) -> tensor<2x8x61xf32>
  func.return %0 : tensor<2x8x61xf32>
}

// One row takes sums: it reads each element once, where it lies.
// CHECK-LABEL: func.func @row(
// CHECK-NEXT:    kernel.reduce "sum" [2, 1, 61] window [64] x(%w, %x : tensor<2x61x64xf32>, tensor<2x1x64xf32>)
// CHECK-SAME:      points [affine_map<(d0, d1, d2) -> (d0, d2, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>]
// CHECK-SAME:      steps [affine_map<(d0) -> (0, 0, d0)>, affine_map<(d0) -> (0, 0, d0)>]
func.func @row(%x: tensor<2x1x64xf32>, %w: tensor<2x61x64xf32>) -> tensor<2x1x61xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x1x64xf32>, tensor<2x61x64xf32>) -> tensor<2x1x61xf32>
  func.return %0 : tensor<2x1x61xf32>
}

// So are eight rows, with a matrix that leaves the caches. Nearest misses: another row, a matrix that a unit less keeps
// smaller.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    kernel.reduce "sum" [8, 4096] window [64] x(%w, %x : tensor<4096x64xf32>, tensor<8x64xf32>)
func.func @rows(%x: tensor<8x64xf32>, %w: tensor<4096x64xf32>) -> tensor<8x4096xf32> {
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<8x64xf32>, tensor<4096x64xf32>) -> tensor<8x4096xf32>
  func.return %y : tensor<8x4096xf32>
}

// CHECK-LABEL: func.func @more_rows(
// CHECK-NOT:     kernel.reduce
// CHECK:         kernel.mat_mul [9, 4096]
func.func @more_rows(%x: tensor<9x64xf32>, %w: tensor<4096x64xf32>) -> tensor<9x4096xf32> {
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<9x64xf32>, tensor<4096x64xf32>) -> tensor<9x4096xf32>
  func.return %y : tensor<9x4096xf32>
}

// CHECK-LABEL: func.func @smaller(
// CHECK-NOT:     kernel.reduce
// CHECK:         kernel.mat_mul [8, 4095]
func.func @smaller(%x: tensor<8x64xf32>, %w: tensor<4095x64xf32>) -> tensor<8x4095xf32> {
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<8x64xf32>, tensor<4095x64xf32>) -> tensor<8x4095xf32>
  func.return %y : tensor<8x4095xf32>
}

// CHECK-LABEL: func.func @longer_rows(
// CHECK-NEXT:    kernel.reduce "sum" [8, 2048] window [128] x(%w, %x : tensor<2048x128xf32>, tensor<8x128xf32>)
func.func @longer_rows(%x: tensor<8x128xf32>, %w: tensor<2048x128xf32>) -> tensor<8x2048xf32> {
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<8x128xf32>, tensor<2048x128xf32>) -> tensor<8x2048xf32>
  func.return %y : tensor<8x2048xf32>
}

// CHECK-LABEL: func.func @longer_rows_of_less(
// CHECK-NOT:     kernel.reduce
// CHECK:         kernel.mat_mul [8, 2047]
func.func @longer_rows_of_less(%x: tensor<8x128xf32>, %w: tensor<2047x128xf32>) -> tensor<8x2047xf32> {
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<8x128xf32>, tensor<2047x128xf32>) -> tensor<8x2047xf32>
  func.return %y : tensor<8x2047xf32>
}

// So does a column, on the right.
// CHECK-LABEL: func.func @column(
// CHECK:         kernel.reduce "sum" [61, 1] window [64] x(%w, %{{.*}} : tensor<61x64xf32>, tensor<1x64xf32>)
// CHECK-SAME:      points [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d1, 0)>]
// CHECK-SAME:      steps [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>]
func.func @column(%w: tensor<61x64xf32>, %x: tensor<64x1xf32>) -> tensor<61x1xf32> {
  %0 = nn.mat_mul %w, %x : (tensor<61x64xf32>, tensor<64x1xf32>) -> tensor<61x1xf32>
  func.return %0 : tensor<61x1xf32>
}

// CHECK-LABEL: func.func @transposed_column(
// CHECK:         kernel.reduce "sum" [61, 1] window [64] x(%w, %{{.*}} : tensor<64x61xf32>, tensor<1x64xf32>)
// CHECK-SAME:      points [affine_map<(d0, d1) -> (0, d0)>, affine_map<(d0, d1) -> (d1, 0)>]
// CHECK-SAME:      steps [affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (0, d0)>]
func.func @transposed_column(%w: tensor<64x61xf32>, %x: tensor<64x1xf32>) -> tensor<61x1xf32> {
  %0 = nn.mat_mul %w, %x {transpose_a = true} : (tensor<64x61xf32>, tensor<64x1xf32>) -> tensor<61x1xf32>
  func.return %0 : tensor<61x1xf32>
}

// What lies in the order of a single tile is packed already.
// CHECK-LABEL: func.func @tile(
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul [2, 129, 8] groups 1 a(%x : tensor<2x129x512xf32>) b(%{{.*}} : tensor<2x1x512x1x2x4x1xf32>)
func.func @tile(%x: tensor<2x129x512xf32>, %w: tensor<2x512x8xf32>) -> tensor<2x129x8xf32> {
  %0 = nn.mat_mul %x, %w : (tensor<2x129x512xf32>, tensor<2x512x8xf32>) -> tensor<2x129x8xf32>
  func.return %0 : tensor<2x129x8xf32>
}

// Of three that lie side by side, the third: nothing copies it before, unless zeros are to fill a tile.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT:    [[R:%.*]] = kernel.reshape %w : tensor<48x3x64xf32> -> tensor<48x1x3x1x16x1x4xf32>
// CHECK-NEXT:    kernel.map [16, 48, 1, 1, 4, 1] ins([[R]] : tensor<48x1x3x1x16x1x4xf32>) outs()
// CHECK-SAME:      access [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d5, 2, d2, d0, d3, d4)>,
// CHECK:         kernel.mat_mul [8, 64]
func.func @slice(%x: tensor<8x48xf32>, %w: tensor<48x3x64xf32>) -> tensor<8x64xf32> {
  %0 = kernel.map [1, 48, 64] ins(%w : tensor<48x3x64xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, (d0 + 2), d2)>, affine_map<(d0, d1, d2) -> (d0, d2, d1)>] -> tensor<1x64x48xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %1 = kernel.reshape %0 : tensor<1x64x48xf32> -> tensor<64x48xf32>
  %2 = kernel.mat_mul [8, 64] groups 1 a(%x : tensor<8x48xf32>) b(%1 : tensor<64x48xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x64xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return %2 : tensor<8x64xf32>
}

// CHECK-LABEL: func.func @filled_slice(
// CHECK-NEXT:    kernel.map [1, 48, 61]
// CHECK:         kernel.pad
func.func @filled_slice(%x: tensor<8x48xf32>, %w: tensor<48x3x61xf32>) -> tensor<8x61xf32> {
  %0 = kernel.map [1, 48, 61] ins(%w : tensor<48x3x61xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, (d0 + 2), d2)>, affine_map<(d0, d1, d2) -> (d0, d2, d1)>] -> tensor<1x61x48xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %1 = kernel.reshape %0 : tensor<1x61x48xf32> -> tensor<61x48xf32>
  %2 = kernel.mat_mul [8, 61] groups 1 a(%x : tensor<8x48xf32>) b(%1 : tensor<61x48xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x61xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return %2 : tensor<8x61xf32>
}

// Once for all iterations.
// CHECK-LABEL: func.func @loop(
// CHECK:         kernel.map [2, 64, 1, 8, 4, 1]
// CHECK:         infra.tensor_iterator
// CHECK-NOT:     kernel.map [
// CHECK:         kernel.mat_mul [1, 64]
func.func @loop(%x: tensor<3x64xf32>, %w: tensor<64x64xf32>, %h0: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %h = infra.tensor_iterator %x, %w, %h0
      inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 1, part_size = 1>, #infra.invariant, #infra.merged<result = 0>]
      outputs [#infra.iteration<result = 0, iteration = -1>]
      body_names ["X", "W", "H"] : (tensor<3x64xf32>, tensor<64x64xf32>, tensor<1x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%a: tensor<1x64xf32>, %m: tensor<64x64xf32>, %b: tensor<1x64xf32>):
    %p = nn.mat_mul %b, %m : (tensor<1x64xf32>, tensor<64x64xf32>) -> tensor<1x64xf32>
    infra.yield %p : tensor<1x64xf32>
  }
  func.return %h : tensor<1x64xf32>
}

// Nearest misses: few elements, columns that leave most of a vector empty, codes that few rows share.
// CHECK-LABEL: func.func @few(
// CHECK:         kernel.mat_mul {{.*}} b(%{{.*}} : tensor<32x63xf32>)
func.func @few(%x: tensor<8x63xf32>, %w: tensor<32x63xf32>) -> tensor<8x32xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<8x63xf32>, tensor<32x63xf32>) -> tensor<8x32xf32>
  func.return %0 : tensor<8x32xf32>
}

// CHECK-LABEL: func.func @narrow_in_place(
// CHECK-NOT:     k_by_n
// CHECK:         kernel.mat_mul {{.*}} b(%{{.*}} : tensor<1x64xf64>)
func.func @narrow_in_place(%x: tensor<8x64xf64>, %w: tensor<64x1xf64>) -> tensor<8x1xf64> {
  %0 = nn.mat_mul %x, %w : (tensor<8x64xf64>, tensor<64x1xf64>) -> tensor<8x1xf64>
  func.return %0 : tensor<8x1xf64>
}

// CHECK-LABEL: func.func @narrow(
// CHECK:         kernel.mat_mul {{.*}} b(%{{.*}} : tensor<1x4096xf64>)
func.func @narrow(%x: tensor<8x4096xf64>, %w: tensor<1x4096xf64>) -> tensor<8x1xf64> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<8x4096xf64>, tensor<1x4096xf64>) -> tensor<8x1xf64>
  func.return %0 : tensor<8x1xf64>
}

// CHECK-LABEL: func.func @codes_in_place(
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul {{.*}} b(%w : tensor<64x64xi8>)
// CHECK-SAME:      k_by_n
func.func @codes_in_place(%x: tensor<8x64xi8>, %w: tensor<64x64xi8>) -> tensor<8x64xi32> {
  %0 = nn.mat_mul %x, %w : (tensor<8x64xi8>, tensor<64x64xi8>) -> tensor<8x64xi32>
  func.return %0 : tensor<8x64xi32>
}

// CHECK-LABEL: func.func @codes(
// CHECK:         kernel.mat_mul {{.*}} b(%{{.*}} : tensor<64x64xi8>)
// CHECK:         kernel.mat_mul {{.*}} b(%{{.*}} : tensor<{{.*}}x4x1xi8>)
func.func @codes(%x: tensor<7x64xi8>, %y: tensor<8x64xi8>, %w: tensor<64x64xi8>) -> (tensor<7x64xi32>, tensor<8x64xi32>) {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<7x64xi8>, tensor<64x64xi8>) -> tensor<7x64xi32>
  %1 = nn.mat_mul %y, %w {transpose_b = true} : (tensor<8x64xi8>, tensor<64x64xi8>) -> tensor<8x64xi32>
  func.return %0, %1 : tensor<7x64xi32>, tensor<8x64xi32>
}

// Where only u8 x i8 is fast, codes of i8 are read as u8, and the body subtracts what that adds to their products;
// codes of u8 are none of those.
// U8-LABEL:  func.func @signed(
// U8:          [[SUMS:%.*]] = kernel.reduce "sum" [64] window [64] x(%w : tensor<64x64xi8>)
// U8:            arith.constant 128 : i32
// U8:          kernel.mat_mul [128, 64] groups 1 a(%x : tensor<128x64xi8>) b(%{{.*}} : tensor<{{.*}}x16x4xi8>) ins([[SUMS]] : tensor<64xi32>) outs() access [affine_map<(d0, d1) -> (d1)>,
// U8-SAME:     offset_a = array<i64: 128>
// U8-NEXT:     ^bb0([[SUM:%.*]]: i32, [[MORE:%.*]]: i32):
// U8-NEXT:       arith.subi [[SUM]], [[MORE]] : i32
// U8-NOT:      kernel.reduce
// U8:          kernel.mat_mul [128, 64] groups 1 a(%y : tensor<128x64xui8>) b(%{{.*}} : tensor<{{.*}}x16x4xi8>) ins() outs()
func.func @signed(%x: tensor<128x64xi8>, %y: tensor<128x64xui8>, %w: tensor<64x64xi8>) -> (tensor<128x64xi32>, tensor<128x64xi32>) {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<128x64xi8>, tensor<64x64xi8>) -> tensor<128x64xi32>
  %1 = nn.mat_mul %y, %w {transpose_b = true} : (tensor<128x64xui8>, tensor<64x64xi8>) -> tensor<128x64xi32>
  func.return %0, %1 : tensor<128x64xi32>, tensor<128x64xi32>
}
