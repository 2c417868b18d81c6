// What rnn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<1x1x3xf32>, %h: tensor<1x2xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // expected-error@below {{rnn.rnn_cell 'cell': X has rank 3, not 2}}
  %0 = rnn.rnn_cell %x, %h, %w, %r, %b {hidden_size = 2 : i64, nn.name = "cell"} : (tensor<1x1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x3xf32>, %h: tensor<2x2xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // expected-error@below {{rnn.rnn_cell: H has shape [2, 2], expected [1, 2]}}
  %0 = rnn.rnn_cell %x, %h, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %w: tensor<2x3xf32>, %r: tensor<8x2xf32>, %b: tensor<8xf32>) {
  // expected-error@below {{rnn.lstm_cell: W has shape [2, 3], expected [8, 3]}}
  %0, %1 = rnn.lstm_cell %x, %h, %h, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %w: tensor<8x3xf32>, %r: tensor<8x2xf32>, %b: tensor<8xf32>) {
  // expected-error@below {{rnn.lstm_cell: C has shape [1, 3], expected [1, 2]}}
  %0, %1 = rnn.lstm_cell %x, %h, %x, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x3xf32>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %w: tensor<6x3xf32>, %b: tensor<6xf32>) {
  // expected-error@below {{rnn.gru_cell: R has shape [6, 3], expected [6, 2]}}
  %0 = rnn.gru_cell %x, %h, %w, %w, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<6x3xf32>, tensor<6x3xf32>, tensor<6xf32>) -> tensor<1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2xf32>, %h: tensor<1x2xf32>, %w: tensor<6x2xf32>, %b: tensor<6xf32>) {
  // expected-error@below {{rnn.gru_cell: B has shape [6], expected [8]}}
  %0 = rnn.gru_cell %x, %h, %w, %w, %b {hidden_size = 2 : i64, linear_before_reset = true} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>, tensor<6xf32>) -> tensor<1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2xf32>, %h: tensor<1x2xf32>, %w: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // expected-error@below {{rnn.rnn_cell: activations ['elu']; needs 1 of sigmoid, tanh, relu}}
  %0 = rnn.rnn_cell %x, %h, %w, %w, %b {hidden_size = 2 : i64, activations = ["elu"]} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2xf32>, %h: tensor<1x2xf32>, %w: tensor<6x2xf32>, %b: tensor<6xf32>) {
  // expected-error@below {{rnn.gru_cell: activations ['tanh']; needs 2 of sigmoid, tanh, relu}}
  %0 = rnn.gru_cell %x, %h, %w, %w, %b {hidden_size = 2 : i64, activations = ["tanh"]} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<6x2xf32>, tensor<6x2xf32>, tensor<6xf32>) -> tensor<1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2xf32>, %h: tensor<1x2xf32>, %w: tensor<8x2xf32>, %b: tensor<8xf32>) {
  // expected-error@below {{rnn.lstm_cell: cell_clip -1.0 is negative}}
  %0, %1 = rnn.lstm_cell %x, %h, %h, %w, %w, %b {hidden_size = 2 : i64, cell_clip = -1.0 : f64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<8x2xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<1x2xf32>, %h: tensor<1x2xf32>, %w: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // expected-error@below {{rnn.rnn_cell: clip -1.0 is negative}}
  %0 = rnn.rnn_cell %x, %h, %w, %w, %b {hidden_size = 2 : i64, clip = -1.0 : f64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2xf32>, %h: tensor<1x2xf32>, %w: tensor<2x2xf32>, %b: tensor<2xf32>) {
  // expected-error@below {{rnn.rnn_cell: result type tensor<1x3xf32> does not fit; operands give tensor<1x2xf32>}}
  %0 = rnn.rnn_cell %x, %h, %w, %w, %b {hidden_size = 2 : i64} : (tensor<1x2xf32>, tensor<1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x3xf32>
  func.return
}
