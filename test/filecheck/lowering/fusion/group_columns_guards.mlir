// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// Readers may read other operands as well, also between the parts, and by any access.
// CHECK-LABEL: func.func @operands(
// CHECK:         kernel.mat_mul [1, 2] groups 2 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins(%s : tensor<1x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32>
// CHECK:         arith.mulf [[A:%.*]], [[S:%.*]] : f32
// CHECK-NOT:     kernel.map
func.func @operands(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>, %s: tensor<1x1xf32>) -> tensor<1x2xf32> {
  %0 = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%1: f32):
    kernel.yield %1 : f32
  }
  %2 = kernel.map [1, 2] ins(%0, %s, %0 : tensor<1x4xf32>, tensor<1x1xf32>, tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, 0)>, affine_map<(d0, d1) -> (d0, (d1 + 2))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
  ^bb0(%3: f32, %4: f32, %5: f32):
    %6 = arith.mulf %3, %4 : f32
    %7 = arith.mulf %6, %5 : f32
    kernel.yield %7 : f32
  }
  func.return %2 : tensor<1x2xf32>
}

// -----

// One column for all points is no part.
// CHECK-LABEL: func.func @column(
// CHECK:         kernel.mat_mul [1, 2] groups 1
// CHECK:         kernel.map [1, 2]
func.func @column(%x: tensor<1x3xf32>, %w: tensor<2x3xf32>) -> tensor<1x2xf32> {
  %0 = kernel.mat_mul [1, 2] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<2x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
  ^bb0(%1: f32):
    kernel.yield %1 : f32
  }
  %2 = kernel.map [1, 2] ins(%0 : tensor<1x2xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
  ^bb0(%3: f32):
    %4 = math.tanh %3 : f32
    kernel.yield %4 : f32
  }
  func.return %2 : tensor<1x2xf32>
}

// -----

// No column is no part.
// CHECK-LABEL: func.func @none(
// CHECK:         kernel.mat_mul [1, 2] groups 1
// CHECK:         kernel.map [1, 0]
func.func @none(%x: tensor<1x3xf32>, %w: tensor<2x3xf32>) -> tensor<1x0xf32> {
  %0 = kernel.mat_mul [1, 2] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<2x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
  ^bb0(%1: f32):
    kernel.yield %1 : f32
  }
  %2 = kernel.map [1, 0] ins(%0 : tensor<1x2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x0xf32> {
  ^bb0(%3: f32):
    %4 = math.tanh %3 : f32
    kernel.yield %4 : f32
  }
  func.return %2 : tensor<1x0xf32>
}

// -----

// Groups have no parts of their own.
// CHECK-LABEL: func.func @groups(
// CHECK:         kernel.mat_mul [1, 2] groups 2
// CHECK:         kernel.map [1, 1]
func.func @groups(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> tensor<1x1xf32> {
  %0 = kernel.mat_mul [1, 2] groups 2 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
  ^bb0(%1: f32, %2: f32):
    %3 = arith.mulf %1, %2 : f32
    kernel.yield %3 : f32
  }
  %4 = kernel.map [1, 1] ins(%0, %0 : tensor<1x2xf32>, tensor<1x2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, (d1 + 1))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x1xf32> {
  ^bb0(%5: f32, %6: f32):
    %7 = arith.mulf %5, %6 : f32
    kernel.yield %7 : f32
  }
  func.return %4 : tensor<1x1xf32>
}

// -----

// Two results, of which one is read in parts.
// CHECK-LABEL: func.func @two_results(
// CHECK:         kernel.mat_mul [1, 4] groups 1
// CHECK:         kernel.map [1, 2]
func.func @two_results(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> (tensor<1x2xf32>, tensor<1x4xf32>) {
  %0, %1 = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32>, tensor<1x4xf32> {
  ^bb0(%2: f32):
    %3 = math.tanh %2 : f32
    kernel.yield %2, %3 : f32, f32
  }
  %4 = kernel.map [1, 2] ins(%0, %0 : tensor<1x4xf32>, tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, (d1 + 2))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
  ^bb0(%5: f32, %6: f32):
    %7 = arith.mulf %5, %6 : f32
    kernel.yield %7 : f32
  }
  func.return %4, %1 : tensor<1x2xf32>, tensor<1x4xf32>
}

// -----

// A result of another rank than the domain has is left whole.
// CHECK-LABEL: func.func @other_rank(
// CHECK:         kernel.mat_mul [1, 4] groups 1 {{.*}} -> tensor<4xf32>
// CHECK:         kernel.map [2]
func.func @other_rank(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> tensor<2xf32> {
  %0 = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d1)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    kernel.yield %1 : f32
  }
  %2 = kernel.map [2] ins(%0, %0 : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0 + 2)>, affine_map<(d0) -> (d0)>] -> tensor<2xf32> {
  ^bb0(%3: f32, %4: f32):
    %5 = arith.mulf %3, %4 : f32
    kernel.yield %5 : f32
  }
  func.return %2 : tensor<2xf32>
}
