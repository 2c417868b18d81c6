// RUN: opt-tool %s --lpt-main | filecheck %s
// RUN: opt-tool %s --lpt-main --verify-numerics

// H has a grid of the model's: it is multiplied as it is.
// CHECK-LABEL: @lstm
// CHECK:      nn.mat_mul %x, %{{.*}} {nn.name = "cell/X_original", transpose_b = true} : (tensor<1x3xui8>, tensor<8x3xi8>) -> tensor<1x8xi32>
// CHECK:      nn.mat_mul %h, %{{.*}} {nn.name = "cell/H_original", transpose_b = true} : (tensor<1x2xi8>, tensor<8x2xi8>) -> tensor<1x8xi32>
// CHECK-NOT:  nn.mat_mul
// CHECK:      nn.multiply {{.*}} {nn.name = "cell", lpt.interval = array<f64: -1.000000e+00, 1.000000e+00>}
func.func @lstm(%x: tensor<1x3xui8>, %h: tensor<1x2xi8>, %c: tensor<1x2xf32>, %b: tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>) {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 2, 3], [4, 5, 6]]> : tensor<8x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5], [7, 8], [1, 2], [4, 5], [7, 8], [1, 2], [4, 5]]> : tensor<8x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xui8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<8x3xi8> -> tensor<8x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<8x2xi8> -> tensor<8x2xf32>
  %y, %n = rnn.lstm_cell %xv, %hv, %c, %w, %r, %b {hidden_size = 2 : i64, nn.name = "cell"} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<8x3xf32>, tensor<8x2xf32>, tensor<8xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  func.return %y, %n : tensor<1x2xf32>, tensor<1x2xf32>
}

// H comes from a tanh: codes from -1 to 1, and codes of what they leave, within half a step.
// CHECK-LABEL: @hidden_in_two_codes
// CHECK:      [[T:%.*]] = nn.tanh %h
// CHECK:      [[LOW:%.*]] = nn.constant dense<-1.0> : tensor<f32>
// CHECK:      [[HIGH:%.*]] = nn.constant dense<1.0> : tensor<f32>
// CHECK:      [[COARSE:%.*]] = qnn.fake_quantize [[T]], [[LOW]], [[HIGH]], {{.*}} {nn.name = "cell/H/quantized_original", levels = 255 : i64, output_type = i8}
// CHECK:      [[VALUE:%.*]] = qnn.dequantize [[COARSE]]
// CHECK:      [[REST:%.*]] = nn.subtract [[T]], [[VALUE]]
// CHECK:      [[END:%.*]] = nn.constant dense<0.003937008> : tensor<f32>
// CHECK:      [[FINE:%.*]] = qnn.fake_quantize [[REST]], {{%.*}}, [[END]], {{.*}} {nn.name = "cell/H/rest/quantized", levels = 255 : i64, output_type = i8}
// CHECK:      nn.mat_mul %x
// CHECK:      nn.mat_mul [[COARSE]], {{.*}} {nn.name = "cell/H_original"
// CHECK:      nn.mat_mul [[FINE]], {{.*}} {nn.name = "cell/H/1_original"
func.func @hidden_in_two_codes(%x: tensor<1x3xui8>, %h: tensor<1x2xf32>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xui8> -> tensor<1x3xf32>
  %hv = nn.tanh %h : tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64, nn.name = "cell"} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// A range that is not symmetric is widened to one that is.
// CHECK-LABEL: @asymmetric_range
// CHECK:      [[V:%.*]] = nn.clamp %h
// CHECK:      [[LOW:%.*]] = nn.constant dense<-2.0> : tensor<f32>
// CHECK:      [[HIGH:%.*]] = nn.constant dense<2.0> : tensor<f32>
// CHECK:      qnn.fake_quantize [[V]], [[LOW]], [[HIGH]], {{.*}} {nn.name = "cell/H/quantized_original", levels = 255 : i64, output_type = i8}
func.func @asymmetric_range(%x: tensor<1x3xui8>, %h: tensor<1x2xf32>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xui8> -> tensor<1x3xf32>
  %hv = nn.clamp %h {min = -1.0 : f64, max = 2.0 : f64} : tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64, nn.name = "cell"} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// What the reset gate leaves of a state from 0 to 2 has that range, too: u8 for the codes, i8 for the rest.
