// RUN: opt-tool %s --lpt | filecheck %s
// RUN: opt-tool %s --lpt --lpt | filecheck %s

// One run finds all that a second one would.

// Weights of 4 bits, reshaped, and behind a pool, which the markup looks through.
// CHECK-LABEL: @four_bits
// CHECK: nn.max_pool {{.*}} -> tensor<1x2x3xui8>
// CHECK: nn.convolution {{.*}} : (tensor<1x2x3xui8>, tensor<1x2x1xi8>) -> tensor<1x1x3xi32>
func.func @four_bits(%x: tensor<1x2x3xf32>) -> tensor<1x1x3xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3xf32>
  %p = nn.max_pool %q {kernel = array<i64: 1>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x3xf32> -> tensor<1x2x3xf32>
  %c = nn.constant dense<[-8, 7]> : tensor<2xi4>
  %f = nn.convert %c to f32 : tensor<2xi4> -> tensor<2xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %m = nn.multiply %f, %s : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %n = nn.constant dense<[1, 2, 1]> : tensor<3xi64>
  %w = nn.reshape %m, %n : (tensor<2xf32>, tensor<3xi64>) -> tensor<1x2x1xf32>
  %y = nn.convolution %p, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}

// A constant that is quantized is folded, and so is what takes it.
// CHECK-LABEL: @quantized_constant
// CHECK-NOT: nn.tanh
// CHECK: func.return
func.func @quantized_constant(%x: tensor<2xf32>) -> tensor<2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %c = nn.constant dense<[3.2, 4.0]> : tensor<2xf32>
  %q = qnn.fake_quantize %c, %l, %h, %l, %h {levels = 65536 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %t = nn.tanh %q : tensor<2xf32>
  %y = nn.add %x, %t : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// The zero point that an addition leaves behind a FakeQuantize in floating point becomes part of its output interval.
// CHECK-LABEL: @shifted
// CHECK: qnn.fake_quantize {{.*}} levels = 65536
// CHECK-NOT: nn.subtract
// CHECK: nn.add
// CHECK-NOT: nn.subtract
// CHECK: func.return
func.func @shifted(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %k = nn.constant dense<-1.0> : tensor<f32>
  %h = nn.constant dense<6.0> : tensor<f32>
  %a = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 65536 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %b = qnn.fake_quantize %y, %k, %h, %k, %h {levels = 256 : i64} : (tensor<2xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2xf32>
  %z = nn.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %z : tensor<2xf32>
}

// A state that is given the sum of codes: once the sum is written out, it is no other reason.
// CHECK-LABEL: @summed
// CHECK: infra.read_value @sum, {{.*}} {lpt.declined = "it is the 32-bit sum of a product; put a FakeQuantize on it"}
infra.variable @sum : tensor<1xf32>
func.func @summed(%x: tensor<4xf32>) -> tensor<1xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
  %a = nn.constant dense<0> : tensor<1xi64>
  %s = nn.reduce_sum %q, %a {keep_dims = true} : (tensor<4xf32>, tensor<1xi64>) -> tensor<1xf32>
  %0 = nn.constant dense<0.0> : tensor<1xf32>
  %r = infra.read_value @sum, %0 : tensor<1xf32> -> tensor<1xf32>
  %y = nn.add %s, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  infra.assign @sum, %s : tensor<1xf32>
  func.return %y : tensor<1xf32>
}

// Codes with a zero point that only a consumer of ui8 wants, written out by the model: the advice knows that consumer.
// CHECK-LABEL: @chosen_by_the_model
// CHECK: nn.gather_nd {{.*}}lpt.declined = "its input is quantized with a zero point, and what lies outside of it is 0; lpt chose it, for what takes ui8 only; put a FakeQuantize behind this, too (FakeQuantize 'fq')"
func.func @chosen_by_the_model(%x: tensor<1x2x3xf32>) -> (tensor<2x2x3xf32>, tensor<1x1x3xf32>) {
  %l = nn.constant dense<-64.0> : tensor<f32>
  %h = nn.constant dense<63.5> : tensor<f32>
  %0 = nn.constant dense<0.0> : tensor<f32>
  %255 = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %0, %255 {levels = 256 : i64, nn.name = "fq"} : (tensor<1x2x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3xf32>
  %c = nn.convert %q to ui8 : tensor<1x2x3xf32> -> tensor<1x2x3xui8>
  %f = nn.convert %c to f32 : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %z = nn.constant dense<128.0> : tensor<f32>
  %d = nn.subtract %f, %z : (tensor<1x2x3xf32>, tensor<f32>) -> tensor<1x2x3xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %v = nn.multiply %d, %s : (tensor<1x2x3xf32>, tensor<f32>) -> tensor<1x2x3xf32>
  %i = nn.constant dense<0> : tensor<2x1xi64>
  %g = nn.gather_nd %v, %i {batch_dims = 0 : i64} : (tensor<1x2x3xf32>, tensor<2x1xi64>) -> tensor<2x2x3xf32>
  %codes = nn.constant dense<1> : tensor<1x2x1xi8>
  %wf = nn.convert %codes to f32 : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %w = nn.multiply %wf, %s : (tensor<1x2x1xf32>, tensor<f32>) -> tensor<1x2x1xf32>
  %y = nn.convolution %v, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  func.return %g, %y : tensor<2x2x3xf32>, tensor<1x1x3xf32>
}
