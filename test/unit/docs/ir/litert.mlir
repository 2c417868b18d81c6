func.func @main(%x: tensor<1x1x4x4xf32> {nn.names = ["X"]}) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<0.5> : tensor<2x1x3x3xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<2x1x3x3xf32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}
