// RUN: opt-tool %s --approximate-quantized-sigmoid | filecheck %s

// Scaled and rounded to codes: the scale is divided.
// CHECK-LABEL: @rounded
// CHECK-NOT:     kernel.sigmoid
// CHECK:         [[SCALE:%\w+]] = arith.constant 3.000000e+02 : f32
// CHECK:         arith.constant -8.000000e+01 : f32
// CHECK:         arith.constant 8.000000e+01 : f32
// CHECK-COUNT-6: math.fma
// CHECK:         [[SUM:%\w+]] = math.fma
// CHECK-NEXT:    [[CODE:%\w+]] = arith.divf [[SCALE]], [[SUM]] : f32
// CHECK:         arith.cmpf ogt, [[CODE]]
// CHECK-NOT:     kernel.sigmoid
func.func @rounded(%x: tensor<4xf32>) -> tensor<4xui8> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f32):
    %2 = kernel.sigmoid %1 : f32
    %3 = arith.constant 3.000000e+02 : f32
    %4 = arith.mulf %2, %3 : f32
    %5 = arith.constant 2.550000e+02 : f32
    %6 = arith.cmpf ogt, %4, %5 : f32
    %7 = arith.select %6, %5, %4 : f32
    %8 = math.roundeven %7 : f32
    %9 = arith.fptosi %8 : f32 to i32
    kernel.yield %9 : i32
  }
  func.return %0 : tensor<4xui8>
}

// With a zero point, it is a factor of a multiply-add: 1 is divided.
// CHECK-LABEL: @zero_point
// CHECK-NOT:     kernel.sigmoid
// CHECK:         [[ONE:%\w+]] = arith.constant 1.000000e+00 : f32
// CHECK:         arith.divf [[ONE]]
func.func @zero_point(%x: tensor<4xf32>) -> tensor<4xi8> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%1: f32):
    %2 = kernel.sigmoid %1 : f32
    %3 = arith.constant 2.550000e+02 : f32
    %4 = arith.constant -1.280000e+02 : f32
    %5 = math.fma %2, %3, %4 : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.fptosi %6 : f32 to i32
    kernel.yield %7 : i32
  }
  func.return %0 : tensor<4xi8>
}

// Steps as fine as these would show the error.
// CHECK-LABEL: @fine_steps
// CHECK:         kernel.sigmoid
func.func @fine_steps(%x: tensor<4xf32>) -> tensor<4xui8> {
  %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f32):
    %2 = kernel.sigmoid %1 : f32
    %3 = arith.constant 1.400000e+03 : f32
    %4 = arith.mulf %2, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6 : i32
  }
  func.return %0 : tensor<4xui8>
}

// One of its readers does not round.
// CHECK-LABEL: @not_rounded
// CHECK:         kernel.sigmoid
func.func @not_rounded(%x: tensor<4xf32>) -> (tensor<4xui8>, tensor<4xf32>) {
  %0, %y = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8>, tensor<4xf32> {
  ^bb0(%1: f32):
    %2 = kernel.sigmoid %1 : f32
    %3 = arith.constant 2.550000e+02 : f32
    %4 = arith.mulf %2, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6, %2 : i32, f32
  }
  func.return %0, %y : tensor<4xui8>, tensor<4xf32>
}

// f64 keeps its digits.
// CHECK-LABEL: @double
// CHECK:         kernel.sigmoid
func.func @double(%x: tensor<4xf64>) -> tensor<4xui8> {
  %0 = kernel.map [4] ins(%x : tensor<4xf64>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%1: f64):
    %2 = kernel.sigmoid %1 : f64
    %3 = arith.constant 2.550000e+02 : f64
    %4 = arith.mulf %2, %3 : f64
    %5 = math.roundeven %4 : f64
    %6 = arith.fptosi %5 : f64 to i32
    kernel.yield %6 : i32
  }
  func.return %0 : tensor<4xui8>
}
