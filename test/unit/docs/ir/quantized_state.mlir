infra.variable @h : tensor<1x4xf32>
func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xi8> {
  %init = nn.constant dense<0.0> : tensor<1x4xf32>
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %least = nn.constant dense<-128.0> : tensor<f32>
  %most = nn.constant dense<127.0> : tensor<f32>
  %h = infra.read_value @h, %init : tensor<1x4xf32> -> tensor<1x4xf32>
  %q = qnn.fake_quantize %h, %low, %high, %least, %most {levels = 256 : i64, output_type = i8} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xi8>
  %y = nn.tanh %x : tensor<1x4xf32>
  infra.assign @h, %y : tensor<1x4xf32>
  func.return %q : tensor<1x4xi8>
}
