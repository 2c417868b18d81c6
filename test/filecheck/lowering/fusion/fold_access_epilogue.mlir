// RUN: opt-tool %s --fuse-kernels | filecheck %s

// An operand of a product's epilogue is read by an access, as a map's is.
// CHECK-LABEL: func.func @epilogue(
// CHECK-NEXT:    %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins(%y : tensor<4x2xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
func.func @epilogue(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<4x2xf32>) -> tensor<2x4xf32> {
  %0 = kernel.map [2, 4] ins(%y : tensor<4x2xf32>) outs()
      access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins(%0 : tensor<2x4xf32>) outs()
      access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
  ^bb0(%s: f32, %a: f32):
    %b = arith.addf %s, %a : f32
    kernel.yield %b : f32
  }
  func.return %1 : tensor<2x4xf32>
}
