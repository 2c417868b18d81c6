// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @quantized
// CHECK: [[Q:%.*]] = qnn.fake_quantize
// CHECK-NEXT: func.return [[Q]]
func.func @quantized(%x: tensor<2xf32>) -> tensor<2xf32> {
  %l = nn.constant dense<-1.0> : tensor<f32>
  %h = nn.constant dense<2.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %y = nn.clamp %q {min = -1.0 : f64, max = 2.0 : f64} : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: @clips_one_end
// CHECK: nn.clamp
func.func @clips_one_end(%x: tensor<2xf32>) -> tensor<2xf32> {
  %l = nn.constant dense<-1.0> : tensor<f32>
  %h = nn.constant dense<2.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %y = nn.clamp %q {min = -1.0 : f64, max = 1.99 : f64} : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// Codes from -128 to 127, each channel with its scale.
// CHECK-LABEL: @dequantized
// CHECK: [[X:%.*]] = qnn.dequantize
// CHECK: [[Z:%.*]] = nn.clamp [[X]] {min = -1.270000e+02
// CHECK-NEXT: func.return [[X]], [[Z]]
func.func @dequantized(%q: tensor<2xi8>) -> (tensor<2xf32>, tensor<2xf32>) {
  %x = qnn.dequantize %q scale <dense<[1.0, -0.5]> : tensor<2xf32>> : tensor<2xi8> -> tensor<2xf32>
  %y = nn.clamp %x {min = -128.0 : f64, max = 127.0 : f64} : tensor<2xf32>
  %z = nn.clamp %x {min = -127.0 : f64, max = 127.0 : f64} : tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// Nothing is known of sums.
// CHECK-LABEL: @sums
// CHECK: nn.clamp
func.func @sums(%q: tensor<2xi32>) -> tensor<2xf32> {
  %x = qnn.dequantize %q scale <dense<1.0e-9> : tensor<f32>> : tensor<2xi32> -> tensor<2xf32>
  %y = nn.clamp %x {min = -3.0 : f64, max = 3.0 : f64} : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// What is concatenated lies within the limits.
// CHECK-LABEL: @concatenated
// CHECK: [[C:%.*]] = nn.concat
// CHECK-NEXT: func.return [[C]]
func.func @concatenated(%x: tensor<2xf32>, %q: tensor<2xi8>) -> tensor<4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<130.0> : tensor<f32>
  %a = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %b = qnn.dequantize %q scale <dense<1.0> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %c = nn.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %y = nn.clamp %c {min = -128.0 : f64, max = 130.0 : f64} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// One part goes beyond them, or is not quantized.
// CHECK-LABEL: @one_part_beyond
// CHECK-COUNT-2: nn.clamp
func.func @one_part_beyond(%x: tensor<2xf32>, %q: tensor<2xi8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<130.0> : tensor<f32>
  %a = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %b = qnn.dequantize %q scale <dense<1.0> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %c = nn.concat %a, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %y = nn.clamp %c {min = -127.0 : f64, max = 130.0 : f64} : tensor<4xf32>
  %d = nn.concat %x, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  %z = nn.clamp %d {min = -128.0 : f64, max = 130.0 : f64} : tensor<4xf32>
  func.return %y, %z : tensor<4xf32>, tensor<4xf32>
}
