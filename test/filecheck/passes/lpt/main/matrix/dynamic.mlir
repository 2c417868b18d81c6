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
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is quantized on intervals that are computed, and differ along the dimension that is summed over; compute one interval, or one for each row (FakeQuantize 'columns')"
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is quantized on intervals that are computed, and differ along the dimension that is summed over; compute one interval, or one for each row (FakeQuantize 'rows')", transpose_a
// CHECK: nn.mat_mul {{.*}} {lpt.declined = "input 0 is quantized on an interval that is computed, and input 1 is not a constant; quantize input 0 on an interval of constants (FakeQuantize 'fq')"
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

// Weights in floating point, of u8, with a zero point, with scales along the sum, or too many.
// CHECK-LABEL: @declined_weights
// CHECK: nn.mat_mul %q, %f {lpt.declined = "input 1 is not quantized; put a FakeQuantize on it"
// CHECK: nn.mat_mul %q, %u {lpt.declined = "input 1 is quantized to ui8; beside an interval that is computed, quantize it to i8"
// CHECK: nn.mat_mul %q, %z {lpt.declined = "input 1 is quantized with a zero point; quantize it symmetrically around 0"
// CHECK: nn.mat_mul %q, %s {lpt.declined = "input 1 is quantized per channel along the dimension that is summed over; quantize it per tensor"
// CHECK: nn.mat_mul %p, %m {lpt.declined = "it sums 65794 products, and 32 bits may overflow; 65793 are safe"
func.func @declined_weights(%x: tensor<2x2xf32>, %k: tensor<1x65794xf32>, %l: tensor<f32>, %h: tensor<f32>, %f: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1xf32>) {
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %a = nn.mat_mul %q, %f : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %v = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xui8>
  %u = qnn.dequantize %v scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %b = nn.mat_mul %q, %u : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %w = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi8>
  %z = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %c = nn.mat_mul %q, %z : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = qnn.dequantize %w scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %d = nn.mat_mul %q, %s : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = qnn.fake_quantize %k, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x65794xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x65794xf32>
  %n = nn.constant dense<1> : tensor<65794x1xi8>
  %m = qnn.dequantize %n scale <dense<0.5> : tensor<f32>> : tensor<65794x1xi8> -> tensor<65794x1xf32>
  %e = nn.mat_mul %p, %m : (tensor<1x65794xf32>, tensor<65794x1xf32>) -> tensor<1x1xf32>
  func.return %a, %b, %c, %d, %e : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x1xf32>
}

// More levels than codes of 8 bits have, f16, and codes that are given stay as they are.
// CHECK-LABEL: @no_8_bits
// CHECK: nn.mat_mul %q, {{.*}} -> tensor<2x2xf32>
// CHECK: nn.mat_mul {{.*}} -> tensor<2x2xf16>
func.func @no_8_bits(%x: tensor<2x2xf32>, %y: tensor<2x2xf16>, %l: tensor<f32>, %h: tensor<f32>, %m: tensor<f16>, %i: tensor<f16>) -> (tensor<2x2xf32>, tensor<2x2xf16>) {
  %w = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi8>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %e = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> {output_type = f16} : tensor<2x2xi8> -> tensor<2x2xf16>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 1024 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  %a = nn.mat_mul %q, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = qnn.fake_quantize %y, %m, %i, %m, %i {levels = 256 : i64} : (tensor<2x2xf16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<2x2xf16>
  %b = nn.mat_mul %p, %e : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  func.return %a, %b : tensor<2x2xf32>, tensor<2x2xf16>
}

// A low end that is a constant, and not 0, is added.
// CHECK-LABEL: @constant_low_end
// CHECK: nn.mat_mul {{.*}} -> tensor<1x2xi32>
// CHECK: nn.add
func.func @constant_low_end(%x: tensor<1x2xf32>, %h: tensor<f32>) -> tensor<1x2xf32> {
  %l = nn.constant dense<-1.0> : tensor<f32>
  %w = nn.constant dense<[[1, 2], [3, 5]]> : tensor<2x2xi8>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %d = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %d : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
