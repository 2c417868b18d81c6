// RUN: opt-tool %s --lpt-markup | filecheck %s

// A convolution computes on codes, also behind what moves them, and behind another pooling.
// CHECK-LABEL: @in_front_of_a_convolution
// CHECK: nn.avg_pool {{.*}}lpt.avg_pool_precision_preserved
// CHECK: nn.avg_pool {{.*}}lpt.avg_pool_precision_preserved
func.func @in_front_of_a_convolution(%x: tensor<1x1x6xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x4xf32> {
  %a = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x6xf32> -> tensor<1x1x5xf32>
  %b = nn.avg_pool %a {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x5xf32> -> tensor<1x1x4xf32>
  %c = nn.relu %b : tensor<1x1x4xf32>
  %y = nn.convolution %c, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// FakeQuantize rounds in any case; a sigmoid takes values; so does the end of the model.
// CHECK-LABEL: @in_front_of_values
// CHECK-NOT: lpt.avg_pool_precision_preserved
// CHECK: func.return
func.func @in_front_of_values(%x: tensor<1x1x6xf32>) -> (tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x1x5xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %a = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x6xf32> -> tensor<1x1x5xf32>
  %b = nn.relu %a : tensor<1x1x5xf32>
  %q = qnn.fake_quantize %b, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x5xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x5xf32>
  %s = nn.sigmoid %b : tensor<1x1x5xf32>
  func.return %q, %s, %b : tensor<1x1x5xf32>, tensor<1x1x5xf32>, tensor<1x1x5xf32>
}

// A constant that is subtracted or multiplied joins the dequantization: what is behind it says what is wanted.
// CHECK-LABEL: @through_a_constant
// CHECK: nn.avg_pool
// CHECK-NOT: lpt.avg_pool_precision_preserved
// CHECK: nn.subtract
// CHECK: nn.avg_pool {{.*}}lpt.avg_pool_precision_preserved
func.func @through_a_constant(%x: tensor<1x1x6xf32>, %w: tensor<1x1x1xf32>) -> (tensor<1x1x5xf32>, tensor<1x1x5xf32>) {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %a = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x6xf32> -> tensor<1x1x5xf32>
  %s = nn.subtract %h, %a : (tensor<f32>, tensor<1x1x5xf32>) -> tensor<1x1x5xf32>
  %q = qnn.fake_quantize %s, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x5xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x5xf32>
  %b = nn.avg_pool %x {exclude_pad = false, kernel = array<i64: 2>, strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x1x6xf32> -> tensor<1x1x5xf32>
  %m = nn.multiply %b, %h : (tensor<1x1x5xf32>, tensor<f32>) -> tensor<1x1x5xf32>
  %y = nn.convolution %m, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x5xf32>, tensor<1x1x1xf32>) -> tensor<1x1x5xf32>
  func.return %q, %y : tensor<1x1x5xf32>, tensor<1x1x5xf32>
}