// CHECK-LABEL: @gru
// CHECK:      nn.clamp
// CHECK:      nn.mat_mul %x, {{.*}} {nn.name = "cell/X_original"
// CHECK:      [[RESET:%.*]] = nn.multiply %{{.*}}, %hv
// CHECK:      [[HIGH:%.*]] = nn.constant dense<2.0> : tensor<f32>
// CHECK:      [[KEPT:%.*]] = qnn.fake_quantize [[RESET]], %{{.*}}, [[HIGH]], {{.*}} levels = 256 : i64, output_type = ui8
// CHECK:      nn.mat_mul %x, {{.*}} {nn.name = "cell/X/candidate_original"
// CHECK:      nn.mat_mul [[KEPT]], {{.*}} {nn.name = "cell/H/candidate_original", transpose_b = true} : (tensor<1x1xui8>, tensor<1x1xi8>) -> tensor<1x1xi32>
// CHECK:      nn.mat_mul {{.*}} {nn.name = "cell/H/candidate/1_original", transpose_b = true} : (tensor<1x1xi8>, tensor<1x1xi8>) -> tensor<1x1xi32>
func.func @gru(%x: tensor<1x3xi8>, %h: tensor<1x1xf32>, %b: tensor<3xf32>) -> tensor<1x1xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi8>
  %rq = nn.constant dense<[[1], [2], [4]]> : tensor<3x1xi8>
  %hv = nn.clamp %h {min = 0.0 : f64, max = 2.0 : f64} : tensor<1x1xf32>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %w = qnn.dequantize %wq scale <dense<[[0.1], [0.2], [0.3]]> : tensor<3x1xf32>> : tensor<3x3xi8> -> tensor<3x3xf32>
  %r = qnn.dequantize %rq scale <dense<[[0.1], [0.2], [0.3]]> : tensor<3x1xf32>> : tensor<3x1xi8> -> tensor<3x1xf32>
  %y = rnn.gru_cell %xv, %hv, %w, %r, %b {hidden_size = 1 : i64, activations = ["sigmoid", "sigmoid"], nn.name = "cell"} : (tensor<1x3xf32>, tensor<1x1xf32>, tensor<3x3xf32>, tensor<3x1xf32>, tensor<3xf32>) -> tensor<1x1xf32>
  func.return %y : tensor<1x1xf32>
}

