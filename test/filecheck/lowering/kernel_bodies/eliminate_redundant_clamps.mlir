// RUN: opt-tool %s --split-input-file --eliminate-redundant-clamps | filecheck %s

// Sums are integers, scale and bias are known: the store clamps to u8 itself, and the value cannot be NaN.
// CHECK-LABEL: @fits
// CHECK:       %0 = arith.sitofp %x : i32 to f32
// CHECK-NEXT:  %1 = math.fma %0, %s, %b : f32
// CHECK-NEXT:  %2 = math.roundeven %1 : f32
// CHECK-NEXT:  %3 = arith.fptosi %2 {kernel.no_overflow} : f32 to i32
// CHECK-NEXT:  kernel.yield %3 : i32
func.func @fits(%q: tensor<4xi32>) -> tensor<4xui8> {
  %scale = nn.constant dense<[0.25, 0.3, -0.001, 0.25]> : tensor<4xf32>
  %bias = nn.constant dense<[1.0, -10.0, 1000.0, 2.0]> : tensor<4xf32>
  %y = kernel.map [4] ins(%q, %scale, %bias : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]
      -> tensor<4xui8> {
  ^bb0(%x: i32, %s: f32, %b: f32):
    %0 = arith.sitofp %x : i32 to f32
    %1 = math.fma %0, %s, %b : f32
    %low = arith.constant 0.0 : f32
    %2 = arith.cmpf ogt, %low, %1 : f32
    %3 = arith.select %2, %low, %1 : f32
    %high = arith.constant 255.0 : f32
    %4 = arith.cmpf ogt, %3, %high : f32
    %5 = arith.select %4, %high, %3 : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.fptosi %6 : f32 to i32
    kernel.yield %7 : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// A limit inside those of the type stays, and what it limits fits.
// CHECK-LABEL: @narrower
// CHECK:       arith.select
// CHECK-NOT:   arith.select
// CHECK:       arith.fptosi {{.*}} {kernel.no_overflow} : f32 to i32
func.func @narrower(%q: tensor<4xi8>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %most = arith.constant 100.0 : f32
    %1 = arith.cmpf ogt, %0, %most : f32
    %2 = arith.select %1, %most, %0 : f32
    %low = arith.constant 0.0 : f32
    %3 = arith.cmpf ogt, %low, %2 : f32
    %4 = arith.select %3, %low, %2 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6 : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// An infinite factor makes NaN of 0, which a clamp turns into a number: both stay.
// CHECK-LABEL: @infinite
// CHECK:       arith.select
// CHECK:       arith.select
// CHECK:       arith.fptosi %{{.*}} : f32 to i32
func.func @infinite(%q: tensor<2xi32>) -> tensor<2xui8> {
  %scale = nn.constant dense<[0.25, 0x7F800000]> : tensor<2xf32>
  %y = kernel.map [2] ins(%q, %scale : tensor<2xi32>, tensor<2xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<2xui8> {
  ^bb0(%x: i32, %s: f32):
    %0 = arith.sitofp %x : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %low = arith.constant 0.0 : f32
    %2 = arith.cmpf ogt, %1, %low : f32
    %3 = arith.select %2, %1, %low : f32
    %high = arith.constant 255.0 : f32
    %4 = arith.cmpf ogt, %3, %high : f32
    %5 = arith.select %4, %high, %3 : f32
    %6 = arith.fptosi %5 : f32 to i32
    kernel.yield %6 : i32
  }
  func.return %y : tensor<2xui8>
}

// -----

// What comes in as a float may be anything, also NaN.
// CHECK-LABEL: @anything
// CHECK:       arith.select
// CHECK:       arith.fptosi %{{[0-9]+}} : f32 to i32
func.func @anything(%q: tensor<4xf32>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: f32):
    %high = arith.constant 255.0 : f32
    %0 = arith.cmpf ogt, %x, %high : f32
    %1 = arith.select %0, %high, %x : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i32
    kernel.yield %3 : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// A scale that brings large sums beyond i32.
// CHECK-LABEL: @too_large
// CHECK:       arith.select
// CHECK:       arith.fptosi %{{[0-9]+}} : f32 to i32
func.func @too_large(%q: tensor<4xi32>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xi32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %scale = arith.constant 2.0 : f32
    %1 = arith.mulf %0, %scale : f32
    %high = arith.constant 255.0 : f32
    %2 = arith.cmpf ogt, %1, %high : f32
    %3 = arith.select %2, %high, %1 : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 : f32 to i32
    kernel.yield %5 : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// The lowest value is just too low: rounding errors might bring others out of i32. What is clamped at 255 is at most 3.
// CHECK-LABEL: func.func @lowest(
// CHECK:       arith.fptosi %r : f32 to i32
func.func @lowest(%q: tensor<4xi8>) -> tensor<4xui8> {
  %k = nn.constant dense<[-1073741824.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %y = kernel.map [4] ins(%q, %k : tensor<4xi8>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32, %c: f32):
    %high = arith.constant 255.0 : f32
    %n = arith.cmpf ogt, %c, %high : f32
    %o = arith.select %n, %high, %c : f32
    %r = math.roundeven %o : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// The highest one is too high.
// CHECK-LABEL: func.func @highest(
// CHECK:       %high = arith.constant 2.550000e+02 : f32
// CHECK:       arith.fptosi %r : f32 to i32
func.func @highest(%q: tensor<4xi8>) -> tensor<4xui8> {
  %k = nn.constant dense<[1073741824.0, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %y = kernel.map [4] ins(%q, %k : tensor<4xi8>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32, %c: f32):
    %high = arith.constant 255.0 : f32
    %n = arith.cmpf ogt, %c, %high : f32
    %o = arith.select %n, %high, %c : f32
    %r = math.roundeven %o : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// A bit less of both fits.
// CHECK-LABEL: func.func @near(
// CHECK-NOT:   arith.select
// CHECK:       arith.fptosi %{{.*}} {kernel.no_overflow} : f32 to i32
func.func @near(%q: tensor<4xi8>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %scale = arith.constant 8388000.0 : f32
    %1 = arith.mulf %0, %scale : f32
    %high = arith.constant 255.0 : f32
    %n = arith.cmpf ogt, %1, %high : f32
    %o = arith.select %n, %high, %1 : f32
    %r = math.roundeven %o : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// What is clamped may be NaN, which the second upper clamp leaves as it is, too.
// CHECK-LABEL: func.func @nan(
// CHECK-COUNT-2: arith.select
// CHECK-NOT:   arith.select
// CHECK:       arith.fptosi %r : f32 to i32
func.func @nan(%q: tensor<4xf32>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: f32):
    %least = arith.constant -300.0 : f32
    %0 = arith.cmpf ogt, %least, %x : f32
    %1 = arith.select %0, %least, %x : f32
    %most = arith.constant 200.0 : f32
    %2 = arith.cmpf ogt, %1, %most : f32
    %3 = arith.select %2, %most, %1 : f32
    %high = arith.constant 255.0 : f32
    %n = arith.cmpf ogt, %3, %high : f32
    %o = arith.select %n, %high, %3 : f32
    %r = math.roundeven %o : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// A constant that is NaN somewhere.
// CHECK-LABEL: func.func @nan_constant(
// CHECK:       arith.fptosi %r : f32 to i32
func.func @nan_constant(%q: tensor<4xi8>) -> tensor<4xui8> {
  %k = nn.constant dense<[1.0, 0x7FC00000, 2.0, 3.0]> : tensor<4xf32>
  %y = kernel.map [4] ins(%q, %k : tensor<4xi8>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32, %c: f32):
    %least = arith.constant -300.0 : f32
    %0 = arith.cmpf ogt, %least, %c : f32
    %1 = arith.select %0, %least, %c : f32
    %most = arith.constant 200.0 : f32
    %2 = arith.cmpf ogt, %1, %most : f32
    %3 = arith.select %2, %most, %1 : f32
    %high = arith.constant 255.0 : f32
    %n = arith.cmpf ogt, %3, %high : f32
    %o = arith.select %n, %high, %3 : f32
    %r = math.roundeven %o : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// Nothing is known of a result of exp.
// CHECK-LABEL: func.func @computed(
// CHECK:       %high = arith.constant 2.550000e+02 : f32
// CHECK:       arith.fptosi %r : f32 to i32
func.func @computed(%q: tensor<4xi8>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %1 = math.exp %0 : f32
    %high = arith.constant 255.0 : f32
    %n = arith.cmpf ogt, %1, %high : f32
    %o = arith.select %n, %high, %1 : f32
    %r = math.roundeven %o : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// Sums are none of the operands.
// CHECK-LABEL: func.func @sums(
// CHECK-NOT:   arith.select
// CHECK:       arith.fptosi %{{.*}} {kernel.no_overflow} : f32 to i32
func.func @sums(%a: tensor<1x3xui8>, %b: tensor<4x3xi8>) -> tensor<1x4xui8> {
  %y = kernel.mat_mul [1, 4] groups 1 a(%a : tensor<1x3xui8>) b(%b : tensor<4x3xi8>) ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xui8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %scale = arith.constant 0.25 : f32
    %1 = arith.mulf %0, %scale : f32
    %high = arith.constant 255.0 : f32
    %n = arith.cmpf ogt, %1, %high : f32
    %o = arith.select %n, %high, %1 : f32
    %r = math.roundeven %o : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<1x4xui8>
}

// -----

// What is stored is not rounded.
// CHECK-LABEL: func.func @not_rounded(
// CHECK:       arith.fptosi %0 : f32 to i32
func.func @not_rounded(%q: tensor<4xi8>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %f = arith.fptosi %0 : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// 64 bits are no code.
// CHECK-LABEL: func.func @wide(
// CHECK:       arith.fptosi %r : f32 to i64
func.func @wide(%q: tensor<4xi8>) -> tensor<4xi64> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi64> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %r = math.roundeven %0 : f32
    %f = arith.fptosi %r : f32 to i64
    kernel.yield %f : i64
  }
  func.return %y : tensor<4xi64>
}

// -----

// A sigmoid is at least 0, so the one clamp goes; its code is at most 200, so the integers go, too.
// CHECK-LABEL: func.func @code(
// CHECK:       %1 = kernel.sigmoid %0 : f32
// CHECK-NEXT:  [[K:%\w+]] = arith.constant 3.000000e+02 : f32
// CHECK-NEXT:  [[M:%\w+]] = arith.mulf %1, [[K]] : f32
// CHECK:       [[MOST:%\w+]] = arith.constant 2.000000e+02 : f32
// CHECK-NEXT:  [[ABOVE:%\w+]] = arith.cmpf ogt, [[M]], [[MOST]] : f32
// CHECK-NEXT:  [[C:%\w+]] = arith.select [[ABOVE]], [[MOST]], [[M]] : f32
// CHECK-NEXT:  [[R:%\w+]] = math.roundeven [[C]] : f32
// CHECK-NOT:   arith.fptosi
// CHECK:       arith.mulf [[R]], [[R]] : f32
// CHECK-NEXT:  kernel.yield
func.func @code(%q: tensor<4xi8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %1 = kernel.sigmoid %0 : f32
    %2 = arith.constant 300.0 : f32
    %3 = arith.mulf %1, %2 : f32
    %low = arith.constant 0.0 : f32
    %n = arith.cmpf ogt, %low, %3 : f32
    %o = arith.select %n, %low, %3 : f32
    %high = arith.constant 200.0 : f32
    %p = arith.cmpf ogt, %o, %high : f32
    %s = arith.select %p, %high, %o : f32
    %r = math.roundeven %s : f32
    %f = arith.fptosi %r : f32 to i32
    %least = arith.constant 0 : i32
    %t = arith.maxsi %f, %least : i32
    %most = arith.constant 200 : i32
    %u = arith.minsi %t, %most : i32
    %v = arith.uitofp %u : i32 to f32
    %w = arith.mulf %v, %v : f32
    kernel.yield %w : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// The hidden state of a recurrent cell is between -1 and 1, so that it needs no clamp.
// CHECK-LABEL: func.func @hidden_state(
// CHECK:       [[H:%\w+]] = arith.mulf %{{.*}} : f32
// CHECK-NEXT:  [[K:%\w+]] = arith.constant 1.270000e+02 : f32
// CHECK-NEXT:  [[M:%\w+]] = arith.mulf [[H]], [[K]] : f32
// CHECK-NOT:   arith.select
// CHECK:       math.roundeven [[M]] : f32
func.func @hidden_state(%o: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xi8> {
  %y = kernel.map [4] ins(%o, %c : tensor<4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: f32, %z: f32):
    %0 = kernel.sigmoid %x : f32
    %1 = math.tanh %z : f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.constant 127.0 : f32
    %4 = arith.mulf %2, %3 : f32
    %low = arith.constant -128.0 : f32
    %n = arith.cmpf ogt, %low, %4 : f32
    %p = arith.select %n, %low, %4 : f32
    %high = arith.constant 127.0 : f32
    %q = arith.cmpf ogt, %p, %high : f32
    %s = arith.select %q, %high, %p : f32
    %r = math.roundeven %s : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xi8>
}

// -----

// With a scale of 130 it does not stay among the codes.
// CHECK-LABEL: func.func @beyond_codes(
// CHECK-COUNT-2: arith.select
func.func @beyond_codes(%o: tensor<4xf32>, %c: tensor<4xf32>) -> tensor<4xi8> {
  %y = kernel.map [4] ins(%o, %c : tensor<4xf32>, tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: f32, %z: f32):
    %0 = kernel.sigmoid %x : f32
    %1 = math.tanh %z : f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.constant 130.0 : f32
    %4 = arith.mulf %2, %3 : f32
    %low = arith.constant -128.0 : f32
    %n = arith.cmpf ogt, %low, %4 : f32
    %p = arith.select %n, %low, %4 : f32
    %high = arith.constant 127.0 : f32
    %q = arith.cmpf ogt, %p, %high : f32
    %s = arith.select %q, %high, %p : f32
    %r = math.roundeven %s : f32
    %f = arith.fptosi %r : f32 to i32
    kernel.yield %f : i32
  }
  func.return %y : tensor<4xi8>
}

// -----

// Some codes are above 199, and unsigned ones are not below 0.
// CHECK-LABEL: func.func @clamped_code(
// CHECK:       arith.minsi
// CHECK:       arith.uitofp
// CHECK:       arith.uitofp
func.func @clamped_code(%q: tensor<4xi8>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %1 = kernel.sigmoid %0 : f32
    %2 = arith.constant 200.0 : f32
    %3 = arith.mulf %1, %2 : f32
    %r = math.roundeven %3 : f32
    %f = arith.fptosi %r : f32 to i32
    %most = arith.constant 199 : i32
    %u = arith.minsi %f, %most : i32
    %v = arith.uitofp %u : i32 to f32
    %s = math.roundeven %0 : f32
    %g = arith.fptosi %s : f32 to i32
    %w = arith.uitofp %g : i32 to f32
    %z = arith.mulf %v, %w : f32
    kernel.yield %z : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// What may be NaN becomes 0, as an integer would.
// CHECK-LABEL: func.func @not_a_number(
// CHECK:       [[R:%\w+]] = math.roundeven %0 : f32
// CHECK-NEXT:  [[IS:%\w+]] = arith.cmpf oeq, [[R]], [[R]] : f32
// CHECK-NEXT:  [[ZERO:%\w+]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:  [[CODE:%\w+]] = arith.select [[IS]], [[R]], [[ZERO]] : f32
// CHECK-NEXT:  kernel.yield [[CODE]] : f32
func.func @not_a_number(%q: tensor<4xf32>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %1 = kernel.sigmoid %x : f32
    %r = math.roundeven %1 : f32
    %f = arith.fptosi %r : f32 to i32
    %v = arith.sitofp %f : i32 to f32
    kernel.yield %v : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// NaN becomes 0 and that 1; infinity saturates; what is not rounded loses its fraction.
// CHECK-LABEL: func.func @no_code(
// CHECK-COUNT-3: arith.sitofp
func.func @no_code(%q: tensor<4xf32>) -> tensor<4xf32> {
  %y = kernel.map [4] ins(%q : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%x: f32):
    %one = arith.constant 1.0 : f32
    %0 = arith.cmpf ogt, %one, %x : f32
    %1 = arith.select %0, %one, %x : f32
    %ten = arith.constant 10.0 : f32
    %2 = arith.cmpf ogt, %1, %ten : f32
    %3 = arith.select %2, %ten, %1 : f32
    %r = math.roundeven %3 : f32
    %f = arith.fptosi %r : f32 to i32
    %least = arith.constant 1 : i32
    %t = arith.maxsi %f, %least : i32
    %v = arith.sitofp %t : i32 to f32
    %s = math.roundeven %x : f32
    %h = arith.fptosi %s : f32 to i32
    %i = arith.sitofp %h : i32 to f32
    %k = arith.constant 2.5 : f32
    %g = arith.fptosi %k : f32 to i32
    %w = arith.sitofp %g : i32 to f32
    %z = math.fma %v, %w, %i : f32
    kernel.yield %z : f32
  }
  func.return %y : tensor<4xf32>
}

// -----

// No sum of codes by these taps is farther from 0 than 255 * 4.5.
// CHECK-LABEL: @sums_of_codes_by_floats
// CHECK:       ^bb0(%sum: f32):
// CHECK-NEXT:    %0 = math.roundeven %sum : f32
// CHECK-NEXT:    %1 = arith.fptosi %0 {kernel.no_overflow} : f32 to i32
// CHECK-NEXT:    kernel.yield %1 : i32
func.func @sums_of_codes_by_floats(%x: tensor<1x4x2xui8>) -> tensor<1x3x2xui8> {
  %w = nn.constant dense<[[[1.5], [-3.0]], [[0.5], [0.25]]]> : tensor<2x2x1xf32>
  %y = kernel.convolution [1, 3, 2] groups 2 taps [2] strides [1] dilations [1] a(%x : tensor<1x4x2xui8>) b(%w : tensor<2x2x1xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x3x2xui8> {
  ^bb0(%sum: f32):
    %low = arith.constant 0.0 : f32
    %is_low = arith.cmpf ogt, %low, %sum : f32
    %above = arith.select %is_low, %low, %sum : f32
    %high = arith.constant 255.0 : f32
    %is_high = arith.cmpf ogt, %above, %high : f32
    %code = arith.select %is_high, %high, %above : f32
    %rounded = math.roundeven %code : f32
    %integer = arith.fptosi %rounded : f32 to i32
    kernel.yield %integer : i32
  }
  func.return %y : tensor<1x3x2xui8>
}

// -----

// A sum may be 2^30 and more.
// CHECK-LABEL: @sums_of_codes_by_large_floats
// CHECK:       arith.select
// CHECK:       arith.fptosi %{{.*}} : f32 to i32
func.func @sums_of_codes_by_large_floats(%x: tensor<1x4x2xui8>) -> tensor<1x3x2xui8> {
  %w = nn.constant dense<[[[1.5], [-3.0]], [[2.5e6], [-2.5e6]]]> : tensor<2x2x1xf32>
  %y = kernel.convolution [1, 3, 2] groups 2 taps [2] strides [1] dilations [1] a(%x : tensor<1x4x2xui8>) b(%w : tensor<2x2x1xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x3x2xui8> {
  ^bb0(%sum: f32):
    %low = arith.constant 0.0 : f32
    %is_low = arith.cmpf ogt, %low, %sum : f32
    %above = arith.select %is_low, %low, %sum : f32
    %high = arith.constant 255.0 : f32
    %is_high = arith.cmpf ogt, %above, %high : f32
    %code = arith.select %is_high, %high, %above : f32
    %rounded = math.roundeven %code : f32
    %integer = arith.fptosi %rounded : f32 to i32
    kernel.yield %integer : i32
  }
  func.return %y : tensor<1x3x2xui8>
}

// -----

// Integers in bounds need no clamp. Then the store clamps the float, too.
// CHECK-LABEL: func.func @integers(
// CHECK-NOT:   arith.select
// CHECK-NOT:   arith.maxsi
// CHECK-NOT:   arith.minsi
// CHECK:       arith.fptosi %{{[0-9]+}} {kernel.no_overflow} : f32 to i32
func.func @integers(%q: tensor<4xi16>) -> tensor<4xui8> {
  %y = kernel.map [4] ins(%q : tensor<4xi16>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xui8> {
  ^bb0(%x: i32):
    %0 = arith.sitofp %x : i32 to f32
    %low = arith.constant 0.0 : f32
    %1 = arith.cmpf ogt, %low, %0 : f32
    %2 = arith.select %1, %low, %0 : f32
    %high = arith.constant 255.0 : f32
    %3 = arith.cmpf ogt, %2, %high : f32
    %4 = arith.select %3, %high, %2 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i32
    %least = arith.constant 0 : i32
    %7 = arith.maxsi %6, %least : i32
    %most = arith.constant 255 : i32
    %8 = arith.minsi %7, %most : i32
    kernel.yield %8 : i32
  }
  func.return %y : tensor<4xui8>
}

// -----

// Each bound is one code too narrow.
// CHECK-LABEL: func.func @narrower_integers(
// CHECK:       arith.maxsi
// CHECK:       arith.minsi
func.func @narrower_integers(%q: tensor<4xi8>) -> tensor<4xi8> {
  %y = kernel.map [4] ins(%q : tensor<4xi8>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%x: i32):
    %least = arith.constant -127 : i32
    %0 = arith.maxsi %x, %least : i32
    %most = arith.constant 126 : i32
    %1 = arith.minsi %0, %most : i32
    kernel.yield %1 : i32
  }
  func.return %y : tensor<4xi8>
}
