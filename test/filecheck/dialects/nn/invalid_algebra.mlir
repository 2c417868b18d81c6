// What operations of matrices and of signs refuse, and how they say so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%a: tensor<6x4xf32>, %b: tensor<3x5x4xf32>, %o: tensor<2xi32>) {
  // expected-error@below {{nn.grouped_mat_mul: takes rows [row, k], matrices [group, n, k] and ends [group], or rows [group, row, k] and matrices alone, not [6, 4], [3, 5, 4] and [2]}}
  %y = nn.grouped_mat_mul %a, %b, %o : (tensor<6x4xf32>, tensor<3x5x4xf32>, tensor<2xi32>) -> tensor<6x5xf32>
  func.return
}
// -----
func.func @f(%x: tensor<3x4xf32>) {
  // expected-error@below {{nn.inverse: takes square matrices, not [3, 4]}}
  %y = nn.inverse %x : tensor<3x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2x4x5xf32>, %w: tensor<1x1x2x2xi1>) {
  // expected-error@below {{nn.binary_convolution: takes images [batch, channel, …] and filters [output, channel, …], not [1, 2, 4, 5] and [1, 1, 2, 2]}}
  %y = nn.binary_convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x5xf32>, tensor<1x1x2x2xi1>) -> tensor<1x1x3x4xf32>
  func.return
}
// -----
func.func @f(%s: tensor<2xi64>, %x: tensor<f32>) {
  // expected-error@below {{nn.random_uniform: seeds 0, 0; with zeros numbers would differ from run to run: give it a seed above 0, or make the numbers an input}}
  %y = nn.random_uniform %s, %x, %x {output_type = f32} : (tensor<2xi64>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5xf32>) {
  %n = nn.constant dense<6> : tensor<i64>
  // expected-error@below {{nn.multinomial: 6 samples cannot be drawn of 5 classes}}
  %y = nn.multinomial %x, %n {with_replacement = false, log_probs = false, op_seed = 9 : i64} : (tensor<2x5xf32>, tensor<i64>) -> tensor<2x6xi64>
  func.return
}
// -----
func.func @f(%x: tensor<2x4x3xf32>, %s: tensor<2xi32>, %l: tensor<2x5xi32>) {
  // expected-error@below {{nn.ctc_loss: takes logits [batch, step, class], lengths [batch], labels [batch, step], lengths [batch] and one number, not [2, 4, 3], [2], [2, 5], [2]}}
  %y = nn.ctc_loss %x, %s, %l, %s : (tensor<2x4x3xf32>, tensor<2xi32>, tensor<2x5xi32>, tensor<2xi32>) -> tensor<2xf32>
  func.return
}
