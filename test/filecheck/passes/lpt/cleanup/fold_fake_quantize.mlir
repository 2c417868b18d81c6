// RUN: opt-tool %s --lpt-cleanup | filecheck %s

// Weights of products that stayed in floating point, whatever their levels.
// CHECK-LABEL: @weights
// CHECK-NEXT: [[W:%.*]] = nn.constant {nn.name = "w"} dense<[0.0, 0.5, 1.0]> : tensor<3xf16>
// CHECK-NEXT: func.return [[W]]
func.func @weights() -> tensor<3xf16> {
  %x = nn.constant dense<[-1.0, 0.4, 3.0]> : tensor<3xf16>
  %l = nn.constant dense<0.0> : tensor<f16>
  %h = nn.constant dense<1.0> : tensor<f16>
  %w = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 3 : i64, nn.name = "w"} : (tensor<3xf16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<3xf16>
  func.return %w : tensor<3xf16>
}

// Whatever comes in, one value goes out.
// CHECK-LABEL: @one_point
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<2.0> : tensor<2x3xf32>
// CHECK-NEXT: func.return [[W]]
func.func @one_point(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<1.0> : tensor<f32>
  %p = nn.constant dense<2.0> : tensor<f32>
  %c = nn.constant dense<2.0> : tensor<3xf32>
  %y = qnn.fake_quantize %x, %l, %h, %p, %c {levels = 256 : i64} : (tensor<2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// Two points, computed limits, and a shape that is unknown.
// CHECK-LABEL: @others
// CHECK-COUNT-3: qnn.fake_quantize
func.func @others(%x: tensor<2xf32>, %a: tensor<f32>, %u: tensor<?xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<?xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<1.0> : tensor<f32>
  %c = nn.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %p = qnn.fake_quantize %x, %l, %h, %c, %c {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %q = qnn.fake_quantize %x, %l, %h, %a, %a {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %r = qnn.fake_quantize %u, %l, %h, %l, %l {levels = 256 : i64} : (tensor<?xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  func.return %p, %q, %r : tensor<2xf32>, tensor<2xf32>, tensor<?xf32>
}
