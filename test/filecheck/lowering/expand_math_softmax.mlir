// RUN: opt-tool %s --expand-math | filecheck %s

// The difference of an element and the greatest of its row is never above 0: no rounding, one power of 2.
// CHECK-LABEL: @softmax
// CHECK:         %[[LESS:.*]] = arith.subf
// CHECK-NEXT:    %[[LEAST:.*]] = arith.constant -88.0296936 : f32
// CHECK-NEXT:    %[[FAR:.*]] = arith.cmpf ogt, %[[LEAST]], %[[LESS]] : f32
// CHECK-NEXT:    %[[X:.*]] = arith.select %[[FAR]], %[[LEAST]], %[[LESS]] : f32
// CHECK-NOT:     math.roundeven
// CHECK-COUNT-5: math.fma
// CHECK-NOT:     arith.shrsi
// CHECK:         kernel.yield
func.func @softmax(%s: tensor<2x3xf32>, %other: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = kernel.reduce "max" [2, 1] window [3] x(%s : tensor<2x3xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 3] ins(%s, %m : tensor<2x3xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  func.return %p : tensor<2x3xf32>
}

// The greatest of another tensor may be less.
// CHECK-LABEL: @greatest_of_others
// CHECK:         math.roundeven
func.func @greatest_of_others(%s: tensor<2x3xf32>, %other: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = kernel.reduce "max" [2, 1] window [3] x(%other : tensor<2x3xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 3] ins(%s, %m : tensor<2x3xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  func.return %p : tensor<2x3xf32>
}

// So may that of a part of the row,
// CHECK-LABEL: @greatest_of_a_part
// CHECK:         math.roundeven
func.func @greatest_of_a_part(%s: tensor<2x3xf32>, %other: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = kernel.reduce "max" [2, 1] window [2] x(%s : tensor<2x3xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 3] ins(%s, %m : tensor<2x3xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  func.return %p : tensor<2x3xf32>
}

// and that of another row.
// CHECK-LABEL: @greatest_of_one_row
// CHECK:         math.roundeven
func.func @greatest_of_one_row(%s: tensor<2x3xf32>, %other: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %m = kernel.reduce "max" [2, 1] window [3] x(%s : tensor<2x3xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 3] ins(%s, %m : tensor<2x3xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  func.return %p : tensor<2x3xf32>
}

// In a kernel of a whole softmax the row is that of the region.
// CHECK-LABEL: @row
// CHECK:         arith.constant -88.0296936 : f32
// CHECK-NOT:     math.roundeven
// CHECK:       } total {
// CHECK:         math.roundeven
func.func @row(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = kernel.softmax [4, 8] partials 8 x(%x : tensor<4x8xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<4x8xf32> power {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power, %power : f32, f32
  } total {
  ^bb0(%sum: f32):
    %raised = math.exp %sum : f32
    kernel.yield %raised : f32
  } finish {
  ^bb0(%p: f32, %t: f32):
    %r = arith.divf %p, %t : f32
    kernel.yield %r : f32
  }
  func.return %y : tensor<4x8xf32>
}
