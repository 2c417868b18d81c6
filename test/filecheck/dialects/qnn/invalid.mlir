// What qnn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4xf32>, %l: tensor<f32>) {
  // expected-error@below {{qnn.fake_quantize 'FQ_1': 1 levels; at least 2 are needed}}
  %0 = qnn.fake_quantize %x, %l, %l, %l, %l {levels = 1 : i64, nn.name = "FQ_1"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %l: tensor<f32>) {
  // expected-error@below {{qnn.fake_quantize: auto_broadcast 'none' is not supported; use 'numpy'}}
  %0 = qnn.fake_quantize %x, %l, %l, %l, %l {levels = 2 : i64, auto_broadcast = "none"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %c: tensor<3xf32>, %l: tensor<f32>) {
  // expected-error@below {{qnn.fake_quantize: shapes [4] and [3] and}}
  %0 = qnn.fake_quantize %x, %c, %l, %l, %l {levels = 256 : i64} : (tensor<4xf32>, tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %c: tensor<2x1xf32>, %l: tensor<f32>) {
  // expected-error@below {{qnn.fake_quantize: intervals broadcast to [2, 4], the input is [4]; they must fit into it}}
  %0 = qnn.fake_quantize %x, %c, %l, %l, %l {levels = 256 : i64} : (tensor<4xf32>, tensor<2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x4xf32>, %c: tensor<2x1xf32>, %l: tensor<f32>) {
  // expected-error@below {{qnn.fake_quantize: intervals broadcast to [2, 4], the input is [1, 4]; they must fit into it}}
  %0 = qnn.fake_quantize %x, %c, %l, %l, %l {levels = 256 : i64} : (tensor<1x4xf32>, tensor<2x1xf32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<0x7FC00000> : tensor<f32>
  // expected-error@below {{qnn.fake_quantize 'FQ_2': input_high is not finite; calibrate this quantization again}}
  %0 = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64, nn.name = "FQ_2"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<1.0> : tensor<f32>
  %inf = nn.constant dense<0xFF800000> : tensor<f32>
  // expected-error@below {{qnn.fake_quantize: output_low is not finite; calibrate this quantization again}}
  %0 = qnn.fake_quantize %x, %low, %high, %inf, %high {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %low = nn.constant dense<1.0> : tensor<f32>
  %high = nn.constant dense<-1.0> : tensor<f32>
  // expected-error@below {{qnn.fake_quantize: input interval [1, -1] is inverted; exchange input_low and input_high}}
  %0 = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return
}
// -----
// One of two channels, and its output interval is no point.
func.func @f(%x: tensor<2xf32>) {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<[1.0, 0.0]> : tensor<2xf32>
  %one = nn.constant dense<1.0> : tensor<f32>
  // expected-error@below {{qnn.fake_quantize: input interval [0, 0] is one point, and what it gives is not; calibrate this quantization again}}
  %0 = qnn.fake_quantize %x, %low, %high, %low, %one {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%q: tensor<4xi8>) {
  // expected-error@below {{qnn.dequantize: scale has more dimensions than the input}}
  %0 = qnn.dequantize %q scale <dense<[[0.5]]> : tensor<1x1xf32>> : tensor<4xi8> -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%q: tensor<1xi8>) {
  // expected-error@below {{qnn.dequantize: scale or zero point of shape [4] does not broadcast to the input's [1]}}
  %0 = qnn.dequantize %q scale <dense<0.5> : tensor<4xf32>> : tensor<1xi8> -> tensor<1xf32>
  func.return
}
// -----
func.func @f(%q: tensor<4xi8>) {
  // expected-error@below {{qnn.dequantize: shapes [4] and [3] do not broadcast}}
  %0 = qnn.dequantize %q scale <dense<0.5> : tensor<3xf32>> : tensor<4xi8> -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%q: tensor<4xi8>) {
  // expected-error@below {{qnn.dequantize: result type tensor<4xf16> does not fit; operands give tensor<4xf32>}}
  %0 = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf16>
  func.return
}
// -----
func.func @f(%q: tensor<4xi8>) {
  // expected-error@below {{qnn.dequantize 'weights': a zero point is not finite; calibrate this quantization again}}
  %0 = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<0x7FC00000> : tensor<f32>> {nn.name = "weights"} : tensor<4xi8> -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%q: tensor<4xi8>) {
  // expected-error@below {{qnn.dequantize 'weights': a scale is not finite; calibrate this quantization again}}
  %0 = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0, 0x7F800000]> : tensor<4xf32>> {nn.name = "weights"} : tensor<4xi8> -> tensor<4xf32>
  func.return
}
