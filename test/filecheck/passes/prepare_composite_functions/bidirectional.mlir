// RUN: opt-tool %s --split-input-file --prepare-composite-functions --allow-unregistered-dialect | filecheck %s

// A forward and a backward layer on one input are one operation, whose backward output is in the order of the input.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b, %h, %h, %w, %r, %b) <{f = @f_bidirectional}>
// CHECK-NEXT: func.return %1, %6
// CHECK: func.func private @f_bidirectional
// CHECK: %[[FW:[0-9]+]], %[[BW:[0-9]+]] = "tfl.bidirectional_sequence_lstm"(%0,
// CHECK-SAME: time_major = false
// CHECK: "tf.ReverseV2"(%[[BW]],
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// Either may come first, and Identity may lie before an input.
// CHECK-LABEL: func.func @main
// CHECK: f = @f_bidirectional
// CHECK-NEXT: func.return %6, %1
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %y = "tf.Identity"(%x) : (tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%y, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// Two inputs are two layers.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tfl.bidirectional_sequence_lstm
func.func @main(%x: tensor<2x5x3xf32>, %y: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%y, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// A backward layer has one partner: another forward layer stays as it is.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: f = @f_bidirectional
// CHECK-NEXT: "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @g}
// CHECK-NEXT: func.return %1, %6, %11
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %2:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @g} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1, %2#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @g(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// So are two forward layers.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tfl.bidirectional_sequence_lstm
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// One reads the first dimension as steps, the other one as sequences.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tfl.bidirectional_sequence_lstm
func.func @main(%x: tensor<2x2x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2x2xf32>, tensor<2x2x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x2x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1 : tensor<2x2x2xf32>, tensor<2x2x2xf32>
}
func.func private @f(%x: tensor<2x2x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x2x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = true} {
  %0:5 = "tf.Body"(%x) : (tensor<2x2x3xf32>) -> (tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// The operation gives no final cell state.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tfl.bidirectional_sequence_lstm
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#3 : tensor<2x5x2xf32>, tensor<2x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// Another call needs the function as it is.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tfl.bidirectional_sequence_lstm
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %1:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %2:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1, %2#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// What the second call takes is there only then, and nobody has read the first before: both run there.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %n = "tf.Neg"(%h)
// CHECK-NEXT: "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b, %n, %h, %w, %r, %b) <{f = @f_bidirectional}>
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %n = "tf.Neg"(%h) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1:5 = "tf.PartitionedCall"(%x, %n, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}

// -----

// The second call takes what the first one gives.
// CHECK-LABEL: func.func @main
// CHECK-NOT: tfl.bidirectional_sequence_lstm
func.func @main(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x5x2xf32>, tensor<2x5x2xf32>) {
  %0:5 = "tf.PartitionedCall"(%x, %h, %h, %w, %r, %b) {f = @f} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  %n = "tf.Neg"(%0#2) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1:5 = "tf.PartitionedCall"(%x, %n, %h, %w, %r, %b) {f = @b} : (tensor<2x5x3xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<3x8xf32>, tensor<2x8xf32>, tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#1, %1#1 : tensor<2x5x2xf32>, tensor<2x5x2xf32>
}
func.func private @f(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_f", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
func.func private @b(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_b", tf.go_backwards = true, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
