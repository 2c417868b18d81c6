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

// -----

// Each law by itself, and its nearest miss.

// add_negative: `x - c = x + -c`.
// CHECK-LABEL: func.func @add_negative(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant -2.000000e+00 : f32
// CHECK-NEXT:      %r = arith.addf %x, %1 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @add_negative(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %r = arith.subf %x, %two : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// A constant less x is no sum with a constant.
// CHECK-LABEL: func.func @add_negative_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %r = arith.subf %two, %x : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @add_negative_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %r = arith.subf %two, %x : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// add_before_clamp: `max(x, c) + d = max(x + d, c + d)`.
// CHECK-LABEL: func.func @add_before_clamp(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %2 = arith.addf %x, %1 : f32
// CHECK-NEXT:      %3 = arith.constant 5.000000e+00 : f32
// CHECK-NEXT:      %4 = arith.cmpf ogt, %3, %2 : f32
// CHECK-NEXT:      %r = arith.select %4, %3, %2 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @add_before_clamp(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m_c = arith.cmpf ogt, %two, %x : f32
    %m = arith.select %m_c, %two, %x : f32
    %r = arith.addf %m, %three : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// The clamp has another reader.
// CHECK-LABEL: func.func @add_before_clamp_miss(
// CHECK-NEXT:    %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %m_c = arith.cmpf ogt, %two, %x : f32
// CHECK-NEXT:      %m = arith.select %m_c, %two, %x : f32
// CHECK-NEXT:      %r = arith.addf %m, %three : f32
// CHECK-NEXT:      %e = math.exp %m : f32
// CHECK-NEXT:      kernel.yield %e, %r : f32, f32
// CHECK:         func.return %y, %z : tensor<4xf32>, tensor<4xf32>
func.func @add_before_clamp_miss(%q: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m_c = arith.cmpf ogt, %two, %x : f32
    %m = arith.select %m_c, %two, %x : f32
    %r = arith.addf %m, %three : f32
    %e = math.exp %m : f32
    kernel.yield %e, %r : f32, f32
  }
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// add_before_rounding: `round(x) + d = round(x + d)` where d is even.
// CHECK-LABEL: func.func @add_before_rounding(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %2 = math.fma %x, %three, %1 : f32
// CHECK-NEXT:      %r = math.roundeven %2 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @add_before_rounding(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %h = arith.mulf %x, %three : f32
    %m = math.roundeven %h : f32
    %r = arith.addf %m, %two : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// An odd d would turn halves the other way.
// CHECK-LABEL: func.func @add_before_rounding_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %h = arith.mulf %x, %three : f32
// CHECK-NEXT:      %m = math.roundeven %h : f32
// CHECK-NEXT:      %r = arith.addf %m, %three : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @add_before_rounding_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %three = arith.constant 3.0 : f32
    %h = arith.mulf %x, %three : f32
    %m = math.roundeven %h : f32
    %r = arith.addf %m, %three : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// merge_terms: `(x + c) + d = x + (c + d)`.
// CHECK-LABEL: func.func @merge_terms(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant 5.000000e+00 : f32
// CHECK-NEXT:      %r = arith.addf %x, %1 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @merge_terms(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.addf %x, %two : f32
    %r = arith.addf %m, %three : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// The first sum has another reader.
// CHECK-LABEL: func.func @merge_terms_miss(
// CHECK-NEXT:    %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %m = arith.addf %x, %two : f32
// CHECK-NEXT:      %r = arith.addf %m, %three : f32
// CHECK-NEXT:      %e = math.exp %m : f32
// CHECK-NEXT:      kernel.yield %e, %r : f32, f32
// CHECK:         func.return %y, %z : tensor<4xf32>, tensor<4xf32>
func.func @merge_terms_miss(%q: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.addf %x, %two : f32
    %r = arith.addf %m, %three : f32
    %e = math.exp %m : f32
    kernel.yield %e, %r : f32, f32
  }
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// multiply_before_clamp: `max(x, c) * d = max(x * d, c * d)` where d > 0.
// CHECK-LABEL: func.func @multiply_before_clamp(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:      %2 = arith.mulf %x, %1 : f32
// CHECK-NEXT:      %3 = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:      %4 = arith.cmpf ogt, %3, %2 : f32
// CHECK-NEXT:      %r = arith.select %4, %3, %2 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @multiply_before_clamp(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %half = arith.constant 0.5 : f32
    %m_c = arith.cmpf ogt, %two, %x : f32
    %m = arith.select %m_c, %two, %x : f32
    %r = arith.mulf %m, %half : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// A negative d would make a minimum of the maximum.
