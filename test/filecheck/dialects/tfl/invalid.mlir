// What tfl refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: input_to_forget_weights has shape [4, 4], expected [4, 3]}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %r, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: input_to_cell_weights has rank 1, not 2}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %b, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: recurrent_to_forget_weights has shape [4, 3], expected [4, 4]}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %w, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: forget_gate_bias has shape [5], expected [4]}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %pb, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: cell_gate_bias is absent; only operands of optional parts may be}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %n, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, none, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: input_activation_state has shape [2, 5], expected [2, 4]}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %hp, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x5xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: input_cell_state has shape [4, 4], expected [2, 4]}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %r, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<4x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: with coupled gates all, else none, may be absent: recurrent_to_input_weights, input_gate_bias given, input_to_input_weights absent}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %n, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, none, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: peephole weights must all be given, or none: cell_to_forget_weights given, cell_to_output_weights, cell_to_input_weights absent}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %b, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, tensor<4xf32>, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: cell_to_input_weights is given, but the coupled gates have no input gate}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %n, %w, %w, %w, %n, %r, %r, %r, %b, %n, %n, %n, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, none, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, none, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: projection_bias needs projection_weights}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %b, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, tensor<4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: layer norm coefficients must all be given, or none: forget_layer_norm_coefficients given}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %b, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, tensor<4xf32>, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: input_layer_norm_coefficients must be there exactly where there is an input gate}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %b, %b, %b) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: recurrent_to_input_weights has rank 2, not 1}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %b, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: recurrent weights of rank 1 and diagonal_recurrent_tensors = true go together, or neither}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %b, %b, %b, %b, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: input has rank 2, not 3}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x1, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: result has shape [5, 2, 4], operands give [2, 5, 4]}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<5x2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: fused_activation_function 'SIGMOID' is none of NONE, RELU, RELU_N1_TO_1, RELU6, TANH, SIGN_BIT}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "SIGMOID", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: cell_clip -1.0 is negative; 0 is no limit}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = -1.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.unidirectional_sequence_lstm: computes in f32, one operand or result is a tensor<2x5x4xf64>}}
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x5x4xf64>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.lstm: kernel_type BASIC has no such operands; use FULL}}
  %0 = "tfl.lstm"(%x1, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, kernel_type = #tfl<lstm_kernel_type_attr BASIC>}> ({
  }) : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.lstm: input has rank 3, not 2}}
  %0 = "tfl.lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, kernel_type = #tfl<lstm_kernel_type_attr FULL>}> ({
  }) : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{'FAST' is none of FULL, BASIC}}
  %0 = "tfl.lstm"(%x1, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, kernel_type = #tfl<lstm_kernel_type_attr FAST>}> ({
  }) : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none) -> tensor<2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.bidirectional_sequence_lstm: result has shape [2, 5, 4], operands give [2, 5, 8]}}
  %0, %1 = "tfl.bidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %s, %s, %n, %n, %n, %n, %n, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, merge_outputs = true, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none, none, none, none, none, none) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.bidirectional_sequence_lstm: input has rank 2, not 3}}
  %0, %1 = "tfl.bidirectional_sequence_lstm"(%x1, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %s, %s, %n, %n, %n, %n, %n, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, merge_outputs = false, time_major = false}> : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none, none, none, none, none, none) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.bidirectional_sequence_lstm: auxiliary weights need an aux_input}}
  %0, %1 = "tfl.bidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %s, %s, %n, %wa, %wa, %wa, %wa, %wa, %wa, %wa, %wa) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, merge_outputs = false, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, none, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.bidirectional_sequence_lstm: fw_aux_input_to_input_weights has shape [4, 3], expected [4, 6]}}
  %0, %1 = "tfl.bidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %s, %s, %aux, %w, %w, %w, %w, %w, %w, %w, %w) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, merge_outputs = false, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x5x6xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.bidirectional_sequence_lstm: bw_input_to_output_weights has shape [4, 4], expected [4, 3]}}
  %0, %1 = "tfl.bidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %w, %w, %w, %r, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %s, %s, %s, %s, %n, %n, %n, %n, %n, %n, %n, %n, %n) <{fused_activation_function = "TANH", cell_clip = 0.000000e+00 : f32, proj_clip = 0.000000e+00 : f32, merge_outputs = false, time_major = false}> : (tensor<2x5x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, none, none, none, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, none, none, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, none, none, none, none, none, none, none, none, none) -> (tensor<2x5x4xf32>, tensor<2x5x4xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.pseudo_const: data of type tensor<2xi32> for a result of tensor<3xi32>}}
  %0 = "tfl.pseudo_const"() <{value = dense<[1, 2]> : tensor<2xi32>}> : () -> tensor<3xi32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.custom: custom_code is empty; name a registered kernel}}
  %0 = "tfl.custom"(%x) <{custom_code = "", custom_option = #tfl<const_bytes : "0x">}> : (tensor<2x5x3xf32>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>, %i: i32) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{tfl.custom: takes a i32; operands are tensors or none}}
  %0 = "tfl.custom"(%i) <{custom_code = "a", custom_option = #tfl<const_bytes : "0x">}> : (i32) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x5x3xf32>, %x1: tensor<2x3xf32>, %xt: tensor<5x2x3xf32>, %w: tensor<4x3xf32>, %r: tensor<4x4xf32>, %b: tensor<4xf32>, %s: tensor<2x4xf32>, %p: tensor<5x4xf32>, %rp: tensor<4x5xf32>, %hp: tensor<2x5xf32>, %pb: tensor<5xf32>, %aux: tensor<2x5x6xf32>, %wa: tensor<4x6xf32>) {
  %n = "tfl.no_value"() <{value}> : () -> none
  // expected-error@below {{expected "0x" and an even number of hexadecimal digits}}
  %0 = "tfl.custom"(%x) <{custom_code = "a", custom_option = #tfl<const_bytes : "0x0">}> : (tensor<2x5x3xf32>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2xf32>) {
  // expected-error@below {{tfl.quantize: qtype tensor<2xi8> is not the type of the result, tensor<2x!quant.uniform<i8:f32, 0.25>>}}
  %0 = "tfl.quantize"(%x) <{qtype = tensor<2xi8>}> : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.25>>
  func.return
}
