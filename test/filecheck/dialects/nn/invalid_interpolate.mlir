// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

// CHECK: nn.interpolate: mode 'lanczos' is not supported; use 'nearest' or 'linear' or 'linear_onnx' or 'cubic'
func.func @f(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  %0 = nn.interpolate %x, %s {mode = "lanczos", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
// CHECK: nn.interpolate: scales cannot be i64; shape_calculation_mode is 'scales'
func.func @f(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "scales", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
// CHECK: nn.interpolate: scales or sizes [0] must be 1 positive numbers, one for each axis
func.func @f(%x: tensor<4xf32>) {
  %s = nn.constant dense<[0]> : tensor<1xi64>
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
// CHECK: nn.interpolate: pads_end [1, 1] must be 1 numbers of at least 0, one for each spatial dimension
func.func @f(%x: tensor<4xf32>, %s: tensor<1xi64>) {
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64: 1, 1>} : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
// CHECK: nn.interpolate: scales or sizes [inf] must be 1 positive numbers, one for each axis
func.func @f(%x: tensor<4xf32>) {
  %s = nn.constant dense<[0x7F800000]> : tensor<1xf32>
  %0 = nn.interpolate %x, %s {mode = "nearest", shape_calculation_mode = "scales", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<?xf32>
  func.return
}
