// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xi8>) {
  // expected-error@below {{nn.exp: computes in floating point, not in i8; convert its input}}
  %0 = nn.exp %x : tensor<4xi8>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{nn.round: mode 'up' is not supported; use 'half_to_even' or 'half_away_from_zero'}}
  %0 = nn.round %x {mode = "up"} : tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x1x4xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{nn.p_relu: slopes of shape [3] do not fit input [1, 1, 4]; use one, or one for each channel}}
  %0 = nn.p_relu %x, %s : (tensor<1x1x4xf32>, tensor<3xf32>) -> tensor<1x1x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %a: tensor<f32>) {
  // expected-error@below {{nn.hard_sigmoid: beta is a tensor<4xf32>; it must be one number}}
  %0 = nn.hard_sigmoid %x, %a, %x : tensor<4xf32>, tensor<f32>, tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{nn.swish: beta is a tensor<4xf32>; it must be one number}}
  %0 = nn.swish %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{nn.gelu: approximation_mode 'fast' is not supported; use 'erf' or 'tanh'}}
  %0 = nn.gelu %x {approximation_mode = "fast"} : tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x3xf32>, %s: tensor<4xf32>) {
  // expected-error@below {{nn.group_normalization: num_groups 3 does not divide 4 channels}}
  %0 = nn.group_normalization %x, %s, %s {num_groups = 3 : i64, epsilon = 1.0e-05 : f64} : (tensor<1x4x3xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x3xf32>, %s: tensor<4xf32>, %m: tensor<3xf32>) {
  // expected-error@below {{nn.batch_norm_inference: mean [3] must have one number for each of 4 channels}}
  %0 = nn.batch_norm_inference %x, %s, %s, %m, %s {epsilon = 1.0e-05 : f64} : (tensor<1x4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<1x4x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %axis: tensor<i64>) {
  // expected-error@below {{nn.cum_sum: axis must be constant}}
  %0 = nn.cum_sum %x, %axis : tensor<4xf32>, tensor<i64>
  func.return
}
// -----
func.func @f(%x: tensor<4xi1>) {
  %axis = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.cum_sum: booleans do not add up; convert them to i32}}
  %0 = nn.cum_sum %x, %axis : tensor<4xi1>, tensor<i64>
  func.return
}
