// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// What both read is read once.
// CHECK-LABEL: func.func @once(
// CHECK-NEXT:   %r = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32):
// CHECK-NEXT:     %b = math.exp %0 : f32
// CHECK-NEXT:     %b_1 = arith.subf %b, %0 : f32
// CHECK-NEXT:     kernel.yield %b_1 : f32
// CHECK:        func.return %r : tensor<2x4xf32>
func.func @once(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32):
    %b = math.exp %a0 : f32
    kernel.yield %b : f32
  }
  %r = kernel.map [2, 4] ins(%e, %x : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = arith.subf %a0, %a1 : f32
    kernel.yield %b : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// Also where only one of them says that a dimension is of size 1.
// CHECK-LABEL: func.func @once_of_a_row(
// CHECK-NEXT:   %r = kernel.map [1, 4] ins(%x : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32):
// CHECK-NEXT:     %b = math.exp %0 : f32
// CHECK-NEXT:     %b_1 = arith.subf %b, %0 : f32
// CHECK-NEXT:     kernel.yield %b_1 : f32
// CHECK:        func.return %r : tensor<1x4xf32>
func.func @once_of_a_row(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %e = kernel.map [1, 4] ins(%x : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%a0: f32):
    %b = math.exp %a0 : f32
    kernel.yield %b : f32
  }
  %r = kernel.map [1, 4] ins(%e, %x : tensor<1x4xf32>, tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = arith.subf %a0, %a1 : f32
    kernel.yield %b : f32
  }
  func.return %r : tensor<1x4xf32>
}

// -----

// Where others are not, an element of the first row is another one.
// CHECK-LABEL: func.func @first_row(
// CHECK-NEXT:   %r = kernel.map [2, 4] ins(%x, %x : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:     %b = math.exp %0 : f32
// CHECK-NEXT:     %b_1 = arith.subf %b, %1 : f32
// CHECK-NEXT:     kernel.yield %b_1 : f32
// CHECK:        func.return %r : tensor<2x4xf32>
func.func @first_row(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32):
    %b = math.exp %a0 : f32
    kernel.yield %b : f32
  }
  %r = kernel.map [2, 4] ins(%e, %x : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = arith.subf %a0, %a1 : f32
    kernel.yield %b : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// Rows and columns are read beside each other.
// CHECK-LABEL: func.func @both_ways(
// CHECK-NEXT:   %r = kernel.map [4, 4] ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:     %b = math.exp %0 : f32
// CHECK-NEXT:     %b_1 = arith.subf %b, %1 : f32
// CHECK-NEXT:     kernel.yield %b_1 : f32
// CHECK:        func.return %r : tensor<4x4xf32>
func.func @both_ways(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = kernel.map [4, 4] ins(%x : tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
  ^bb0(%a0: f32):
    %b = math.exp %a0 : f32
    kernel.yield %b : f32
  }
  %r = kernel.map [4, 4] ins(%e, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = arith.subf %a0, %a1 : f32
    kernel.yield %b : f32
  }
  func.return %r : tensor<4x4xf32>
}

// -----

// What nothing computes with is not read.
// CHECK-LABEL: func.func @unread(
// CHECK-NEXT:   %r = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32):
// CHECK-NEXT:     %b = math.exp %0 : f32
// CHECK-NEXT:     %b_1 = arith.mulf %b, %b : f32
// CHECK-NEXT:     kernel.yield %b_1 : f32
// CHECK:        func.return %r : tensor<2x4xf32>
func.func @unread(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = kernel.map [2, 4] ins(%x, %y : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = math.exp %a0 : f32
    kernel.yield %b : f32
  }
  %r = kernel.map [2, 4] ins(%y, %e : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = arith.mulf %a1, %a1 : f32
    kernel.yield %b : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// The second of three is read once, too.
// CHECK-LABEL: func.func @second_once(
// CHECK-NEXT:   %r = kernel.map [2, 4] ins(%x, %y, %z : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32, %1: f32, %2: f32):
// CHECK-NEXT:     %s = arith.subf %0, %1 : f32
// CHECK-NEXT:     %b = arith.mulf %s, %2 : f32
// CHECK-NEXT:     %b_1 = arith.divf %b, %1 : f32
// CHECK-NEXT:     kernel.yield %b_1 : f32
// CHECK:        func.return %r : tensor<2x4xf32>
func.func @second_once(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>, %z: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = kernel.map [2, 4] ins(%x, %y, %z : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %s = arith.subf %a0, %a1 : f32
    %b = arith.mulf %s, %a2 : f32
    kernel.yield %b : f32
  }
  %r = kernel.map [2, 4] ins(%e, %y : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = arith.divf %a0, %a1 : f32
    kernel.yield %b : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// The second of three is not read.
// CHECK-LABEL: func.func @second_unread(
// CHECK-NEXT:   %r = kernel.map [2, 4] ins(%x, %z : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:   ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:     %b = arith.subf %0, %1 : f32
// CHECK-NEXT:     %b_1 = arith.divf %b, %1 : f32
// CHECK-NEXT:     kernel.yield %b_1 : f32
// CHECK:        func.return %r : tensor<2x4xf32>
func.func @second_unread(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>, %z: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %e = kernel.map [2, 4] ins(%x, %y, %z : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32, %a2: f32):
    %b = arith.subf %a0, %a2 : f32
    kernel.yield %b : f32
  }
  %r = kernel.map [2, 4] ins(%e, %z : tensor<2x4xf32>, tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a0: f32, %a1: f32):
    %b = arith.divf %a0, %a1 : f32
    kernel.yield %b : f32
  }
  func.return %r : tensor<2x4xf32>
}
