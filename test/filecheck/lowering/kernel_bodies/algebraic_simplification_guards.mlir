// RUN: opt-tool %s --split-input-file --algebraic-simplification | filecheck %s

// The guards of laws: each function is the nearest miss of one.

// merge_terms: a hit, for terms along one dimension and one for all: `x + a + d + 2`.
// CHECK-LABEL: func.func @terms_along_one(
// CHECK:       %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
// CHECK:       %others = nn.constant dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
// CHECK:       %0 = nn.constant dense<[6.0, 8.0, 10.0, 12.0]> : tensor<4xf32>
// CHECK:       %1 = nn.constant dense<[8.0, 10.0, 12.0, 14.0]> : tensor<4xf32>
// CHECK:       ^bb0(%2: i32, %3: f32):
// CHECK-NEXT:    %x = arith.sitofp %2 : i32 to f32
// CHECK-NEXT:    %o = arith.addf %x, %3 : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @terms_along_one(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %others = nn.constant dense<[5.0, 6.0, 7.0, 8.0]> : tensor<4xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %others : tensor<2x4xui8>, tensor<4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %d: f32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %m = arith.addf %x, %a : f32
    %n = arith.addf %m, %d : f32
    %o = arith.addf %n, %two : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// add_before_rounding: the rounding has another reader.
// CHECK-LABEL: func.func @rounding_is_read(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %h = arith.mulf %x, %half : f32
// CHECK-NEXT:    %m = math.roundeven %h : f32
// CHECK-NEXT:    %o = arith.addf %m, %two : f32
// CHECK-NEXT:    %e = math.exp %m : f32
// CHECK-NEXT:    kernel.yield %o, %e : f32, f32
func.func @rounding_is_read(%q: tensor<2x4xui8>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r, %s = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %half = arith.constant 0.5 : f32
    %h = arith.mulf %x, %half : f32
    %m = math.roundeven %h : f32
    %o = arith.addf %m, %two : f32
    %e = math.exp %m : f32
    kernel.yield %o, %e : f32, f32
  }
  func.return %r, %s : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// clamp_before_rounding: the rounding has another reader.
// CHECK-LABEL: func.func @clamped_rounding_is_read(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %h = arith.mulf %x, %half : f32
// CHECK-NEXT:    %m = math.roundeven %h : f32
// CHECK-NEXT:    %o_c = arith.cmpf ogt, %two, %m : f32
// CHECK-NEXT:    %o = arith.select %o_c, %two, %m : f32
// CHECK-NEXT:    %e = math.exp %m : f32
// CHECK-NEXT:    kernel.yield %o, %e : f32, f32
func.func @clamped_rounding_is_read(%q: tensor<2x4xui8>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r, %s = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %half = arith.constant 0.5 : f32
    %h = arith.mulf %x, %half : f32
    %m = math.roundeven %h : f32
    %o_c = arith.cmpf ogt, %two, %m : f32
    %o = arith.select %o_c, %two, %m : f32
    %e = math.exp %m : f32
    kernel.yield %o, %e : f32, f32
  }
  func.return %r, %s : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// merge_terms: the terms are along different dimensions; no constant holds their sum.
// CHECK-LABEL: func.func @terms_along_others(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m = arith.addf %x, %a : f32
// CHECK-NEXT:    %o = arith.addf %m, %b : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @terms_along_others(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = nn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %rows : tensor<2x4xui8>, tensor<4xf32>, tensor<2xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %m = arith.addf %x, %a : f32
    %o = arith.addf %m, %b : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// merge_factors: and no constant their product.
// CHECK-LABEL: func.func @factors_along_others(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m = arith.mulf %x, %a : f32
// CHECK-NEXT:    %o = arith.mulf %m, %b : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @factors_along_others(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = nn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %rows : tensor<2x4xui8>, tensor<4xf32>, tensor<2xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %m = arith.mulf %x, %a : f32
    %o = arith.mulf %m, %b : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// distribute_factor: nor that of a term and a factor.
// CHECK-LABEL: func.func @factor_of_terms_along_others(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m = arith.addf %x, %a : f32
// CHECK-NEXT:    %o = arith.mulf %m, %b : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @factor_of_terms_along_others(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = nn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %rows : tensor<2x4xui8>, tensor<4xf32>, tensor<2xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %m = arith.addf %x, %a : f32
    %o = arith.mulf %m, %b : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// add_before_clamp, multiply_before_clamp: the bound is along another dimension than what is added.
