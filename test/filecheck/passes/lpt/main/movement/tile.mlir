// RUN: opt-tool %s --lpt-main | filecheck %s

// Scales are repeated as the dimension is that has them.
// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.tile %q{{.*}}tensor<3x4x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\], \[0.5\], \[2.0\]\]\]}}> : tensor<1x4x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<2x1xui8>) -> tensor<3x4x2xf32> {
  %s = nn.constant dense<[3, 2, 2]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [2.0]]> : tensor<2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x1xui8> -> tensor<2x1xf32>
  %y = nn.tile %x, %s : (tensor<2x1xf32>, tensor<3xi64>) -> tensor<3x4x2xf32>
  func.return %y : tensor<3x4x2xf32>
}

// How often is computed: one scale goes along, one for each channel has no known size.
// CHECK-LABEL: @computed
// CHECK: nn.tile %q{{.*}}tensor<?x?xui8>
// CHECK-NEXT: qnn.dequantize
// CHECK: nn.tile {{.*}}lpt.declined = "its input is quantized per channel along dimension 0, which it rearranges; quantize it per tensor"
func.func @computed(%q: tensor<2x1xui8>, %s: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x1xui8> -> tensor<2x1xf32>
  %y = nn.tile %x, %s : (tensor<2x1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %v = qnn.dequantize %q scale <dense<[[0.5], [2.0]]> : tensor<2x1xf32>> : tensor<2x1xui8> -> tensor<2x1xf32>
  %w = nn.tile %v, %s : (tensor<2x1xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y, %w : tensor<?x?xf32>, tensor<?x?xf32>
}
