// What operations of networks refuse, and how they say so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: nn.scaled_dot_product_attention: queries [3, 8], keys [5, 7] and values [5, 6] do not fit
func.func @f(%q: tensor<3x8xf32>, %k: tensor<5x7xf32>, %v: tensor<5x6xf32>) {
  %0 = nn.scaled_dot_product_attention %q, %k, %v : (tensor<3x8xf32>, tensor<5x7xf32>, tensor<5x6xf32>) -> tensor<3x6xf32>
  func.return
}
// -----
// CHECK: nn.scaled_dot_product_attention: scale is a tensor<2xf32>; it must be one number
func.func @f(%q: tensor<3x8xf32>, %v: tensor<3x6xf32>, %m: tensor<f32>, %s: tensor<2xf32>) {
  %0 = nn.scaled_dot_product_attention %q, %q, %v, %m, %s : (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x6xf32>, tensor<f32>, tensor<2xf32>) -> tensor<3x6xf32>
  func.return
}
// -----
// CHECK: nn.scaled_dot_product_attention: mask [2, 3, 3] has more dimensions than the scores [3, 3]
func.func @f(%q: tensor<3x8xf32>, %v: tensor<3x6xf32>, %m: tensor<2x3x3xf32>) {
  %0 = nn.scaled_dot_product_attention %q, %q, %v, %m : (tensor<3x8xf32>, tensor<3x8xf32>, tensor<3x6xf32>, tensor<2x3x3xf32>) -> tensor<3x6xf32>
  func.return
}
// -----
// CHECK: nn.adaptive_avg_pool: output_shape [3, 2] must be 1 positive sizes, one for each spatial dimension
func.func @f(%x: tensor<1x8x7xf32>) {
  %s = nn.constant dense<[3, 2]> : tensor<2xi64>
  %0 = nn.adaptive_avg_pool %x, %s : (tensor<1x8x7xf32>, tensor<2xi64>) -> tensor<1x8x3xf32>
  func.return
}
// -----
// CHECK: nn.grid_sample: a grid for 2 images reads 1
func.func @f(%x: tensor<1x3x4x5xf32>, %g: tensor<2x2x3x2xf32>) {
  %0 = nn.grid_sample %x, %g : (tensor<1x3x4x5xf32>, tensor<2x2x3x2xf32>) -> tensor<1x3x2x3xf32>
  func.return
}
