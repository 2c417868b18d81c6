// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s

// A bias is added in floating point, right behind the dequantization of the product.
// CHECK-LABEL: @bias
// CHECK: [[Y:%.*]] = nn.mat_mul
// CHECK-NEXT: [[D:%.*]] = qnn.dequantize [[Y]]
// CHECK: nn.add [[D]], {{.*}} lpt.declined = "it adds a bias, which belongs to the dequantization of the product before it"
func.func @bias(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %y, %c : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %z : tensor<1x2xf32>
}

// A constant moves the zero point as far as it says, also if that is next to a whole number.
// CHECK-LABEL: @next_to_a_code
// CHECK-NEXT: qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<[4.0, 4.0058594, 4.0, 3.9921875]> : tensor<4xf32>>
func.func @next_to_a_code(%p: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %c = nn.constant dense<[-2.0, -2.0029297, -2.0000002, -1.99609375]> : tensor<4xf32>
  %z = nn.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// The right one is read as codes: 0.5 p + 0.25 (q - 3) = 0.25 (2 (p - 1.5) + q).
// CHECK-LABEL: @two_scales
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize %p scale <dense<2.0> : tensor<f32>> zero_point <dense<1.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.convert %q to f32
// CHECK-NEXT: [[Z:%.*]] = nn.add [[X]], [[Y]] {nn.name = "sum_original"}
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<0.25> : tensor<f32>> {nn.name = "sum"} : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: func.return
func.func @two_scales(%p: tensor<4xui8>, %q: tensor<4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.dequantize %q scale <dense<0.25> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.add %x, %y {nn.name = "sum"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// What is not quantized keeps the dequantization, on either side; a product is no 8-bit code.
// CHECK-LABEL: @one_side
// CHECK-NEXT: [[X:%.*]] = qnn.dequantize %f scale <dense<2.0> : tensor<f32>> : tensor<4xf32> -> tensor<4xf32>
// CHECK-NEXT: [[Q:%.*]] = nn.convert %p to f32
// CHECK-NEXT: [[Z:%.*]] = nn.add [[Q]], [[X]]
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<0.5>
// CHECK-NEXT: func.return
// CHECK-LABEL: @product_side
// CHECK-DAG: [[X:%.*]] = qnn.dequantize %{{.*}} scale <dense<0.25> : tensor<f32>> : tensor<2x2xi32>
// CHECK-DAG: [[Q:%.*]] = nn.convert %p to f32
// CHECK: nn.add [[X]], [[Q]]
func.func @one_side(%p: tensor<4xui8>, %f: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %s = nn.add %x, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}
func.func @product_side(%p: tensor<2x2xui8>, %b: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = nn.add %y, %x : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %s : tensor<2x2xf32>
}

// Codes of a FakeQuantize that nothing else reads keep theirs, to be fused again; shared ones are read.
// CHECK-LABEL: @shared_codes
// CHECK: [[P:%.*]] = qnn.fake_quantize %x, {{.*}} output_type = ui8
// CHECK: [[Q:%.*]] = qnn.fake_quantize %y, {{.*}} output_type = ui8
// CHECK: nn.max_pool [[P]]
// CHECK-DAG: [[A:%.*]] = nn.convert [[P]] to f32
// CHECK-DAG: [[B:%.*]] = qnn.dequantize [[Q]] scale <dense<2.0>
// CHECK: nn.add [[A]], [[B]]
func.func @shared_codes(%x: tensor<1x1x4xf32>, %y: tensor<1x1x4xf32>) -> (tensor<1x1x3xf32>, tensor<1x1x4xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %g = nn.constant dense<5.1> : tensor<f32>
  %p = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %q = qnn.fake_quantize %y, %l, %g, %l, %g {levels = 256 : i64} : (tensor<1x1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x4xf32>
  %m = nn.max_pool %p {kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x4xf32> -> tensor<1x1x3xf32>
  %s = nn.add %p, %q : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
  func.return %m, %s : tensor<1x1x3xf32>, tensor<1x1x4xf32>
}

// A constant joins the zero point: 0.5 (q - 3) + 2 = 0.5 (q + 1), for each channel too.
// CHECK-LABEL: @constant
// CHECK-NEXT: qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<-1.0> : tensor<f32>> {nn.name = "sum"} : tensor<2x2xui8>
// CHECK-NEXT: qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<{{\[\[1, 2\]\]}}> : tensor<1x2xui8>>
// CHECK-NEXT: func.return
func.func @constant(%p: tensor<2x2xui8>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %c = nn.constant dense<2.0> : tensor<f32>
  %d = nn.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %s = nn.add %c, %x {nn.name = "sum"} : (tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %t = nn.add %x, %d : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %s, %t : tensor<2x2xf32>, tensor<2x2xf32>
}

// Dequantized constants are constants.
// CHECK-LABEL: @codes_of_a_constant
// CHECK: qnn.dequantize %p scale <dense<0.5> : tensor<f32>> zero_point <dense<{{\[-1.0, 1.0\]}}> : tensor<2xf32>>
func.func @codes_of_a_constant(%p: tensor<2xui8>) -> tensor<2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %c = nn.constant dense<[1, -1]> : tensor<2xi8>
  %y = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %s = nn.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// CHECK-LABEL: @constant_is_larger
// CHECK: nn.add {{.*}} {lpt.declined = "its constant is larger than its other input"}
func.func @constant_is_larger(%p: tensor<1xui8>) -> tensor<2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<1xui8> -> tensor<1xf32>
  %c = nn.constant dense<[1.0, 0.5]> : tensor<2xf32>
  %s = nn.add %x, %c : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// CHECK-LABEL: @constant_of_elements
// CHECK: nn.add {{.*}} {lpt.declined = "its constant differs along more than one dimension"}
func.func @constant_of_elements(%p: tensor<2x2xui8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %c = nn.constant dense<[[1.0, 0.5], [2.0, 3.0]]> : tensor<2x2xf32>
  %s = nn.add %x, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %s : tensor<2x2xf32>
}

// CHECK-LABEL: @constant_and_no_scale
// CHECK: nn.add {{.*}} {lpt.declined = "its input has a scale of 0, which no zero point can shift"}
func.func @constant_and_no_scale(%p: tensor<2xui8>) -> tensor<2xf32> {
  %x = qnn.dequantize %p scale <dense<[0.5, 0.0]> : tensor<2xf32>> : tensor<2xui8> -> tensor<2xf32>
  %c = nn.constant dense<1.0> : tensor<f32>
  %s = nn.add %x, %c : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// Behind a product, such a constant is a bias, also where a multiplication was in between.
// CHECK-LABEL: @product_and_no_scale
// CHECK: nn.add {{.*}} {lpt.declined = "it adds a bias, which belongs to the dequantization of the product before it"
func.func @product_and_no_scale(%a: tensor<1x2xui8>, %b: tensor<2x2xi8>) -> tensor<1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2xui8> -> tensor<1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
  %m = nn.constant dense<[[0.5, 0.0]]> : tensor<1x2xf32>
  %s = nn.multiply %y, %m : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %s, %c : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %z : tensor<1x2xf32>
}

// CHECK-LABEL: @constant_is_too_large
// CHECK: nn.add {{.*}} {lpt.declined = "its constant is too large beside the scale of its input"}
func.func @constant_is_too_large(%p: tensor<2xui8>) -> tensor<2xf32> {
  %x = qnn.dequantize %p scale <dense<1.0e-10> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %c = nn.constant dense<1.0e30> : tensor<f32>
  %s = nn.add %x, %c : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// CHECK-LABEL: @two_products
// CHECK: nn.add {{.*}} {lpt.declined = "neither input is quantized to 8 bits; put a FakeQuantize on one"}
func.func @two_products(%a: tensor<2x2xui8>, %b: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %w = qnn.dequantize %b scale <dense<0.25> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.mat_mul %x, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %z = nn.mat_mul %w, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = nn.add %y, %z : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %s : tensor<2x2xf32>
}

// CHECK-LABEL: @no_scale
// CHECK: nn.add {{.*}} {lpt.declined = "an input has a scale of 0, or next to it, which cannot be divided by"}
func.func @no_scale(%a: tensor<2xui8>, %b: tensor<2xi8>) -> tensor<2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.dequantize %b scale <dense<[0.0, 0.5]> : tensor<2xf32>> : tensor<2xi8> -> tensor<2xf32>
  %s = nn.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// CHECK-LABEL: @far_scales
// CHECK: nn.add {{.*}} {lpt.declined = "the scales of its inputs lie too far apart"}
func.func @far_scales(%a: tensor<2xui8>, %b: tensor<2xi8>) -> tensor<2xf32> {
  %x = qnn.dequantize %a scale <dense<1.0e20> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.dequantize %b scale <dense<1.0e-20> : tensor<f32>> : tensor<2xi8> -> tensor<2xf32>
  %s = nn.add %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// One element for each row of the other, whose columns have a scale each.
// CHECK-LABEL: @broadcast
// CHECK: nn.add {{.*}} {lpt.declined = "input 0 is broadcast along the dimension in which input 1 has scales"}
func.func @broadcast(%a: tensor<1x2x1x1xui8>, %b: tensor<1x2x1x3xi8>) -> tensor<1x2x1x3xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x1x1xui8> -> tensor<1x2x1x1xf32>
  %y = qnn.dequantize %b scale <dense<[0.25, 0.5, 1.0]> : tensor<3xf32>> : tensor<1x2x1x3xi8> -> tensor<1x2x1x3xf32>
  %s = nn.add %x, %y : (tensor<1x2x1x1xf32>, tensor<1x2x1x3xf32>) -> tensor<1x2x1x3xf32>
  func.return %s : tensor<1x2x1x3xf32>
}

// An f16 model adds in f32, and rounds once.
// CHECK-LABEL: @half
// CHECK: [[Z:%.*]] = nn.add {{.*}} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<0.25> : tensor<f32>> {output_type = f16} : tensor<4xf32> -> tensor<4xf16>
func.func @half(%p: tensor<4xui8>, %y: tensor<4xf16>) -> tensor<4xf16> {
  %x = qnn.dequantize %p scale <dense<0.25> : tensor<f32>> {output_type = f16} : tensor<4xui8> -> tensor<4xf16>
  %z = nn.add %x, %y : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  func.return %z : tensor<4xf16>
}

// CHECK-LABEL: @nothing_to_do
// CHECK-NOT: lpt.declined
// CHECK: func.return
func.func @nothing_to_do(%f: tensor<4xf32>) -> tensor<4xf32> {
  %s = nn.add %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// Nearest miss of a value in floating point: the codes are a constant's, which gains nothing by being read as such.
// CHECK-LABEL: @dequantized_constant
// CHECK: [[X:%.*]] = qnn.dequantize
// CHECK-NEXT: nn.add %f, [[X]] : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @dequantized_constant(%f: tensor<4xf32>) -> tensor<4xf32> {
  %c = nn.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %x = qnn.dequantize %c scale <dense<0.25> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %z = nn.add %f, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// The one that a FakeQuantize gives keeps its dequantization, which that can absorb, also on the right.
// CHECK-LABEL: @quantized_on_the_right
// CHECK: [[Q:%.*]] = qnn.fake_quantize
// CHECK: [[Y:%.*]] = qnn.dequantize [[Q]] scale <dense<2.0> : tensor<f32>>
// CHECK-NEXT: [[X:%.*]] = nn.convert %p to f32
// CHECK-NEXT: nn.add [[X]], [[Y]]
func.func @quantized_on_the_right(%p: tensor<4xui8>, %v: tensor<4xf32>) -> tensor<4xf32> {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %y = qnn.fake_quantize %v, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %z = nn.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// No scale on the other side; a zero point that leaves f32.
// CHECK-LABEL: @no_scale_on_the_right
// CHECK: nn.add {{.*}} {lpt.declined = "an input has a scale of 0, or next to it, which cannot be divided by"}
// CHECK: nn.add {{.*}} {lpt.declined = "an input has a scale of 0, or next to it, which cannot be divided by"}
// CHECK: nn.add {{.*}} {lpt.declined = "the scales of its inputs lie too far apart"}
func.func @no_scale_on_the_right(%p: tensor<4xui8>, %q: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %x = qnn.dequantize %p scale <dense<0.5> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.dequantize %q scale <dense<0.0> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %far = qnn.dequantize %p scale <dense<1.0e-30> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %off = qnn.dequantize %q scale <dense<1.0e8> : tensor<f32>> zero_point <dense<200> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %a = nn.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = nn.add %y, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = nn.add %far, %off : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
