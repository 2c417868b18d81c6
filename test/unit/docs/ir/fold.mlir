func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> tensor<1x2xf32> {
  %codes = nn.constant dense<[[9, -3, 5, 1], [0, 7, 2, -8]]> : tensor<2x4xi8>
  %values = nn.convert %codes to f32 : tensor<2x4xi8> -> tensor<2x4xf32>
  %scale = nn.constant dense<0.0625> : tensor<f32>
  %w = nn.multiply %values, %scale : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %p = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<1x2xf32>
  %a = nn.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = nn.constant dense<0.5> : tensor<f32>
  %bias = nn.multiply %a, %b : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %y = nn.add %p, %bias : (tensor<1x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
