// RUN: opt-tool %s --lpt-main | filecheck %s

// The zero point is summed as often as elements are.
// CHECK-LABEL: @zero_point
// CHECK: [[V:%.*]] = nn.convert %q to f32 : tensor<3x2x4xui8> -> tensor<3x2x4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.reduce_sum [[V]], {{.*}} {nn.name = "sum_original"} {{.*}} -> tensor<2xf32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<[0.5, 0.25]> : tensor<2xf32>> zero_point <dense<[36.0, 48.0]> : tensor<2xf32>> {nn.name = "sum"}
func.func @zero_point(%q: tensor<3x2x4xui8>) -> tensor<2xf32> {
  %axes = nn.constant dense<[0, 2]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> zero_point <dense<[[3], [4]]> : tensor<2x1xui8>> : tensor<3x2x4xui8> -> tensor<3x2x4xf32>
  %y = nn.reduce_sum %x, %axes {nn.name = "sum"} : (tensor<3x2x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: @unknown_number
// CHECK: nn.reduce_sum {{.*}} {lpt.declined = "its input is quantized with a zero point, and it sums an unknown number of elements; fix their number or quantize it symmetrically around 0"
func.func @unknown_number(%q: tensor<1x?xui8>) -> tensor<1xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x?xui8> -> tensor<1x?xf32>
  %y = nn.reduce_sum %x, %axes : (tensor<1x?xf32>, tensor<1xi64>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}

// CHECK-LABEL: @unknown_number_without_zero_point
// CHECK: [[Y:%.*]] = nn.reduce_sum
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> : tensor<1xf32> -> tensor<1xf32>
func.func @unknown_number_without_zero_point(%q: tensor<1x?xui8>) -> tensor<1xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x?xui8> -> tensor<1x?xf32>
  %y = nn.reduce_sum %x, %axes : (tensor<1x?xf32>, tensor<1xi64>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}

// CHECK-LABEL: @along_channels
// CHECK: nn.reduce_sum {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @along_channels(%q: tensor<1x2x4xi8>) -> tensor<1x4xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.reduce_sum %x, %axes : (tensor<1x2x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
