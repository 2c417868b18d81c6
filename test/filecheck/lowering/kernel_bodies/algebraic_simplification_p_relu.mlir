// RUN: opt-tool %s --split-input-file --algebraic-simplification | filecheck %s

// multiply_before_p_relu, p_relu_as_maximum: scales meet, and a slope in (0, 1] is a maximum.
// CHECK-LABEL: func.func @p_relu(
// CHECK:       %c = arith.sitofp
// CHECK-NEXT:    %1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %2 = arith.mulf %c, %1 : f32
// CHECK-NEXT:    %3 = arith.constant 2.500000e-01 : f32
// CHECK-NEXT:    %4 = arith.mulf %2, %3 : f32
// CHECK-NEXT:    %5 = arith.cmpf ogt, %2, %4 : f32
// CHECK-NEXT:    %r = arith.select %5, %2, %4 : f32
// CHECK-NEXT:    kernel.yield %r : f32
func.func @p_relu(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %c = arith.sitofp %i : i32 to f32
    %scale = arith.constant 0.5 : f32
    %x = arith.mulf %c, %scale : f32
    %zero = arith.constant 0.0 : f32
    %slope = arith.constant 0.25 : f32
    %positive = arith.cmpf ogt, %x, %zero : f32
    %below = arith.mulf %x, %slope : f32
    %a = arith.select %positive, %x, %below : f32
    %steps = arith.constant 4.0 : f32
    %r = arith.mulf %a, %steps : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// The scale still moves before a slope above 1, but that is no maximum.
// CHECK-LABEL: func.func @steep(
// CHECK:       %c = arith.sitofp
// CHECK-NEXT:    %1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %2 = arith.mulf %c, %1 : f32
// CHECK-NEXT:    %3 = arith.constant 1.500000e+00 : f32
// CHECK-NEXT:    %4 = arith.mulf %2, %3 : f32
// CHECK-NEXT:    %5 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %6 = arith.cmpf ogt, %2, %5 : f32
// CHECK-NEXT:    %r = arith.select %6, %2, %4 : f32
// CHECK-NEXT:    kernel.yield %r : f32
func.func @steep(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %c = arith.sitofp %i : i32 to f32
    %scale = arith.constant 0.5 : f32
    %x = arith.mulf %c, %scale : f32
    %zero = arith.constant 0.0 : f32
    %slope = arith.constant 1.5 : f32
    %positive = arith.cmpf ogt, %x, %zero : f32
    %below = arith.mulf %x, %slope : f32
    %a = arith.select %positive, %x, %below : f32
    %steps = arith.constant 4.0 : f32
    %r = arith.mulf %a, %steps : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// A slope of 0 is no maximum, since `0 * inf` is NaN; nor does a scale move before an x that is read elsewhere.
// CHECK-LABEL: func.func @flat(
// CHECK:       %x = math.exp %c : f32
// CHECK-NEXT:    %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %positive = arith.cmpf ogt, %x, %zero : f32
// CHECK-NEXT:    %below = arith.mulf %x, %slope : f32
// CHECK-NEXT:    %a = arith.select %positive, %x, %below : f32
// CHECK-NEXT:    %steps = arith.constant 4.000000e+00 : f32
// CHECK-NEXT:    %s = arith.mulf %a, %steps : f32
// CHECK-NEXT:    %r = arith.mulf %s, %x : f32
func.func @flat(%q: tensor<4xui8>) -> tensor<4xf32> {
  %slopes = nn.constant dense<[0.5, 0.0, 0.5, 1.0]> : tensor<4xf32>
  %y = kernel.map [4] ins(%q, %slopes : tensor<4xui8>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32, %slope: f32):
    %c = arith.sitofp %i : i32 to f32
    %x = math.exp %c : f32
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %x, %zero : f32
    %below = arith.mulf %x, %slope : f32
    %a = arith.select %positive, %x, %below : f32
    %steps = arith.constant 4.0 : f32
    %s = arith.mulf %a, %steps : f32
    %r = arith.mulf %s, %x : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// A slope for each channel.
// CHECK-LABEL: func.func @channels(
// CHECK:       %x = arith.sitofp
// CHECK-NEXT:    %below = arith.mulf %x, %1 : f32
// CHECK-NEXT:    %2 = arith.cmpf ogt, %x, %below : f32
// CHECK-NEXT:    %a = arith.select %2, %x, %below : f32
// CHECK-NEXT:    kernel.yield %a : f32
func.func @channels(%q: tensor<4xui8>) -> tensor<4xf32> {
  %slopes = nn.constant dense<[0.5, 0.25, 0.5, 1.0]> : tensor<4xf32>
  %y = kernel.map [4] ins(%q, %slopes : tensor<4xui8>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32, %slope: f32):
    %x = arith.sitofp %i : i32 to f32
    %zero = arith.constant 0.0 : f32
    %positive = arith.cmpf ogt, %x, %zero : f32
    %below = arith.mulf %x, %slope : f32
    %a = arith.select %positive, %x, %below : f32
    kernel.yield %a : f32
  }
  func.return %y : tensor<4xf32>
}
