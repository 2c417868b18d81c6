// RUN: opt-tool %s --fuse-softmax | filecheck %s

// Bodies become regions; what the last map reads beside powers and their total it still reads.
// CHECK-LABEL: @softmax
// CHECK-NEXT:  %y = kernel.softmax [2, 20] partials 16 x(%x : tensor<2x20xf32>) x_access affine_map<(d0, d1) -> (d0, d1)> ins(%b : tensor<20xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> power {
// CHECK-NEXT:  ^bb0(%[[X:.*]]: f32, %[[MOST:.*]]: f32):
// CHECK-NEXT:    %[[LESS:.*]] = arith.subf %[[X]], %[[MOST]] : f32
// CHECK-NEXT:    %[[POWER:.*]] = math.exp %[[LESS]] : f32
// CHECK-NEXT:    kernel.yield %[[POWER]], %[[POWER]] : f32, f32
// CHECK-NEXT:  } total {
// CHECK-NEXT:  ^bb0(%[[SUM:.*]]: f32):
// CHECK-NEXT:    kernel.yield %[[SUM]] : f32
// CHECK-NEXT:  } finish {
// CHECK-NEXT:  ^bb0(%[[P:.*]]: f32, %[[T:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT:    %[[R:.*]] = arith.divf %[[P]], %[[T]] : f32
// CHECK-NEXT:    %[[S:.*]] = arith.addf %[[R]], %[[B]] : f32
// CHECK-NEXT:    kernel.yield %[[S]] : f32
// CHECK-NEXT:  }
// CHECK-NEXT:  func.return
func.func @softmax(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] partials 16 x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 20] ins(%x, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] partials 16 x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 20] ins(%b, %p, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x20xf32>
}

// What is kept need not be what is summed.
// CHECK-LABEL: @log_softmax
// CHECK-NEXT:  %y = kernel.softmax
// CHECK:         kernel.yield %[[LESS:.*]], %[[POWER:.*]] : f32, f32
// CHECK-NEXT:  } total {
// CHECK:         math.log
// CHECK:       } finish {
// CHECK:         arith.subf
// CHECK:       func.return
func.func @log_softmax(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] partials 16 x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %d, %p = kernel.map [2, 20] ins(%x, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32>, tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %less, %power : f32, f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] partials 16 x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    %l = math.log %e : f32
    kernel.yield %l : f32
  }
  %y = kernel.map [2, 20] ins(%b, %d, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.subf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x20xf32>
}

// A row that does not stay in the nearest cache is left to several kernels.
// CHECK-LABEL: @longest
// CHECK:       kernel.softmax
func.func @longest(%x: tensor<2x2048xf32>, %b: tensor<2048xf32>, %z: tensor<2x2048xf32>) -> (tensor<2x2048xf32>) {
  %m = kernel.reduce "max" [2, 1] window [2048] partials 16 x(%x : tensor<2x2048xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 2048] ins(%x, %m : tensor<2x2048xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2048xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [2048] partials 16 x(%p : tensor<2x2048xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 2048] ins(%b, %p, %t : tensor<2048xf32>, tensor<2x2048xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2048xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x2048xf32>
}

// CHECK-LABEL: @too_long
// CHECK-NOT:   kernel.softmax
// CHECK:       func.return
func.func @too_long(%x: tensor<2x2049xf32>, %b: tensor<2049xf32>, %z: tensor<2x2049xf32>) -> (tensor<2x2049xf32>) {
  %m = kernel.reduce "max" [2, 1] window [2049] partials 16 x(%x : tensor<2x2049xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 2049] ins(%x, %m : tensor<2x2049xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2049xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [2049] partials 16 x(%p : tensor<2x2049xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 2049] ins(%b, %p, %t : tensor<2049xf32>, tensor<2x2049xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2049xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x2049xf32>
}

// So are rows whose elements are not adjacent, or few.
// CHECK-LABEL: @one_accumulator
// CHECK-NOT:   kernel.softmax
// CHECK:       func.return
func.func @one_accumulator(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 20] ins(%x, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 20] ins(%b, %p, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x20xf32>
}

// Somebody else reads the powers,
// CHECK-LABEL: @powers_are_read
// CHECK-NOT:   kernel.softmax
// CHECK:       func.return
func.func @powers_are_read(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>, tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] partials 16 x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 20] ins(%x, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] partials 16 x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 20] ins(%b, %p, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y, %p : tensor<2x20xf32>, tensor<2x20xf32>
}

// or what is kept.
// CHECK-LABEL: @kept_is_read
// CHECK-NOT:   kernel.softmax
// CHECK:       func.return
func.func @kept_is_read(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>, tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] partials 16 x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %d, %p = kernel.map [2, 20] ins(%x, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32>, tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %less, %power : f32, f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] partials 16 x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    %l = math.log %e : f32
    kernel.yield %l : f32
  }
  %y = kernel.map [2, 20] ins(%b, %d, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.subf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y, %d : tensor<2x20xf32>, tensor<2x20xf32>
}

// The greatest element is of another tensor, or changed.
// CHECK-LABEL: @of_another
// CHECK-NOT:   kernel.softmax
// CHECK:       func.return
func.func @of_another(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] partials 16 x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 20] ins(%z, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] partials 16 x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 20] ins(%b, %p, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x20xf32>
}

// CHECK-LABEL: @changed
// CHECK-NOT:   kernel.softmax
// CHECK:       func.return
func.func @changed(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] partials 16 x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    %c = arith.addf %e, %e : f32
    kernel.yield %c : f32
  }
  %p = kernel.map [2, 20] ins(%x, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] partials 16 x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 20] ins(%b, %p, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x20xf32>
}

// Elements are changed before they are summed.
// CHECK-LABEL: @squares
// CHECK-NOT:   kernel.softmax
// CHECK:       func.return
func.func @squares(%x: tensor<2x20xf32>, %b: tensor<20xf32>, %z: tensor<2x20xf32>) -> (tensor<2x20xf32>) {
  %m = kernel.reduce "max" [2, 1] window [20] partials 16 x(%x : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %p = kernel.map [2, 20] ins(%x, %m : tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%e: f32, %most: f32):
    %less = arith.subf %e, %most : f32
    %power = math.exp %less : f32
    kernel.yield %power : f32
  }
  %t = kernel.reduce "sum" [2, 1] window [20] partials 16 x(%p : tensor<2x20xf32>) points [affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x1xf32> element {
  ^bb0(%e: f32):
    %c = arith.mulf %e, %e : f32
    kernel.yield %c : f32
  } finish {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  %y = kernel.map [2, 20] ins(%b, %p, %t : tensor<20xf32>, tensor<2x20xf32>, tensor<2x1xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x20xf32> {
  ^bb0(%bias: f32, %e: f32, %sum: f32):
    %r = arith.divf %e, %sum : f32
    %s = arith.addf %r, %bias : f32
    kernel.yield %s : f32
  }
  func.return %y : tensor<2x20xf32>
}