// CHECK-LABEL: func.func @clamp_along_others(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m_c = arith.cmpf ogt, %a, %x : f32
// CHECK-NEXT:    %m = arith.select %m_c, %a, %x : f32
// CHECK-NEXT:    %o = arith.addf %m, %b : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @clamp_along_others(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = nn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %rows : tensor<2x4xui8>, tensor<4xf32>, tensor<2xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %m_c = arith.cmpf ogt, %a, %x : f32
    %m = arith.select %m_c, %a, %x : f32
    %o = arith.addf %m, %b : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// merge_clamps: the bounds are along different dimensions.
// CHECK-LABEL: func.func @clamps_along_others(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m_c = arith.cmpf ogt, %a, %x : f32
// CHECK-NEXT:    %m = arith.select %m_c, %a, %x : f32
// CHECK-NEXT:    %o_c = arith.cmpf ogt, %b, %m : f32
// CHECK-NEXT:    %o = arith.select %o_c, %b, %m : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @clamps_along_others(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = nn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %rows : tensor<2x4xui8>, tensor<4xf32>, tensor<2xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %m_c = arith.cmpf ogt, %a, %x : f32
    %m = arith.select %m_c, %a, %x : f32
    %o_c = arith.cmpf ogt, %b, %m : f32
    %o = arith.select %o_c, %b, %m : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// exchange_clamps: nothing says which bound is greater.
// CHECK-LABEL: func.func @exchanged_along_others(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %most = arith.constant 9.000000e+00 : f32
// CHECK-NEXT:    %m_c = arith.cmpf ogt, %x, %most : f32
// CHECK-NEXT:    %m = arith.select %m_c, %most, %x : f32
// CHECK-NEXT:    %n_c = arith.cmpf ogt, %a, %m : f32
// CHECK-NEXT:    %n = arith.select %n_c, %a, %m : f32
// CHECK-NEXT:    %o_c = arith.cmpf ogt, %n, %b : f32
// CHECK-NEXT:    %o = arith.select %o_c, %b, %n : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @exchanged_along_others(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = nn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %rows : tensor<2x4xui8>, tensor<4xf32>, tensor<2xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %most = arith.constant 9.0 : f32
    %m_c = arith.cmpf ogt, %x, %most : f32
    %m = arith.select %m_c, %most, %x : f32
    %n_c = arith.cmpf ogt, %a, %m : f32
    %n = arith.select %n_c, %a, %m : f32
    %o_c = arith.cmpf ogt, %n, %b : f32
    %o = arith.select %o_c, %b, %n : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// exchange_clamps: the first clamp is no minimum, so that the last one could not be merged with it.
// CHECK-LABEL: func.func @exchanged_of_others(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %most = arith.constant 9.000000e+00 : f32
// CHECK-NEXT:    %m_c = arith.cmpf ogt, %a, %x : f32
// CHECK-NEXT:    %m = arith.select %m_c, %a, %x : f32
// CHECK-NEXT:    %n_c = arith.cmpf ogt, %b, %m : f32
// CHECK-NEXT:    %n = arith.select %n_c, %b, %m : f32
// CHECK-NEXT:    %o_c = arith.cmpf ogt, %n, %most : f32
// CHECK-NEXT:    %o = arith.select %o_c, %most, %n : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @exchanged_of_others(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %rows = nn.constant dense<[5.0, 6.0]> : tensor<2xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %rows : tensor<2x4xui8>, tensor<4xf32>, tensor<2xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %most = arith.constant 9.0 : f32
    %m_c = arith.cmpf ogt, %a, %x : f32
    %m = arith.select %m_c, %a, %x : f32
    %n_c = arith.cmpf ogt, %b, %m : f32
    %n = arith.select %n_c, %b, %m : f32
    %o_c = arith.cmpf ogt, %n, %most : f32
    %o = arith.select %o_c, %most, %n : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// round_once: a bound between the roundings is no integer.
// CHECK-LABEL: func.func @round_half(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %m = math.roundeven %x : f32
// CHECK-NEXT:    %n_c = arith.cmpf ogt, %half, %m : f32
// CHECK-NEXT:    %n = arith.select %n_c, %half, %m : f32
// CHECK-NEXT:    %o = math.roundeven %n : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @round_half(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %r = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %half = arith.constant 0.5 : f32
    %m = math.roundeven %x : f32
    %n_c = arith.cmpf ogt, %half, %m : f32
    %n = arith.select %n_c, %half, %m : f32
    %o = math.roundeven %n : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// round_once: or is not known.
