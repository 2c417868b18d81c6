// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.broadcast %q{{.*}}tensor<3x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<2x1xui8>) -> tensor<3x2x2xf32> {
  %s = nn.constant dense<[3, 2, 2]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [2.0]]> : tensor<2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x1xui8> -> tensor<2x1xf32>
  %y = nn.broadcast %x, %s : (tensor<2x1xf32>, tensor<3xi64>) -> tensor<3x2x2xf32>
  func.return %y : tensor<3x2x2xf32>
}
