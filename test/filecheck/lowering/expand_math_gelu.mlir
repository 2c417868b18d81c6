// RUN: opt-tool %s --expand-math | filecheck %s
// RUN: opt-tool %s --expand-math=accurate=true | filecheck %s --check-prefix=ACCURATE

// A polynomial of eight terms, squared three times; no division.
// Accurate, it is computed of its error function.
// ACCURATE-LABEL: @gelu
// ACCURATE:         arith.divf
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

// The tangent's: nine terms, and nothing of the tangent is left.
// CHECK-LABEL: @tangent
// CHECK-NEXT:    %0 = kernel.map
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:    %2 = math.absf %1 : f32
// CHECK-NEXT:    arith.constant 5.400000e+00 : f32
// CHECK-COUNT-9: math.fma
// CHECK-COUNT-3: arith.mulf
// CHECK-NOT:     arith.divf
// CHECK:         kernel.yield
func.func @tangent(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %1, %1 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = arith.constant 4.471500e-02 : f32
    %7 = math.fma %5, %6, %1 : f32
    %8 = arith.constant 0.797884583 : f32
    %9 = arith.mulf %7, %8 : f32
    %10 = math.tanh %9 : f32
    %11 = arith.constant 1.000000e+00 : f32
    %12 = arith.addf %10, %11 : f32
    %13 = arith.mulf %3, %12 : f32
    kernel.yield %13 : f32
  }
  func.return %0 : tensor<4xf32>
}

// Nor this: its tangent is of a square.
// CHECK-LABEL: @square
// CHECK:         arith.divf
func.func @square(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.mulf %1, %1 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = arith.constant 4.471500e-02 : f32
    %7 = math.fma %4, %6, %1 : f32
    %8 = arith.constant 0.797884583 : f32
    %9 = arith.mulf %7, %8 : f32
    %10 = math.tanh %9 : f32
    %11 = arith.constant 1.000000e+00 : f32
    %12 = arith.addf %10, %11 : f32
    %13 = arith.mulf %3, %12 : f32
    kernel.yield %13 : f32
  }
  func.return %0 : tensor<4xf32>
}
