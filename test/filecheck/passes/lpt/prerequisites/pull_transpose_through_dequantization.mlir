// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @weights
// CHECK-NEXT: [[W:%.*]] = nn.constant {{.*}}dense<{{\[\[-127, -124\], \[-126, -123\], \[-125, 127\]\]}}> : tensor<3x2xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale <dense<{{\[\[0.5, 0.25\]\]}}> : tensor<1x2xf32>> zero_point <dense<{{\[\[-125, -124\]\]}}> : tensor<1x2xi8>> {nn.name = "w"} : tensor<3x2xi8> -> tensor<3x2xf32>
// CHECK-NEXT: func.return
func.func @weights() -> tensor<3x2xf32> {
  %w = nn.constant dense<[[1, 2, 3], [4, 5, 255]]> : tensor<2x3xui8>
  %f = nn.convert %w to f32 : tensor<2x3xui8> -> tensor<2x3xf32>
  %z = nn.constant dense<[[3], [4]]> : tensor<2x1xui8>
  %zf = nn.convert %z to f32 : tensor<2x1xui8> -> tensor<2x1xf32>
  %c = nn.subtract %f, %zf : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %s = nn.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %x = nn.multiply %c, %s : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %y = nn.transpose %x, %order {nn.name = "w"} : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}

// Activations wait for the main step.
// CHECK-LABEL: @computed
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize %q
// CHECK: nn.transpose [[X]],
func.func @computed(%q: tensor<2x3xi8>) -> tensor<3x2xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %y = nn.transpose %x, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  func.return %y : tensor<3x2xf32>
}
