// RUN: opt-tool %s --split-input-file --algebraic-simplification | filecheck %s

// A dequantized sum, its bias and its quantization: one multiplication and addition, two limits, one rounding.
// CHECK-LABEL: @layer
// CHECK:       %x = arith.sitofp
// CHECK-NOT:     arith.subf
// CHECK:         math.fma %x
// CHECK-NOT:     arith.mulf
// CHECK-NOT:     arith.addf
// CHECK:         arith.constant 1.000000e+01 : f32
// CHECK:         math.roundeven
// CHECK-NOT:     math.roundeven
// CHECK:         kernel.yield
func.func @layer(%q: tensor<4xui8>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%c: i32):
    %x = arith.sitofp %c : i32 to f32
    %zero_point = arith.constant 3.0 : f32
    %scale = arith.constant 0.5 : f32
    %bias = arith.constant 1.0 : f32
    %0 = arith.subf %x, %zero_point : f32
    %1 = arith.mulf %0, %scale : f32
    %2 = arith.addf %1, %bias : f32
    %most = arith.constant 5.0 : f32
    %3 = arith.cmpf ogt, %2, %most : f32
    %4 = arith.select %3, %most, %2 : f32
    %steps = arith.constant 2.0 : f32
    %5 = arith.mulf %4, %steps : f32
    %6 = math.roundeven %5 : f32
    %last = arith.constant 255.0 : f32
    %7 = arith.cmpf ogt, %6, %last : f32
    %8 = arith.select %7, %last, %6 : f32
    %9 = arith.fptosi %8 : f32 to i32
    kernel.yield %9 : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// A limit does not move behind a scale that may be negative, nor a rounding behind an odd number.
// CHECK-LABEL: @stays
// CHECK:       arith.select
// CHECK:       arith.mulf
// CHECK-NEXT:  %[[R:[0-9]+]] = math.roundeven
// CHECK:       arith.addf %[[R]]
func.func @stays(%q: tensor<4xui8>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%c: i32):
    %x = arith.sitofp %c : i32 to f32
    %most = arith.constant 5.0 : f32
    %0 = arith.cmpf ogt, %x, %most : f32
    %1 = arith.select %0, %most, %x : f32
    %scale = arith.constant -2.0 : f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.roundeven %2 : f32
    %odd = arith.constant 3.0 : f32
    %4 = arith.addf %3, %odd : f32
    %5 = arith.fptosi %4 : f32 to i32
    kernel.yield %5 : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// Without codes, numbers stay to the last bit.
// CHECK-LABEL: @floats
// CHECK:       arith.addf
// CHECK:       arith.mulf
func.func @floats(%q: tensor<4xf32>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %one = arith.constant 1.0 : f32
    %two = arith.constant 2.0 : f32
    %0 = arith.addf %x, %one : f32
    %1 = arith.mulf %0, %two : f32
    kernel.yield %1 : f32
  }
  func.return %y : tensor<4xf32>
}
