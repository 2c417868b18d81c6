// RUN: opt-tool %s --lpt-cleanup | filecheck %s

// CHECK-LABEL: @scale
// CHECK-NEXT: [[F:%.*]] = nn.convert %q to f32 : tensor<2x2xi32> -> tensor<2x2xf32>
// CHECK-NEXT: [[S:%.*]] = nn.constant dense<{{\[\[0.5, 0.25\]\]}}> : tensor<1x2xf32>
// CHECK-NEXT: nn.multiply [[F]], [[S]] {nn.name = "y"} : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
func.func @scale(%q: tensor<2x2xi32>) -> tensor<2x2xf32> {
  %y = qnn.dequantize %q scale <dense<[0.5, 0.25]> : tensor<2xf32>> {nn.name = "y"} : tensor<2x2xi32> -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// CHECK-LABEL: @zero_point
// CHECK-NEXT: [[F:%.*]] = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
// CHECK-NEXT: [[Z:%.*]] = nn.constant dense<128.0> : tensor<f32>
// CHECK-NEXT: [[C:%.*]] = nn.subtract [[F]], [[Z]]
// CHECK-NEXT: [[S:%.*]] = nn.constant dense<0.5> : tensor<f32>
// CHECK-NEXT: nn.multiply [[C]], [[S]]
func.func @zero_point(%q: tensor<4xui8>) -> tensor<4xf32> {
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<128> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// What is the same for all elements is written once, and a zero point of 0 not at all.
// CHECK-LABEL: @uniform
// CHECK-NEXT: [[F:%.*]] = nn.convert %q to f32 : tensor<1x2xi8> -> tensor<1x2xf32>
// CHECK-NEXT: [[S:%.*]] = nn.constant dense<0.5> : tensor<f32>
// CHECK-NEXT: nn.multiply [[F]], [[S]] : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
func.func @uniform(%q: tensor<1x2xi8>) -> tensor<1x2xf32> {
  %y = qnn.dequantize %q scale <dense<[[0.5, 0.5]]> : tensor<1x2xf32>> zero_point <dense<[[0, 0]]> : tensor<1x2xi8>> : tensor<1x2xi8> -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// An f16 model: f32 until the end.
// CHECK-LABEL: @half
// CHECK: [[F:%.*]] = nn.convert %q to f32
// CHECK: [[M:%.*]] = nn.multiply [[F]]
// CHECK-NEXT: nn.convert [[M]] to f16 {nn.name = "y"}
func.func @half(%q: tensor<4xi8>) -> tensor<4xf16> {
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {nn.name = "y", output_type = f16} : tensor<4xi8> -> tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// Scales for each channel tell how many there are; what is returned has the type that it had.
// CHECK-LABEL: @unknown_channels
// CHECK: [[Y:%.*]] = nn.multiply {{.*}} : (tensor<1x?xf32>, tensor<1x2xf32>) -> tensor<1x?xf32>
// CHECK: func.return [[Y]] : tensor<1x?xf32>
func.func @unknown_channels(%q: tensor<1x?xi8>) -> tensor<1x?xf32> {
  %y = qnn.dequantize %q scale <dense<[[0.5, 0.25]]> : tensor<1x2xf32>> : tensor<1x?xi8> -> tensor<1x?xf32>
  func.return %y : tensor<1x?xf32>
}

// What is returned twice stays one value.
// CHECK-LABEL: @returned_twice
// CHECK: [[Y:%.*]] = nn.multiply {{.*}} -> tensor<1x?xf32>
// CHECK: func.return [[Y]], [[Y]] : tensor<1x?xf32>, tensor<1x?xf32>
func.func @returned_twice(%q: tensor<1x?xi8>) -> (tensor<1x?xf32>, tensor<1x?xf32>) {
  %y = qnn.dequantize %q scale <dense<[[0.5, 0.25]]> : tensor<1x2xf32>> : tensor<1x?xi8> -> tensor<1x?xf32>
  func.return %y, %y : tensor<1x?xf32>, tensor<1x?xf32>
}
