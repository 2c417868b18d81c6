// What was measured decides; in the table beside this file stand kernels of other shapes and blocks that cannot be, too.
// RUN: env PYTHONWARNINGS=default opt-tool %s --pack-weights='isa=portable schedules="%/S/pack_weights_schedules.json"' 2>&1 | filecheck %s

// What is ignored is told first: six lines of four vectors are 24 sums, and there are 16 registers.
// CHECK:      pack_weights_schedules.mlir: warning: kernel.mat_mul 'too_large': register tiles of 6 x 4, as measured, are none that portable has for it; measure again (benchmark-tool --tune)
// CHECK-NEXT: pack_weights_schedules.mlir: warning: kernel.convolution: register tiles of 2 x 1 x 1, as measured, are none that portable has for it; measure again (benchmark-tool --tune)

// Three rows of one vector, where the cost model has two of four.
// CHECK-LABEL: func.func @measured(
// CHECK: kernel.mat_mul {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64}, mr = array<i64: 3>} -> tensor<7x20xf32>
func.func @measured(%x: tensor<7x2xf32>) -> tensor<7x20xf32> {
  %w = nn.constant dense<1.0> : tensor<20x2xf32>
  %0 = kernel.mat_mul [7, 20] groups 1 a(%x : tensor<7x2xf32>) b(%w : tensor<20x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<7x20xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<7x20xf32>
}

// One row more, or other elements, is another kernel.
// CHECK-LABEL: func.func @others(
// CHECK: kernel.mat_mul [8, 20] {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{[0-9]}} : i64}} -> tensor<8x20xf32>
// CHECK: kernel.mat_mul [7, 20] {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{[0-9]}} : i64}} -> tensor<7x20xi32>
func.func @others(%x: tensor<8x2xf32>, %y: tensor<7x2xi8>) -> (tensor<8x20xf32>, tensor<7x20xi32>) {
  %w = nn.constant dense<1.0> : tensor<20x2xf32>
  %0 = kernel.mat_mul [8, 20] groups 1 a(%x : tensor<8x2xf32>) b(%w : tensor<20x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x20xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %v = nn.constant dense<1> : tensor<20x2xi8>
  %1 = kernel.mat_mul [7, 20] groups 1 a(%y : tensor<7x2xi8>) b(%v : tensor<20x2xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<7x20xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0, %1 : tensor<8x20xf32>, tensor<7x20xi32>
}

// CHECK-LABEL: func.func @too_large(
// CHECK: kernel.mat_mul {{.*}} attributes {nn.name = "too_large", layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{[0-9]}} : i64}} -> tensor<6x20xf32>
func.func @too_large(%x: tensor<6x3xf32>) -> tensor<6x20xf32> {
  %w = nn.constant dense<1.0> : tensor<20x3xf32>
  %0 = kernel.mat_mul [6, 20] groups 1 a(%x : tensor<6x3xf32>) b(%w : tensor<20x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] attributes {nn.name = "too_large"} -> tensor<6x20xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0 : tensor<6x20xf32>
}

// Two lines of three positions, of one vector.
// CHECK-LABEL: func.func @convolution(
// CHECK: kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, merged = 0 : i64}, mr = array<i64: 2, 3>} -> tensor<1x3x3x8xi32>
func.func @convolution(%x: tensor<1x4x4x2xi8>) -> tensor<1x3x3x8xi32> {
  %w = nn.constant dense<1> : tensor<8x2x2x2xi8>
  %0 = kernel.convolution [1, 3, 3, 8] groups 1 taps [2, 2] strides [1, 1] dilations [1, 1] a(%x : tensor<1x4x4x2xi8>) b(%w : tensor<8x2x2x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x3x3x8xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x3x3x8xi32>
}

// Two lines, but not whole ones: no such block.
// CHECK-LABEL: func.func @parts_of_lines(
// CHECK: kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = {{[0-9]}} : i64, merged = 0 : i64}} -> tensor<1x3x3x8xi32>
func.func @parts_of_lines(%x: tensor<1x5x5x2xi8>) -> tensor<1x3x3x8xi32> {
  %w = nn.constant dense<1> : tensor<8x2x2x2xi8>
  %0 = kernel.convolution [1, 3, 3, 8] groups 1 taps [2, 2] strides [1, 1] dilations [2, 2] a(%x : tensor<1x5x5x2xi8>) b(%w : tensor<8x2x2x2xi8>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x3x3x8xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x3x3x8xi32>
}

// A depthwise layout has its rows already: one, where the cost model has two.
// CHECK-LABEL: func.func @depthwise(
// CHECK: kernel.convolution {{.*}} attributes {layout = {lanes = 4 : i64, kr = 1 : i64, nr_vectors = 1 : i64, mr = 1 : i64, down = 0 : i64, across = -1 : i64}} -> tensor<1x2x2xi32>
func.func @depthwise(%x: tensor<1x3x2xi8>) -> tensor<1x2x2xi32> {
  %w = nn.constant dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi8>
  %0 = kernel.convolution [1, 2, 2] groups 2 taps [2] strides [1] dilations [1] a(%x : tensor<1x3x2xi8>) b(%w : tensor<2x2x1xi8>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x2x2xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %0 : tensor<1x2x2xi32>
}
