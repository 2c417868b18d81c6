func.func @main(%x: tensor<1x1x4xf32>, %h0: tensor<1x1x8xf32>) -> (tensor<1x1x1x8xf32>, tensor<1x1x8xf32>) {
  %lengths = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<1x24x4xf32>
  %r = nn.constant dense<0.5> : tensor<1x24x8xf32>
  %b = nn.constant dense<0.5> : tensor<1x24xf32>
  %y, %hn = rnn.gru_sequence %x, %h0, %lengths, %w, %r, %b {hidden_size = 8 : i64, nn.name = "S"} : (tensor<1x1x4xf32>, tensor<1x1x8xf32>, tensor<1xi64>, tensor<1x24x4xf32>, tensor<1x24x8xf32>, tensor<1x24xf32>) -> (tensor<1x1x1x8xf32>, tensor<1x1x8xf32>)
  func.return %y, %hn : tensor<1x1x1x8xf32>, tensor<1x1x8xf32>
}
