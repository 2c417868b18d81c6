// RUN: opt-tool %s --create-lookup-tables=isa=avx512_vnni | filecheck %s
// RUN: opt-tool %s --create-lookup-tables=isa=avx2 | filecheck %s --check-prefix=PARTS

// The element that is read is the code; what lies between is gone. The codes from -128 on begin in the middle of the table.
// CHECK-LABEL: @element(
// CHECK:         ^bb0(%a: i32):
// CHECK-NEXT:      [[CODE:%\w+]] = kernel.lookup %a table [0, 1, 1, 2, 3, {{.*}}, -2, -1, -1] : i32
// CHECK-NEXT:      kernel.yield [[CODE]] : i32
func.func @element(%v0: tensor<4xi8>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %g = kernel.sigmoid %d : f32
    %qs = arith.constant 2.550000e+02 : f32
    %q0 = arith.mulf %g, %qs : f32
    %ql = arith.constant -1.280000e+02 : f32
    %q1 = arith.cmpf ogt, %ql, %q0 : f32
    %q2 = arith.select %q1, %ql, %q0 : f32
    %qh = arith.constant 1.270000e+02 : f32
    %q3 = arith.cmpf ogt, %q2, %qh : f32
    %q4 = arith.select %q3, %qh, %q2 : f32
    %c = math.roundeven %q4 : f32
    %e = arith.mulf %c, %d : f32
    %zs = arith.constant 1.000000e-01 : f32
    %z0 = arith.mulf %e, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// A number is rounded to a code in the kernel, and the function is one of that code.
// CHECK-LABEL: @computed(
// CHECK:           [[ROUNDED:%\w+]] = math.roundeven
// CHECK-NEXT:      [[CODE:%\w+]] = arith.fptosi [[ROUNDED]] {kernel.no_overflow} : f32 to i32
// CHECK-NEXT:      [[FOUND:%\w+]] = kernel.lookup [[CODE]] table [0, 6, {{.*}}, -6] : i32
// CHECK-NEXT:      kernel.yield [[FOUND]] : i32
func.func @computed(%v0: tensor<4xi32>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %s = arith.sitofp %a : i32 to f32
    %ps = arith.constant 1.000000e-02 : f32
    %p0 = arith.mulf %s, %ps : f32
    %pl = arith.constant -1.280000e+02 : f32
    %p1 = arith.cmpf ogt, %pl, %p0 : f32
    %p2 = arith.select %p1, %pl, %p0 : f32
    %ph = arith.constant 1.270000e+02 : f32
    %p3 = arith.cmpf ogt, %p2, %ph : f32
    %p4 = arith.select %p3, %ph, %p2 : f32
    %x = math.roundeven %p4 : f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %g = math.tanh %d : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// A code that is read on is a number again.
// CHECK-LABEL: @read_on(
// CHECK:           [[FOUND:%\w+]] = kernel.lookup {{.*}} : i32
// CHECK-NEXT:      [[NUMBER:%\w+]] = arith.sitofp [[FOUND]] : i32 to f32
// CHECK-NEXT:      arith.addf [[NUMBER]], %b : f32
func.func @read_on(%v0: tensor<4xi32>, %v1: tensor<4xf32>) -> tensor<4xf32> {
  %r0 = kernel.map [4] ins(%v0, %v1 : tensor<4xi32>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
  ^bb0(%a: i32, %b: f32):
    %s = arith.sitofp %a : i32 to f32
    %ps = arith.constant 1.000000e-02 : f32
    %p0 = arith.mulf %s, %ps : f32
    %pl = arith.constant -1.280000e+02 : f32
    %p1 = arith.cmpf ogt, %pl, %p0 : f32
    %p2 = arith.select %p1, %pl, %p0 : f32
    %ph = arith.constant 1.270000e+02 : f32
    %p3 = arith.cmpf ogt, %p2, %ph : f32
    %p4 = arith.select %p3, %ph, %p2 : f32
    %x = math.roundeven %p4 : f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %g = math.tanh %d : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %w = arith.addf %y, %b : f32
    kernel.yield %w : f32
  }
  func.return %r0 : tensor<4xf32>
}

// What one result has as an i8 is more to the other one.
// CHECK-LABEL: @two_results(
// CHECK-NOT:     kernel.lookup
func.func @two_results(%v0: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi32>) {
  %r0, %r1 = kernel.map [4] ins(%v0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8>, tensor<4xi32> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %g = math.tanh %x : f32
    %s = arith.constant 1.000000e+03 : f32
    %z = arith.mulf %g, %s : f32
    %y = math.roundeven %z : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i, %i : i32, i32
  }
  func.return %r0, %r1 : tensor<4xi8>, tensor<4xi32>
}

// A number between whole ones is no code.
// CHECK-LABEL: @sum_with_half(
// CHECK-NOT:     kernel.lookup
func.func @sum_with_half(%v0: tensor<4xi32>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %s = arith.sitofp %a : i32 to f32
    %half = arith.constant 5.000000e-01 : f32
    %p0 = arith.addf %s, %half : f32
    %pl = arith.constant -1.000000e+01 : f32
    %p1 = arith.cmpf ogt, %pl, %p0 : f32
    %p2 = arith.select %p1, %pl, %p0 : f32
    %ph = arith.constant 1.000000e+01 : f32
    %p3 = arith.cmpf ogt, %p2, %ph : f32
    %p4 = arith.select %p3, %ph, %p2 : f32
    %g = math.tanh %p4 : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z = arith.mulf %g, %zs : f32
    %y = math.roundeven %z : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// Nor are bounds that are none.
// CHECK-LABEL: @bounds(
// CHECK-NOT:     kernel.lookup
func.func @bounds(%v0: tensor<4xi32>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %s = arith.sitofp %a : i32 to f32
    %one = arith.constant 1.000000e+00 : f32
    %p0 = arith.addf %s, %one : f32
    %pl = arith.constant -1.050000e+01 : f32
    %p1 = arith.cmpf ogt, %pl, %p0 : f32
    %p2 = arith.select %p1, %pl, %p0 : f32
    %ph = arith.constant 1.050000e+01 : f32
    %p3 = arith.cmpf ogt, %p2, %ph : f32
    %p4 = arith.select %p3, %ph, %p2 : f32
    %g = math.tanh %p4 : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z = arith.mulf %g, %zs : f32
    %y = math.roundeven %z : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// Two codes vary.
// CHECK-LABEL: @two_codes(
// CHECK-NOT:     kernel.lookup
func.func @two_codes(%v0: tensor<4xi8>, %v1: tensor<4xi8>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0, %v1 : tensor<4xi8>, tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32, %b: i32):
    %s0 = arith.sitofp %a : i32 to f32
    %s1 = arith.sitofp %b : i32 to f32
    %s = arith.addf %s0, %s1 : f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %s, %ds : f32
    %g = math.tanh %d : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// Each point has a scale of its own.
// CHECK-LABEL: @scales(
// CHECK-NOT:     kernel.lookup
func.func @scales(%v0: tensor<4xi8>, %v1: tensor<4xf32>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0, %v1 : tensor<4xi8>, tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32, %b: f32):
    %s = arith.sitofp %a : i32 to f32
    %d = arith.mulf %s, %b : f32
    %g = math.tanh %d : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// There are more codes than a table has.
// CHECK-LABEL: @wide(
// CHECK-NOT:     kernel.lookup
func.func @wide(%v0: tensor<4xi16>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi16>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %g = math.tanh %d : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// The results do not fit 8 bits.
// CHECK-LABEL: @wide_result(
// CHECK-NOT:     kernel.lookup
func.func @wide_result(%v0: tensor<4xi8>) -> tensor<4xi16> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi16> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %g = math.tanh %d : f32
    %zs = arith.constant 1.000000e+03 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -3.276800e+04 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 3.276700e+04 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi16>
}

// NaN is no code: it is stored as 0, not as the cosine of 0.
// CHECK-LABEL: @may_be_nan(
// CHECK-NOT:     kernel.lookup
func.func @may_be_nan(%v0: tensor<4xf32>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: f32):
    %ps = arith.constant 1.000000e-02 : f32
    %p0 = arith.mulf %a, %ps : f32
    %pl = arith.constant -1.280000e+02 : f32
    %p1 = arith.cmpf ogt, %pl, %p0 : f32
    %p2 = arith.select %p1, %pl, %p0 : f32
    %ph = arith.constant 1.270000e+02 : f32
    %p3 = arith.cmpf ogt, %p2, %ph : f32
    %p4 = arith.select %p3, %ph, %p2 : f32
    %x = math.roundeven %p4 : f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %g = math.cos %d : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// A scale costs less than a lookup.
// CHECK-LABEL: @cheap(
// CHECK-NOT:     kernel.lookup
func.func @cheap(%v0: tensor<4xi8>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %zs = arith.constant 1.000000e-01 : f32
    %z0 = arith.mulf %d, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}

// Somebody else reads what costs most.
// CHECK-LABEL: @needed_anyway(
// CHECK-NOT:     kernel.lookup
func.func @needed_anyway(%v0: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xf32>) {
  %r0, %r1 = kernel.map [4] ins(%v0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8>, tensor<4xf32> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %ds = arith.constant 5.000000e-02 : f32
    %d = arith.mulf %x, %ds : f32
    %g = math.tanh %d : f32
    %zs = arith.constant 1.270000e+02 : f32
    %z0 = arith.mulf %g, %zs : f32
    %zl = arith.constant -1.280000e+02 : f32
    %z1 = arith.cmpf ogt, %zl, %z0 : f32
    %z2 = arith.select %z1, %zl, %z0 : f32
    %zh = arith.constant 1.270000e+02 : f32
    %z3 = arith.cmpf ogt, %z2, %zh : f32
    %z4 = arith.select %z3, %zh, %z2 : f32
    %y = math.roundeven %z4 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i, %g : i32, f32
  }
  func.return %r0, %r1 : tensor<4xi8>, tensor<4xf32>
}

// Where a lookup takes eight permutations and blends, two divisions cost less.
// PARTS-LABEL: @two_divisions(
// PARTS-NOT:     kernel.lookup
// CHECK-LABEL: @two_divisions(
// CHECK:         kernel.lookup
func.func @two_divisions(%v0: tensor<4xi8>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %c = arith.constant 1.000000e+02 : f32
    %0 = arith.divf %c, %x : f32
    %1 = arith.divf %0, %c : f32
    %y = math.roundeven %1 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}
// PARTS-LABEL: @four_divisions(
// PARTS:         kernel.lookup
// CHECK-LABEL: @four_divisions(
// CHECK:         kernel.lookup
func.func @four_divisions(%v0: tensor<4xi8>) -> tensor<4xi8> {
  %r0 = kernel.map [4] ins(%v0 : tensor<4xi8>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xi8> {
  ^bb0(%a: i32):
    %x = arith.sitofp %a : i32 to f32
    %c = arith.constant 1.000000e+02 : f32
    %0 = arith.divf %c, %x : f32
    %1 = arith.divf %0, %c : f32
    %2 = arith.divf %c, %1 : f32
    %3 = arith.divf %2, %c : f32
    %y = math.roundeven %3 : f32
    %i = arith.fptosi %y : f32 to i32
    kernel.yield %i : i32
  }
  func.return %r0 : tensor<4xi8>
}