// CHECK-LABEL: func.func @round_unknown(
// CHECK:       ^bb0(%i: i32, %y: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m = math.roundeven %x : f32
// CHECK-NEXT:    %n_c = arith.cmpf ogt, %y, %m : f32
// CHECK-NEXT:    %n = arith.select %n_c, %y, %m : f32
// CHECK-NEXT:    %o = math.roundeven %n : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @round_unknown(%q: tensor<2x4xui8>, %given: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = kernel.map [2, 4] ins(%q, %given : tensor<2x4xui8>, tensor<2x4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %y: f32):
    %x = arith.sitofp %i : i32 to f32
    %m = math.roundeven %x : f32
    %n_c = arith.cmpf ogt, %y, %m : f32
    %n = arith.select %n_c, %y, %m : f32
    %o = math.roundeven %n : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// fuse_multiply_add: the product has another reader.
// CHECK-LABEL: func.func @product_is_read(
// CHECK:       ^bb0(%i: i32, %y: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %m = arith.mulf %x, %half : f32
// CHECK-NEXT:    %o = arith.addf %m, %y : f32
// CHECK-NEXT:    %e = math.exp %m : f32
// CHECK-NEXT:    kernel.yield %o, %e : f32, f32
func.func @product_is_read(%q: tensor<2x4xui8>, %given: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r, %s = kernel.map [2, 4] ins(%q, %given : tensor<2x4xui8>, tensor<2x4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32> {
  ^bb0(%i: i32, %y: f32):
    %x = arith.sitofp %i : i32 to f32
    %half = arith.constant 0.5 : f32
    %m = arith.mulf %x, %half : f32
    %o = arith.addf %m, %y : f32
    %e = math.exp %m : f32
    kernel.yield %o, %e : f32, f32
  }
  func.return %r, %s : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// fuse_multiply_add: a hit, with the constant in front.
// CHECK-LABEL: func.func @constant_first(
// CHECK:       ^bb0(%0: i32, %1: f32):
// CHECK-NEXT:    %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %o = math.fma %half, %x, %1 : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @constant_first(%q: tensor<2x4xui8>, %given: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = kernel.map [2, 4] ins(%q, %given : tensor<2x4xui8>, tensor<2x4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %y: f32):
    %x = arith.sitofp %i : i32 to f32
    %half = arith.constant 0.5 : f32
    %m = arith.mulf %half, %x : f32
    %o = arith.addf %m, %y : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// Sums in 32 bits are no codes, nor are booleans: bodies of such kernels stay.
// CHECK-LABEL: func.func @no_codes(
// CHECK:         arith.addf
// CHECK:         arith.addf
// CHECK:         arith.addf
// CHECK:         arith.addf
func.func @no_codes(%q: tensor<4xi32>, %t: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = kernel.map [4] ins(%q : tensor<4xi32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %m = arith.addf %x, %two : f32
    %o = arith.addf %m, %two : f32
    kernel.yield %o : f32
  }
  %s = kernel.map [4] ins(%t : tensor<4xi1>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%i: i1):
    %x = arith.uitofp %i : i1 to f32
    %two = arith.constant 2.0 : f32
    %m = arith.addf %x, %two : f32
    %o = arith.addf %m, %two : f32
    kernel.yield %o : f32
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// -----

// An accumulator is no constant, though a constant operand stands behind it.
// CHECK-LABEL: func.func @accumulator(
// CHECK:       ^bb0([[SUM:%.*]]: i32, [[BIAS:%.*]]: f32):
// CHECK-NEXT:    [[X:%.*]] = arith.sitofp [[SUM]] : i32 to f32
// CHECK-NEXT:    [[Y:%.*]] = arith.subf [[BIAS]], [[X]] : f32
// CHECK-NEXT:    kernel.yield [[Y]] : f32
func.func @accumulator(%a: tensor<1x3xui8>, %w: tensor<4x3xi8>) -> tensor<1x4xf32> {
  %c = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x3xui8>) b(%w : tensor<4x3xi8>) ins(%c : tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
  ^bb0(%sum: i32, %bias: f32):
    %x = arith.sitofp %sum : i32 to f32
    %o = arith.subf %bias, %x : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<1x4xf32>
}

// -----

// merge_terms, distribute_factor: what is added before is no constant.
// CHECK-LABEL: func.func @no_constant(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %y = math.exp %x : f32
// CHECK-NEXT:    %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %m = arith.addf %x, %y : f32
// CHECK-NEXT:    %n = arith.addf %m, %two : f32
// CHECK-NEXT:    %s = arith.mulf %x, %y : f32
// CHECK-NEXT:    %t = arith.mulf %s, %two : f32
// CHECK-NEXT:    %u = arith.subf %y, %x : f32
// CHECK-NEXT:    %v = arith.addf %u, %y : f32
// CHECK-NEXT:    %w = arith.mulf %v, %two : f32
// CHECK-NEXT:    kernel.yield %n, %t, %w : f32, f32, f32
func.func @no_constant(%q: tensor<2x4xui8>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %r0, %r1, %r2 = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %y = math.exp %x : f32
    %two = arith.constant 2.0 : f32
    %m = arith.addf %x, %y : f32
    %n = arith.addf %m, %two : f32
    %s = arith.mulf %x, %y : f32
    %t = arith.mulf %s, %two : f32
    %u = arith.subf %y, %x : f32
    %v = arith.addf %u, %y : f32
    %w = arith.mulf %v, %two : f32
    kernel.yield %n, %t, %w : f32, f32, f32
  }
  func.return %r0, %r1, %r2 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// merge_clamps: the first clamp has another reader.
// CHECK-LABEL: func.func @first_clamp_is_read(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %a = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %b = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %m_c = arith.cmpf ogt, %a, %x : f32
// CHECK-NEXT:    %m = arith.select %m_c, %a, %x : f32
// CHECK-NEXT:    %o_c = arith.cmpf ogt, %b, %m : f32
// CHECK-NEXT:    %o = arith.select %o_c, %b, %m : f32
// CHECK-NEXT:    %e = math.exp %m : f32
// CHECK-NEXT:    kernel.yield %o, %e : f32, f32
func.func @first_clamp_is_read(%q: tensor<2x4xui8>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r0, %r1 = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %a = arith.constant 1.0 : f32
    %b = arith.constant 2.0 : f32
    %m_c = arith.cmpf ogt, %a, %x : f32
    %m = arith.select %m_c, %a, %x : f32
    %o_c = arith.cmpf ogt, %b, %m : f32
    %o = arith.select %o_c, %b, %m : f32
    %e = math.exp %m : f32
    kernel.yield %o, %e : f32, f32
  }
  func.return %r0, %r1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// exchange_clamps: a hit where both bounds are equal, so that one is left of three.
// CHECK-LABEL: func.func @clamps_of_equal_bounds(
// CHECK:       ^bb0(%0: i32):
// CHECK-NEXT:    %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:    %1 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:    %2 = arith.cmpf ogt, %x, %1 : f32
// CHECK-NEXT:    %3 = arith.select %2, %1, %x : f32
// CHECK-NEXT:    %4 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:    %5 = arith.cmpf ogt, %4, %3 : f32
// CHECK-NEXT:    %o = arith.select %5, %4, %3 : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @clamps_of_equal_bounds(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %r = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %a = arith.constant 4.0 : f32
    %c = arith.constant 3.0 : f32
    %d = arith.constant 3.0 : f32
    %m_c = arith.cmpf ogt, %x, %a : f32
    %m = arith.select %m_c, %a, %x : f32
    %n_c = arith.cmpf ogt, %c, %m : f32
    %n = arith.select %n_c, %c, %m : f32
    %o_c = arith.cmpf ogt, %n, %d : f32
    %o = arith.select %o_c, %d, %n : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// exchange_clamps: the same of lower clamps.
// CHECK-LABEL: func.func @lower_clamps_of_equal_bounds(
// CHECK:       ^bb0(%0: i32):
// CHECK-NEXT:    %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:    %1 = arith.constant 4.000000e+00 : f32
// CHECK-NEXT:    %2 = arith.cmpf ogt, %1, %x : f32
// CHECK-NEXT:    %3 = arith.select %2, %1, %x : f32
// CHECK-NEXT:    %4 = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:    %5 = arith.cmpf ogt, %3, %4 : f32
// CHECK-NEXT:    %o = arith.select %5, %4, %3 : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @lower_clamps_of_equal_bounds(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %r = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %a = arith.constant 4.0 : f32
    %c = arith.constant 3.0 : f32
    %d = arith.constant 3.0 : f32
    %m_c = arith.cmpf ogt, %a, %x : f32
    %m = arith.select %m_c, %a, %x : f32
    %n_c = arith.cmpf ogt, %m, %c : f32
    %n = arith.select %n_c, %c, %m : f32
    %o_c = arith.cmpf ogt, %d, %n : f32
    %o = arith.select %o_c, %d, %n : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// exchange_clamps: a hit with a bound above the other.
// CHECK-LABEL: func.func @lower_clamps(
// CHECK:       ^bb0(%0: i32):
// CHECK-NEXT:    %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:    %1 = arith.constant 4.000000e+00 : f32
// CHECK-NEXT:    %2 = arith.cmpf ogt, %1, %x : f32
// CHECK-NEXT:    %3 = arith.select %2, %1, %x : f32
// CHECK-NEXT:    %4 = arith.constant 5.000000e+00 : f32
// CHECK-NEXT:    %5 = arith.cmpf ogt, %3, %4 : f32
// CHECK-NEXT:    %o = arith.select %5, %4, %3 : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @lower_clamps(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %r = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %a = arith.constant 4.0 : f32
    %c = arith.constant 5.0 : f32
    %d = arith.constant 3.0 : f32
    %m_c = arith.cmpf ogt, %a, %x : f32
    %m = arith.select %m_c, %a, %x : f32
    %n_c = arith.cmpf ogt, %m, %c : f32
    %n = arith.select %n_c, %c, %m : f32
    %o_c = arith.cmpf ogt, %d, %n : f32
    %o = arith.select %o_c, %d, %n : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// round_once: a hit with a clamp to a whole number between.
// CHECK-LABEL: func.func @rounded_between(
// CHECK:       ^bb0(%0: i32):
// CHECK-NEXT:    %x = arith.sitofp %0 : i32 to f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %h = arith.mulf %x, %half : f32
// CHECK-NEXT:    %m = math.roundeven %h : f32
// CHECK-NEXT:    %n_c = arith.cmpf ogt, %two, %m : f32
// CHECK-NEXT:    %n = arith.select %n_c, %two, %m : f32
// CHECK-NEXT:    %e = math.exp %m : f32
// CHECK-NEXT:    kernel.yield %n, %e : f32, f32
func.func @rounded_between(%q: tensor<2x4xui8>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r0, %r1 = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %half = arith.constant 0.5 : f32
    %two = arith.constant 2.0 : f32
    %h = arith.mulf %x, %half : f32
    %m = math.roundeven %h : f32
    %n_c = arith.cmpf ogt, %two, %m : f32
    %n = arith.select %n_c, %two, %m : f32
    %o = math.roundeven %n : f32
    %e = math.exp %m : f32
    kernel.yield %o, %e : f32, f32
  }
  func.return %r0, %r1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// round_once: the bound is no whole number.
// CHECK-LABEL: func.func @rounded_between_fraction(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %two = arith.constant 2.500000e+00 : f32
// CHECK-NEXT:    %h = arith.mulf %x, %half : f32
// CHECK-NEXT:    %m = math.roundeven %h : f32
// CHECK-NEXT:    %n_c = arith.cmpf ogt, %two, %m : f32
// CHECK-NEXT:    %n = arith.select %n_c, %two, %m : f32
// CHECK-NEXT:    %o = math.roundeven %n : f32
// CHECK-NEXT:    %e = math.exp %m : f32
// CHECK-NEXT:    kernel.yield %o, %e : f32, f32
func.func @rounded_between_fraction(%q: tensor<2x4xui8>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r0, %r1 = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32>, tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %half = arith.constant 0.5 : f32
    %two = arith.constant 2.5 : f32
    %h = arith.mulf %x, %half : f32
    %m = math.roundeven %h : f32
    %n_c = arith.cmpf ogt, %two, %m : f32
    %n = arith.select %n_c, %two, %m : f32
    %o = math.roundeven %n : f32
    %e = math.exp %m : f32
    kernel.yield %o, %e : f32, f32
  }
  func.return %r0, %r1 : tensor<2x4xf32>, tensor<2x4xf32>
}

// -----

// multiply_before_clamp: a factor of 0 would make NaN of infinity.
// CHECK-LABEL: func.func @zero_factor(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %half = arith.constant 5.000000e-01 : f32
// CHECK-NEXT:    %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %n_c = arith.cmpf ogt, %half, %x : f32
// CHECK-NEXT:    %n = arith.select %n_c, %half, %x : f32
// CHECK-NEXT:    %o = arith.mulf %n, %zero : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @zero_factor(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %r = kernel.map [2, 4] ins(%q : tensor<2x4xui8>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %half = arith.constant 0.5 : f32
    %zero = arith.constant 0.0 : f32
    %n_c = arith.cmpf ogt, %half, %x : f32
    %n = arith.select %n_c, %half, %x : f32
    %o = arith.mulf %n, %zero : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// merge_terms: a hit of a number and an array.
// CHECK-LABEL: func.func @number_and_array(
// CHECK:       ^bb0(%1: i32, %2: f32):
// CHECK-NEXT:    %x = arith.sitofp %1 : i32 to f32
// CHECK-NEXT:    %o = arith.addf %x, %2 : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @number_and_array(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = kernel.map [2, 4] ins(%q, %columns : tensor<2x4xui8>, tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %m = arith.addf %x, %two : f32
    %o = arith.addf %m, %a : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// merge_terms: one array has more elements than are read.
// CHECK-LABEL: func.func @longer(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m = arith.addf %x, %a : f32
// CHECK-NEXT:    %o = arith.addf %m, %b : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @longer(%q: tensor<2x4xui8>) -> tensor<2x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %longer = nn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>
  %r = kernel.map [2, 4] ins(%q, %columns, %longer : tensor<2x4xui8>, tensor<4xf32>, tensor<5xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %m = arith.addf %x, %a : f32
    %o = arith.addf %m, %b : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<2x4xf32>
}

// -----

// merge_terms: terms along different dimensions of one size.
// CHECK-LABEL: func.func @along_others_of_equal_size(
// CHECK:       ^bb0(%i: i32, %a: f32, %b: f32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %m = arith.addf %x, %a : f32
// CHECK-NEXT:    %o = arith.addf %m, %b : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @along_others_of_equal_size(%q: tensor<4x4xui8>) -> tensor<4x4xf32> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = kernel.map [4, 4] ins(%q, %columns, %columns : tensor<4x4xui8>, tensor<4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x4xf32> {
  ^bb0(%i: i32, %a: f32, %b: f32):
    %x = arith.sitofp %i : i32 to f32
    %m = arith.addf %x, %a : f32
    %o = arith.addf %m, %b : f32
    kernel.yield %o : f32
  }
  func.return %r : tensor<4x4xf32>
}

