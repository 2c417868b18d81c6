func.func @main(%x: tensor<1x3xf32> {nn.names = ["X"]}, %h: tensor<1x2xf32> {nn.names = ["H"]}) -> tensor<1x2xf32> {
  %w = nn.constant dense<0.5> : tensor<2x3xf32>
  %r = nn.constant dense<0.25> : tensor<2x2xf32>
  %b = nn.constant dense<0.0> : tensor<2xf32>
  %y = rnn.rnn_cell %x, %h, %w, %r, %b {nn.name = "C", hidden_size = 2 : i64, activations = ["tanh"]} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