// CHECK-LABEL: func.func @multiply_before_clamp_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %d = arith.constant -3.000000e+00 : f32
// CHECK-NEXT:      %m_c = arith.cmpf ogt, %two, %x : f32
// CHECK-NEXT:      %m = arith.select %m_c, %two, %x : f32
// CHECK-NEXT:      %r = arith.mulf %m, %d : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @multiply_before_clamp_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %d = arith.constant -3.0 : f32
    %m_c = arith.cmpf ogt, %two, %x : f32
    %m = arith.select %m_c, %two, %x : f32
    %r = arith.mulf %m, %d : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// merge_factors: `(x * c) * d = x * (c * d)`.
// CHECK-LABEL: func.func @merge_factors(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:      %r = arith.mulf %x, %1 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @merge_factors(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.mulf %x, %two : f32
    %r = arith.mulf %m, %three : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// The first product has another reader.
// CHECK-LABEL: func.func @merge_factors_miss(
// CHECK-NEXT:    %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %m = arith.mulf %x, %two : f32
// CHECK-NEXT:      %r = arith.mulf %m, %three : f32
// CHECK-NEXT:      %e = math.exp %m : f32
// CHECK-NEXT:      kernel.yield %e, %r : f32, f32
// CHECK:         func.return %y, %z : tensor<4xf32>, tensor<4xf32>
func.func @merge_factors_miss(%q: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.mulf %x, %two : f32
    %r = arith.mulf %m, %three : f32
    %e = math.exp %m : f32
    kernel.yield %e, %r : f32, f32
  }
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// distribute_factor: `(x + c) * d = x * d + c * d`, here as one multiply-add.
// CHECK-LABEL: func.func @distribute_factor(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %2 = arith.constant 6.000000e+00 : f32
// CHECK-NEXT:      %r = math.fma %x, %1, %2 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @distribute_factor(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.addf %x, %two : f32
    %r = arith.mulf %m, %three : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// The sum has another reader.
// CHECK-LABEL: func.func @distribute_factor_miss(
// CHECK-NEXT:    %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %m = arith.addf %x, %two : f32
// CHECK-NEXT:      %r = arith.mulf %m, %three : f32
// CHECK-NEXT:      %e = math.exp %m : f32
// CHECK-NEXT:      kernel.yield %e, %r : f32, f32
// CHECK:         func.return %y, %z : tensor<4xf32>, tensor<4xf32>
func.func @distribute_factor_miss(%q: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %y, %z = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.addf %x, %two : f32
    %r = arith.mulf %m, %three : f32
    %e = math.exp %m : f32
    kernel.yield %e, %r : f32, f32
  }
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// multiply_factor: `((x + c) * y) * d = (x * d + c * d) * y`; a constant term makes a multiply-add of the product.
// CHECK-LABEL: func.func @multiply_factor(
// CHECK:           %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %y0 = arith.sitofp %1 : i32 to f32
// CHECK-NOT:       arith.mulf
// CHECK:           [[F:%\w+]] = math.fma %x, {{%\w+}}, {{%\w+}} : f32
// CHECK-NOT:       arith.mulf
// CHECK:           %r = math.fma [[F]], %y0, {{%\w+}} : f32
// CHECK-NEXT:      kernel.yield %r : f32
func.func @multiply_factor(%q: tensor<4xui8>, %p: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q, %p : tensor<4xui8>, tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32, %j: i32):
    %x = arith.sitofp %i : i32 to f32
    %y0 = arith.sitofp %j : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.addf %x, %two : f32
    %n = arith.mulf %m, %y0 : f32
    %o = arith.mulf %n, %three : f32
    %r = arith.addf %o, %two : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// The product has another reader.
