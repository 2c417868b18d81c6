// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  // expected-error@below {{nn.interpolate: mode 'lanczos' is not supported; use 'nearest' or 'linear' or 'linear_onnx' or 'cubic'}}
  %0 = nn.interpolate %x, %s {mode = "lanczos", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  // expected-error@below {{nn.interpolate: scales cannot be i64; shape_calculation_mode is 'scales'}}
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "scales", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %s = nn.constant dense<[0]> : tensor<1xi64>
  // expected-error@below {{nn.interpolate: scales or sizes [0] must be 1 positive numbers, one for each axis}}
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  // expected-error@below {{nn.interpolate: pads_end [1, 1] must be 1 numbers of at least 0, one for each spatial dimension}}
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64: 1, 1>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %s = nn.constant dense<[0x7F800000]> : tensor<1xf32>
  // expected-error@below {{nn.interpolate: scales or sizes [inf] must be 1 positive numbers, one for each axis}}
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "scales", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<?xf32>
  func.return
}
