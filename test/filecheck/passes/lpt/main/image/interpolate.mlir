// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.interpolate %q{{.*}}tensor<1x2x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<1x2x2xui8>) -> tensor<1x2x4xf32> {
  %s = nn.constant dense<[4]> : tensor<1xi64>
  %a = nn.constant dense<[2]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %y = nn.interpolate %x, %s, %a {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x2x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @linear
// CHECK: nn.interpolate {{.*}}lpt.declined = "mode 'linear_onnx' gives values between codes; 'nearest' gives codes"
func.func @linear(%q: tensor<1x2x2xui8>) -> tensor<1x2x4xf32> {
  %s = nn.constant dense<[4]> : tensor<1xi64>
  %a = nn.constant dense<[2]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %y = nn.interpolate %x, %s, %a {mode = "linear_onnx", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x2x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @padded
// CHECK: [[Y:%.*]] = nn.interpolate %q{{.*}}tensor<1x2x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>>
func.func @padded(%q: tensor<1x2x2xui8>) -> tensor<1x2x4xf32> {
  %s = nn.constant dense<[4]> : tensor<1xi64>
  %a = nn.constant dense<[2]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %y = nn.interpolate %x, %s, %a {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64: 0, 0, 1>, pads_end = array<i64>} : (tensor<1x2x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @padded_with_zero_point
// CHECK: nn.interpolate {{.*}}lpt.declined = "its input is quantized with a zero point and padded with zeros; quantize it symmetrically around 0"
func.func @padded_with_zero_point(%q: tensor<1x2x2xui8>) -> tensor<1x2x4xf32> {
  %s = nn.constant dense<[4]> : tensor<1xi64>
  %a = nn.constant dense<[2]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %y = nn.interpolate %x, %s, %a {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64: 0, 0, 1>, pads_end = array<i64>} : (tensor<1x2x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @channels
// CHECK: nn.interpolate {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @channels(%q: tensor<1x2x2xui8>) -> tensor<1x4x2xf32> {
  %s = nn.constant dense<[4]> : tensor<1xi64>
  %a = nn.constant dense<[1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %y = nn.interpolate %x, %s, %a {mode = "nearest", shape_calculation_mode = "sizes", pads_begin = array<i64>, pads_end = array<i64>} : (tensor<1x2x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x4x2xf32>
  func.return %y : tensor<1x4x2xf32>
}
