// RUN: opt-tool %s --lpt='preset=all' | filecheck %s
// RUN: opt-tool %s --lpt='preset=all' --lpt='preset=all' | filecheck %s

// Dequantization that became a convolution hides the FakeQuantize from a second run; the reason still names it.
// CHECK-LABEL: @hidden
// CHECK: nn.group_convolution {{.*}} -> tensor<1x2x1x2xi32>
// CHECK: nn.convolution_backprop_data {{.*}}lpt.declined = "input 0 is quantized per channel {{.*}} (FakeQuantize 'fq')"
func.func @hidden(%x: tensor<1x2x1x4xf32>) -> tensor<1x1x1x2xf32> {
  %l = nn.constant dense<[[[[-1.28]], [[-2.56]]]]> : tensor<1x2x1x1xf32>
  %h = nn.constant dense<[[[[1.27]], [[2.54]]]]> : tensor<1x2x1x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {nn.name = "fq", levels = 256 : i64} : (tensor<1x2x1x4xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x1x4xf32>
  %p = nn.avg_pool %q {exclude_pad = false, kernel = array<i64: 1, 3>, strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : tensor<1x2x1x4xf32> -> tensor<1x2x1x2xf32>
  %c = nn.constant dense<[[[[-8]]], [[[7]]]]> : tensor<2x1x1x1xi8>
  %f = nn.convert %c to f32 : tensor<2x1x1x1xi8> -> tensor<2x1x1x1xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %w = nn.multiply %f, %s : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2x1x1x1xf32>
  %y = nn.convolution_backprop_data %p, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x2x1x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  func.return %y : tensor<1x1x1x2xf32>
}

// An earlier reason that is another one gives way.
// CHECK-LABEL: @outdated
// CHECK: nn.convolution_backprop_data {{.*}}lpt.declined = "input 0 is quantized per channel {{.*}} (FakeQuantize 'fq')"
func.func @outdated(%x: tensor<1x2x1x2xf32>) -> tensor<1x1x1x2xf32> {
  %l = nn.constant dense<[[[[-1.28]], [[-2.56]]]]> : tensor<1x2x1x1xf32>
  %h = nn.constant dense<[[[[1.27]], [[2.54]]]]> : tensor<1x2x1x1xf32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {nn.name = "fq", levels = 256 : i64} : (tensor<1x2x1x2xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>, tensor<1x2x1x1xf32>) -> tensor<1x2x1x2xf32>
  %c = nn.constant dense<[[[[-8]]], [[[7]]]]> : tensor<2x1x1x1xi8>
  %f = nn.convert %c to f32 : tensor<2x1x1x1xi8> -> tensor<2x1x1x1xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %w = nn.multiply %f, %s : (tensor<2x1x1x1xf32>, tensor<f32>) -> tensor<2x1x1x1xf32>
  %y = nn.convolution_backprop_data %q, %w {lpt.declined = "input 1 is quantized per group", strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x2x1x2xf32>, tensor<2x1x1x1xf32>) -> tensor<1x1x1x2xf32>
  func.return %y : tensor<1x1x1x2xf32>
}
