// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s

// CHECK-LABEL: @activations
// CHECK-NEXT: [[Y:%.*]] = nn.mat_mul %a, %b {nn.name = "y_original"{{.*}} : (tensor<2x3x4xui8>, tensor<2x4x5xi8>) -> tensor<2x3x5xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.125> : tensor<f32>> {nn.name = "y"} : tensor<2x3x5xi32> -> tensor<2x3x5xf32>
func.func @activations(%a: tensor<2x3x4xui8>, %b: tensor<2x4x5xi8>) -> tensor<2x3x5xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<2x3x4xui8> -> tensor<2x3x4xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x4x5xi8> -> tensor<2x4x5xf32>
  %y = nn.mat_mul %x, %w {nn.name = "y"} : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  func.return %y : tensor<2x3x5xf32>
}

// A scale for each output channel, where it stands in the weights and where it stands in the result.
// CHECK-LABEL: @per_channel_transposed
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[0.5, 1.0, 1.5\]\]}}> : tensor<1x3xf32>>
func.func @per_channel_transposed(%a: tensor<2x4xi8>, %b: tensor<3x4xi8>) -> tensor<2x3xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<2x4xi8> -> tensor<2x4xf32>
  %w = qnn.dequantize %b scale <dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>> : tensor<3x4xi8> -> tensor<3x4xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[0.5, 1.0, 1.5\]\]}}> : tensor<1x3xf32>>
func.func @per_channel(%a: tensor<2x4xi8>, %b: tensor<4x3xi8>) -> tensor<2x3xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<2x4xi8> -> tensor<2x4xf32>
  %w = qnn.dequantize %b scale <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>> : tensor<4x3xi8> -> tensor<4x3xf32>
  %y = nn.mat_mul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// A scale for each row on the left too; the left operand transposed.
// CHECK-LABEL: @per_row
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[2.0, 4.0\], \[3.0, 6.0\]\]}}> : tensor<2x2xf32>>
func.func @per_row(%a: tensor<4x2xui8>, %b: tensor<4x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %a scale <dense<[[2.0, 3.0]]> : tensor<1x2xf32>> : tensor<4x2xui8> -> tensor<4x2xf32>
  %w = qnn.dequantize %b scale <dense<[[1.0, 2.0]]> : tensor<1x2xf32>> : tensor<4x2xi8> -> tensor<4x2xf32>
  %y = nn.mat_mul %x, %w {transpose_a = true} : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// CHECK-LABEL: @vectors
// CHECK: [[Y:%.*]] = nn.mat_mul {{.*}} : (tensor<4xui8>, tensor<4x2xi8>) -> tensor<2xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<[0.5, 1.0]> : tensor<2xf32>>
// CHECK: [[Z:%.*]] = nn.mat_mul {{.*}} : (tensor<2x4xui8>, tensor<4xi8>) -> tensor<2xi32>
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<[0.5, 1.0]> : tensor<2xf32>>
func.func @vectors(%a: tensor<4xui8>, %b: tensor<4x2xi8>, %c: tensor<2x4xui8>, %d: tensor<4xi8>) -> (tensor<2xf32>, tensor<2xf32>) {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %w = qnn.dequantize %b scale <dense<[1.0, 2.0]> : tensor<2xf32>> : tensor<4x2xi8> -> tensor<4x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<4xf32>, tensor<4x2xf32>) -> tensor<2xf32>
  %v = qnn.dequantize %c scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<2x4xui8> -> tensor<2x4xf32>
  %u = qnn.dequantize %d scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.mat_mul %v, %u : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}

