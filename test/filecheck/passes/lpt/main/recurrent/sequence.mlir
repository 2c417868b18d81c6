// RUN: opt-tool %s --lpt-main | filecheck %s

// The codes of X are sliced; the hidden state is quantized in each step, as is what it begins with.
// CHECK-LABEL: @gru
// CHECK:      infra.tensor_iterator %x, {{.*}} {nn.name = "S/forward", infra.sequence = "S"} : (tensor<2x5x3xui8>, tensor<2x2xf32>, tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x2xf32>)
// CHECK-NEXT: ^bb0(%{{.*}}: tensor<2x1x3xui8>, [[H:%.*]]: tensor<2x2xf32>, %{{.*}}: tensor<8xf32>):
// CHECK:        nn.constant dense<1.0> : tensor<f32>
// CHECK:        [[COARSE:%.*]] = qnn.fake_quantize [[H]], {{.*}} {nn.name = "S/forward/cell/H/quantized_original", levels = 255 : i64, output_type = i8}
// CHECK:        nn.mat_mul {{.*}} : (tensor<2x3xui8>, tensor<4x3xi8>) -> tensor<2x4xi32>
// CHECK:        nn.mat_mul [[COARSE]], {{.*}} : (tensor<2x2xi8>, tensor<4x2xi8>) -> tensor<2x4xi32>
// CHECK:      nn.unsqueeze {{.*}} {nn.name = "S"}
func.func @gru(%x: tensor<2x5x3xui8>, %b: tensor<1x8xf32>) -> tensor<2x1x5x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x6x3xi8>
  %rq = nn.constant dense<2> : tensor<1x6x2xi8>
  %h = nn.constant dense<0.5> : tensor<2x1x2xf32>
  %n = nn.constant dense<5> : tensor<2xi64>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<2x5x3xui8> -> tensor<2x5x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x6x3xi8> -> tensor<1x6x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x6x2xi8> -> tensor<1x6x2xf32>
  %y, %last = rnn.gru_sequence %xv, %h, %n, %w, %r, %b {hidden_size = 2 : i64, linear_before_reset = true, nn.name = "S"} : (tensor<2x5x3xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x6x3xf32>, tensor<1x6x2xf32>, tensor<1x8xf32>) -> (tensor<2x1x5x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x5x2xf32>
}

// A GRU that begins at 3 stays between -3 and 3.
// CHECK-LABEL: @larger_start
// CHECK:        nn.constant dense<3.0> : tensor<f32>
// CHECK:        qnn.fake_quantize {{.*}} {nn.name = "S/reverse/cell/H/quantized_original"
func.func @larger_start(%x: tensor<2x5x3xui8>, %b: tensor<1x8xf32>) -> tensor<2x1x5x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x6x3xi8>
  %rq = nn.constant dense<2> : tensor<1x6x2xi8>
  %h = nn.constant dense<3.0> : tensor<2x1x2xf32>
  %n = nn.constant dense<5> : tensor<2xi64>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<2x5x3xui8> -> tensor<2x5x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x6x3xi8> -> tensor<1x6x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x6x2xi8> -> tensor<1x6x2xf32>
  %y, %last = rnn.gru_sequence %xv, %h, %n, %w, %r, %b {hidden_size = 2 : i64, direction = "reverse", linear_before_reset = true, nn.name = "S"} : (tensor<2x5x3xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x6x3xf32>, tensor<1x6x2xf32>, tensor<1x8xf32>) -> (tensor<2x1x5x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x5x2xf32>
}

// A quantized initial state says nothing about the later ones: these have the range of their gates.
// CHECK-LABEL: @quantized_start
// CHECK:        nn.constant dense<-1.0> : tensor<f32>
// CHECK:        qnn.fake_quantize {{.*}} {nn.name = "S/forward/cell/H/quantized_original", levels = 255 : i64, output_type = i8}
func.func @quantized_start(%x: tensor<2x5x3xui8>, %hq: tensor<2x1x2xui8>, %c: tensor<2x1x2xf32>, %b: tensor<1x8xf32>) -> tensor<2x1x5x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x8x3xi8>
  %rq = nn.constant dense<2> : tensor<1x8x2xi8>
  %h = qnn.dequantize %hq scale <dense<0.001> : tensor<f32>> : tensor<2x1x2xui8> -> tensor<2x1x2xf32>
  %n = nn.constant dense<5> : tensor<2xi64>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<2x5x3xui8> -> tensor<2x5x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x8x3xi8> -> tensor<1x8x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x8x2xi8> -> tensor<1x8x2xf32>
  %y, %last, %lc = rnn.lstm_sequence %xv, %h, %c, %n, %w, %r, %b {hidden_size = 2 : i64, nn.name = "S"} : (tensor<2x5x3xf32>, tensor<2x1x2xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x8x3xf32>, tensor<1x8x2xf32>, tensor<1x8xf32>) -> (tensor<2x1x5x2xf32>, tensor<2x1x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x5x2xf32>
}

