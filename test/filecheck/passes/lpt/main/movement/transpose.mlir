// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.transpose %q, %order : (tensor<2x4xi8>, tensor<2xi64>) -> tensor<4x2xi8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[1.0, 2.0\]\]}}> : tensor<1x2xf32>>
func.func @per_channel(%q: tensor<2x4xi8>) -> tensor<4x2xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<2x4xi8> -> tensor<2x4xf32>
  %y = nn.transpose %x, %order : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}

// No order at all reverses.
// CHECK-LABEL: @reversed
// CHECK: [[Y:%.*]] = nn.transpose
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\]\], \[\[2.0\]\]\]}}> : tensor<2x1x1xf32>> {{.*}} -> tensor<2x3x4xf32>
func.func @reversed(%q: tensor<4x3x2xi8>) -> tensor<2x3x4xf32> {
  %order = nn.constant dense<[]> : tensor<0xi64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0]> : tensor<2xf32>> : tensor<4x3x2xi8> -> tensor<4x3x2xf32>
  %y = nn.transpose %x, %order : (tensor<4x3x2xf32>, tensor<0xi64>) -> tensor<2x3x4xf32>
  func.return %y : tensor<2x3x4xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.transpose {{.*}} {lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"}
func.func @sum_of_products(%q: tensor<2x4xi32>) -> tensor<4x2xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x4xi32> -> tensor<2x4xf32>
  %y = nn.transpose %x, %order : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
