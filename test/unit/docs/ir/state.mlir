infra.variable @h : tensor<1x4xf32>
func.func @main(%y: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %zero = nn.constant dense<0.0> : tensor<1x4xf32>
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %old = infra.read_value @h, %zero : tensor<1x4xf32> -> tensor<1x4xf32>
  %new = qnn.fake_quantize %y, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  infra.assign @h, %new : tensor<1x4xf32>
  func.return %old : tensor<1x4xf32>
}
