// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @codes
// CHECK-NEXT: qnn.dequantize %q scale <dense<-0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> {nn.name = "opposite"} : tensor<4xi8>
// CHECK-NEXT: func.return
func.func @codes(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.negative %x {nn.name = "opposite"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A product takes the codes.
// CHECK-LABEL: @product
// CHECK-NEXT: [[Y:%.*]] = nn.mat_mul %q, %w : (tensor<1x4xi8>, tensor<4x2xi8>) -> tensor<1x2xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<-0.125> : tensor<f32>> : tensor<1x2xi32>
func.func @product(%q: tensor<1x4xi8>, %w: tensor<4x2xi8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x4xi8> -> tensor<1x4xf32>
  %v = qnn.dequantize %w scale <dense<0.25> : tensor<f32>> : tensor<4x2xi8> -> tensor<4x2xf32>
  %n = nn.negative %x : tensor<1x4xf32>
  %y = nn.mat_mul %n, %v : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// A value has no scale to turn round.
// CHECK-LABEL: @value
// CHECK-NEXT: nn.negative %x : tensor<4xf32>
func.func @value(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.negative %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
