func.func @main(%q: tensor<2x4xi8> {nn.names = ["Q"]}) -> (tensor<2x4xf32> {nn.names = ["Y"]}) {
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %f = nn.convert %q to f32 : tensor<2x4xi8> -> tensor<2x4xf32>
  %scale = nn.constant dense<0.02> : tensor<f32>
  %x = nn.multiply %f, %scale : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %s = nn.tanh %x : tensor<2x4xf32>
  %y = qnn.fake_quantize %s, %low, %high, %low, %high {levels = 256 : i64} : (tensor<2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}
