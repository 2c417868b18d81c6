// RUN: opt-tool %s --lpt-main | filecheck %s

// Values are step * code + low: the low end times the sums of the columns is added behind the product.
// CHECK-LABEL: @computed
// CHECK: [[Q:%.*]] = qnn.fake_quantize %x, %l, %h, {{.*}} {nn.name = "fq", levels = 256 : i64, output_type = ui8}
// CHECK-NEXT: [[P:%.*]] = nn.mat_mul [[Q]], %w {nn.name = "fc_original"{{.*}} : (tensor<1x2xui8>, tensor<2x2xi8>) -> tensor<1x2xi32>
// CHECK: [[V:%.*]] = qnn.dequantize [[P]] scale <dense<0.5> : tensor<f32>>
// CHECK: [[S:%.*]] = nn.multiply [[V]],
// CHECK: nn.constant dense<{{\[\[2.0, 3.5\]\]}}> : tensor<1x2xf32>
// CHECK: [[L:%.*]] = nn.multiply
// CHECK-NEXT: nn.add [[S]], [[L]] {{.*}}nn.name = "fc"
func.func @computed(%x: tensor<1x2xf32>, %l: tensor<f32>, %h: tensor<f32>) -> tensor<1x2xf32> {
  %w = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi8>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %d {nn.name = "fc"} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// An interval for each row of the left, or weights that are computed.
// CHECK-LABEL: @declined
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is not quantized by qnn.fake_quantize 'rows': an interval that is computed while running; low precision takes constants"
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is not quantized by qnn.fake_quantize 'fq': an interval that is computed while running; low precision takes constants"
func.func @declined(%x: tensor<2x2xf32>, %r: tensor<2x1xf32>, %l: tensor<f32>, %h: tensor<f32>, %v: tensor<2x2xi8>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi8>
  %o = qnn.fake_quantize %x, %l, %h, %r, %h {levels = 256 : i64, nn.name = "rows"} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %o, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %e = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %z = nn.mat_mul %q, %e : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<2x2xf32>, tensor<2x2xf32>
}
