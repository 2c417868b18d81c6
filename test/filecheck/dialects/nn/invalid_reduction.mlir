// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4x2xf32>, %a: tensor<1xi64>) {
  // expected-error@below {{nn.reduce_sum: axes must be constant}}
  %0 = nn.reduce_sum %x, %a : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %a = nn.constant dense<2> : tensor<i64>
  // expected-error@below {{nn.reduce_sum: axis 2 is out of range for rank 2}}
  %0 = nn.reduce_sum %x, %a : (tensor<4x2xf32>, tensor<i64>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %a = nn.constant dense<[1, -1]> : tensor<2xi64>
  // expected-error@below {{nn.reduce_max: axes [1, -1] name a dimension twice}}
  %0 = nn.reduce_max %x, %a : (tensor<4x2xf32>, tensor<2xi64>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  // expected-error@below {{nn.softmax: axis 2 is out of range for rank 2}}
  %0 = nn.softmax %x {axis = 2 : i64} : tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %a = nn.constant dense<1> : tensor<i64>
  // expected-error@below {{nn.mvn: eps_mode 'inside' is not supported; use 'inside_sqrt' or 'outside_sqrt'}}
  %0 = nn.mvn %x, %a {eps = 1.0 : f64, eps_mode = "inside", normalize_variance = true} : tensor<4x2xf32>, tensor<i64>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %a = nn.constant dense<1> : tensor<i64>
  // expected-error@below {{nn.normalize_l2: eps -1.0 must not be negative}}
  %0 = nn.normalize_l2 %x, %a {eps = -1.0 : f64, eps_mode = "max"} : tensor<4x2xf32>, tensor<i64>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %a: tensor<1xi64>, %b: tensor<2xi64>) {
  // expected-error@below {{nn.pad: pads_begin has 1 numbers; it needs one for each of 2 dimensions}}
  %0 = nn.pad %x, %a, %b {pad_mode = "edge"} : (tensor<4x2xf32>, tensor<1xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  %a = nn.constant dense<[2]> : tensor<1xi64>
  // expected-error@below {{nn.pad: 2 elements of padding do not fit the 2 of dimension 0; mode 'reflect' takes at most 1}}
  %0 = nn.pad %x, %a, %a {pad_mode = "reflect"} : (tensor<2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  %a = nn.constant dense<[-2]> : tensor<1xi64>
  // expected-error@below {{nn.pad: -2 and -2 take more than the 2 of dimension 0}}
  %0 = nn.pad %x, %a, %a {pad_mode = "constant"} : (tensor<2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x6x2x2xf32>) {
  // expected-error@below {{nn.depth_to_space: dimension 1 of size 6 is not a multiple of 4}}
  %0 = nn.depth_to_space %x {mode = "blocks_first", block_size = 2 : i64} : tensor<1x6x2x2xf32> -> tensor<1x?x4x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x6x2x2xf32>) {
  // expected-error@below {{nn.space_to_depth: block_size 0 must be at least 1}}
  %0 = nn.space_to_depth %x {mode = "blocks_first", block_size = 0 : i64} : tensor<1x6x2x2xf32> -> tensor<1x?x4x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x6xf32>) {
  // expected-error@below {{nn.space_to_depth: input [1, 6] has no spatial dimensions}}
  %0 = nn.space_to_depth %x {mode = "blocks_first", block_size = 2 : i64} : tensor<1x6xf32> -> tensor<1x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x6xf32>) {
  %a = nn.constant dense<[2, 2]> : tensor<2xi64>
  // expected-error@below {{nn.batch_to_space: block_shape [2, 2] must be 1 and then numbers of at least 1}}
  %0 = nn.batch_to_space %x, %a, %a, %a : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x6xf32>) {
  %a = nn.constant dense<[1, 2]> : tensor<2xi64>
  %b = nn.constant dense<[0, 6]> : tensor<2xi64>
  // expected-error@below {{nn.batch_to_space: crops 6 and 6 leave nothing of the 12 of dimension 1}}
  %0 = nn.batch_to_space %x, %a, %b, %b : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x6xf32>) {
  %a = nn.constant dense<[1, 2]> : tensor<2xi64>
  %b = nn.constant dense<[0, -1]> : tensor<2xi64>
  // expected-error@below {{nn.space_to_batch: begin [0, -1] and end [0, -1] must be 0 and then no negative numbers}}
  %0 = nn.space_to_batch %x, %a, %b, %b : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@below {{nn.shuffle_channels: group 0 must be at least 1}}
  %0 = nn.shuffle_channels %x {axis = 1 : i64, group = 0 : i64} : tensor<4x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x6xf32>) {
  // expected-error@below {{nn.shuffle_channels: dimension 1 of size 6 is not a multiple of 4}}
  %0 = nn.shuffle_channels %x {axis = 1 : i64, group = 4 : i64} : tensor<4x6xf32>
  func.return
}
