func.func @main(%x: tensor<1x3x8x8xf32>) -> tensor<1x4x8x8xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %codes = nn.constant dense<130> : tensor<4x3x1x1xui8>
  %f = nn.convert %codes to f32 : tensor<4x3x1x1xui8> -> tensor<4x3x1x1xf32>
  %middle = nn.constant dense<128.0> : tensor<f32>
  %m = nn.subtract %f, %middle : (tensor<4x3x1x1xf32>, tensor<f32>) -> tensor<4x3x1x1xf32>
  %scale = nn.constant dense<0.01> : tensor<f32>
  %w = nn.multiply %m, %scale : (tensor<4x3x1x1xf32>, tensor<f32>) -> tensor<4x3x1x1xf32>
  %q = qnn.fake_quantize %x, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x3x8x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x3x8x8xf32>
  %y = nn.convolution %q, %w {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<1x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x4x8x8xf32>
  func.return %y : tensor<1x4x8x8xf32>
}
