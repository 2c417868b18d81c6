// RUN: opt-tool %s --lpt-main=preset=cpu-x86-exact | filecheck %s

// Codes below the zero point mean less than 0.
// CHECK-LABEL: @zero_point
// CHECK-NEXT: [[Y:%.*]] = nn.clamp %q {nn.name = "relu_original", min = 3.000000e+00 : f64, max = 1.270000e+02 : f64} : tensor<4xi8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> {nn.name = "relu"}
func.func @zero_point(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.relu %x {nn.name = "relu"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Between codes, 0 is none that the result could be.
// CHECK-LABEL: @between
// CHECK: nn.relu {{.*}} {lpt.declined = "its input is quantized with a zero point; quantize it symmetrically around 0"}
func.func @between(%q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3.25> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// All codes mean more than 0, or all less.
// CHECK-LABEL: @beyond
// CHECK-NEXT: [[A:%.*]] = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<-200.5> : tensor<f32>> : tensor<4xi8>
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize
// CHECK-NEXT: [[B:%.*]] = nn.relu [[X]] {lpt.declined = "its input is quantized with a zero point
// CHECK-NEXT: func.return [[A]], [[B]]
func.func @beyond(%q: tensor<4xi8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<-200.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.relu %x : tensor<4xf32>
  %z = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<200.0> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %w = nn.relu %z : tensor<4xf32>
  func.return %y, %w : tensor<4xf32>, tensor<4xf32>
}

// A negative scale makes the upper half of the codes the one below 0.
// CHECK-LABEL: @negative_scale
// CHECK-NEXT: [[L:%.*]] = nn.constant dense<[0, -128]> : tensor<2xi8>
// CHECK-NEXT: [[A:%.*]] = nn.maximum %q, [[L]]
// CHECK-NEXT: [[H:%.*]] = nn.constant dense<[127, 0]> : tensor<2xi8>
// CHECK-NEXT: nn.minimum [[A]], [[H]]
func.func @negative_scale(%q: tensor<2xi8>) -> tensor<2xf32> {
  %x = qnn.dequantize %q scale <dense<[0.5, -0.5]> : tensor<2xf32>> : tensor<2xi8> -> tensor<2xf32>
  %y = nn.relu %x : tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: @codes
// CHECK-NEXT: [[Y:%.*]] = nn.clamp %q {nn.name = "clamp_original", min = 3.000000e+00 : f64, max = 2.550000e+02 : f64} : tensor<4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> {nn.name = "clamp"}
func.func @codes(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %y = nn.clamp %x {min = 0.0 : f64, max = 1000.0 : f64, nn.name = "clamp"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// What clips nothing vanishes: codes of u8 mean -1.5 to 126.
// CHECK-LABEL: @nothing
// CHECK-NEXT: [[Y:%.*]] = qnn.dequantize %q {{.*}} {nn.name = "clamp"}
// CHECK-NEXT: func.return [[Y]]
func.func @nothing(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %y = nn.clamp %x {min = -1.5 : f64, max = 126.1 : f64, nn.name = "clamp"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Where everything is clipped, the limit may have no code.
// CHECK-LABEL: @everything
// CHECK: nn.convert
// CHECK: nn.clamp {{.*}} : tensor<4xf32>
func.func @everything(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %y = nn.clamp %x {min = 126.5 : f64, max = 200.0 : f64, nn.name = "clamp"} : tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Each channel has its limits, a negative scale the other one, and what is always 0 has none.
// CHECK-LABEL: @channels
// CHECK-NEXT: [[L:%.*]] = nn.constant dense<[-2, -16, -128]> : tensor<3xi8>
// CHECK-NEXT: [[A:%.*]] = nn.maximum %q, [[L]]
// CHECK-NEXT: [[H:%.*]] = nn.constant dense<[8, 4, 127]> : tensor<3xi8>
// CHECK-NEXT: [[B:%.*]] = nn.minimum [[A]], [[H]] {{.*}}nn.name = "clamp_original"
// CHECK-NEXT: qnn.dequantize [[B]] scale <dense<[0.5, -0.25, 0.0]> : tensor<3xf32>> {nn.name = "clamp"}
func.func @channels(%q: tensor<3xi8>) -> tensor<3xf32> {
  %x = qnn.dequantize %q scale <dense<[0.5, -0.25, 0.0]> : tensor<3xf32>> : tensor<3xi8> -> tensor<3xf32>
  %y = nn.clamp %x {min = -1.0 : f64, max = 4.0 : f64, nn.name = "clamp"} : tensor<3xf32>
  func.return %y : tensor<3xf32>
}
