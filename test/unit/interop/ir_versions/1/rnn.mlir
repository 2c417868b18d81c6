builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @cells(%x: tensor<?x3xf32>, %h: tensor<?x2xf32>, %w: tensor<8x3xf32>, %r: tensor<8x2xf32>, %b: tensor<8xf32>, %w3: tensor<6x3xf32>, %r3: tensor<6x2xf32>, %b3: tensor<6xf32>, %w1: tensor<2x3xf32>, %r1: tensor<2x2xf32>, %b1: tensor<2xf32>) {
    %0, %1 = rnn.lstm_cell %x, %h, %h, %w, %r, %b {hidden_size = 2 : i64} : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    %2, %3 = rnn.lstm_cell %x, %h, %h, %w, %r, %b {hidden_size = 2 : i64, clip = 1.500000e+00 : f64, activations = ["tanh", "relu", "sigmoid"]} : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
    %4 = rnn.gru_cell %x, %h, %w3, %r3, %b3 {hidden_size = 2 : i64} : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<6x3xf32>, tensor<6x2xf32>, tensor<6xf32>) -> tensor<?x2xf32>
    %5 = rnn.gru_cell %x, %h, %w3, %r3, %b {hidden_size = 2 : i64, linear_before_reset = true} : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<6x3xf32>, tensor<6x2xf32>, tensor<8xf32>) -> tensor<?x2xf32>
    %6 = rnn.rnn_cell %x, %h, %w1, %r1, %b1 {hidden_size = 2 : i64} : (tensor<?x3xf32>, tensor<?x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
    func.return
  }
  func.func @sequences(%x: tensor<?x5x3xf32>, %h: tensor<?x1x2xf32>, %h2: tensor<?x2x2xf32>, %n: tensor<?xi32>, %w: tensor<1x8x3xf32>, %r: tensor<1x8x2xf32>, %b: tensor<1x8xf32>, %w3: tensor<2x6x3xf32>, %r3: tensor<2x6x2xf32>, %b3: tensor<2x8xf32>, %w1: tensor<1x2x3xf32>, %r1: tensor<1x2x2xf32>, %b1: tensor<1x2xf32>) {
    %0, %1, %2 = rnn.lstm_sequence %x, %h, %h, %n, %w, %r, %b {hidden_size = 2 : i64} : (tensor<?x5x3xf32>, tensor<?x1x2xf32>, tensor<?x1x2xf32>, tensor<?xi32>, tensor<1x8x3xf32>, tensor<1x8x2xf32>, tensor<1x8xf32>) -> (tensor<?x1x5x2xf32>, tensor<?x1x2xf32>, tensor<?x1x2xf32>)
    %3, %4 = rnn.gru_sequence %x, %h2, %n, %w3, %r3, %b3 {hidden_size = 2 : i64, direction = "bidirectional", linear_before_reset = true} : (tensor<?x5x3xf32>, tensor<?x2x2xf32>, tensor<?xi32>, tensor<2x6x3xf32>, tensor<2x6x2xf32>, tensor<2x8xf32>) -> (tensor<?x2x5x2xf32>, tensor<?x2x2xf32>)
    %5, %6 = rnn.rnn_sequence %x, %h, %n, %w1, %r1, %b1 {hidden_size = 2 : i64, direction = "reverse", activations = ["hard_sigmoid"], activations_alpha = [2.500000e-01 : f64], activations_beta = [5.000000e-01 : f64]} : (tensor<?x5x3xf32>, tensor<?x1x2xf32>, tensor<?xi32>, tensor<1x2x3xf32>, tensor<1x2x2xf32>, tensor<1x2xf32>) -> (tensor<?x1x5x2xf32>, tensor<?x1x2xf32>)
    func.return
  }
}