// CHECK-LABEL: func.func @multiply_factor_miss(
// CHECK:           [[N:%n]] = arith.mulf %m, %y0 : f32
// CHECK-NEXT:      [[O:%o]] = arith.mulf %n, %three : f32
// CHECK-NEXT:      arith.subf %n, %o : f32
func.func @multiply_factor_miss(%q: tensor<4xui8>, %p: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q, %p : tensor<4xui8>, tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32, %j: i32):
    %x = arith.sitofp %i : i32 to f32
    %y0 = arith.sitofp %j : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m = arith.addf %x, %two : f32
    %n = arith.mulf %m, %y0 : f32
    %o = arith.mulf %n, %three : f32
    %r = arith.subf %n, %o : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// clamp_before_rounding: `max(round(x), d) = round(max(x, d))` where d is whole.
// CHECK-LABEL: func.func @clamp_before_rounding(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %h = arith.mulf %x, %three : f32
// CHECK-NEXT:      %1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %2 = arith.cmpf ogt, %1, %h : f32
// CHECK-NEXT:      %3 = arith.select %2, %1, %h : f32
// CHECK-NEXT:      %r = math.roundeven %3 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @clamp_before_rounding(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %h = arith.mulf %x, %three : f32
    %m = math.roundeven %h : f32
    %r_c = arith.cmpf ogt, %two, %m : f32
    %r = arith.select %r_c, %two, %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// 2.5 is not whole: rounding after the clamp would give 2.
// CHECK-LABEL: func.func @clamp_before_rounding_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %d = arith.constant 2.500000e+00 : f32
// CHECK-NEXT:      %h = arith.mulf %x, %three : f32
// CHECK-NEXT:      %m = math.roundeven %h : f32
// CHECK-NEXT:      %r_c = arith.cmpf ogt, %d, %m : f32
// CHECK-NEXT:      %r = arith.select %r_c, %d, %m : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @clamp_before_rounding_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %three = arith.constant 3.0 : f32
    %d = arith.constant 2.5 : f32
    %h = arith.mulf %x, %three : f32
    %m = math.roundeven %h : f32
    %r_c = arith.cmpf ogt, %d, %m : f32
    %r = arith.select %r_c, %d, %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// merge_clamps: `max(max(x, c), d) = max(x, max(c, d))`.
// CHECK-LABEL: func.func @merge_clamps(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %2 = arith.cmpf ogt, %1, %x : f32
// CHECK-NEXT:      %r = arith.select %2, %1, %x : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @merge_clamps(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m_c = arith.cmpf ogt, %two, %x : f32
    %m = arith.select %m_c, %two, %x : f32
    %r_c = arith.cmpf ogt, %three, %m : f32
    %r = arith.select %r_c, %three, %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// A maximum and a minimum both stay.
// CHECK-LABEL: func.func @merge_clamps_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %m_c = arith.cmpf ogt, %two, %x : f32
// CHECK-NEXT:      %m = arith.select %m_c, %two, %x : f32
// CHECK-NEXT:      %r_c = arith.cmpf ogt, %m, %three : f32
// CHECK-NEXT:      %r = arith.select %r_c, %three, %m : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @merge_clamps_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %m_c = arith.cmpf ogt, %two, %x : f32
    %m = arith.select %m_c, %two, %x : f32
    %r_c = arith.cmpf ogt, %m, %three : f32
    %r = arith.select %r_c, %three, %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// exchange_clamps: `min(max(min(x, a), c), d) = max(min(min(x, a), d), c)` where c <= d.
// CHECK-LABEL: func.func @exchange_clamps(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %1 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %2 = arith.cmpf ogt, %x, %1 : f32
// CHECK-NEXT:      %3 = arith.select %2, %1, %x : f32
// CHECK-NEXT:      %4 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %5 = arith.cmpf ogt, %4, %3 : f32
// CHECK-NEXT:      %r = arith.select %5, %4, %3 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @exchange_clamps(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %a = arith.constant 9.0 : f32
    %l_c = arith.cmpf ogt, %x, %a : f32
    %l = arith.select %l_c, %a, %x : f32
    %m_c = arith.cmpf ogt, %two, %l : f32
    %m = arith.select %m_c, %two, %l : f32
    %r_c = arith.cmpf ogt, %m, %three : f32
    %r = arith.select %r_c, %three, %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// c > d: all results are d, not c.