// Of an H that nothing bounds, only the product of X is one of codes.
// CHECK-LABEL: @unknown_start
// CHECK: nn.mat_mul {{.*}} -> tensor<2x4xi32>
// CHECK: nn.mat_mul {{.*}}lpt.declined = "input 0 is not quantized; put a FakeQuantize on it"
func.func @unknown_start(%x: tensor<2x5x3xui8>, %h: tensor<2x1x2xf32>, %b: tensor<1x8xf32>) -> tensor<2x1x5x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x6x3xi8>
  %rq = nn.constant dense<2> : tensor<1x6x2xi8>
  %n = nn.constant dense<5> : tensor<2xi64>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<2x5x3xui8> -> tensor<2x5x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x6x3xi8> -> tensor<1x6x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x6x2xi8> -> tensor<1x6x2xf32>
  %y, %last = rnn.gru_sequence %xv, %h, %n, %w, %r, %b {hidden_size = 2 : i64, linear_before_reset = true} : (tensor<2x5x3xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x6x3xf32>, tensor<1x6x2xf32>, tensor<1x8xf32>) -> (tensor<2x1x5x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x5x2xf32>
}

// CHECK-LABEL: @unbounded_gates
// CHECK: nn.mat_mul {{.*}} -> tensor<2x2xi32>
// CHECK: nn.mat_mul {{.*}}lpt.declined = "input 0 is not quantized; put a FakeQuantize on it"
func.func @unbounded_gates(%x: tensor<2x5x3xui8>, %b: tensor<1x2xf32>) -> tensor<2x1x5x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x2x3xi8>
  %rq = nn.constant dense<2> : tensor<1x2x2xi8>
  %h = nn.constant dense<0.0> : tensor<2x1x2xf32>
  %n = nn.constant dense<5> : tensor<2xi64>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<2x5x3xui8> -> tensor<2x5x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y, %last = rnn.rnn_sequence %xv, %h, %n, %w, %r, %b {hidden_size = 2 : i64, activations = ["relu"]} : (tensor<2x5x3xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x2x3xf32>, tensor<1x2x2xf32>, tensor<1x2xf32>) -> (tensor<2x1x5x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x5x2xf32>
}

// CHECK-LABEL: @unknown_steps
// CHECK: rnn.rnn_sequence {{.*}} {lpt.declined = "it has an unknown number of steps; reshape the model"
func.func @unknown_steps(%x: tensor<2x?x3xui8>, %b: tensor<1x2xf32>) -> tensor<2x1x?x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x2x3xi8>
  %rq = nn.constant dense<2> : tensor<1x2x2xi8>
  %h = nn.constant dense<0.0> : tensor<2x1x2xf32>
  %n = nn.constant dense<5> : tensor<2xi64>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<2x?x3xui8> -> tensor<2x?x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y, %last = rnn.rnn_sequence %xv, %h, %n, %w, %r, %b {hidden_size = 2 : i64} : (tensor<2x?x3xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x2x3xf32>, tensor<1x2x2xf32>, tensor<1x2xf32>) -> (tensor<2x1x?x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x?x2xf32>
}

// X in floating point is multiplied so, H by its codes; without bounds of H nothing multiplies codes.
// CHECK-LABEL: @float_data
// CHECK: infra.tensor_iterator
// CHECK: nn.mat_mul {{.*}}lpt.declined = "input 0 is not quantized; put a FakeQuantize on it", transpose_b = true} : (tensor<2x3xf32>, tensor<2x3xf32>)
// CHECK-COUNT-2: nn.mat_mul {{.*}} : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
// CHECK-LABEL: @float_data_and_start
// CHECK: rnn.rnn_sequence {{.*}} {lpt.declined = "input 0 (X) is not quantized; put a FakeQuantize on it"
func.func @float_data(%x: tensor<2x5x3xf32>, %b: tensor<1x2xf32>) -> tensor<2x1x5x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x2x3xi8>
  %rq = nn.constant dense<2> : tensor<1x2x2xi8>
  %h = nn.constant dense<0.0> : tensor<2x1x2xf32>
  %n = nn.constant dense<5> : tensor<2xi64>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y, %last = rnn.rnn_sequence %x, %h, %n, %w, %r, %b {hidden_size = 2 : i64} : (tensor<2x5x3xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x2x3xf32>, tensor<1x2x2xf32>, tensor<1x2xf32>) -> (tensor<2x1x5x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x5x2xf32>
}
func.func @float_data_and_start(%x: tensor<2x5x3xf32>, %h: tensor<2x1x2xf32>, %b: tensor<1x2xf32>) -> tensor<2x1x5x2xf32> {
  %wq = nn.constant dense<3> : tensor<1x2x3xi8>
  %rq = nn.constant dense<2> : tensor<1x2x2xi8>
  %n = nn.constant dense<5> : tensor<2xi64>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y, %last = rnn.rnn_sequence %x, %h, %n, %w, %r, %b {hidden_size = 2 : i64} : (tensor<2x5x3xf32>, tensor<2x1x2xf32>, tensor<2xi64>, tensor<1x2x3xf32>, tensor<1x2x2xf32>, tensor<1x2xf32>) -> (tensor<2x1x5x2xf32>, tensor<2x1x2xf32>)
  func.return %y : tensor<2x1x5x2xf32>
}
