func.func @main(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %more = nn.constant dense<5.1> : tensor<f32>
  %a = qnn.fake_quantize %x, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x4xf32>
  %b = qnn.fake_quantize %y, %zero, %more, %zero, %more {levels = 256 : i64} : (tensor<2x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2x4xf32>
  %s = nn.add %a, %b : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %r = nn.relu %s : tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}
