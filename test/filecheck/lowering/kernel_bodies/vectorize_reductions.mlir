// RUN: opt-tool %s --nn-to-kernels --vectorize-reductions=isa=portable | filecheck %s

// The window lies side by side: its dimensions are one, in four vectors of four lanes.
// CHECK-LABEL: func.func @rows(
// CHECK:         %0 = kernel.reshape %x : tensor<2x7x7xf32> -> tensor<2x49xf32>
// CHECK:         %1 = kernel.reduce "sum" [2, 1, 1] window [49] partials 16 x(%0 : tensor<2x49xf32>) points [affine_map<(d0, d1, d2) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>]
func.func @rows(%x: tensor<2x7x7xf32>) -> tensor<2x1x1xf32> {
  %axes = nn.constant dense<[1, 2]> : tensor<2xi64>
  %0 = nn.reduce_sum %x, %axes {keep_dims = true} : (tensor<2x7x7xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
  func.return %0 : tensor<2x1x1xf32>
}
// Points of a product of matrices are computed together, and need a vector each; with one row, a point needs four.
// CHECK-LABEL: func.func @rows_and_units(
// CHECK:         kernel.reduce "sum" [2, 8] window [64] partials 4 x(
func.func @rows_and_units(%w: tensor<8x64xf32>, %x: tensor<2x64xf32>) {
  %0 = kernel.reduce "sum" [2, 8] window [64] x(%w, %x : tensor<8x64xf32>, tensor<2x64xf32>) points [affine_map<(d0, d1) -> (d1, 0)>, affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x8xf32> element {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return
}
// CHECK-LABEL: func.func @one_row(
// CHECK:         kernel.reduce "sum" [1, 8] window [64] partials 16 x(
func.func @one_row(%w: tensor<8x64xf32>, %x: tensor<1x64xf32>) {
  %0 = kernel.reduce "sum" [1, 8] window [64] x(%w, %x : tensor<8x64xf32>, tensor<1x64xf32>) points [affine_map<(d0, d1) -> (d1, 0)>, affine_map<(d0, d1) -> (d0, 0)>] steps [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> (0, d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x8xf32> element {
  ^bb0(%a: f32, %b: f32):
    kernel.yield %a : f32
  } finish {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  func.return
}
// Something lies between: they stay two, and the last one is short.
// CHECK-LABEL: func.func @apart(
// CHECK:         kernel.reduce "sum" [1, 2, 1] window [7, 5] partials 4 x(
func.func @apart(%x: tensor<7x2x5xf32>) -> tensor<1x2x1xf32> {
  %axes = nn.constant dense<[0, 2]> : tensor<2xi64>
  %0 = nn.reduce_sum %x, %axes {keep_dims = true} : (tensor<7x2x5xf32>, tensor<2xi64>) -> tensor<1x2x1xf32>
  func.return %0 : tensor<1x2x1xf32>
}
// A dimension that moves nothing comes first; the others go as memory does, and are one.
// CHECK-LABEL: func.func @permuted(
// CHECK:         kernel.reduce "max" [1] window [1, 105] partials 16 x(%{{.*}} : tensor<105xf32>)
func.func @permuted(%x: tensor<7x5x3xf32>) {
  %0 = kernel.reduce "max" [1] window [3, 7, 1, 5] x(%x : tensor<7x5x3xf32>) points [affine_map<(d0) -> (0, 0, 0)>] steps [affine_map<(d0, d1, d2, d3) -> (d1, d3, d0)>] ins() outs() access [affine_map<(d0) -> (d0)>] -> tensor<1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%m: f32):
    kernel.yield %m : f32
  }
  func.return
}
// Neighbours in memory are points: the order stays.
// CHECK-LABEL: func.func @permuted_beside_points(
// CHECK:         kernel.reduce "max" [3] window [5, 7] x(%x : tensor<7x5x3xf32>)
func.func @permuted_beside_points(%x: tensor<7x5x3xf32>) {
  %0 = kernel.reduce "max" [3] window [5, 7] x(%x : tensor<7x5x3xf32>) points [affine_map<(d0) -> (0, 0, d0)>] steps [affine_map<(d0, d1) -> (d1, d0, 0)>] ins() outs() access [affine_map<(d0) -> (d0)>] -> tensor<3xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%m: f32):
    kernel.yield %m : f32
  }
  func.return
}
// Points lie side by side: each sum stays in order.
// CHECK-LABEL: func.func @columns(
// CHECK:         kernel.reduce "sum" [1, 5] window [49] x(
func.func @columns(%x: tensor<49x5xf32>) -> tensor<1x5xf32> {
  %axes = nn.constant dense<[0]> : tensor<1xi64>
  %0 = nn.reduce_sum %x, %axes {keep_dims = true} : (tensor<49x5xf32>, tensor<1xi64>) -> tensor<1x5xf32>
  func.return %0 : tensor<1x5xf32>
}
// Fewer than a vector has lanes.
// CHECK-LABEL: func.func @few(
// CHECK:         kernel.reduce "max" [9, 1] window [3] x(
func.func @few(%x: tensor<9x3xf32>) -> tensor<9x1xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.reduce_max %x, %axes {keep_dims = true} : (tensor<9x3xf32>, tensor<1xi64>) -> tensor<9x1xf32>
  func.return %0 : tensor<9x1xf32>
}
// Windows of neighbouring points overlap: points are the vectors, though a window runs through neighbours, too.
// CHECK-LABEL: func.func @overlap(
// CHECK:         kernel.reduce "max" [1, 1, 9] window [4] x(
func.func @overlap(%x: tensor<1x1x12xf32>) {
  %0 = kernel.reduce "max" [1, 1, 9] window [4] x(%x : tensor<1x1x12xf32>) points [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] steps [affine_map<(d0) -> (0, 0, d0)>] ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x1x9xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%m: f32):
    kernel.yield %m : f32
  }
  func.return
}
// The window goes through memory in order, whatever the order of its dimensions was: then they merge.
// CHECK-LABEL: func.func @transposed(
// CHECK:         %0 = kernel.reshape %x : tensor<7x8xf32> -> tensor<56xf32>
// CHECK:         kernel.reduce "sum" [1] window [56] partials 16 x(%0 : tensor<56xf32>)
func.func @transposed(%x: tensor<7x8xf32>) {
  %0 = kernel.reduce "sum" [1] window [8, 7] x(%x : tensor<7x8xf32>) points [affine_map<(d0) -> (0, 0)>] steps [affine_map<(d0, d1) -> (d1, d0)>] ins() outs() access [affine_map<(d0) -> (d0)>] -> tensor<1xf32> element {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  } finish {
  ^bb0(%m: f32):
    kernel.yield %m : f32
  }
  func.return
}
