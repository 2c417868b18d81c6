// RUN: opt-tool %s --split-input-file --nn-to-tfl | filecheck %s

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

// Of a GRU there is no kernel: it is a loop over as many steps as the input has.
// CHECK:      func.func private @condition
// CHECK:      func.func @main
// CHECK:      [[SIZES:%.*]] = "tfl.shape"(%x)
// CHECK:      [[STEPS:%.*]] = "tfl.strided_slice"([[SIZES]]
// CHECK:      "tfl.minimum"({{.*}}, [[STEPS]])
// CHECK:      "tfl.while"(
func.func @main(%x: tensor<1x?x2xf32>, %h: tensor<1x1x1xf32>, %n: tensor<1xi64>) -> tensor<1x1x?x1xf32> {
  %w = nn.constant dense<1.0> : tensor<1x3x2xf32>
  %r = nn.constant dense<1.0> : tensor<1x3x1xf32>
  %b = nn.constant dense<1.0> : tensor<1x3xf32>
  %y, %ht = rnn.gru_sequence %x, %h, %n, %w, %r, %b {hidden_size = 1 : i64} : (tensor<1x?x2xf32>, tensor<1x1x1xf32>, tensor<1xi64>, tensor<1x3x2xf32>, tensor<1x3x1xf32>, tensor<1x3xf32>) -> (tensor<1x1x?x1xf32>, tensor<1x1x1xf32>)
  func.return %y : tensor<1x1x?x1xf32>
}
