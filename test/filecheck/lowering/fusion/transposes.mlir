// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// What becomes wider on the way is more than a transpose.
// CHECK-LABEL: func.func @widened(
// CHECK-NEXT:   %0 = kernel.map [2, 4] ins(%x : tensor<2x4xi8>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xi32> {
// CHECK-NEXT:   ^bb0(%1: i32):
// CHECK-NEXT:     %b = arith.addi %1, %1 : i32
// CHECK-NEXT:     %2 = arith.constant -128 : i32
// CHECK-NEXT:     %3 = arith.maxsi %b, %2 : i32
// CHECK-NEXT:     %4 = arith.constant 127 : i32
// CHECK-NEXT:     %5 = arith.minsi %3, %4 : i32
// CHECK-NEXT:     kernel.yield %5 : i32
// CHECK:        %6 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x2xi32>) b(%w : tensor<3x2xi32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xi32> {
// CHECK-NEXT:   ^bb0(%s: i32):
// CHECK-NEXT:     kernel.yield %s : i32
// CHECK:        func.return %6 : tensor<4x3xi32>
func.func @widened(%x: tensor<2x4xi8>, %w: tensor<3x2xi32>) -> tensor<4x3xi32> {
  %e = kernel.map [2, 4] ins(%x : tensor<2x4xi8>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xi8> {
  ^bb0(%a: i32):
    %b = arith.addi %a, %a : i32
    kernel.yield %b : i32
  }
  %0 = kernel.map [4, 2] ins(%e : tensor<2x4xi8>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x2xi32> {
  ^bb0(%a: i32):
    kernel.yield %a : i32
  }
  %1 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x2xi32>) b(%w : tensor<3x2xi32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %1 : tensor<4x3xi32>
}

// -----

// Nor is what comes in backwards.
// CHECK-LABEL: func.func @backwards(
// CHECK-NEXT:   %e = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     %b = math.exp %a : f32
// CHECK-NEXT:     kernel.yield %b : f32
// CHECK:        %0 = kernel.map [4, 2] ins(%e : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (((d1 * -1) + 1), d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x2xf32> {
// CHECK-NEXT:   ^bb0(%a_1: f32):
// CHECK-NEXT:     kernel.yield %a_1 : f32
// CHECK:        %1 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x2xf32>) b(%w : tensor<3x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %1 : tensor<4x3xf32>
func.func @backwards(%x: tensor<2x4xf32>, %w: tensor<3x2xf32>) -> tensor<4x3xf32> {
  %e = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %b : f32
  }
  %0 = kernel.map [4, 2] ins(%e : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> ((d1 * -1 + 1), d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x2xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x2xf32>) b(%w : tensor<3x2xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1 : tensor<4x3xf32>
}

// -----

// A copy is a view of all, and no transpose.
// CHECK-LABEL: func.func @copied(
// CHECK-NEXT:   %0 = kernel.slice %x offsets [0, 0] steps [1, 1] : tensor<2x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT:   %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %1 : tensor<2x3xf32>
func.func @copied(%x: tensor<2x4xf32>, %w: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1 : tensor<2x3xf32>
}

// -----

// Only a part of the rows is transposed.
// CHECK-LABEL: func.func @of_a_part(
// CHECK-NEXT:   %e = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     %b = math.exp %a : f32
// CHECK-NEXT:     kernel.yield %b : f32
// CHECK:        %0 = kernel.slice %e offsets [0, 0] steps [1, 1] : tensor<4x2xf32> -> tensor<3x2xf32>
// CHECK-NEXT:   %1 = kernel.mat_mul [3, 3] groups 1 a(%0 : tensor<3x2xf32>) b(%w : tensor<3x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<3x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %1 : tensor<3x3xf32>
func.func @of_a_part(%x: tensor<2x4xf32>, %w: tensor<3x2xf32>) -> tensor<3x3xf32> {
  %e = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %b : f32
  }
  %0 = kernel.map [3, 2] ins(%e : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<3x2xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [3, 3] groups 1 a(%0 : tensor<3x2xf32>) b(%w : tensor<3x2xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<3x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1 : tensor<3x3xf32>
}

// -----

// A row that becomes a column is reshaped.
// CHECK-LABEL: func.func @row(
// CHECK-NEXT:   %r = kernel.reshape %x : tensor<1x4xf32> -> tensor<2x2xf32>
// CHECK-NEXT:   %0 = kernel.mat_mul [2, 3] groups 1 a(%r : tensor<2x2xf32>) b(%w : tensor<3x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %0 : tensor<2x3xf32>
func.func @row(%x: tensor<1x4xf32>, %w: tensor<3x2xf32>) -> tensor<2x3xf32> {
  %0 = kernel.map [4, 1] ins(%x : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %r = kernel.reshape %0 : tensor<4x1xf32> -> tensor<2x2xf32>
  %1 = kernel.mat_mul [2, 3] groups 1 a(%r : tensor<2x2xf32>) b(%w : tensor<3x2xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1 : tensor<2x3xf32>
}

// -----

// One that leaves in another shape needs a buffer of its own.
// CHECK-LABEL: func.func @row_that_leaves(
// CHECK-NEXT:   %0 = kernel.map [4, 1] ins(%x : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK:        %r = kernel.reshape %0 : tensor<4x1xf32> -> tensor<4xf32>
// CHECK-NEXT:   func.return %r : tensor<4xf32>
func.func @row_that_leaves(%x: tensor<1x4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4, 1] ins(%x : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %r = kernel.reshape %0 : tensor<4x1xf32> -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// -----

// So does one that leaves and is read here as well.
// CHECK-LABEL: func.func @row_that_is_read_and_leaves(
// CHECK-NEXT:   %0 = kernel.map [4, 1] ins(%x : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK:        %1 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x1xf32>) b(%w : tensor<3x1xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %1, %0 : tensor<4x3xf32>, tensor<4x1xf32>
func.func @row_that_is_read_and_leaves(%x: tensor<1x4xf32>, %w: tensor<3x1xf32>) -> (tensor<4x3xf32>, tensor<4x1xf32>) {
  %0 = kernel.map [4, 1] ins(%x : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [4, 3] groups 1 a(%0 : tensor<4x1xf32>) b(%w : tensor<3x1xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1, %0 : tensor<4x3xf32>, tensor<4x1xf32>
}

// -----

// The second result of a product that adds a vector is written as its reduction reads it.
// CHECK-LABEL: func.func @summed(
// CHECK-NEXT:   %0, %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins(%v : tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%s: f32, %b: f32):
// CHECK-NEXT:     %t = arith.addf %s, %b : f32
// CHECK-NEXT:     kernel.yield %s, %t : f32, f32
// CHECK:        %2 = kernel.reduce "sum" [4, 1] window [2] x(%1 : tensor<2x4xf32>) points [affine_map<(d0, d1) -> (0, d0)>] steps [affine_map<(d0) -> (d0, 0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s_1: f32):
// CHECK-NEXT:     kernel.yield %s_1 : f32
// CHECK:        func.return %0, %2 : tensor<2x4xf32>, tensor<4x1xf32>
func.func @summed(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %v: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4x1xf32>) {
  %0, %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins(%v : tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<2x4xf32>, tensor<4x2xf32> {
  ^bb0(%s: f32, %b: f32):
    %t = arith.addf %s, %b : f32
    kernel.yield %s, %t : f32, f32
  }
  %2 = kernel.reduce "sum" [4, 1] window [2] x(%1 : tensor<4x2xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %0, %2 : tensor<2x4xf32>, tensor<4x1xf32>
}

// -----

// What else a reduction reads it reads as before.
// CHECK-LABEL: func.func @summed_beside(
// CHECK-NEXT:   %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        %r = kernel.reduce "sum" [4, 1] window [2] x(%0, %y : tensor<2x4xf32>, tensor<4x2xf32>) points [affine_map<(d0, d1) -> (0, d0)>, affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (d0, 0)>, affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:     %c = arith.subf %a, %b : f32
// CHECK-NEXT:     kernel.yield %c : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s_1: f32):
// CHECK-NEXT:     kernel.yield %s_1 : f32
// CHECK:        func.return %r : tensor<4x1xf32>
func.func @summed_beside(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<4x2xf32>) -> tensor<4x1xf32> {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %r = kernel.reduce "sum" [4, 1] window [2] x(%0, %y : tensor<4x2xf32>, tensor<4x2xf32>) points [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    kernel.yield %c : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %r : tensor<4x1xf32>
}
