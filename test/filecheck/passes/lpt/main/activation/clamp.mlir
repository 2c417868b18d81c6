// RUN: opt-tool %s --lpt-main | filecheck %s
// RUN: opt-tool %s --lpt-main --lpt-cleanup | filecheck %s --check-prefix WRITTEN

// CHECK-LABEL: @limits_in_codes
// CHECK-NEXT: [[V:%.*]] = nn.convert %q to f32 : tensor<4xui8> -> tensor<4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.clamp [[V]] {nn.name = "clamp_original", min = 1.000000e+00 : f64, max = 1.250000e+01 : f64} : tensor<4xf32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3.0> : tensor<f32>> {nn.name = "clamp"} : tensor<4xf32> -> tensor<4xf32>

// Values in floating point are not converted again.
// WRITTEN-LABEL: @limits_in_codes
// WRITTEN: [[Y:%.*]] = nn.clamp
// WRITTEN-NEXT: [[Z:%.*]] = nn.constant dense<3.0> : tensor<f32>
// WRITTEN-NEXT: [[D:%.*]] = nn.subtract [[Y]], [[Z]]
// WRITTEN-NEXT: [[S:%.*]] = nn.constant dense<0.5> : tensor<f32>
// WRITTEN-NEXT: nn.multiply [[D]], [[S]] {nn.name = "clamp"}
func.func @limits_in_codes(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %y = nn.clamp %x {min = -1.0 : f64, max = 4.75 : f64, nn.name = "clamp"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// CHECK-LABEL: @negative_scale
// CHECK: nn.clamp {{.*}} {min = -8.000000e+00 : f64, max = 2.000000e+00 : f64}
func.func @negative_scale(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<-0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.clamp %x {min = -1.0 : f64, max = 4.0 : f64} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// In f16 models, limits are compared with, and values dequantized, in f32.
// CHECK-LABEL: @half
// CHECK-NEXT: [[V:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Y:%.*]] = nn.clamp [[V]] {{.*}} : tensor<4xf32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.1> : tensor<f32>> {output_type = f16} : tensor<4xf32> -> tensor<4xf16>
func.func @half(%q: tensor<4xi8>) -> tensor<4xf16> {
  %x = qnn.dequantize %q scale <dense<0.1> : tensor<f32>> {output_type = f16} : tensor<4xi8> -> tensor<4xf16>
  %y = nn.clamp %x {min = 0.0 : f64, max = 6.0 : f64} : tensor<4xf16>
  func.return %y : tensor<4xf16>
}

// What follows gets values.
// CHECK-LABEL: @twice
// CHECK: [[X:%.*]] = qnn.dequantize {{.*}} : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: nn.clamp [[X]] {lpt.declined = "its input is computed in floating point from codes; put a FakeQuantize on it"
func.func @twice(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.clamp %x {min = 0.0 : f64, max = 6.0 : f64} : tensor<4xf32>
  %z = nn.clamp %y {min = 1.0 : f64, max = 5.0 : f64} : tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// CHECK-LABEL: @per_channel
// CHECK: nn.clamp {{.*}} {lpt.declined = "its input is quantized per channel, and its limits are one; quantize it per tensor"
func.func @per_channel(%q: tensor<2xi8>) -> tensor<2xf32> {
  %x = qnn.dequantize %q scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<2xi8> -> tensor<2xf32>
  %y = nn.clamp %x {min = 0.0 : f64, max = 6.0 : f64} : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: @zero_scale
// CHECK: nn.clamp {{.*}} {lpt.declined = "its input has a scale of 0, so it is a constant"
func.func @zero_scale(%q: tensor<2xi8>) -> tensor<2xf32> {
  %x = qnn.dequantize %q scale <dense<0.0> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %y = nn.clamp %x {min = 1.0 : f64, max = 6.0 : f64} : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.clamp {{.*}} {lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"
func.func @sum_of_products(%q: tensor<4xi32>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi32> -> tensor<4xf32>
  %y = nn.clamp %x {min = 1.0 : f64, max = 6.0 : f64} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
