// RUN: opt-tool %s --lpt-prerequisites | filecheck %s
// RUN: opt-tool %s --lpt | filecheck %s --check-prefix LPT

// CHECK-LABEL: @constants
// CHECK: [[A:%.*]] = nn.constant dense<{{\[\[1.0\], \[4.0\]\]}}> : tensor<2x1xf32>
// CHECK: [[B:%.*]] = nn.constant dense<{{\[\[-3.0\], \[-12.5\]\]}}> : tensor<2x1xf32>
// CHECK: [[P:%.*]] = nn.multiply %x, [[A]]
// CHECK-NEXT: nn.add [[P]], [[B]] {nn.name = "bn"}
func.func @constants(%x: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  %gamma = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %beta = nn.constant dense<[0.0, -0.5]> : tensor<2xf32>
  %mean = nn.constant dense<3.0> : tensor<2xf32>
  %variance = nn.constant dense<[0.75, 0.0]> : tensor<2xf32>
  %y = nn.batch_norm_inference %x, %gamma, %beta, %mean, %variance {epsilon = 2.5e-01 : f64, nn.name = "bn"} : (tensor<1x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// The convolution takes codes: scale and zero point of all channels are equal.
// LPT-LABEL: @convolution
// LPT: nn.convolution {{.*}} : (tensor<1x2x3xui8>, tensor<1x2x1xi8>) -> tensor<1x1x3xi32>
func.func @convolution(%x: tensor<1x2x3xf32>) -> tensor<1x1x3xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3xf32>
  %one = nn.constant dense<1.0> : tensor<2xf32>
  %y = nn.batch_norm_inference %q, %one, %one, %one, %one {epsilon = 1.0e-03 : f64} : (tensor<1x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3xf32>
  %w = nn.constant dense<[[[1], [2]]]> : tensor<1x2x1xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %z = nn.convolution %y, %d {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  func.return %z : tensor<1x1x3xf32>
}

// CHECK-LABEL: @concatenated
// CHECK: nn.batch_norm_inference
// CHECK-LABEL: @codes_concatenated
// CHECK: nn.batch_norm_inference
func.func @concatenated(%x: tensor<1x1x3xf32>) -> tensor<1x2x3xf32> {
  %both = nn.concat %x, %x {axis = 1 : i64} : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x2x3xf32>
  %c = nn.constant dense<1.0> : tensor<2xf32>
  %y = nn.batch_norm_inference %both, %c, %c, %c, %c {epsilon = 1.0e-03 : f64} : (tensor<1x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
func.func @codes_concatenated(%x: tensor<1x1x3xi8>) -> tensor<1x2x3xf32> {
  %both = nn.concat %x, %x {axis = 1 : i64} : (tensor<1x1x3xi8>, tensor<1x1x3xi8>) -> tensor<1x2x3xi8>
  %d = qnn.dequantize %both scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %c = nn.constant dense<1.0> : tensor<2xf32>
  %y = nn.batch_norm_inference %d, %c, %c, %c, %c {epsilon = 1.0e-03 : f64} : (tensor<1x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// CHECK-LABEL: @computed
// CHECK: nn.batch_norm_inference
// CHECK-LABEL: @half
// CHECK: nn.batch_norm_inference
// CHECK-LABEL: @no_variance
// CHECK: nn.batch_norm_inference
func.func @computed(%x: tensor<1x2x3xf32>, %c: tensor<2xf32>) -> tensor<1x2x3xf32> {
  %y = nn.batch_norm_inference %x, %c, %c, %c, %c {epsilon = 1.0e-03 : f64} : (tensor<1x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
func.func @half(%x: tensor<1x2x3xf16>) -> tensor<1x2x3xf16> {
  %c = nn.constant dense<1.0> : tensor<2xf16>
  %y = nn.batch_norm_inference %x, %c, %c, %c, %c {epsilon = 1.0e-03 : f64} : (tensor<1x2x3xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>, tensor<2xf16>) -> tensor<1x2x3xf16>
  func.return %y : tensor<1x2x3xf16>
}
func.func @no_variance(%x: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
  %c = nn.constant dense<1.0> : tensor<2xf32>
  %v = nn.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %y = nn.batch_norm_inference %x, %c, %c, %c, %v {epsilon = 0.0 : f64} : (tensor<1x2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}
