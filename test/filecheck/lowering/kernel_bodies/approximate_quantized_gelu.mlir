// RUN: opt-tool %s --approximate-quantized-gelu | filecheck %s

// Scaled and rounded to codes: five terms, squared three times.
// CHECK-LABEL: @rounded
// CHECK-NOT:     kernel.erfc
// CHECK:         %2 = math.absf %1 : f32
// CHECK-NEXT:    %3 = arith.constant 5.000000e+00 : f32
// CHECK-COUNT-4: math.fma
// CHECK:         [[ROOT:%\d+]] = math.fma
// CHECK-NEXT:    [[SQUARE:%\d+]] = arith.mulf [[ROOT]], [[ROOT]] : f32
// CHECK-NOT:     kernel.erfc
// CHECK:         arith.fptosi
func.func @rounded(%x: tensor<4xf32>) -> tensor<4xui8> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.707106769 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %3, %6 : f32
    %8 = arith.constant 5.000000e+01 : f32
    %9 = arith.constant 3.000000e+00 : f32
    %10 = math.fma %7, %8, %9 : f32
    %11 = arith.constant 0.000000e+00 : f32
    %12 = arith.cmpf ogt, %11, %10 : f32
    %13 = arith.select %12, %11, %10 : f32
    %14 = math.roundeven %13 : f32
    %15 = arith.fptosi %14 : f32 to i32
    kernel.yield %15 : i32
  }
  func.return %0 : tensor<4xui8>
}

// The scale may be an operand, if it is constant, and come first.
// CHECK-LABEL: @scales
// CHECK-NOT:     kernel.erfc
// CHECK:         arith.fptosi
func.func @scales(%x: tensor<4xf32>) -> tensor<4xui8> {
  %s = nn.constant dense<[1.0, 20.0, 300.0, -5.0]> : tensor<4xf32>
  %0 = kernel.map [4] ins(%x, %s : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f32, %8: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.707106769 : f32
    %5 = arith.mulf %4, %1 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %6, %3 : f32
    %9 = arith.mulf %8, %7 : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.fptosi %10 : f32 to i32
    kernel.yield %11 : i32
  }
  func.return %0 : tensor<4xui8>
}

// Finer steps: eight terms.
// CHECK-LABEL: @finer_steps
// CHECK-NOT:     kernel.erfc
// CHECK:         arith.constant 5.750000e+00 : f32
// CHECK-COUNT-8: math.fma
func.func @finer_steps(%x: tensor<4xf32>) -> tensor<4xui8> {
  %s = nn.constant dense<[1.0, 20.0, 1000.0, -5.0]> : tensor<4xf32>
  %0 = kernel.map [4] ins(%x, %s : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f32, %8: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.707106769 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %3, %6 : f32
    %9 = arith.mulf %7, %8 : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.fptosi %10 : f32 to i32
    kernel.yield %11 : i32
  }
  func.return %0 : tensor<4xui8>
}

// Steps as fine as these would show the error.
// CHECK-LABEL: @fine_steps
// CHECK:         kernel.erfc
func.func @fine_steps(%x: tensor<4xf32>) -> tensor<4xui8> {
  %s = nn.constant dense<[1.0, 20.0, 9000.0, -5.0]> : tensor<4xf32>
  %0 = kernel.map [4] ins(%x, %s : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f32, %8: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.707106769 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %3, %6 : f32
    %9 = arith.mulf %7, %8 : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.fptosi %10 : f32 to i32
    kernel.yield %11 : i32
  }
  func.return %0 : tensor<4xui8>
}

// A computed scale may be any number.
// CHECK-LABEL: @computed_scale
// CHECK:         kernel.erfc
func.func @computed_scale(%x: tensor<4xf32>, %s: tensor<4xf32>) -> tensor<4xui8> {
  %0 = kernel.map [4] ins(%x, %s : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f32, %8: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.707106769 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %3, %6 : f32
    %9 = arith.mulf %7, %8 : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.fptosi %10 : f32 to i32
    kernel.yield %11 : i32
  }
  func.return %0 : tensor<4xui8>
}

// What is stored as a number as well keeps its last bits.
// CHECK-LABEL: @stored
// CHECK:         kernel.erfc
func.func @stored(%x: tensor<4xf32>) -> (tensor<4xui8>, tensor<4xf32>) {
  %0, %y = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8>, tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %1, %2 : f32
    %4 = arith.constant -0.707106769 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %3, %6 : f32
    %10 = math.roundeven %7 : f32
    %11 = arith.fptosi %10 : f32 to i32
    kernel.yield %11, %7 : i32, f32
  }
  func.return %0, %y : tensor<4xui8>, tensor<4xf32>
}

// Half of another number is no GELU, and neither is another factor inside.
// CHECK-LABEL: @others
// CHECK-COUNT-2: kernel.erfc
func.func @others(%x: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xui8>, tensor<4xui8>) {
  %0, %y = kernel.map [4] ins(%x, %z : tensor<4xf32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8>, tensor<4xui8> {
  ^bb0(%1: f32, %8: f32):
    %2 = arith.constant 5.000000e-01 : f32
    %3 = arith.mulf %8, %2 : f32
    %4 = arith.constant -0.707106769 : f32
    %5 = arith.mulf %1, %4 : f32
    %6 = kernel.erfc %5 : f32
    %7 = arith.mulf %3, %6 : f32
    %10 = math.roundeven %7 : f32
    %11 = arith.fptosi %10 : f32 to i32
    %12 = arith.constant -0.7 : f32
    %13 = arith.mulf %8, %12 : f32
    %14 = kernel.erfc %13 : f32
    %15 = arith.mulf %3, %14 : f32
    %16 = math.roundeven %15 : f32
    %17 = arith.fptosi %16 : f32 to i32
    kernel.yield %11, %17 : i32, i32
  }
  func.return %0, %y : tensor<4xui8>, tensor<4xui8>
}
