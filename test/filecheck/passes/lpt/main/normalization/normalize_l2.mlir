// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_tensor
// CHECK: [[V:%.*]] = nn.convert %q to f32 : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.normalize_l2 [[V]], {{.*}} {nn.name = "l2_original", eps = 4.000000e-06 : f64, eps_mode = "max"}
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<1.0> : tensor<f32>> {nn.name = "l2"} : tensor<1x2x4xf32> -> tensor<1x2x4xf32>
func.func @per_tensor(%q: tensor<1x2x4xui8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.normalize_l2 %x, %axes {eps = 1.0e-06 : f64, eps_mode = "max", nn.name = "l2"} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @signs
// CHECK: [[Y:%.*]] = nn.normalize_l2 {{.*}} {eps = 4.000000e-06 : f64, eps_mode = "add"
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\], \[-1.0\]\]\]}}> : tensor<1x2x1xf32>>
func.func @signs(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [-0.5]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.normalize_l2 %x, %axes {eps = 1.0e-06 : f64, eps_mode = "add"} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @zero_point
// CHECK: nn.normalize_l2 {{.*}} {lpt.declined = "its input is quantized with a zero point; quantize it symmetrically around 0"
func.func @zero_point(%q: tensor<1x4xui8>) -> tensor<1x4xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x4xui8> -> tensor<1x4xf32>
  %y = nn.normalize_l2 %x, %axes {eps = 1.0e-06 : f64, eps_mode = "add"} : tensor<1x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x4xf32>
}

// CHECK-LABEL: @per_channel
// CHECK: nn.normalize_l2 {{.*}} {lpt.declined = "its input is quantized per channel, and eps would be another number in each; quantize it per tensor"
func.func @per_channel(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.normalize_l2 %x, %axes {eps = 1.0e-06 : f64, eps_mode = "add"} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @along_channels
// CHECK: nn.normalize_l2 {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @along_channels(%q: tensor<1x2x4xi8>) -> tensor<1x2x4xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.normalize_l2 %x, %axes {eps = 1.0e-06 : f64, eps_mode = "add"} : tensor<1x2x4xf32>, tensor<1xi64>
  func.return %y : tensor<1x2x4xf32>
}
