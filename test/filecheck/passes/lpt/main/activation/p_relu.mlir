// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK-NEXT: [[V:%.*]] = nn.convert %q to f32 : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.p_relu [[V]], %slope {nn.name = "prelu_original"}
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[0.25\]\]\]}}> : tensor<1x2x1xf32>> {nn.name = "prelu"} : tensor<1x2x4xf32> -> tensor<1x2x4xf32>
func.func @per_channel(%q: tensor<1x2x4xi8>, %slope: tensor<2xf32>) -> tensor<1x2x4xf32> {
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.p_relu %x, %slope {nn.name = "prelu"} : (tensor<1x2x4xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// In f16 models, the slopes are converted, too.
// CHECK-LABEL: @half
// CHECK-NEXT: [[S:%.*]] = nn.convert %slope to f32 : tensor<1xf16> -> tensor<1xf32>
// CHECK-NEXT: [[V:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Y:%.*]] = nn.p_relu [[V]], [[S]]
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.1> : tensor<f32>> {output_type = f16} : tensor<4xf32> -> tensor<4xf16>
func.func @half(%q: tensor<4xi8>, %slope: tensor<1xf16>) -> tensor<4xf16> {
  %x = qnn.dequantize %q scale <dense<0.1> : tensor<f32>> {output_type = f16} : tensor<4xi8> -> tensor<4xf16>
  %y = nn.p_relu %x, %slope : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// CHECK-LABEL: @zero_point
// CHECK: nn.p_relu {{.*}} {lpt.declined = "its input is quantized with a zero point; quantize it symmetrically around 0"}
func.func @zero_point(%q: tensor<4xui8>, %slope: tensor<1xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %y = nn.p_relu %x, %slope : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @negative_scale
// CHECK: nn.p_relu {{.*}} {lpt.declined = "its input has a negative scale, which turns the sign of its codes"}
func.func @negative_scale(%q: tensor<4xi8>, %slope: tensor<1xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<-0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.p_relu %x, %slope : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// One negative scale among others is enough.
// CHECK-LABEL: @mixed_signs
// CHECK: nn.p_relu {{.*}} {lpt.declined = "its input has a negative scale, which turns the sign of its codes"
func.func @mixed_signs(%q: tensor<1x2x4xi8>, %slope: tensor<2xf32>) -> tensor<1x2x4xf32> {
  %x = qnn.dequantize %q scale <dense<[[0.5], [-0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.p_relu %x, %slope : (tensor<1x2x4xf32>, tensor<2xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