// CHECK-LABEL: func.func @exchange_clamps_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %a = arith.constant 9.000000e+00 : f32
// CHECK-NEXT:      %l_c = arith.cmpf ogt, %x, %a : f32
// CHECK-NEXT:      %l = arith.select %l_c, %a, %x : f32
// CHECK-NEXT:      %m_c = arith.cmpf ogt, %three, %l : f32
// CHECK-NEXT:      %m = arith.select %m_c, %three, %l : f32
// CHECK-NEXT:      %r_c = arith.cmpf ogt, %m, %two : f32
// CHECK-NEXT:      %r = arith.select %r_c, %two, %m : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @exchange_clamps_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %a = arith.constant 9.0 : f32
    %l_c = arith.cmpf ogt, %x, %a : f32
    %l = arith.select %l_c, %a, %x : f32
    %m_c = arith.cmpf ogt, %three, %l : f32
    %m = arith.select %m_c, %three, %l : f32
    %r_c = arith.cmpf ogt, %m, %two : f32
    %r = arith.select %r_c, %two, %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// round_once: `round(max(round(x), c)) = max(round(x), c)` where c is whole.
// CHECK-LABEL: func.func @round_once(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %h = arith.mulf %x, %three : f32
// CHECK-NEXT:      %1 = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %2 = arith.cmpf ogt, %1, %h : f32
// CHECK-NEXT:      %3 = arith.select %2, %1, %h : f32
// CHECK-NEXT:      %m = math.roundeven %3 : f32
// CHECK-NEXT:      kernel.yield %m : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @round_once(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %three = arith.constant 3.0 : f32
    %h = arith.mulf %x, %three : f32
    %l = math.roundeven %h : f32
    %m_c = arith.cmpf ogt, %two, %l : f32
    %m = arith.select %m_c, %two, %l : f32
    %r = math.roundeven %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// A sum with a fraction is rounded again.
// CHECK-LABEL: func.func @round_once_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %three = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:      %f = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:      %h = arith.mulf %x, %three : f32
// CHECK-NEXT:      %l = math.roundeven %h : f32
// CHECK-NEXT:      %m = arith.addf %l, %f : f32
// CHECK-NEXT:      %r = math.roundeven %m : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @round_once_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %three = arith.constant 3.0 : f32
    %f = arith.constant 0.5 : f32
    %h = arith.mulf %x, %three : f32
    %l = math.roundeven %h : f32
    %m = arith.addf %l, %f : f32
    %r = math.roundeven %m : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// fuse_multiply_add: `x * c + y = fma(x, c, y)`.
// CHECK-LABEL: func.func @fuse_multiply_add(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%0: i32):
// CHECK-NEXT:      %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:      %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:      %y2 = math.exp %x : f32
// CHECK-NEXT:      %r = math.fma %x, %two, %y2 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @fuse_multiply_add(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %y2 = math.exp %x : f32
    %m = arith.mulf %x, %two : f32
    %r = arith.addf %m, %y2 : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// Without a constant, a product keeps its own rounding.
// CHECK-LABEL: func.func @fuse_multiply_add_miss(
// CHECK-NEXT:    %y = kernel.map [4] ins(%q : tensor<4xui8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%i: i32):
// CHECK-NEXT:      %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:      %y2 = math.exp %x : f32
// CHECK-NEXT:      %m = arith.mulf %x, %y2 : f32
// CHECK-NEXT:      %r = arith.addf %m, %y2 : f32
// CHECK-NEXT:      kernel.yield %r : f32
// CHECK:         func.return %y : tensor<4xf32>
func.func @fuse_multiply_add_miss(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xui8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %y2 = math.exp %x : f32
    %m = arith.mulf %x, %y2 : f32
    %r = arith.addf %m, %y2 : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4xf32>
}
