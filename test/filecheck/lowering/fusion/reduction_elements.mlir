// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// A reduction reads eight operands.
// CHECK-LABEL: func.func @eight(
// CHECK-NEXT:   %r = kernel.reduce "sum" [4, 1] window [8] x(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%0: f32, %1: f32, %2: f32, %3: f32, %4: f32, %5: f32, %6: f32, %7: f32):
// CHECK-NEXT:     %s1 = arith.addf %0, %1 : f32
// CHECK-NEXT:     %s2 = arith.addf %s1, %2 : f32
// CHECK-NEXT:     %s3 = arith.addf %s2, %3 : f32
// CHECK-NEXT:     %s4 = arith.addf %s3, %4 : f32
// CHECK-NEXT:     %s5 = arith.addf %s4, %5 : f32
// CHECK-NEXT:     %s6 = arith.addf %s5, %6 : f32
// CHECK-NEXT:     %s7 = arith.addf %s6, %7 : f32
// CHECK-NEXT:     kernel.yield %s7 : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %r : tensor<4x1xf32>
func.func @eight(%x0: tensor<4x8xf32>, %x1: tensor<4x8xf32>, %x2: tensor<4x8xf32>, %x3: tensor<4x8xf32>, %x4: tensor<4x8xf32>, %x5: tensor<4x8xf32>, %x6: tensor<4x8xf32>, %x7: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %e = kernel.map [4, 8] ins(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32):
    %s1 = arith.addf %a0, %a1 : f32
    %s2 = arith.addf %s1, %a2 : f32
    %s3 = arith.addf %s2, %a3 : f32
    %s4 = arith.addf %s3, %a4 : f32
    %s5 = arith.addf %s4, %a5 : f32
    %s6 = arith.addf %s5, %a6 : f32
    %s7 = arith.addf %s6, %a7 : f32
    kernel.yield %s7 : f32
  }
  %r = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %r : tensor<4x1xf32>
}

// -----

// A ninth would be one too many.
// CHECK-LABEL: func.func @nine(
// CHECK-NEXT:   %e = kernel.map [4, 8] ins(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
// CHECK-NEXT:   ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32):
// CHECK-NEXT:     %s1 = arith.addf %a0, %a1 : f32
// CHECK-NEXT:     %s2 = arith.addf %s1, %a2 : f32
// CHECK-NEXT:     %s3 = arith.addf %s2, %a3 : f32
// CHECK-NEXT:     %s4 = arith.addf %s3, %a4 : f32
// CHECK-NEXT:     %s5 = arith.addf %s4, %a5 : f32
// CHECK-NEXT:     %s6 = arith.addf %s5, %a6 : f32
// CHECK-NEXT:     %s7 = arith.addf %s6, %a7 : f32
// CHECK-NEXT:     %s8 = arith.addf %s7, %a8 : f32
// CHECK-NEXT:     kernel.yield %s8 : f32
// CHECK:        %r = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     kernel.yield %a : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %r : tensor<4x1xf32>
func.func @nine(%x0: tensor<4x8xf32>, %x1: tensor<4x8xf32>, %x2: tensor<4x8xf32>, %x3: tensor<4x8xf32>, %x4: tensor<4x8xf32>, %x5: tensor<4x8xf32>, %x6: tensor<4x8xf32>, %x7: tensor<4x8xf32>, %x8: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %e = kernel.map [4, 8] ins(%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7, %x8 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
  ^bb0(%a0: f32, %a1: f32, %a2: f32, %a3: f32, %a4: f32, %a5: f32, %a6: f32, %a7: f32, %a8: f32):
    %s1 = arith.addf %a0, %a1 : f32
    %s2 = arith.addf %s1, %a2 : f32
    %s3 = arith.addf %s2, %a3 : f32
    %s4 = arith.addf %s3, %a4 : f32
    %s5 = arith.addf %s4, %a5 : f32
    %s6 = arith.addf %s5, %a6 : f32
    %s7 = arith.addf %s6, %a7 : f32
    %s8 = arith.addf %s7, %a8 : f32
    kernel.yield %s8 : f32
  }
  %r = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %r : tensor<4x1xf32>
}

// -----

// What the end reads as well is there anyway.
// CHECK-LABEL: func.func @read_at_the_end(
// CHECK-NEXT:   %e = kernel.map [4, 8] ins(%x : tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     %b = math.exp %a : f32
// CHECK-NEXT:     kernel.yield %b : f32
// CHECK:        %r = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins(%e : tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, 3)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%a_1: f32):
// CHECK-NEXT:     kernel.yield %a_1 : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s: f32, %t: f32):
// CHECK-NEXT:     %q = arith.divf %s, %t : f32
// CHECK-NEXT:     kernel.yield %q : f32
// CHECK:        func.return %r : tensor<4x1xf32>
func.func @read_at_the_end(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %e = kernel.map [4, 8] ins(%x : tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %b : f32
  }
  %r = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins(%e : tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, 3)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32, %t: f32):
    %q = arith.divf %s, %t : f32
    kernel.yield %q : f32
  }
  func.return %r : tensor<4x1xf32>
}

// -----

// What is written elsewhere than at its point is stored.
// CHECK-LABEL: func.func @written_elsewhere(
// CHECK-NEXT:   %e = kernel.map [8, 4] ins(%x : tensor<8x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x8xf32> {
// CHECK-NEXT:   ^bb0(%a: f32):
// CHECK-NEXT:     %b = math.exp %a : f32
// CHECK-NEXT:     kernel.yield %b : f32
// CHECK:        %r = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%a_1: f32):
// CHECK-NEXT:     kernel.yield %a_1 : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %r : tensor<4x1xf32>
func.func @written_elsewhere(%x: tensor<8x4xf32>) -> tensor<4x1xf32> {
  %e = kernel.map [8, 4] ins(%x : tensor<8x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x8xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %b : f32
  }
  %r = kernel.reduce "sum" [4, 1] window [8] x(%e : tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %r : tensor<4x1xf32>
}

// -----

// What else a reduction reads it reads as before.
// CHECK-LABEL: func.func @beside(
// CHECK-NEXT:   %r = kernel.reduce "sum" [4, 1] window [8] x(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
// CHECK-NEXT:   ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:     %b = math.exp %0 : f32
// CHECK-NEXT:     %c = arith.subf %b, %1 : f32
// CHECK-NEXT:     kernel.yield %c : f32
// CHECK-NEXT:   } finish {
// CHECK-NEXT:   ^bb0(%s: f32):
// CHECK-NEXT:     kernel.yield %s : f32
// CHECK:        func.return %r : tensor<4x1xf32>
func.func @beside(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %e = kernel.map [4, 8] ins(%x : tensor<4x8xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    kernel.yield %b : f32
  }
  %r = kernel.reduce "sum" [4, 1] window [8] x(%e, %y : tensor<4x8xf32>, tensor<4x8xf32>) points [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x1xf32> element {
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    kernel.yield %c : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return %r : tensor<4x1xf32>
}
