func.func @main(%x: tensor<1x4x8x8xf32> {nn.names = ["X"]}) -> (tensor<1x4x8x8xf32> {nn.names = ["Y"]}) {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %end = nn.constant dense<5.1> : tensor<f32>
  %w = nn.constant dense<3> : tensor<4x4x1x1xi8>
  %f = nn.convert %w to f32 : tensor<4x4x1x1xi8> -> tensor<4x4x1x1xf32>
  %scales = nn.constant dense<[[[[0.01]]], [[[0.02]]], [[[0.03]]], [[[0.04]]]]> : tensor<4x1x1x1xf32>
  %v = nn.multiply %f, %scales : (tensor<4x4x1x1xf32>, tensor<4x1x1x1xf32>) -> tensor<4x4x1x1xf32>
  %b = nn.constant dense<[[[[0.5]], [[0.25]], [[0.125]], [[1.0]]]]> : tensor<1x4x1x1xf32>
  %q = qnn.fake_quantize %x, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %c = nn.convolution %q, %v {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %a = nn.add %c, %b : (tensor<1x4x8x8xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x8x8xf32>
  %r = nn.relu %a : tensor<1x4x8x8xf32>
  %y = qnn.fake_quantize %r, %zero, %end, %zero, %end {levels = 256 : i64} : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4x8x8xf32>
  func.return %y : tensor<1x4x8x8xf32>
}
