// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @sinks
// CHECK-NEXT: [[Y:%.*]] = nn.relu %q {nn.name = "relu_original"} : tensor<4xi8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> {nn.name = "relu"}
func.func @sinks(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.relu %x {nn.name = "relu"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @zero_point
// CHECK: nn.relu {{.*}} {lpt.declined = "its input is quantized with a zero point; quantize it symmetrically around 0"}
func.func @zero_point(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @negative_scale
// CHECK: nn.relu {{.*}} {lpt.declined = "its input has a negative scale, which turns the sign of its codes"}
func.func @negative_scale(%q: tensor<2xi8>) -> tensor<2xf32> {
  %x = qnn.dequantize %q scale <dense<[0.5, -0.5]> : tensor<2xf32>> : tensor<2xi8> -> tensor<2xf32>
  %y = nn.relu %x : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.relu {{.*}} {lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"}
func.func @sum_of_products(%q: tensor<4xi32>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi32> -> tensor<4xf32>
  %y = nn.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Who else uses the values keeps their dequantization.
// CHECK-LABEL: @two_users
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize %q
// CHECK-NEXT: [[R:%.*]] = nn.relu %q
// CHECK-NEXT: [[Y:%.*]] = qnn.dequantize [[R]]
// CHECK-NEXT: nn.sigmoid [[X]]
func.func @two_users(%q: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.relu %x : tensor<4xf32>
  %z = nn.sigmoid %x : tensor<4xf32>
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}
