func.func @main(%x: tensor<1x4xf32> {nn.names = ["X"]}) -> (tensor<1x4xf32> {nn.names = ["Y"]}) {
  %low = nn.constant dense<-1.0> : tensor<f32>
  %high = nn.constant dense<0.9921875> : tensor<f32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  %louder = tone.gain %q by 6.0 {nn.name = "louder"} : tensor<1x4xf32> -> tensor<1x4xf32>
  %codes = nn.constant dense<[[9, -3, 5, 1], [0, 7, 2, -8], [4, 4, -6, 3], [1, 0, 2, 5]]> : tensor<4x4xi8>
  %values = nn.convert %codes to f32 : tensor<4x4xi8> -> tensor<4x4xf32>
  %scale = nn.constant dense<0.0625> : tensor<f32>
  %w = nn.multiply %values, %scale : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %p = nn.mat_mul %louder, %w {nn.name = "product"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  %y = tone.gain %p by -3.0 : tensor<1x4xf32> -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
