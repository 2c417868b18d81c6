// RUN: opt-tool %s --lpt-main | filecheck %s

// What is behind it wants codes: means are rounded to them.
// CHECK-LABEL: @to_codes
// CHECK-NEXT: [[Y:%.*]] = nn.avg_pool %q {{.*}} nn.name = "y_original"{{.*}} : tensor<1x2x4xui8> -> tensor<1x2x3xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[0.25\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "y"} : tensor<1x2x3xui8>
func.func @to_codes(%q: tensor<1x2x4xui8>) -> tensor<1x2x3xf32> {
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved, nn.name = "y"} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// Nothing does: they stay between codes.
// CHECK-LABEL: @to_values
// CHECK-NEXT: [[X:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Y:%.*]] = nn.avg_pool [[X]] {{.*}} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3.0> : tensor<f32>> : tensor<1x2x3xf32>
func.func @to_values(%q: tensor<1x2x4xui8>) -> tensor<1x2x3xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x4xf32> -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// Padding that counts is code 0; where that is not 0, it must not count.
// CHECK-LABEL: @padding
// CHECK: nn.avg_pool %q {{.*}} : tensor<1x2x4xui8> -> tensor<1x2x5xui8>
// CHECK-LABEL: @padding_beside_a_zero_point
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
// CHECK-LABEL: @padding_that_does_not_count
// CHECK: nn.avg_pool %q
// CHECK-LABEL: @windows_of_padding
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
func.func @padding(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}
func.func @padding_beside_a_zero_point(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}
func.func @padding_that_does_not_count(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}
func.func @windows_of_padding(%q: tensor<1x2x4xui8>) -> tensor<1x2x6xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 2>, pads_end = array<i64: 1>, dilations = array<i64: 1>, lpt.avg_pool_precision_preserved} : tensor<1x2x4xf32> -> tensor<1x2x6xf32>
  func.return %y : tensor<1x2x6xf32>
}

// Rounded up, the last window reaches beyond the input, where zeros count; with larger steps it may lie there as a whole,
// and so may the taps of a window with gaps. With steps of 1 there is no such window.
// CHECK-LABEL: @last_window_counts_zeros
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
// CHECK-LABEL: @last_window_may_be_padding
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
// CHECK-LABEL: @no_last_window
// CHECK: nn.avg_pool %q {{.*}} : tensor<1x1x4xui8> -> tensor<1x1x5xui8>
// CHECK-LABEL: @taps_may_be_padding
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized with a zero point, and its padding counts as zeros; quantize it symmetrically around 0"
func.func @last_window_counts_zeros(%q: tensor<1x1x4xui8>) -> tensor<1x1x2xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 3>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, rounding_type = "ceil", lpt.avg_pool_precision_preserved} : tensor<1x1x4xf32> -> tensor<1x1x2xf32>
  func.return %y : tensor<1x1x2xf32>
}
func.func @last_window_may_be_padding(%q: tensor<1x1x4xui8>) -> tensor<1x1x3xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 3>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, rounding_type = "ceil", lpt.avg_pool_precision_preserved} : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}
func.func @no_last_window(%q: tensor<1x1x4xui8>) -> tensor<1x1x5xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>, rounding_type = "ceil", lpt.avg_pool_precision_preserved} : tensor<1x1x4xf32> -> tensor<1x1x5xf32>
  func.return %y : tensor<1x1x5xf32>
}
func.func @taps_may_be_padding(%q: tensor<1x1x1xui8>) -> tensor<1x1x1xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x1x1xui8> -> tensor<1x1x1xf32>
  %y = nn.avg_pool %x {exclude_pad = true, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 2>, rounding_type = "floor", lpt.avg_pool_precision_preserved} : tensor<1x1x1xf32> -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}

// CHECK-LABEL: @scales_along_the_window
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is quantized per channel along dimension 2, which it rearranges; quantize it per tensor"
func.func @scales_along_the_window(%q: tensor<1x1x2xui8>) -> tensor<1x1x1xf32> {
  %x = qnn.dequantize %q scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<1x1x2xui8> -> tensor<1x1x2xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.avg_pool {{.*}}lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"
func.func @sum_of_products(%q: tensor<1x1x2xi32>) -> tensor<1x1x1xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x2xi32> -> tensor<1x1x2xf32>
  %y = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x2xf32> -> tensor<1x1x1xf32>
  func.return %y : tensor<1x1x1xf32>
}
