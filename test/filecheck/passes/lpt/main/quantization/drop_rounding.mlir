// RUN: opt-tool %s --lpt-main=only=drop_rounding | filecheck %s

// CHECK-LABEL: @residual_block
// CHECK: [[V:%.*]] = qnn.dequantize
// CHECK: [[C:%.*]] = nn.clamp [[V]] {lpt.unrounded = 256 : i64, nn.name = "fq", min = -1.000000e+00 : f64, max = 0.9921875 : f64}
// CHECK-NEXT: nn.add [[C]], %y
func.func @residual_block(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64, nn.name = "fq"} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @behind_the_bias_of_a_group_convolution
// CHECK: [[U:%.*]] = nn.add {{.*}}"bias"
// CHECK: [[C:%.*]] = nn.clamp [[U]]
// CHECK-NEXT: nn.add %y, [[C]]
func.func @behind_the_bias_of_a_group_convolution(%q: tensor<1x2x3x3xui8>, %w: tensor<2x1x1x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.group_convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x1x1x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %b = nn.constant dense<[[[[0.5]], [[-0.5]]]]> : tensor<1x2x1x1xf32>
  %u = nn.add %v, %b {lpt.bias, nn.name = "bias"} : (tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %u, %low, %high, %low, %high {levels = 256 : i64, nn.name = "fq"} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %y, %a : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %s, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// An interval for each channel.
// CHECK-LABEL: @for_each_channel
// CHECK: [[R:%.*]] = nn.maximum
// CHECK: [[C:%.*]] = nn.minimum [[R]], {{.*}}lpt.unrounded = 256 : i64
// CHECK-NEXT: nn.add [[C]], %y
func.func @for_each_channel(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<[[[[-1.0]], [[-2.0]]]]> : tensor<1x2x1x1xf32>
  %high = nn.constant dense<[[[[0.5]], [[1.5]]]]> : tensor<1x2x1x1xf32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// Codes that are dequantized again.
// CHECK-LABEL: @quantize_and_dequantize
// CHECK: [[C:%.*]] = nn.clamp {{.*}}nn.name = "dq"
// CHECK-NEXT: nn.add [[C]], %y
func.func @quantize_and_dequantize(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %ol = nn.constant dense<-128.0> : tensor<f32>
  %oh = nn.constant dense<127.0> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %c = qnn.fake_quantize %v, %low, %high, %ol, %oh {levels = 256 : i64, output_type = i8} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xi8>
  %a = qnn.dequantize %c scale <dense<0.0078125> : tensor<f32>> {nn.name = "dq"} : tensor<1x2x3x3xi8> -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// Any function of single elements.
// CHECK-LABEL: @behind_another_activation
// CHECK: nn.clamp
func.func @behind_another_activation(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.sigmoid %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// A projection on the shortcut: the first operand's kernel adds.
// CHECK-LABEL: @two_convolutions
// CHECK: [[C:%.*]] = nn.clamp
// CHECK: [[D:%.*]] = qnn.fake_quantize
// CHECK: nn.add [[C]], [[D]]
func.func @two_convolutions(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %q2: tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %p2 = nn.convolution %q2, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v2 = qnn.dequantize %p2 scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %d = qnn.fake_quantize %v2, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %d : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @the_other_is_first
// CHECK: [[A:%.*]] = qnn.fake_quantize
// CHECK: [[C:%.*]] = nn.clamp
// CHECK: nn.add [[C]], [[A]]
func.func @the_other_is_first(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %q2: tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %p2 = nn.convolution %q2, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v2 = qnn.dequantize %p2 scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %d = qnn.fake_quantize %v2, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %d, %a : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// What lpt leaves is left.
// CHECK-LABEL: @the_other_is_clamped
// CHECK: [[C:%.*]] = nn.clamp
// CHECK: [[D:%.*]] = qnn.fake_quantize
// CHECK: nn.add [[C]], [[D]]
func.func @the_other_is_clamped(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %q2: tensor<1x2x3x3xui8>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = nn.clamp %v {min = -1.0 : f64, max = 0.9921875 : f64} : tensor<1x2x3x3xf32>
  %p2 = nn.convolution %q2, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v2 = qnn.dequantize %p2 scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %d = qnn.fake_quantize %v2, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %d : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// --- what is left alone ---
// CHECK-LABEL: @matrix_product
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @matrix_product(%q: tensor<1x2x3x3xui8>, %w: tensor<1x2x3x3xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.mat_mul %q, %w : (tensor<1x2x3x3xui8>, tensor<1x2x3x3xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @convolution_of_values
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @convolution_of_values(%q: tensor<1x2x3x3xf32>, %w: tensor<2x2x1x1xf32>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %v = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @product_has_other_uses
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @product_has_other_uses(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %m = nn.multiply %v, %z : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  func.return %m : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @values_have_other_uses
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @values_have_other_uses(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %m = nn.multiply %a, %z : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  func.return %m : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @sum_has_other_uses
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @sum_has_other_uses(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %m = nn.multiply %s, %z : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  func.return %m : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @added_to_itself
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @added_to_itself(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %a : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @nothing_quantizes_the_sum
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @nothing_quantizes_the_sum(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  func.return %r : tensor<1x2x3x3xf32>
}

// What reads more than one element of the sum.
// CHECK-LABEL: @not_element_by_element
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @not_element_by_element(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.softmax %s {axis = 1 : i64} : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @added_to_a_constant
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @added_to_a_constant(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %k = nn.constant dense<2.0> : tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %k : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @broadcast
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @broadcast(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// It gives other values than it takes.
// CHECK-LABEL: @output_interval
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @output_interval(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// CHECK-LABEL: @more_levels
// CHECK: [[A:%.*]] = qnn.fake_quantize %v,
// CHECK-NOT: nn.clamp
func.func @more_levels(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32> {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 65536 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %r = nn.relu %s : tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z : tensor<1x2x3x3xf32>
}

// Sums, values with a bias, or codes of the product that another operation reads, and an addition that is no bias.
// CHECK-LABEL: @bias_has_other_uses
// CHECK-NOT: nn.clamp
// CHECK-LABEL: @codes_have_other_uses
// CHECK-NOT: nn.clamp
// CHECK-LABEL: @no_bias
// CHECK-NOT: nn.clamp
func.func @bias_has_other_uses(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %b = nn.constant dense<[[[[0.5]], [[-0.5]]]]> : tensor<1x2x1x1xf32>
  %u = nn.add %v, %b {lpt.bias} : (tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %u, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %s, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z, %u : tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>
}
func.func @codes_have_other_uses(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>) {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %v, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %s, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z, %p : tensor<1x2x3x3xf32>, tensor<1x2x3x3xi32>
}
func.func @no_bias(%q: tensor<1x2x3x3xui8>, %w: tensor<2x2x1x1xi8>, %y: tensor<1x2x3x3xf32>) -> (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %p = nn.convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xui8>, tensor<2x2x1x1xi8>) -> tensor<1x2x3x3xi32>
  %v = qnn.dequantize %p scale <dense<0.01> : tensor<f32>> : tensor<1x2x3x3xi32> -> tensor<1x2x3x3xf32>
  %b = nn.constant dense<[[[[0.5]], [[-0.5]]]]> : tensor<1x2x1x1xf32>
  %u = nn.add %v, %b : (tensor<1x2x3x3xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x3x3xf32>
  %a = qnn.fake_quantize %u, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  %s = nn.add %a, %y : (tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>) -> tensor<1x2x3x3xf32>
  %z = qnn.fake_quantize %s, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x2x3x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x2x3x3xf32>
  func.return %z, %y : tensor<1x2x3x3xf32>, tensor<1x2x3x3xf32>
}
