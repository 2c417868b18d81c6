// RUN: opt-tool %s --lpt-markup --lpt-main=only=fake_quantize | filecheck %s
// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s --check-prefix ALL

// The input interval in codes: -1.28 / 0.01 + 3 and 1.27 / 0.01 + 3.
// CHECK-LABEL: @codes
// CHECK-DAG: [[L:%.*]] = nn.constant dense<-125.0> : tensor<f32>
// CHECK-DAG: [[H:%.*]] = nn.constant dense<130.0> : tensor<f32>
// CHECK-DAG: [[Q:%.*]] = nn.convert %q to f32
// CHECK: qnn.fake_quantize [[Q]], [[L]], [[H]], %l, %h {nn.name = "fq"
// ALL-LABEL: @codes
// ALL: qnn.fake_quantize {{.*}} {nn.name = "fq_original", {{.*}} output_type = i8
// ALL-NEXT: qnn.dequantize
func.func @codes(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.01> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, nn.name = "fq"} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A sum of products, with a scale for each channel.
// CHECK-LABEL: @sum
// CHECK-DAG: nn.constant dense<{{\[\[0.0, 0.0\]\]|0.0}}>
// CHECK-DAG: [[H:%.*]] = nn.constant dense<{{\[\[256.0, 512.0\]\]}}> : tensor<1x2xf32>
// CHECK-DAG: [[Q:%.*]] = nn.convert %s to f32
// CHECK: qnn.fake_quantize [[Q]], {{%[0-9a-z]*}}, [[H]]
func.func @sum(%s: tensor<2x2xi32>) -> tensor<2x2xf32> {
  %x = qnn.dequantize %s scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<2x2xi32> -> tensor<2x2xf32>
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<128.0> : tensor<f32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// Arithmetic with constants, one after the other: [0, 16] is [-2, 2] of ((x * 4) + 4) - 4 + 8.
// CHECK-LABEL: @arithmetic
// CHECK-DAG: [[L:%.*]] = nn.constant dense<-2.0> : tensor<f32>
// CHECK-DAG: [[H:%.*]] = nn.constant dense<2.0> : tensor<f32>
// CHECK: qnn.fake_quantize %x, [[L]], [[H]]
func.func @arithmetic(%x: tensor<2xf32>) -> tensor<2xf32> {
  %four = nn.constant dense<4.0> : tensor<f32>
  %eight = nn.constant dense<8.0> : tensor<f32>
  %a = nn.multiply %four, %x : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %b = nn.add %a, %four : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %c = nn.subtract %b, %four : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %d = nn.add %eight, %c : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %h = nn.constant dense<16.0> : tensor<f32>
  %l = nn.constant dense<0.0> : tensor<f32>
  %y = qnn.fake_quantize %d, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// A bias stays with its product, which is added to while it is summed.
// CHECK-LABEL: @bias
// CHECK: [[Z:%.*]] = nn.add
// CHECK: qnn.fake_quantize [[Z]]
func.func @bias(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %y = nn.mat_mul %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %c = nn.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %z = nn.add %y, %c : (tensor<2x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<128.0> : tensor<f32>
  %q = qnn.fake_quantize %z, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %q : tensor<2x2xf32>
}

// CHECK-LABEL: @order_reversing
// CHECK: qnn.fake_quantize %x, {{.*}} lpt.declined = "a scale in front of it that is not positive, which reverses the interval that it takes"
// CHECK-LABEL: @no_scale
// CHECK: qnn.fake_quantize %x, {{.*}} lpt.declined = "a scale in front of it that is not positive, which reverses the interval that it takes"
func.func @order_reversing(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<-0.01> : tensor<f32>> : tensor<4xui8> -> tensor<4xf32>
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
func.func @no_scale(%q: tensor<4xui8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<[0.01, 0.0, 0.01, 0.01]> : tensor<4xf32>> : tensor<4xui8> -> tensor<4xf32>
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// Both limits would become one number.
// CHECK-LABEL: @far_away
// CHECK: qnn.fake_quantize {{.*}} lpt.declined = "an input interval that no numbers express in front of the arithmetic before it"
func.func @far_away(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = nn.constant dense<1.0e20> : tensor<f32>
  %a = nn.add %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %y = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// A number for each element; a constant that makes the value larger; values that are rounded to f16.
// CHECK-LABEL: @elements
// CHECK: [[A:%.*]] = nn.add
// CHECK: qnn.fake_quantize [[A]]
// CHECK-LABEL: @larger
// CHECK: [[A:%.*]] = nn.add
// CHECK: qnn.fake_quantize [[A]]
// CHECK-LABEL: @half
// CHECK: [[A:%.*]] = nn.add
// CHECK: qnn.fake_quantize [[A]]
func.func @elements(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = nn.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %a = nn.add %x, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %y = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2x2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
func.func @larger(%x: tensor<1xf32>) -> tensor<2xf32> {
  %c = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %a = nn.add %x, %c : (tensor<1xf32>, tensor<2xf32>) -> tensor<2xf32>
  %l = nn.constant dense<-1.28> : tensor<f32>
  %h = nn.constant dense<1.27> : tensor<f32>
  %y = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
func.func @half(%x: tensor<2xf16>) -> tensor<2xf16> {
  %c = nn.constant dense<1.0> : tensor<f16>
  %a = nn.add %x, %c : (tensor<2xf16>, tensor<f16>) -> tensor<2xf16>
  %l = nn.constant dense<-1.28> : tensor<f16>
  %h = nn.constant dense<1.27> : tensor<f16>
  %y = qnn.fake_quantize %a, %l, %h, %l, %h {levels = 256 : i64} : (tensor<2xf16>, tensor<f16>, tensor<f16>, tensor<f16>, tensor<f16>) -> tensor<2xf16>
  func.return %y : tensor<2xf16>
}

// Halves go to even quotients of values: codes that are 3 steps off would send them to other ones, 4 steps would not.
// CHECK-LABEL: @halves
// CHECK: [[X:%.*]] = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
// CHECK: qnn.fake_quantize [[X]]
// CHECK: [[C:%.*]] = nn.convert %q to f32
// CHECK: qnn.fake_quantize [[C]]
func.func @halves(%q: tensor<4xui8>) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = nn.constant dense<-64.0> : tensor<f32>
  %h = nn.constant dense<63.5> : tensor<f32>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %y = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64, from_zero} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %u = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<4> : tensor<ui8>> : tensor<4xui8> -> tensor<4xf32>
  %v = qnn.fake_quantize %u, %l, %h, %l, %h {levels = 256 : i64, from_zero} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  func.return %y, %v : tensor<4xf32>, tensor<4xf32>
}

// Where there are no channels, there is no interval that could be put in front.
// CHECK-LABEL: @no_channels
// CHECK: [[X:%.*]] = qnn.dequantize %q
// CHECK: qnn.fake_quantize [[X]], %l, %l, %l, %l
func.func @no_channels(%q: tensor<1x0xui8>) -> tensor<1x0xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x0xui8> -> tensor<1x0xf32>
  %l = nn.constant dense<"0x"> : tensor<1x0xf32>
  %y = qnn.fake_quantize %x, %l, %l, %l, %l {levels = 256 : i64} : (tensor<1x0xf32>, tensor<1x0xf32>, tensor<1x0xf32>, tensor<1x0xf32>, tensor<1x0xf32>) -> tensor<1x0xf32>
  func.return %y : tensor<1x0xf32>
}

// An end that f32 does not hold.
// CHECK-LABEL: @infinite_ends
// CHECK: [[X:%.*]] = qnn.dequantize
// CHECK-NEXT: qnn.fake_quantize [[X]]
// CHECK-NEXT: qnn.fake_quantize [[X]]
func.func @infinite_ends(%q: tensor<2xui8>) -> (tensor<2xf32>, tensor<2xf32>) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %low = nn.constant dense<-1.0e10> : tensor<f32>
  %high = nn.constant dense<1.0e10> : tensor<f32>
  %x = qnn.dequantize %q scale <dense<1.0e-30> : tensor<f32>> : tensor<2xui8> -> tensor<2xf32>
  %y = qnn.fake_quantize %x, %low, %zero, %low, %zero {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %z = qnn.fake_quantize %x, %zero, %high, %zero, %high {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  func.return %y, %z : tensor<2xf32>, tensor<2xf32>
}
