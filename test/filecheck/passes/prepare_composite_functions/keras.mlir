// RUN: opt-tool %s --prepare-composite-functions --allow-unregistered-dialect | filecheck %s

// One operation over the sequence; nothing is clipped, and initial states are those given. Nobody reads c.
// CHECK-LABEL: func.func private @forward
// CHECK-SAME:    tf.api_implements = "lstm_1"
// CHECK:       [[ORDER:%.*]] = "tf.Const"() <{value = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
// CHECK-NEXT:  [[W:%.*]] = "tf.Transpose"(%w, [[ORDER]]) : (tensor<3x8xf32>, tensor<2xi32>) -> tensor<8x3xf32>
// CHECK:       [[WI:%.*]], [[WF:%.*]], [[WC:%.*]], [[WO:%.*]] = "tf.SplitV"([[W]],
// CHECK:       [[RI:%.*]], [[RF:%.*]], [[RC:%.*]], [[RO:%.*]] = "tf.SplitV"
// CHECK:       [[BI:%.*]], [[BF:%.*]], [[BC:%.*]], [[BO:%.*]] = "tf.SplitV"(%b,
// CHECK-NEXT:  [[Y:%.*]] = "tfl.unidirectional_sequence_lstm"(%x, [[WI]], [[WF]], [[WC]], [[WO]], [[RI]], [[RF]], [[RC]], [[RO]], {{.*}}, [[BI]], [[BF]], [[BC]], [[BO]], {{.*}}, %h, %c, {{.*}}) <{cell_clip = 0.000000e+00 : f32, fused_activation_function = "TANH", proj_clip = 0.000000e+00 : f32, time_major = false, diagonal_recurrent_tensors = false}>
// CHECK:       [[LAST:%.*]] = "tf.StridedSlice"([[Y]], {{.*}}) <{begin_mask = 5 : i64, end_mask = 7 : i64, ellipsis_mask = 0 : i64, new_axis_mask = 0 : i64, shrink_axis_mask = 2 : i64}>
// CHECK-NOT:   rnn.
// CHECK:       func.return [[LAST]], [[Y]], [[LAST]],
func.func private @forward(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_1", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// A public function may be read by anyone: its final cell state is that of the same sequence in rnn.
// CHECK-LABEL: func.func @states
// CHECK:       "tfl.unidirectional_sequence_lstm"
// CHECK:       {{%.*}}, {{%.*}}, [[C:%.*]] = rnn.lstm_sequence
// CHECK:       nn.squeeze [[C]]
func.func @states(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_2", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// Backward in time: the input is reversed along its steps, the result is not. Batch and steps may be unknown.
// CHECK-LABEL: func.func private @backward
// CHECK:       [[AXIS:%.*]] = "tf.Const"() <{value = dense<0> : tensor<1xi32>}>
// CHECK-NEXT:  [[X:%.*]] = "tf.ReverseV2"(%x, [[AXIS]]) : (tensor<?x?x3xf32>, tensor<1xi32>) -> tensor<?x?x3xf32>
// CHECK:       "tfl.unidirectional_sequence_lstm"([[X]], {{.*}}time_major = true{{.*}} -> tensor<?x?x2xf32>
// CHECK-NOT:   tf.ReverseV2
// CHECK:       func.return
func.func private @backward(%x: tensor<?x?x3xf32>, %h: tensor<?x2xf32>, %c: tensor<?x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_3", tf.go_backwards = true, tf.time_major = true} {
  %0:5 = "tf.Body"(%x) : (tensor<?x?x3xf32>) -> (tensor<?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<?x2xf32>, tensor<?x?x2xf32>, tensor<?x2xf32>, tensor<?x2xf32>, tensor<f32>
}

// Independently recurrent: recurrent weights are vectors.
// CHECK-LABEL: func.func private @indy
// CHECK:       "tf.Reshape"
// CHECK:       "tfl.unidirectional_sequence_lstm"({{.*}}diagonal_recurrent_tensors = true{{.*}}tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, none
func.func private @indy(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<1x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "indy_lstm_1", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// The function leaves its types open, its only call does not, or what that reads.
// CHECK-LABEL: func.func @caller
func.func @caller(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<*xf32> {
  %0 = "tf.Identity"(%w) : (tensor<3x8xf32>) -> tensor<*xf32>
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %0, %r, %b) {f = @open} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %1#1 : tensor<*xf32>
}
// CHECK-LABEL: func.func private @open(
// CHECK-SAME:    tensor<2x5x3xf32>, {{.*}}%w: tensor<3x8xf32>, %r: tensor<2x8xf32>
// CHECK:       "tfl.unidirectional_sequence_lstm"
func.func private @open(%x: tensor<*xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<*xf32>, %r: tensor<?x8xf32>, %b: tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_4", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}

// What a variable holds has the type of the variable, also if the function that reads it is given it.
// CHECK-LABEL: func.func @reader
func.func @reader(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<!tf_type.resource> {tf_saved_model.bound_input = @weights}, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<*xf32> {
  %0 = "tf.PartitionedCall"(%x, %h, %w, %r, %b) {f = @inner} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<!tf_type.resource>, tensor<2x8xf32>, tensor<8xf32>) -> tensor<*xf32>
  func.return %0 : tensor<*xf32>
}
func.func private @inner(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<!tf_type.resource>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<*xf32> {
  %0 = "tf.ReadVariableOp"(%w) : (tensor<!tf_type.resource>) -> tensor<*xf32>
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %0, %r, %b) {f = @read} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<*xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %1#1 : tensor<*xf32>
}
"tf_saved_model.global_tensor"() {sym_name = "weights", type = tensor<3x8xf32>, is_mutable} : () -> ()
// CHECK-LABEL: func.func private @read(
// CHECK-SAME:    %w: tensor<3x8xf32>
// CHECK:       "tfl.unidirectional_sequence_lstm"
func.func private @read(%x: tensor<*xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<*xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_5", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<*xf32>) -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, tensor<f32>
}

// A sequence of one step is the last of them, where it is read; another type of what nobody reads does not matter.
// CHECK-LABEL: func.func private @last_alone
// CHECK:       [[LAST:%.*]] = "tf.StridedSlice"
// CHECK:       [[WIDE:%.*]] = "tf.ExpandDims"([[LAST]],
// CHECK:       func.return [[LAST]], [[WIDE]], [[LAST]],
func.func private @last_alone(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_5", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func @reads_sequence(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x1x2xf32> {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @last_alone} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1 : tensor<2x1x2xf32>
}
// CHECK-LABEL: func.func private @no_sequence
// CHECK:       [[Y:%.*]] = "tfl.unidirectional_sequence_lstm"
// CHECK-NOT:   "tf.ExpandDims"
// CHECK:       func.return [[LAST:%.*]], [[Y]], [[LAST]],
func.func private @no_sequence(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_6", tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func @reads_last(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> tensor<2x2xf32> {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @no_sequence} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x1x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0 : tensor<2x2xf32>
}
