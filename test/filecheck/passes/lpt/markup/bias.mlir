// RUN: opt-tool %s --lpt-markup | filecheck %s

// CHECK-LABEL: @bias
// CHECK: nn.add {{.*}} {lpt.bias}
func.func @bias(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = nn.mat_mul %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %c, %y : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// CHECK-LABEL: @behind_dequantization
// CHECK: nn.add {{.*}} {lpt.bias}
func.func @behind_dequantization(%a: tensor<2x2xui8>, %b: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %y = nn.mat_mul %a, %b : (tensor<2x2xui8>, tensor<2x2xi8>) -> tensor<2x2xi32>
  %d = qnn.dequantize %y scale <dense<0.1> : tensor<f32>> : tensor<2x2xi32> -> tensor<2x2xf32>
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %d, %c : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// What is added is computed, or it is added to no product.
// CHECK-LABEL: @no_bias
// CHECK-NOT: lpt.bias
// CHECK: func.return
func.func @no_bias(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %x = nn.add %a, %c : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.add %y, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}

// What a product of a slice is taken from is no slice of sums.
// CHECK-LABEL: @no_sums
// CHECK-NOT: lpt.bias
// CHECK: func.return
func.func @no_sums(%a: tensor<2x2xf32>, %b: tensor<2x4xf32>, %s: tensor<f32>) -> tensor<2x2xf32> {
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %2 = nn.constant dense<2> : tensor<1xi64>
  %w = nn.slice %b, %0, %2, %1, %1 : (tensor<2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
  %m = nn.multiply %w, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %d = nn.subtract %a, %m : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.add %d, %c : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  func.return %z : tensor<2x2xf32>
}
