// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.unsqueeze %q, %axes : (tensor<2x3xi8>, tensor<2xi64>) -> tensor<1x2x3x1xi8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[\[1.0\], \[2.0\], \[3.0\]\]\]\]}}> : tensor<1x1x3x1xf32>>
func.func @per_channel(%q: tensor<2x3xi8>) -> tensor<1x2x3x1xf32> {
  %axes = nn.constant dense<[0, -1]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %y = nn.unsqueeze %x, %axes : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<1x2x3x1xf32>
  func.return %y : tensor<1x2x3x1xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.unsqueeze {{.*}} {lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"}
func.func @sum_of_products(%q: tensor<2xi32>) -> tensor<1x2xf32> {
  %axes = nn.constant dense<[0]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2xi32> -> tensor<2xf32>
  %y = nn.unsqueeze %x, %axes : (tensor<2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
