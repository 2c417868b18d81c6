// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @weights
// CHECK-NEXT: [[W:%.*]] = nn.constant {nn.name = "w_original"} dense<{{\[\[-127, 0, 64, 127\]\]}}> : tensor<1x4xi8>
// CHECK: qnn.dequantize [[W]] scale <dense<0.01> : tensor<f32>> {lpt.output_interval = {{.*}}, nn.name = "w"}
func.func @weights() -> tensor<1x4xf32> {
  %w = nn.constant dense<[[-1.5, 0.001, 0.64, 1.27]]> : tensor<1x4xf32>
  %l = nn.constant dense<-1.27> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %w, %l, %h, %l, %h {levels = 255 : i64, nn.name = "w"} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  func.return %q : tensor<1x4xf32>
}

// Only what has codes is folded.
// CHECK-LABEL: @stays_float
// CHECK: qnn.fake_quantize
func.func @stays_float() -> tensor<1x4xf32> {
  %w = nn.constant dense<[[-1.5, 0.001, 0.64, 1.27]]> : tensor<1x4xf32>
  %l = nn.constant dense<-1.27> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %q = qnn.fake_quantize %w, %l, %h, %l, %h {levels = 1000 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  func.return %q : tensor<1x4xf32>
}

// Codes of ui8 with a zero point: without it, i8 holds them.
// CHECK-LABEL: @unsigned
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<[-1, 0, 100]> : tensor<3xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale
func.func @unsigned() -> tensor<3xf32> {
  %w = nn.constant dense<[-0.01, 0.0, 1.0]> : tensor<3xf32>
  %l = nn.constant dense<-0.4> : tensor<f32>
  %h = nn.constant dense<2.15> : tensor<f32>
  %q = qnn.fake_quantize %w, %l, %h, %l, %h {levels = 256 : i64} : (tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>
  func.return %q : tensor<3xf32>
}

// CHECK-LABEL: @computed
// CHECK: qnn.fake_quantize %x, {{.*}} output_type = ui8
func.func @computed(%x: tensor<3xf32>) -> tensor<3xui8> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, output_type = ui8} : (tensor<3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3xui8>
  func.return %q : tensor<3xui8>
}
