// RUN: opt-tool %s --expand-math | filecheck %s

// A polynomial of eight terms, squared three times; no division.
// CHECK-LABEL: @gelu
// CHECK:         %[[SIZE:.*]] = math.absf %1 : f32
// CHECK-NEXT:    arith.constant 5.750000e+00 : f32
// CHECK-COUNT-8: math.fma
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT:     arith.divf
// CHECK:         kernel.yield
func.func @gelu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.70710678118654757 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %3, %6 : f32
    kernel.yield %7 : f32
  }
  func.return %0 : tensor<4xf32>
}

// In f64 it would not do.
// CHECK-LABEL: @wide
// CHECK:         arith.divf
func.func @wide(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = kernel.map [4] ins(%x : tensor<4xf64>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf64> {
  ^bb0(%1: f64):
    %2 = arith.constant 5.000000e-01 : f64
    %3 = arith.mulf %1, %2 : f64
    %4 = arith.constant -0.70710678118654757 : f64
    %5 = arith.mulf %1, %4 : f64
    %6 = kernel.erfc %5 : f64
    %7 = arith.mulf %3, %6 : f64
    kernel.yield %7 : f64
  }
  func.return %0 : tensor<4xf64>
}

// Nor is this a GELU: it is not halved.
// CHECK-LABEL: @other_factor
// CHECK:         arith.divf
func.func @other_factor(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.70710678118654757 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %1, %6 : f32
    kernel.yield %7 : f32
  }
  func.return %0 : tensor<4xf32>
}
