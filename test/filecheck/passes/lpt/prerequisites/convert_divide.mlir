// RUN: opt-tool %s --lpt-prerequisites | filecheck %s
// RUN: opt-tool %s --lpt | filecheck %s --check-prefix LPT

// Dequantization that divides by its scale.
// CHECK-LABEL: @dequantization
// CHECK-NEXT: qnn.dequantize %q scale <dense<[0.5, 0.25]> : tensor<2xf32>> {nn.name = "y"} : tensor<2xi8> -> tensor<2xf32>
// CHECK-NEXT: func.return
func.func @dequantization(%q: tensor<2xi8>) -> tensor<2xf32> {
  %x = nn.convert %q to f32 : tensor<2xi8> -> tensor<2xf32>
  %c = nn.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %y = nn.divide %x, %c {nn.name = "y"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// The product takes codes.
// LPT-LABEL: @product
// LPT: nn.mat_mul {{.*}} : (tensor<1x2xui8>, tensor<2x2xi8>) -> tensor<1x2xi32>
func.func @product(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %y = nn.divide %q, %h : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x2xf32>
  %w = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %z = nn.mat_mul %y, %d : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %z : tensor<1x2xf32>
}

// By 0, or by a number without a reciprocal, it is no multiplication.
// CHECK-LABEL: @zero
// CHECK: nn.divide %x
// CHECK-LABEL: @large
// CHECK: nn.divide %x
func.func @zero(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = nn.constant dense<[2.0, 0.0]> : tensor<2xf32>
  %y = nn.divide %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
func.func @large(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = nn.constant dense<[2.0, 3.0e38]> : tensor<2xf32>
  %y = nn.divide %x, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// Nor is that of one number, such as the scale of dynamic quantization.
// CHECK-LABEL: @one
// CHECK: nn.divide %x
func.func @one(%x: tensor<1xf32>) -> tensor<1xf32> {
  %c = nn.constant dense<255.0> : tensor<f32>
  %y = nn.divide %x, %c : (tensor<1xf32>, tensor<f32>) -> tensor<1xf32>
  func.return %y : tensor<1xf32>
}

// Nor is division by what is computed, of a constant, or in f16 or integers.
// CHECK-LABEL: @computed
// CHECK: nn.divide %x, %y
// CHECK-LABEL: @of_a_constant
// CHECK: nn.divide %c, %x
// CHECK-LABEL: @half
// CHECK: nn.divide %x
// CHECK-LABEL: @integers
// CHECK: nn.divide %x
func.func @computed(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %z = nn.divide %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}
func.func @of_a_constant(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = nn.constant dense<3.0> : tensor<2xf32>
  %y = nn.divide %c, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
func.func @half(%x: tensor<2xf16>) -> tensor<2xf16> {
  %c = nn.constant dense<3.0> : tensor<2xf16>
  %y = nn.divide %x, %c : (tensor<2xf16>, tensor<2xf16>) -> tensor<2xf16>
  func.return %y : tensor<2xf16>
}
func.func @integers(%x: tensor<2xi32>) -> tensor<2xi32> {
  %c = nn.constant dense<3> : tensor<2xi32>
  %y = nn.divide %x, %c : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  func.return %y : tensor<2xi32>
}
