// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: nn.exp: computes in floating point, not in i8; convert its input
func.func @f(%x: tensor<4xi8>) {
  %0 = nn.exp %x : tensor<4xi8>
  func.return
}
// -----
// CHECK: nn.round: mode 'up' is not supported; use 'half_to_even' or 'half_away_from_zero'
func.func @f(%x: tensor<4xf32>) {
  %0 = nn.round %x {mode = "up"} : tensor<4xf32>
  func.return
}
// -----
// CHECK: nn.p_relu: slopes of shape [3] do not fit input [1, 1, 4]; use one, or one for each channel
func.func @f(%x: tensor<1x1x4xf32>, %s: tensor<3xf32>) {
  %0 = nn.p_relu %x, %s : (tensor<1x1x4xf32>, tensor<3xf32>) -> tensor<1x1x4xf32>
  func.return
}
// -----
// CHECK: nn.hard_sigmoid: beta is a tensor<4xf32>; it must be one number
func.func @f(%x: tensor<4xf32>, %a: tensor<f32>) {
  %0 = nn.hard_sigmoid %x, %a, %x : tensor<4xf32>, tensor<f32>, tensor<4xf32>
  func.return
}
// -----
// CHECK: nn.swish: beta is a tensor<4xf32>; it must be one number
func.func @f(%x: tensor<4xf32>) {
  %0 = nn.swish %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}
// -----
// CHECK: nn.gelu: approximation_mode 'fast' is not supported; use 'erf' or 'tanh'
func.func @f(%x: tensor<4xf32>) {
  %0 = nn.gelu %x {approximation_mode = "fast"} : tensor<4xf32>
  func.return
}
// -----
// CHECK: nn.group_normalization: num_groups 3 does not divide 4 channels
func.func @f(%x: tensor<1x4x3xf32>, %s: tensor<4xf32>) {
  %0 = nn.group_normalization %x, %s, %s {num_groups = 3 : i64, epsilon = 1.0e-05 : f64} : (tensor<1x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x3xf32>
  func.return
}
// -----
// CHECK: nn.batch_norm_inference: mean [3] must have one number for each of 4 channels
func.func @f(%x: tensor<1x4x3xf32>, %s: tensor<4xf32>, %m: tensor<3xf32>) {
  %0 = nn.batch_norm_inference %x, %s, %s, %m, %s {epsilon = 1.0e-05 : f64} : (tensor<1x4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<1x4x3xf32>
  func.return
}
// -----
// CHECK: nn.cum_sum: axis must be constant
func.func @f(%x: tensor<4xf32>, %axis: tensor<i64>) {
  %0 = nn.cum_sum %x, %axis : tensor<4xf32>, tensor<i64>
  func.return
}
