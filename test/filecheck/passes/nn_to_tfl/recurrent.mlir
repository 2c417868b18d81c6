// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// A state begins every call with the operand.
// CHECK:      [[H:%.*]] = "tfl.variable"()
// CHECK:      [[BEGIN:%.*]] = "tfl.minimum"([[FROM:%.*]], [[FROM]])
// CHECK-NEXT: "tfl.store"([[BEGIN]], [[H]])
// CHECK:      "tfl.unidirectional_sequence_lstm"(%x, {{.*}}[[H]]
func.func @main(%x: tensor<1x3x2xf32>, %h: tensor<1x1x1xf32>, %c: tensor<1x1x1xf32>) -> tensor<1x1x3x1xf32> {
  %n = nn.constant dense<3> : tensor<1xi64>
  %w = nn.constant dense<1.0> : tensor<1x4x2xf32>
  %r = nn.constant dense<1.0> : tensor<1x4x1xf32>
  %b = nn.constant dense<1.0> : tensor<1x4xf32>
  %y, %ht, %ct = rnn.lstm_sequence %x, %h, %c, %n, %w, %r, %b {hidden_size = 1 : i64} : (tensor<1x3x2xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x4x2xf32>, tensor<1x4x1xf32>, tensor<1x4xf32>) -> (tensor<1x1x3x1xf32>, tensor<1x1x1xf32>, tensor<1x1x1xf32>)
  func.return %y : tensor<1x1x3x1xf32>
}

// -----

// Of a GRU there is no kernel, and no loop without its number of steps.
// REFUSED: rnn.gru_sequence: cannot be written for LiteRT: LiteRT runs it as a loop, for which its number of steps has to be known; give the inputs shapes, for example model.reshape({0: [1, 16, 2]})
func.func @main(%x: tensor<1x?x2xf32>, %h: tensor<1x1x1xf32>, %n: tensor<1xi64>) -> tensor<1x1x?x1xf32> {
  %w = nn.constant dense<1.0> : tensor<1x3x2xf32>
  %r = nn.constant dense<1.0> : tensor<1x3x1xf32>
  %b = nn.constant dense<1.0> : tensor<1x3xf32>
  %y, %ht = rnn.gru_sequence %x, %h, %n, %w, %r, %b {hidden_size = 1 : i64} : (tensor<1x?x2xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x3x2xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>) -> (tensor<1x1x?x1xf32>, tensor<1x1x1xf32>)
  func.return %y : tensor<1x1x?x1xf32>
}
