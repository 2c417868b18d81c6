// RUN: opt-tool %s --expand-column-scales --verify-numerics | filecheck %s

// The code that pads becomes 0, and what it adds is a number for each channel.
// CHECK-LABEL: @padded
// CHECK: [[X:%.*]] = qnn.dequantize %x scale <dense<1.0> : tensor<f32>> zero_point <dense<3.0> : tensor<f32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
// CHECK-NEXT: [[W:%.*]] = nn.constant dense<{{\[\[\[\[0.5, 4.0\]\]\], \[\[\[9.0, -8.0\]\]\]\]}}> : tensor<2x1x1x2xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.group_convolution [[X]], [[W]] {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x3xf32>
// CHECK-NEXT: [[B:%.*]] = nn.constant dense<{{\[\[\[13.5\], \[3.0\]\]\]}}> : tensor<1x2x1xf32>
// CHECK-NEXT: nn.add [[Y]], [[B]]
func.func @padded(%x: tensor<1x2x3xui8>) -> tensor<1x2x3xf32> {
  %w = nn.constant dense<[[[[1, 2]]], [[[3, -4]]]]> : tensor<2x1x1x2xi8>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, dilations = array<i64: 1>, pad_value = 3 : i64, column_scale = #nn.blob<dense<[[[[0.5, 2.0]]], [[[3.0, 2.0]]]]> : tensor<2x1x1x2xf32>>} : (tensor<1x2x3xui8>, tensor<2x1x1x2xi8>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// Codes of a FakeQuantize become its values, as formats have it whose quantization is a step of its own.
// CHECK-LABEL: @quantized
// CHECK: qnn.dequantize {{.*}} scale <dense<0.5> : tensor<f32>> :
// CHECK-NEXT: nn.constant dense<{{\[\[\[\[4.0, 16.0\]\]\]\]}}> : tensor<1x1x1x2xf32>
func.func @quantized(%x: tensor<1x1x3xf32>) -> tensor<1x1x2xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<127.5> : tensor<f32>
  %last = nn.constant dense<255.0> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %last {levels = 256 : i64, output_type = ui8} : (tensor<1x1x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x3xui8>
  %w = nn.constant dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi8>
  %y = nn.group_convolution %q, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, column_scale = #nn.blob<dense<[[[[2.0, 4.0]]]]> : tensor<1x1x1x2xf32>>} : (tensor<1x1x3xui8>, tensor<1x1x1x2xi8>) -> tensor<1x1x2xf32>
  func.return %y : tensor<1x1x2xf32>
}

// One scale for all is what follows the sum.
// CHECK-LABEL: @without
// CHECK: nn.group_convolution {{.*}} -> tensor<1x1x2xi32>
func.func @without(%q: tensor<1x1x3xui8>) -> tensor<1x1x2xi32> {
  %w = nn.constant dense<[[[[1, 2]]]]> : tensor<1x1x1x2xi8>
  %y = nn.group_convolution %q, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x3xui8>, tensor<1x1x1x2xi8>) -> tensor<1x1x2xi32>
  func.return %y : tensor<1x1x2xi32>
}
