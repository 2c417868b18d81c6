func.func @main(%q: tensor<2x4xui8>) -> tensor<4x2xf32> {
  %f = nn.convert %q to f32 : tensor<2x4xui8> -> tensor<2x4xf32>
  %scale = nn.constant dense<[[0.5], [0.25]]> : tensor<2x1xf32>
  %x = nn.multiply %f, %scale : (tensor<2x4xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %y = nn.transpose %x, %order : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
