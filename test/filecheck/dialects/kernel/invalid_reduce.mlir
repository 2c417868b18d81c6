// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @leaves(%x: tensor<1x8x8xui8>) {
  // expected-error@below {{kernel.reduce: points (d0, d1, d2) -> (d0, (d1 * 2), d2) with steps (d0) -> (0, d0, 0) leave an operand of type tensor<1x8x8xui8> on domain [1, 4, 8] and window [3]}}
  %0 = kernel.reduce "max" [1, 4, 8] window [3] x(%x : tensor<1x8x8xui8>) points [affine_map<(d0, d1, d2) -> (d0, d1 * 2, d2)>] steps [affine_map<(d0) -> (0, d0, 0)>] ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x4x8xui8> element {
  ^bb0(%e: i32):
    kernel.yield %e : i32
  } finish {
  ^bb0(%m: i32):
    kernel.yield %m : i32
  }
  func.return
}
// -----
func.func @combiner(%x: tensor<1x9x8xui8>) {
  // expected-error@below {{kernel.reduce: combiner 'mean' is not supported; use 'sum' or 'product' or 'max' or 'min' or 'and' or 'or'}}
  %0 = kernel.reduce "mean" [1, 4, 8] window [3] x(%x : tensor<1x9x8xui8>) points [affine_map<(d0, d1, d2) -> (d0, d1 * 2, d2)>] steps [affine_map<(d0) -> (0, d0, 0)>] ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x4x8xui8> element {
  ^bb0(%e: i32):
    kernel.yield %e : i32
  } finish {
  ^bb0(%m: i32):
    kernel.yield %m : i32
  }
  func.return
}
// -----
func.func @truth(%x: tensor<1x9x8xui8>) {
  // expected-error@below {{kernel.reduce: and of i32 is not a reduction}}
  %0 = kernel.reduce "and" [1, 4, 8] window [3] x(%x : tensor<1x9x8xui8>) points [affine_map<(d0, d1, d2) -> (d0, d1 * 2, d2)>] steps [affine_map<(d0) -> (0, d0, 0)>] ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x4x8xui8> element {
  ^bb0(%e: i32):
    kernel.yield %e : i32
  } finish {
  ^bb0(%m: i32):
    kernel.yield %m : i32
  }
  func.return
}
// -----
func.func @lanes(%x: tensor<1x9x8xui8>) {
  // expected-error@below {{kernel.reduce: 3 partials for window [3]; a window with dimensions has a power of two}}
  %0 = kernel.reduce "max" [1, 4, 8] window [3] partials 3 x(%x : tensor<1x9x8xui8>) points [affine_map<(d0, d1, d2) -> (d0, d1 * 2, d2)>] steps [affine_map<(d0) -> (0, d0, 0)>] ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x4x8xui8> element {
  ^bb0(%e: i32):
    kernel.yield %e : i32
  } finish {
  ^bb0(%m: i32):
    kernel.yield %m : i32
  }
  func.return
}
// -----
func.func @element(%x: tensor<1x9x8xui8>) {
  // expected-error@below {{kernel.reduce: element must yield one scalar}}
  %0 = kernel.reduce "max" [1, 4, 8] window [3] x(%x : tensor<1x9x8xui8>) points [affine_map<(d0, d1, d2) -> (d0, d1 * 2, d2)>] steps [affine_map<(d0) -> (0, d0, 0)>] ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x4x8xui8> element {
  ^bb0(%e: i32):
    kernel.yield %e, %e : i32, i32
  } finish {
  ^bb0(%m: i32):
    kernel.yield %m : i32
  }
  func.return
}
// -----
func.func @axis(%x: tensor<8x4xf32>, %i: tensor<2xi32>) {
  // expected-error@below {{kernel.gather: axis 2 of tensor<8x4xf32> cannot be looked up by indices tensor<2xi32>}}
  %0 = kernel.gather [2, 4] axis 2 x(%x : tensor<8x4xf32>) points [affine_map<(d0, d1) -> (0, d1)>] indices(%i : tensor<2xi32>) places [affine_map<(d0, d1) -> (d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return
}
// -----
func.func @places(%x: tensor<8x4xf32>, %i: tensor<2xi32>) {
  // expected-error@below {{kernel.gather: access (d0, d1) -> (d1) leaves an operand of type tensor<2xi32> on domain [2, 4]}}
  %0 = kernel.gather [2, 4] axis 0 x(%x : tensor<8x4xf32>) points [affine_map<(d0, d1) -> (0, d1)>] indices(%i : tensor<2xi32>) places [affine_map<(d0, d1) -> (d1)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<8x4xf32>, %i: tensor<3xi32>, %u: tensor<2x4xf32>) {
  // expected-error@below {{kernel.scatter: indices tensor<3xi32> do not say where along axis 0 of tensor<8x4xf32> the updates tensor<2x4xf32> go}}
  %0 = kernel.scatter axis 0 ins(%x, %i, %u : tensor<8x4xf32>, tensor<3xi32>, tensor<2x4xf32>) outs() -> tensor<8x4xf32> {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %b : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error@below {{kernel.sort: tensor<2x9xi32> is no order of tensor<2x8xf32>}}
  %0 = kernel.sort ins(%x : tensor<2x8xf32>) outs() -> tensor<2x9xi32> {
  ^bb0(%a: f32, %b: f32):
    %before = arith.cmpf ogt, %a, %b : f32
    kernel.yield %before : i1
  }
  func.return
}
// -----
func.func @f(%x: tensor<2x8xi32>) {
  // expected-error@below {{kernel.order: tensor<2x3xi32>, tensor<2x8xi32>, tensor<2x2x3xi64> is no order of tensor<2x8xi32>}}
  %0, %1, %2 = kernel.order ins(%x : tensor<2x8xi32>) outs() -> tensor<2x3xi32>, tensor<2x8xi32>, tensor<2x2x3xi64> {
  ^bb0(%a: i32):
    kernel.yield %a : i32
  }
  func.return
}
// -----
func.func @f(%x: tensor<8xi32>) {
  // expected-error@below {{kernel.order: takes rows or lines, of rank 2 or 3}}
  %0 = kernel.order ins(%x : tensor<8xi32>) outs() -> tensor<3xi32> {
  ^bb0(%a: i32):
    kernel.yield %a : i32
  }
  func.return
}
// -----
func.func @f(%x: tensor<8x4xf32>, %i: tensor<2xi32>) {
  // expected-error@below {{kernel.gather: 2 operands are looked up by 1 indices, with 1 points and 1 places}}
  %0 = kernel.gather [2, 4] axis 0 x(%x, %x : tensor<8x4xf32>, tensor<8x4xf32>) points [affine_map<(d0, d1) -> (0, d1)>] indices(%i : tensor<2xi32>) places [affine_map<(d0, d1) -> (d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%e: f32, %g: f32):
    kernel.yield %e : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<2x8xf32>) {
  // expected-error@below {{kernel.scan: tensor<2x8xf32> of tensor<2x8xf32>; both are [outer, line, inner], of one shape}}
  %0 = kernel.scan ins(%x : tensor<2x8xf32>) outs() -> tensor<2x8xf32> {
  ^bb0(%before: f32, %a: f32):
    kernel.yield %a, %a : f32, f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<2x8x1xf32>) {
  // expected-error@below {{kernel.scan: the body is to make f64, f32 of f64, f32}}
  %0 = kernel.scan ins(%x : tensor<2x8x1xf32>) outs() -> tensor<2x8x1xf32> {
  ^bb0(%before: f64, %a: f32):
    kernel.yield %a, %a : f32, f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<6x8x3xf32>, %l: tensor<4x3xi32>) {
  // expected-error@below {{kernel.reduce_windows: tensor<4x3xi32> and tensor<4x3xi32> are not limits of windows of tensor<6x8x3xf32> that make tensor<4x3xf32>}}
  %0 = kernel.reduce_windows "max" ins(%x, %l, %l : tensor<6x8x3xf32>, tensor<4x3xi32>, tensor<4x3xi32>) outs() -> tensor<4x3xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<6x8x3xf32>, %l: tensor<4x2xi32>) {
  // expected-error@below {{kernel.reduce_windows: combiner 'mean' is not supported; use 'sum' or 'product' or 'max' or 'min' or 'and' or 'or'}}
  %0 = kernel.reduce_windows "mean" ins(%x, %l, %l : tensor<6x8x3xf32>, tensor<4x2xi32>, tensor<4x2xi32>) outs() -> tensor<4x3xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%b: tensor<1x8x1xf32>, %s: tensor<1x2x6xf32>) {
  // expected-error@below {{kernel.non_max_suppression: tensor<1x2x6xf32> are not scores of the boxes tensor<1x8x1xf32>}}
  %n, %v, %l, %r, %p = kernel.non_max_suppression ins(%b, %s : tensor<1x8x1xf32>, tensor<1x2x6xf32>) outs() -> tensor<1x2x3xi32>, tensor<1x2x3xf32>, tensor<1x2x6xi32>, tensor<1x2x6xf32>, tensor<1x2x1x6xf32> {
  ^bb0(%score: f32, %taken: f32, %other: f32):
    kernel.yield %score : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<6x3xf32>, %b: tensor<4x1xi32>, %e: tensor<5x1xi32>) {
  // expected-error@below {{kernel.reduce_windows: tensor<4x1xi32> and tensor<5x1xi32> are not limits of windows of tensor<6x3xf32> that make tensor<4x3xf32>}}
  %0 = kernel.reduce_windows "sum" ins(%x, %b, %e : tensor<6x3xf32>, tensor<4x1xi32>, tensor<5x1xi32>) outs() -> tensor<4x3xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<6x3xf32>, %b: tensor<4x1xi8>, %e: tensor<4x1xi8>) {
  // expected-error@below {{kernel.reduce_windows: tensor<4x1xi8> and tensor<4x1xi8> are not limits of windows of tensor<6x3xf32> that make tensor<4x3xf32>}}
  %0 = kernel.reduce_windows "sum" ins(%x, %b, %e : tensor<6x3xf32>, tensor<4x1xi8>, tensor<4x1xi8>) outs() -> tensor<4x3xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
// -----
func.func @f(%x: tensor<6x3xf32>, %b: tensor<4x1xi32>, %e: tensor<4x1xi32>) {
  // expected-error@below {{kernel.reduce_windows: tensor<4x1xi32> and tensor<4x1xi32> are not limits of windows of tensor<6x3xf32> that make tensor<4x2xf32>}}
  %0 = kernel.reduce_windows "sum" ins(%x, %b, %e : tensor<6x3xf32>, tensor<4x1xi32>, tensor<4x1xi32>) outs() -> tensor<4x2xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return
}
