// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<6x4x3x3xf32>) {
  // expected-error@below {{nn.convolution: input [1, 4, 8] and filters [6, 4, 3, 3] do not fit; channels and spatial dimensions need as many dimensions in the filters}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x4x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<6x3x3xf32>) {
  // expected-error@below {{nn.convolution: input [1, 4, 8] has 4 channels, filters [6, 3, 3] take 3}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x4x8xf32>, tensor<6x3x3xf32>) -> tensor<1x6x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xui8>, %w: tensor<6x4x3xf32>) {
  // expected-error@below {{nn.convolution: cannot multiply ui8 by f32; use one type, or two 8-bit integers}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x4x8xui8>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error@below {{nn.convolution: strides [0] must be 1 numbers of at least 1, one for each spatial dimension}}
  %0 = nn.convolution %x, %w {strides = array<i64: 0>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x4x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error@below {{nn.convolution: pads_end [0, 0] must be 1 numbers of at least 0, one for each spatial dimension}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<1x4x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error@below {{nn.convolution: auto_pad 'same' is not supported; use 'explicit' or 'valid' or 'same_upper' or 'same_lower'}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, auto_pad = "same"} : (tensor<1x4x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error@below {{nn.convolution: a window of 9 elements does not fit the 8 of spatial dimension 0 with its padding}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 4>} : (tensor<1x4x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x1xf32>, %w: tensor<4x6x3xf32>) {
  // expected-error@below {{nn.convolution_backprop_data: padding leaves nothing of the 3 elements of dimension 0}}
  %0 = nn.convolution_backprop_data %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 3>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x4x1xf32>, tensor<4x6x3xf32>) -> tensor<1x6x1xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x1xf32>, %w: tensor<4x6x3xf32>) {
  %s = nn.constant dense<[1, 2]> : tensor<2xi64>
  // expected-error@below {{nn.convolution_backprop_data: output_shape [1, 2] must be 1 positive sizes, those of the spatial dimensions}}
  %0 = nn.convolution_backprop_data %x, %w, %s {strides = array<i64: 1>, pads_begin = array<i64: 3>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x4x1xf32>, tensor<4x6x3xf32>, tensor<2xi64>) -> tensor<1x6x1xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x8x9xf32>) {
  // expected-error@below {{nn.avg_pool: input [4, 8, 9] has 3 dimensions; kernel [2, 2] needs 4, the batch and channels before those of the image}}
  %0 = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<4x8x9xf32> -> tensor<4x7x8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x8xf32>) {
  // expected-error@below {{nn.max_pool: input [4, 8] has no spatial dimensions to pool over}}
  %0 = nn.max_pool %x {kernel = array<i64>, strides = array<i64>, pads_begin = array<i64>, pads_end = array<i64>, dilations = array<i64>} : tensor<4x8xf32> -> tensor<4x8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>) {
  // expected-error@below {{nn.avg_pool: rounding_type 'up' is not supported; use 'floor' or 'ceil' or 'ceil_torch'}}
  %0 = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, rounding_type = "up"} : tensor<1x4x8xf32> -> tensor<1x4x7xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xui8>, %w: tensor<6x4x3xi8>) {
  // expected-error@below {{nn.convolution: pad_value 256 is not a code of ui8; it is for inputs of codes}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, pad_value = 256 : i64} : (tensor<1x4x8xui8>, tensor<6x4x3xi8>) -> tensor<1x6x8xi32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xi8>, %w: tensor<4x6x3xi8>) {
  // expected-error@below {{nn.convolution_backprop_data: zero_point 128 is not a code of i8; it is for inputs of codes}}
  %0 = nn.convolution_backprop_data %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, output_padding = array<i64: 0>, zero_point = 128 : i64} : (tensor<1x4x8xi8>, tensor<4x6x3xi8>) -> tensor<1x6x8xi32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<6x4x3xf32>) {
  // expected-error@below {{nn.convolution: pad_value 1 is not a code of f32; it is for inputs of codes}}
  %0 = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, pad_value = 1 : i64} : (tensor<1x4x8xf32>, tensor<6x4x3xf32>) -> tensor<1x6x8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xui8>, %w: tensor<2x3x2x3xi8>) {
  // expected-error@below {{nn.group_convolution: column_scale is tensor<2x3x2x3xf32>; it must be f32 and fit into [2, 3, 1, 3]}}
  %0 = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<1.0> : tensor<2x3x2x3xf32>>} : (tensor<1x4x8xui8>, tensor<2x3x2x3xi8>) -> tensor<1x6x8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xui8>, %w: tensor<2x3x2x3xi8>) {
  // expected-error@below {{nn.group_convolution: column_scale is tensor<3xf32>; it must be f32 and fit into [2, 3, 1, 3]}}
  %0 = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<1.0> : tensor<3xf32>>} : (tensor<1x4x8xui8>, tensor<2x3x2x3xi8>) -> tensor<1x6x8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xui8>, %w: tensor<2x3x2x3xi8>) {
  // expected-error@below {{nn.group_convolution: column_scale is tensor<2x3x1x3xf64>; it must be f32 and fit into [2, 3, 1, 3]}}
  %0 = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<1.0> : tensor<2x3x1x3xf64>>} : (tensor<1x4x8xui8>, tensor<2x3x2x3xi8>) -> tensor<1x6x8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4x8xf32>, %w: tensor<2x3x2x3xf32>) {
  // expected-error@below {{nn.group_convolution: column_scale is for sums of 8-bit codes, these are of f32}}
  %0 = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<1.0> : tensor<2x3x1x3xf32>>} : (tensor<1x4x8xf32>, tensor<2x3x2x3xf32>) -> tensor<1x6x8xf32>
  func.return
}