// Only the product of H multiplies codes.
// CHECK-LABEL: @float_data
// CHECK: [[X:%.*]] = nn.mat_mul %x, %w {lpt.declined = "input 0 is not quantized; put a FakeQuantize on it", transpose_b = true} : (tensor<1x3xf32>
// CHECK: [[H:%.*]] = nn.mat_mul %h, %rq {transpose_b = true} : (tensor<1x2xi8>, tensor<2x2xi8>) -> tensor<1x2xi32>
func.func @float_data(%x: tensor<1x3xf32>, %h: tensor<1x2xi8>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %x, %hv, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// H has no bounds, or is a constant: nothing is left to multiply codes.
// CHECK-LABEL: @float_data_and_state
// CHECK-COUNT-3: rnn.rnn_cell {{.*}} {lpt.declined = "input 0 (X) is not quantized; put a FakeQuantize on it"
func.func @float_data_and_state(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %b: tensor<2xf32>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %one = nn.constant dense<1.0> : tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %x, %h, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %z = rnn.rnn_cell %x, %one, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  %t = nn.tanh %h : tensor<1x2xf32>
  %u = rnn.rnn_cell %x, %t, %w, %r, %b {hidden_size = 2 : i64, activations = ["relu"]} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y, %z, %u : tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
}

// CHECK-LABEL: @float_weights
// CHECK: rnn.rnn_cell {{.*}} {lpt.declined = "input 3 (R) is a constant in floating point; quantize it to i8"
func.func @float_weights(%x: tensor<1x3xi8>, %h: tensor<1x2xi8>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %r = nn.constant dense<[[1.0, 2.0], [4.0, 5.0]]> : tensor<2x2xf32>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @asymmetric_weights
// CHECK:      [[P:%.*]] = nn.mat_mul %x, %wq {transpose_b = true} : (tensor<1x3xi8>, tensor<2x3xi8>) -> tensor<1x2xi32>
// CHECK-NEXT: [[ONES:%.*]] = nn.constant dense<1> : tensor<1x3xi8>
// CHECK-NEXT: [[SUM:%.*]] = nn.mat_mul %x, [[ONES]] {transpose_b = true} : (tensor<1x3xi8>, tensor<1x3xi8>) -> tensor<1x1xi32>
// CHECK-NEXT: [[Z:%.*]] = nn.constant dense<3> : tensor<i32>
// CHECK-NEXT: [[PART:%.*]] = nn.multiply [[SUM]], [[Z]]
// CHECK-NEXT: [[REST:%.*]] = nn.subtract [[P]], [[PART]]
// CHECK-NEXT: qnn.dequantize [[REST]] scale
// CHECK-NEXT: nn.mat_mul %h, %rq {transpose_b = true} : (tensor<1x2xi8>, tensor<2x2xi8>) -> tensor<1x2xi32>
func.func @asymmetric_weights(%x: tensor<1x3xi8>, %h: tensor<1x2xi8>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @zero_point_between_codes
// CHECK: rnn.rnn_cell {{.*}} {lpt.declined = "input 2 (W) is quantized with a zero point; quantize it symmetrically around 0"
func.func @zero_point_between_codes(%x: tensor<1x3xi8>, %h: tensor<1x2xi8>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> zero_point <dense<2.5> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @hidden_zero_point_between_codes
// CHECK: rnn.rnn_cell {{.*}} {lpt.declined = "input 3 (R) is quantized with a zero point; quantize it symmetrically around 0"
func.func @hidden_zero_point_between_codes(%x: tensor<1x3xi8>, %h: tensor<1x2xi8>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> zero_point <dense<0.5> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @computed_weights
// CHECK: rnn.rnn_cell {{.*}} {lpt.declined = "input 3 (R) is computed; weights in low precision are constants"
func.func @computed_weights(%x: tensor<1x3xi8>, %h: tensor<1x2xi8>, %rq: tensor<2x2xi8>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @channels_that_are_summed
// CHECK: rnn.rnn_cell {{.*}} {lpt.declined = "input 0 (X) is quantized per channel along the dimension that is summed over; quantize it per tensor"
func.func @channels_that_are_summed(%x: tensor<1x3xi8>, %h: tensor<1x2xi8>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<[[0.01, 0.02, 0.03]]> : tensor<1x3xf32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %hv, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// H could be anything: its product stays in floating point, that of X does not.
// CHECK-LABEL: @unbounded_state
// CHECK: nn.mat_mul %x, {{.*}} : (tensor<1x3xi8>, tensor<2x3xi8>) -> tensor<1x2xi32>
// CHECK: nn.mat_mul %h, {{.*}}lpt.declined = "input 0 is not quantized; put a FakeQuantize on it"
func.func @unbounded_state(%x: tensor<1x3xi8>, %h: tensor<1x2xf32>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %rq = nn.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %h, %w, %r, %b {hidden_size = 2 : i64} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// A reset gate of relu may give anything times H.
// CHECK-LABEL: @unbounded_reset
// CHECK: rnn.gru_cell {{.*}} {lpt.declined = "its activation relu lets the reset gate enlarge H beyond any bound"
func.func @unbounded_reset(%x: tensor<1x3xi8>, %h: tensor<1x1xi8>, %b: tensor<3xf32>) -> tensor<1x1xf32> {
  %wq = nn.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi8>
  %rq = nn.constant dense<[[1], [2], [4]]> : tensor<3x1xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %hv = qnn.dequantize %h scale <dense<0.01> : tensor<f32>> : tensor<1x1xi8> -> tensor<1x1xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<3x3xi8> -> tensor<3x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<3x1xi8> -> tensor<3x1xf32>
  %y = rnn.gru_cell %xv, %hv, %w, %r, %b {hidden_size = 1 : i64, activations = ["relu", "tanh"]} : (tensor<1x3xf32>, tensor<1x1xf32>, tensor<3x3xf32>, tensor<3x1xf32>, tensor<3xf32>) -> tensor<1x1xf32>
  func.return %y : tensor<1x1xf32>
}

// CHECK-LABEL: @another_type
// CHECK: rnn.rnn_cell {{.*}}lpt.declined = "input 0 (X) is quantized to i8; preset 'cpu-x86' takes ui8 there; quantize it to ui8"
func.func @another_type(%x: tensor<1x3xi8>, %h: tensor<1x2xf32>, %b: tensor<2xf32>) -> tensor<1x2xf32> {
  %wq = nn.constant dense<1> : tensor<2x3xi8>
  %rq = nn.constant dense<1> : tensor<2x2xi8>
  %xv = qnn.dequantize %x scale <dense<0.01> : tensor<f32>> : tensor<1x3xi8> -> tensor<1x3xf32>
  %w = qnn.dequantize %wq scale <dense<0.1> : tensor<f32>> : tensor<2x3xi8> -> tensor<2x3xf32>
  %r = qnn.dequantize %rq scale <dense<0.1> : tensor<f32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = rnn.rnn_cell %xv, %h, %w, %r, %b {hidden_size = 2 : i64, lpt.precisions = {input0 = [ui8]}} : (tensor<1x3xf32>, tensor<1x2xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}