// -----

// A sum is no constant, though what follows the sums is one.
// CHECK-LABEL: func.func @sums(
// CHECK:       ^bb0(%s: f32, %a: f32):
// CHECK-NEXT:    %e = math.exp %a : f32
// CHECK-NEXT:    %f = math.tanh %a : f32
// CHECK-NEXT:    %m = arith.addf %f, %e : f32
// CHECK-NEXT:    %o = arith.subf %m, %s : f32
// CHECK-NEXT:    %c = arith.fptosi %o : f32 to i32
// CHECK-NEXT:    kernel.yield %c : i32
func.func @sums(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> tensor<1x4xui8> {
  %columns = nn.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins(%columns : tensor<4xf32>) outs()
      access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xui8> {
  ^bb0(%s: f32, %a: f32):
    %e = math.exp %a : f32
    %f = math.tanh %a : f32
    %m = arith.addf %f, %e : f32
    %o = arith.subf %m, %s : f32
    %c = arith.fptosi %o : f32 to i32
    kernel.yield %c : i32
  }
  func.return %r : tensor<1x4xui8>
}

// -----

// Once memory is planned, bodies stay as they are.
// CHECK-LABEL: func.func @planned(
// CHECK:       ^bb0(%i: i32):
// CHECK-NEXT:    %x = arith.sitofp %i : i32 to f32
// CHECK-NEXT:    %two = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %m = arith.addf %x, %two : f32
// CHECK-NEXT:    %o = arith.addf %m, %two : f32
// CHECK-NEXT:    kernel.yield %o : f32
func.func @planned(%q: memref<4xui8>, %r: memref<4xf32>) {
  kernel.map [4] ins(%q : memref<4xui8>) outs(%r : memref<4xf32>) access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%i: i32):
    %x = arith.sitofp %i : i32 to f32
    %two = arith.constant 2.0 : f32
    %m = arith.addf %x, %two : f32
    %o = arith.addf %m, %two : f32
    kernel.yield %o : f32
  }
  func.return
}