// A zero point for each element that is summed.
// CHECK-LABEL: @zero_point_along_the_sum
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.125> : tensor<f32>> zero_point <dense<{{\[\[50, 0\]\]}}> : tensor<1x2xi32>>
func.func @zero_point_along_the_sum(%a: tensor<1x2xui8>) -> tensor<1x2xf32> {
  %b = nn.constant dense<[[1, 2], [-2, 1]]> : tensor<2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<[[10, 20]]> : tensor<1x2xui8>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// A zero point on the left, times the sums of the weights' columns.
// CHECK-LABEL: @zero_point
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.125> : tensor<f32>> zero_point <dense<{{\[\[30, -10\]\]}}> : tensor<1x2xi32>>
func.func @zero_point(%a: tensor<1x2xui8>) -> tensor<1x2xf32> {
  %b = nn.constant dense<[[1, 2], [-2, 1]]> : tensor<2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @zero_point_times_activations
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 0 is quantized with a zero point, and input 1 is not a constant to fold it with; quantize input 0 symmetrically around 0"
func.func @zero_point_times_activations(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// What is computed is multiplied by a zero point in no preset but `cpu-x86-exact` and `all`.
// CHECK-LABEL: @zero_point_on_the_right
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is quantized with a zero point; quantize it symmetrically around 0"
func.func @zero_point_on_the_right(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// Of constant weights, the zero point times the sums of rows is subtracted.
// CHECK-LABEL: @zero_point_on_constant_weights
// CHECK: [[P:%.*]] = nn.mat_mul %a, %b {{.*}} -> tensor<1x2xi32>
// CHECK: [[S:%.*]] = nn.mat_mul %a, {{.*}} -> tensor<1x1xi32>
// CHECK: [[T:%.*]] = nn.multiply [[S]]
// CHECK-NEXT: [[E:%.*]] = nn.subtract [[P]], [[T]]
// CHECK-NEXT: qnn.dequantize [[E]] scale <dense<0.125> : tensor<f32>> :
func.func @zero_point_on_constant_weights(%a: tensor<1x2xui8>) -> tensor<1x2xf32> {
  %b = nn.constant dense<[[3, 3], [1, 5]]> : tensor<2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @unsigned_on_the_right
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is quantized to ui8; preset 'cpu-x86' takes i8 there; quantize it to i8"
func.func @unsigned_on_the_right(%a: tensor<1x2xui8>, %b: tensor<2x2xui8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @per_channel_along_the_sum
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 0 is quantized per channel along the dimension that is summed over; quantize it per tensor"
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is quantized per channel along the dimension that is summed over; quantize it per tensor"
func.func @per_channel_along_the_sum(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %x = qnn.dequantize %a scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %v = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %u = qnn.dequantize %b scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %z = nn.mat_mul %v, %u : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y, %z : tensor<1x2xf32>, tensor<1x2xf32>
}

// CHECK-LABEL: @not_quantized
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 0 is not quantized; put a FakeQuantize on it"
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is a constant in floating point; quantize it to i8"
func.func @not_quantized(%f: tensor<1x2xf32>, %a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %f, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %c = nn.constant dense<0.3> : tensor<2x2xf32>
  %z = nn.mat_mul %x, %c : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y, %z : tensor<1x2xf32>, tensor<1x2xf32>
}

// Dequantization that is written out waits for the prerequisites, also where it is transposed; one whose scale is
// computed is none.
// CHECK-LABEL: @written_out
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is dequantized by Convert and Multiply; run lpt, or lpt-prerequisites first, which raises them"
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is dequantized by Convert and Multiply; run lpt, or lpt-prerequisites first, which raises them"
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 1 is not quantized; put a FakeQuantize on it"
func.func @written_out(%a: tensor<1x2xui8>, %f: tensor<f32>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %b = nn.constant dense<[[1, -3], [2, 5]]> : tensor<2x2xi8>
  %c = nn.convert %b to f32 : tensor<2x2xi8> -> tensor<2x2xf32>
  %s = nn.constant dense<0.25> : tensor<f32>
  %w = nn.multiply %c, %s : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %o = nn.constant dense<[1, 0]> : tensor<2xi64>
  %t = nn.transpose %w, %o : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %z = nn.mat_mul %x, %t : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %v = nn.multiply %c, %f : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x2xf32>
  %u = nn.mat_mul %x, %v : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y, %z, %u : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}

// The FakeQuantize at fault is named.
// CHECK-LABEL: @names_the_fault
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 0 is not quantized by qnn.fake_quantize 'fq': 257 levels; low precision takes 2 to 256"
func.func @names_the_fault(%f: tensor<1x2xf32>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<1.0> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %l, %h {levels = 257 : i64, nn.name = "fq"} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %q, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// What dequantization could not pass on its way is named too, with what it says.
// CHECK-LABEL: @names_what_is_between
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 0 is not quantized: nn.relu 'r' gives values: {{.*}}
func.func @names_what_is_between(%f: tensor<1x2xf32>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %l = nn.constant dense<-0.5> : tensor<f32>
  %h = nn.constant dense<2.05> : tensor<f32>
  %q = qnn.fake_quantize %f, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<1x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2xf32>
  %r = nn.relu %q {nn.name = "r"} : tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %r, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// One product's sums are no codes for the next.
// CHECK-LABEL: @chain
// CHECK: nn.mat_mul {{.*}} lpt.declined = "input 0 is the 32-bit sum of another product; put a FakeQuantize on it"
func.func @chain(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %z = nn.mat_mul %y, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  func.return %z : tensor<1x2xf32>
}

// 65793 products of u8 and i8 fit 32 bits, one more does not, and an unknown number might not.
// CHECK-LABEL: @overflow
// CHECK: nn.mat_mul {{.*}} -> tensor<1x1xi32>
// CHECK: nn.mat_mul {{.*}} lpt.declined = "it sums 65794 products, and 32 bits may overflow; 65793 are safe"
// CHECK: nn.mat_mul {{.*}} lpt.declined = "it sums a number of products that is unknown, so 32 bits may overflow; fix its size"
func.func @overflow(%a: tensor<1x65793xui8>, %b: tensor<65793x1xi8>, %c: tensor<1x65794xui8>, %d: tensor<65794x1xi8>, %e: tensor<1x?xui8>, %f: tensor<?x1xi8>) -> (tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>) {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x65793xui8> -> tensor<1x65793xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<65793x1xi8> -> tensor<65793x1xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x65793xf32>, tensor<65793x1xf32>) -> tensor<1x1xf32>
  %v = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<1x65794xui8> -> tensor<1x65794xf32>
  %u = qnn.dequantize %d scale <dense<0.25> : tensor<f32>> : tensor<65794x1xi8> -> tensor<65794x1xf32>
  %z = nn.mat_mul %v, %u : (tensor<1x65794xf32>, tensor<65794x1xf32>) -> tensor<1x1xf32>
  %r = qnn.dequantize %e scale <dense<0.5> : tensor<f32>> : tensor<1x?xui8> -> tensor<1x?xf32>
  %s = qnn.dequantize %f scale <dense<0.25> : tensor<f32>> : tensor<?x1xi8> -> tensor<?x1xf32>
  %t = nn.mat_mul %r, %s : (tensor<1x?xf32>, tensor<?x1xf32>) -> tensor<1x1xf32>
  func.return %y, %z, %t : tensor<1x1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}

// Of i8 and i8, 131072 are one too many: all may be -128.
// CHECK-LABEL: @overflow_signed
// CHECK: nn.mat_mul {{.*}} lpt.declined = "it sums 131072 products, and 32 bits may overflow; 131071 are safe"
func.func @overflow_signed(%a: tensor<1x131072xi8>, %b: tensor<131072x1xi8>) -> tensor<1x1xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x131072xi8> -> tensor<1x131072xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<131072x1xi8> -> tensor<131072x1xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x131072xf32>, tensor<131072x1xf32>) -> tensor<1x1xf32>
  func.return %y : tensor<1x1xf32>
}

// An unknown number of rows is fine.
// CHECK-LABEL: @dynamic_rows
// CHECK: nn.mat_mul {{.*}} -> tensor<?x2xi32>
func.func @dynamic_rows(%a: tensor<?x4xui8>, %b: tensor<4x2xi8>) -> tensor<?x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<?x4xui8> -> tensor<?x4xf32>
  %w = qnn.dequantize %b scale <dense<[1.0, 2.0]> : tensor<2xf32>> : tensor<4x2xi8> -> tensor<4x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<?x4xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
