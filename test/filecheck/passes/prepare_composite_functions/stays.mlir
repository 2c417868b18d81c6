// What cannot be fused stays as it was, and says what was expected.
// RUN: opt-tool %s --prepare-composite-functions --allow-unregistered-dialect 2>&1 >/dev/null | filecheck %s
// RUN: opt-tool %s --prepare-composite-functions --allow-unregistered-dialect 2>/dev/null | filecheck %s --check-prefix=STAYS

// STAYS-COUNT-21: "tf.Body"
// CHECK: @unranked stays as it was: as 'lstm_1' it has an argument 'inputs' that is a tensor<*xf32>; expected a tensor of rank 3, [batch, steps, inputs]; give the input of the model a known rank
func.func @unranked(%x: tensor<*xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_1", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}
// CHECK: @unknown_weights stays as it was: as 'lstm_2' it does not tell inputs, cells by the types of its arguments; give them fixed sizes
func.func @unknown_weights(%x: tensor<2x5x?xf32>, %h: tensor<?x?xf32>, %c: tensor<?x?xf32>, %w: tensor<?x?xf32>, %r: tensor<?x?xf32>, %b: tensor<?xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_2", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x?xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}
// CHECK: @no_order stays as it was: as 'lstm_3' it has no attribute tf.time_major, which says how its sequence lies; set it to true or false
func.func @no_order(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_3"} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}
// CHECK: @three_results stays as it was: as 'lstm_4' it has 3 results, expected 5
func.func @three_results(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>) attributes {tf.api_implements = "lstm_4", tf.time_major = false} {
  %0:3 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>)
  func.return %0#0, %0#1, %0#2 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>
}
// CHECK: @gru stays as it was: as 'gru_1' it is a GRU, for which LiteRT has no fused operation; legalize-tf-to-nn makes a loop of it
func.func @gru(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x6xf32>, %r: tensor<2x6xf32>, %b: tensor<2x6xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "gru_1", tf.time_major = false} {
  %0:4 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}
// CHECK: @no_scale stays as it was: as 'lingvo.LayerNormalizedLSTMCellSimple' it has no argument 'layer_norm_scale', which a normalized cell needs
func.func @no_scale(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = "lingvo.LayerNormalizedLSTMCellSimple"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @other_shape stays as it was: as 'LSTMCellSimple' it has result 0 of type tensor<2x3xf32>, the fused operation gives tensor<2x2xf32>
func.func @other_shape(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x3xf32> attributes {tf._implements = "LSTMCellSimple"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}
// CHECK: @variable stays as it was: as 'LSTMCellSimple' it has an argument 'bias' that is a variable; expected its value, tf.convert_to_tensor(…)
func.func @variable(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<!tf_type.resource>) -> tensor<2x2xf32> attributes {tf._implements = "LSTMCellSimple"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @order_as_text stays as it was: as 'lstm_5' it has tf.time_major = "true"; set it to true or false
func.func @order_as_text(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_5", tf.time_major = "true"} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}
// CHECK: @direction_as_text stays as it was: as 'lstm_6' it has tf.go_backwards = "true"; set it to true or false
func.func @direction_as_text(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_6", tf.time_major = false, tf.go_backwards = "true"} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}
// CHECK: @option stays as it was: as 'LSTMCellSimple' it has no option 'CoupleGates'; its only option is 'CoupleInputForgetGates'
func.func @option(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = "LSTMCellSimple,CoupleGates"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @coupled_as_text stays as it was: as 'LSTMCellSimple' it has CoupleInputForgetGates = "no"; set it to true or false
func.func @coupled_as_text(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = #tf_type.func<@LSTMCellSimple, {CoupleInputForgetGates = "no"}>} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @one_limit stays as it was: as 'LSTMCellSimple' it is limited to 3; a fused cell has one limit, for its state, and its negative
func.func @one_limit(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = "LSTMCellSimple"} {
  %limit = "tf.Const"() <{value = dense<3.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %1 = "tf.Minimum"(%limit, %0) : (tensor<f32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %1 : tensor<2x2xf32>
}
// CHECK: @limit_of_zero stays as it was: as 'LSTMCellSimple' it is limited to 0; a fused cell has one limit, for its state, and its negative
func.func @limit_of_zero(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = "LSTMCellSimple"} {
  %limit = "tf.Const"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  %1 = "tf.ClipByValue"(%0, %limit, %limit) : (tensor<2x2xf32>, tensor<f32>, tensor<f32>) -> tensor<2x2xf32>
  func.return %1 : tensor<2x2xf32>
}
// CHECK: @custom_as_text stays as it was: as 'my.Cell' it has tfl_fusable_op = "true"; set it to true or false
func.func @custom_as_text(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = #tf_type.func<@"my.Cell", {tfl_fusable_op = "true"}>} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @misspelled stays as it was: nothing known is 'LSTMCelSimple'; did you mean 'LSTMCellSimple'
func.func @misspelled(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = "LSTMCelSimple"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @capitals stays as it was: nothing known is 'LSTM_1'; did you mean 'lstm_<id>'?
func.func @capitals(%x: tensor<2x3xf32>) -> tensor<2x2xf32> attributes {tf.api_implements = "LSTM_1"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// Other words may mean something else.
// CHECK-NOT: @lstmlike
func.func @lstmlike(%x: tensor<2x3xf32>) -> tensor<2x2xf32> attributes {tf.api_implements = "lstmlike_1"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @number stays as it was: tf._implements = 3 : i32 is no text
func.func @number(%x: tensor<2x3xf32>, %w: tensor<5x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = 3 : i32} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @integers stays as it was: as 'lstm_17' it has an argument 'inputs' of i32; LiteRT's fused operations compute in f32
func.func private @integers(%x: tensor<2x5x3xi32>, %h: tensor<2x2xi32>, %c: tensor<2x2xi32>, %w: tensor<3x8xi32>, %r: tensor<2x8xi32>, %b: tensor<8xi32>) -> (tensor<2x2xi32>, tensor<2x5x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<f32>) attributes {tf.api_implements = "lstm_17", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xi32>) -> (tensor<2x2xi32>, tensor<2x5x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xi32>, tensor<2x5x2xi32>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<f32>
}
// CHECK: @half_weights stays as it was: as 'lingvo.LSTMCellSimple' it has an argument 'weights' of f16; LiteRT's fused operations compute in f32
func.func @half_weights(%x: tensor<2x3xf32>, %w: tensor<5x8xf16>, %b: tensor<8xf32>) -> tensor<2x2xf32> attributes {tf._implements = "lingvo.LSTMCellSimple"} {
  %0 = "tf.Body"(%x) : (tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}
// CHECK: @unknown_rows stays as it was: as 'indy_lstm_18' it is an independently recurrent layer whose recurrent kernel has an unknown number of rows; expected are 1 or, with its diagonal, 2
func.func private @unknown_rows(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<?x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "indy_lstm_18", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
