// Reductions and lookups read what they print, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @reduce(
func.func @reduce(%x: tensor<1x9x9x8xui8>, %s: tensor<8xf32>) {
  // CHECK-NEXT: %0 = kernel.reduce "sum" [1, 4, 4, 8] window [3, 3] partials 4 x(%x : tensor<1x9x9x8xui8>) points [affine_map<(d0, d1, d2, d3) -> (d0, (d1 * 2), (d2 * 2), d3)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>] ins(%s : tensor<8xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x8xf32> element {
  // CHECK-NEXT: ^bb0(%e: i32):
  // CHECK:      } finish {
  // CHECK-NEXT: ^bb0(%sum: f32, %scale: f32):
  %0 = kernel.reduce "sum" [1, 4, 4, 8] window [3, 3] partials 4 x(%x : tensor<1x9x9x8xui8>)
      points [affine_map<(d0, d1, d2, d3) -> (d0, d1 * 2, d2 * 2, d3)>] steps [affine_map<(d0, d1) -> (0, d0, d1, 0)>]
      ins(%s : tensor<8xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x4x4x8xf32> element {
  ^bb0(%e: i32):
    %f = arith.sitofp %e : i32 to f32
    kernel.yield %f : f32
  } finish {
  ^bb0(%sum: f32, %scale: f32):
    %y = arith.mulf %sum, %scale : f32
    kernel.yield %y : f32
  }
  func.return
}
// CHECK-LABEL: @gather(
func.func @gather(%x: tensor<8x4xf32>, %i: tensor<2xi32>) {
  // CHECK-NEXT: %0 = kernel.gather [2, 4] axis 0 x(%x : tensor<8x4xf32>) points [affine_map<(d0, d1) -> (0, d1)>] indices(%i : tensor<2xi32>) places [affine_map<(d0, d1) -> (d0)>] ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  %0 = kernel.gather [2, 4] axis 0 x(%x : tensor<8x4xf32>) points [affine_map<(d0, d1) -> (0, d1)>]
      indices(%i : tensor<2xi32>) places [affine_map<(d0, d1) -> (d0)>] ins() outs()
      access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%e: f32):
    kernel.yield %e : f32
  }
  func.return
}
