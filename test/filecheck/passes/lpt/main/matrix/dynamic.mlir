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

// Rows on intervals of their own, whose low end is 0: nothing is added.
// CHECK-LABEL: @rows
// CHECK: [[Q:%.*]] = qnn.fake_quantize %x, %l, %h, {{.*}} output_type = ui8}
// CHECK-NEXT: [[P:%.*]] = nn.mat_mul [[Q]], %w {{.*}} : (tensor<2x2xui8>, tensor<2x2xi8>) -> tensor<2x2xi32>
// CHECK: [[S:%.*]] = nn.multiply {{.*}} : (tensor<2x1xf32>, tensor<f32>) -> tensor<2x1xf32>
// CHECK-NEXT: [[V:%.*]] = qnn.dequantize [[P]]
// CHECK-NEXT: [[Y:%.*]] = nn.multiply [[V]], [[S]] {nn.name = "fc"{{.*}} : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: func.return [[Y]]
func.func @rows(%x: tensor<2x2xf32>, %h: tensor<2x1xf32>) -> tensor<2x2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %w = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi8>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<2x2xf32>, tensor<f32>, tensor<2x1xf32>, tensor<f32>, tensor<2x1xf32>) -> tensor<2x2xf32>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %d {nn.name = "fc"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// An interval for each column of the left, or rows of it that lie as columns, or weights that are computed.
// CHECK-LABEL: @declined
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is not quantized by qnn.fake_quantize 'columns': an interval that is computed while running; low precision takes constants"
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is not quantized by qnn.fake_quantize 'rows': an interval that is computed while running; low precision takes constants", transpose_a
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is not quantized by qnn.fake_quantize 'fq': an interval that is computed while running; low precision takes constants"
func.func @declined(%x: tensor<2x2xf32>, %c: tensor<1x2xf32>, %r: tensor<2x1xf32>, %l: tensor<f32>, %h: tensor<f32>, %v: tensor<2x2xi8>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %w = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %o = qnn.fake_quantize %x, %l, %h, %c, %h {levels = 256 : i64, nn.name = "columns"} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<1x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %o, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = qnn.fake_quantize %x, %l, %h, %r, %h {levels = 256 : i64, nn.name = "rows"} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<2x1xf32>, tensor<f32>) -> tensor<2x2xf32>
  %u = nn.mat_mul %p, %d {transpose_a = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %e = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %z = nn.mat_mul %q, %e : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %y, %u, %z : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
