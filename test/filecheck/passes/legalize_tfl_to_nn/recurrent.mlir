// Fused LSTMs are operations of `rnn`; states in variables go on from call to call.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// CHECK: infra.variable @h : tensor<1x2xf32>
// CHECK: infra.variable @c : tensor<1x2xf32>

// `y, h, c = lstm_sequence(x, h, c)`, the gates in the order f, i, c, o
// CHECK-LABEL: @states(
// CHECK-NEXT: %0 = nn.constant dense<0.0> : tensor<1x2xf32>
// CHECK-NEXT: %1 = infra.read_value @h, %0 : tensor<1x2xf32> -> tensor<1x2xf32>
// CHECK-NEXT: %2 = nn.constant dense<0.0> : tensor<1x2xf32>
// CHECK-NEXT: %3 = infra.read_value @c, %2 : tensor<1x2xf32> -> tensor<1x2xf32>
// CHECK-NEXT: %4 = nn.concat %w, %w, %w, %w {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: %5 = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT: %6 = nn.unsqueeze %4, %5 : (tensor<8x3xf32>, tensor<1xi64>) -> tensor<1x8x3xf32>
// CHECK-NEXT: %7 = nn.concat %r, %r, %r, %r {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT: %8 = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT: %9 = nn.unsqueeze %7, %8 : (tensor<8x2xf32>, tensor<1xi64>) -> tensor<1x8x2xf32>
// CHECK-NEXT: %10 = nn.concat %b, %b, %b, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<8xf32>
// CHECK-NEXT: %11 = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT: %12 = nn.unsqueeze %10, %11 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1x8xf32>
// CHECK-NEXT: %13 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %14 = nn.unsqueeze %1, %13 : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %15 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %16 = nn.unsqueeze %3, %15 : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %17 = nn.constant dense<5> : tensor<1xi64>
// CHECK-NEXT: %18, %19, %20 = rnn.lstm_sequence %x, %14, %16, %17, %6, %9, %12 {hidden_size = 2 : i64} : (tensor<1x5x3xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1xi64>, tensor<1x8x3xf32>, tensor<1x8x2xf32>, tensor<1x8xf32>) -> (tensor<1x1x5x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
// CHECK-NEXT: %21 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %22 = nn.squeeze %18, %21 : (tensor<1x1x5x2xf32>, tensor<1xi64>) -> tensor<1x5x2xf32>
// CHECK-NEXT: %23 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %24 = nn.squeeze %19, %23 : (tensor<1x1x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
// CHECK-NEXT: %25 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %26 = nn.squeeze %20, %25 : (tensor<1x1x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
// CHECK-NEXT: infra.assign @h, %24 : tensor<1x2xf32>
// CHECK-NEXT: infra.assign @c, %26 : tensor<1x2xf32>
// CHECK-NEXT: func.return %22 : tensor<1x5x2xf32>
// CHECK-NEXT: }
func.func @states(%x: tensor<1x5x3xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>) -> tensor<1x5x2xf32> {
  %n = "tfl.no_value"() <{value}> : () -> none
  %h = "tfl.variable"() {nn.name = "h"} : () -> tensor<1x2xf32>
  %c = "tfl.variable"() {nn.name = "c"} : () -> tensor<1x2xf32>
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %h, %c, %n, %n, %n, %n) <{cell_clip = 0.0 : f32, fused_activation_function = "TANH", proj_clip = 0.0 : f32, time_major = false}> : (tensor<1x5x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, none, none, none, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, none, none, tensor<1x2xf32>, tensor<1x2xf32>, none, none, none, none) -> tensor<1x5x2xf32>
  func.return %0 : tensor<1x5x2xf32>
}

// States that are given are no states of the model.
// CHECK-LABEL: @given(
// CHECK-NEXT: %0 = nn.concat %w, %w, %w, %w {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
// CHECK-NEXT: %1 = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT: %2 = nn.unsqueeze %0, %1 : (tensor<8x3xf32>, tensor<1xi64>) -> tensor<1x8x3xf32>
// CHECK-NEXT: %3 = nn.concat %r, %r, %r, %r {axis = 0 : i64} : (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<8x2xf32>
// CHECK-NEXT: %4 = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT: %5 = nn.unsqueeze %3, %4 : (tensor<8x2xf32>, tensor<1xi64>) -> tensor<1x8x2xf32>
// CHECK-NEXT: %6 = nn.concat %b, %b, %b, %b {axis = 0 : i64} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<8xf32>
// CHECK-NEXT: %7 = nn.constant dense<[0]> : tensor<1xi64>
// CHECK-NEXT: %8 = nn.unsqueeze %6, %7 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1x8xf32>
// CHECK-NEXT: %9 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %10 = nn.unsqueeze %h, %9 : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %11 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %12 = nn.unsqueeze %c, %11 : (tensor<1x2xf32>, tensor<1xi64>) -> tensor<1x1x2xf32>
// CHECK-NEXT: %13 = nn.constant dense<5> : tensor<1xi64>
// CHECK-NEXT: %14, %15, %16 = rnn.lstm_sequence %x, %10, %12, %13, %2, %5, %8 {hidden_size = 2 : i64} : (tensor<1x5x3xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1xi64>, tensor<1x8x3xf32>, tensor<1x8x2xf32>, tensor<1x8xf32>) -> (tensor<1x1x5x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
// CHECK-NEXT: %17 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %18 = nn.squeeze %14, %17 : (tensor<1x1x5x2xf32>, tensor<1xi64>) -> tensor<1x5x2xf32>
// CHECK-NEXT: func.return %18 : tensor<1x5x2xf32>
// CHECK-NEXT: }
func.func @given(%x: tensor<1x5x3xf32>, %w: tensor<2x3xf32>, %r: tensor<2x2xf32>, %b: tensor<2xf32>, %h: tensor<1x2xf32>, %c: tensor<1x2xf32>) -> tensor<1x5x2xf32> {
  %n = "tfl.no_value"() <{value}> : () -> none
  %0 = "tfl.unidirectional_sequence_lstm"(%x, %w, %w, %w, %w, %r, %r, %r, %r, %n, %n, %n, %b, %b, %b, %b, %n, %n, %h, %c, %n, %n, %n, %n) <{cell_clip = 0.0 : f32, fused_activation_function = "TANH", proj_clip = 0.0 : f32, time_major = false}> : (tensor<1x5x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, none, none, none, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, none, none, tensor<1x2xf32>, tensor<1x2xf32>, none, none, none, none) -> tensor<1x5x2xf32>
  func.return %0 : tensor<1x5x2xf32>
}
