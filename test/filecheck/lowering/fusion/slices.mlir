// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// Rows that a product reads are a view.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:   %0 = kernel.slice %x offsets [1, 0] steps [1, 1] : tensor<4x4xf32> -> tensor<2x4xf32>
// CHECK-NEXT:   %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %1 : tensor<2x3xf32>
func.func @rows(%x: tensor<4x4xf32>, %w: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = kernel.map [2, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> ((d0 + 1), d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
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

// Rows that become wider on the way are copied.
// CHECK-LABEL: func.func @widened(
// CHECK-NEXT:   %0 = kernel.map [2, 4] ins(%x : tensor<4x4xi8>) outs() access [affine_map<(d0, d1) -> ((d0 + 1), d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xi32> {
// CHECK-NEXT:   ^bb0(%a: i32):
// CHECK-NEXT:     kernel.yield %a : i32
// CHECK:        %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xi32>) b(%w : tensor<3x4xi32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xi32> {
// CHECK-NEXT:   ^bb0(%s: i32):
// CHECK-NEXT:     kernel.yield %s : i32
// CHECK:        func.return %1 : tensor<2x3xi32>
func.func @widened(%x: tensor<4x4xi8>, %w: tensor<3x4xi32>) -> tensor<2x3xi32> {
  %0 = kernel.map [2, 4] ins(%x : tensor<4x4xi8>) outs() access [affine_map<(d0, d1) -> ((d0 + 1), d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xi32> {
  ^bb0(%a: i32):
    kernel.yield %a : i32
  }
  %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xi32>) b(%w : tensor<3x4xi32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xi32> {
  ^bb0(%s: i32):
    kernel.yield %s : i32
  }
  func.return %1 : tensor<2x3xi32>
}

// -----

// One matrix of several has fewer dimensions than all of them.
// CHECK-LABEL: func.func @one_of_three(
// CHECK-NEXT:   %e = kernel.map [3, 2, 4] ins(%x : tensor<3x2x4xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x2x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32):
// CHECK-NEXT:     %b = math.exp %0 : f32
// CHECK-NEXT:     kernel.yield %b : f32
// CHECK:        %1 = kernel.map [2, 4] ins(%e : tensor<3x2x4xf32>) outs() access [affine_map<(d0, d1) -> (1, d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK:        %2 = kernel.mat_mul [2, 3] groups 1 a(%1 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        %3 = kernel.map [2, 4] ins(%e : tensor<3x2x4xf32>) outs() access [affine_map<(d0, d1) -> (2, d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a_1: f32):
// CHECK-NEXT:     kernel.yield %a_1 : f32
// CHECK:        %4 = kernel.mat_mul [2, 3] groups 1 a(%3 : tensor<2x4xf32>) b(%v : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s_1: f32):
// CHECK-NEXT:     kernel.yield %s_1 : f32
// CHECK:        func.return %2, %4 : tensor<2x3xf32>, tensor<2x3xf32>
func.func @one_of_three(%x: tensor<3x2x4xf32>, %w: tensor<3x4xf32>, %v: tensor<3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %e, %f = kernel.map [3, 2, 4] ins(%x : tensor<3x2x4xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x2x4xf32>, tensor<3x2x4xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %b, %a : f32, f32
  }
  %0 = kernel.map [2, 4] ins(%e : tensor<3x2x4xf32>) outs() access [affine_map<(d0, d1) -> (1, d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %2 = kernel.map [2, 4] ins(%e : tensor<3x2x4xf32>) outs() access [affine_map<(d0, d1) -> (2, d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %3 = kernel.mat_mul [2, 3] groups 1 a(%2 : tensor<2x4xf32>) b(%v : tensor<3x4xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// The last rows first are no view.
// CHECK-LABEL: func.func @backwards(
// CHECK-NEXT:   %0 = kernel.map [2, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (((d0 * -1) + 3), d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK:        %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %1 : tensor<2x3xf32>
func.func @backwards(%x: tensor<4x4xf32>, %w: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = kernel.map [2, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> ((d0 * -1 + 3), d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
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

// A column that is repeated is no slice.
// CHECK-LABEL: func.func @repeated(
// CHECK-NEXT:   %0 = kernel.map [2, 4] ins(%x : tensor<2x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK:        %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %1 : tensor<2x3xf32>
func.func @repeated(%x: tensor<2x8xf32>, %w: tensor<3x4xf32>) -> tensor<2x3xf32> {
  %0 = kernel.map [2, 4] ins(%x : tensor<2x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
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

// A sum reads the transposed slice's operand, too; it is neither a slice nor a transpose.
// CHECK-LABEL: func.func @summed_as_well(
// CHECK-NEXT:   %0 = kernel.map [2, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, (d0 + 1))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK:        %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        %2 = kernel.reduce "sum" [4, 1] window [4] x(%x : tensor<4x4xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%a_1: f32):
// CHECK-NEXT:     kernel.yield %a_1 : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s_1: f32):
// CHECK-NEXT:     kernel.yield %s_1 : f32
// CHECK:        func.return %1, %2 : tensor<2x3xf32>, tensor<4x1xf32>
func.func @summed_as_well(%x: tensor<4x4xf32>, %w: tensor<3x4xf32>) -> (tensor<2x3xf32>, tensor<4x1xf32>) {
  %0 = kernel.map [2, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d1, (d0 + 1))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [2, 3] groups 1 a(%0 : tensor<2x4xf32>) b(%w : tensor<3x4xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %2 = kernel.reduce "sum" [4, 1] window [4] x(%x : tensor<4x4xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %1, %2 : tensor<2x3xf32>, tensor<4x1xf32>
}
