func.func @main(%x: tensor<?x3x8x8xf32> {nn.names = ["X"]}, %w: tensor<4x3x3x3xf32>) -> tensor<?x?xf32> {
  %y = nn.convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<?x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<?x?x?x?xf32>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %mean = nn.reduce_mean %y, %axes {keep_dims = false} : (tensor<?x?x?x?xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %mean : tensor<?x?xf32>
}
