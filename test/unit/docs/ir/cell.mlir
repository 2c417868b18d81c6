func.func @main(%x0: tensor<1x64xf32>, %h0: tensor<1x128xf32>, %c: tensor<1x128xf32>) -> (tensor<1x128xf32>, tensor<1x128xf32>) {
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %w0 = nn.constant dense<0.5> : tensor<512x64xf32>
  %r0 = nn.constant dense<0.5> : tensor<512x128xf32>
  %b = nn.constant dense<0.5> : tensor<512xf32>
  %x = qnn.fake_quantize %x0, %zero, %top, %zero, %top {levels = 256 : i64} : (tensor<1x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x64xf32>
  %h = qnn.fake_quantize %h0, %low, %high, %low, %high {levels = 256 : i64} : (tensor<1x128xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x128xf32>
  %w = qnn.fake_quantize %w0, %low, %high, %low, %high {levels = 256 : i64} : (tensor<512x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<512x64xf32>
  %r = qnn.fake_quantize %r0, %low, %high, %low, %high {levels = 256 : i64} : (tensor<512x128xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<512x128xf32>
  %h1, %c1 = rnn.lstm_cell %x, %h, %c, %w, %r, %b {hidden_size = 128 : i64, nn.name = "cell"} : (tensor<1x64xf32>, tensor<1x128xf32>, tensor<1x128xf32>, tensor<512x64xf32>, tensor<512x128xf32>, tensor<512xf32>) -> (tensor<1x128xf32>, tensor<1x128xf32>)
  func.return %h1, %c1 : tensor<1x128xf32>, tensor<1x128xf32>
}
