func.func @main(%q: tensor<2x4xi8>) -> tensor<2x4xf32> {
  %f = nn.convert %q to f32 : tensor<2x4xi8> -> tensor<2x4xf32>
  %scale = nn.constant dense<0.5> : tensor<f32>
  %x = nn.multiply %f, %scale : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %y = nn.relu %x : tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
