// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<4x2xf32>, %i: tensor<2xi64>, %a: tensor<i64>) {
  // expected-error@below {{nn.gather: axis must be one constant}}
  %0 = nn.gather %x, %i, %a {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %i: tensor<4x2xi64>) {
  %a = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.gather: batch_dims 1 does not fit indices [4, 2] and axis 0}}
  %0 = nn.gather %x, %i, %a {batch_dims = 1 : i64} : (tensor<4x2xf32>, tensor<4x2xi64>, tensor<i64>) -> tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %i: tensor<3x2xi64>) {
  %a = nn.constant dense<1> : tensor<i64>
  // expected-error@below {{nn.gather: batch dimension 0 is 4 in the input, 3 in the indices}}
  %0 = nn.gather %x, %i, %a {batch_dims = 1 : i64} : (tensor<4x2xf32>, tensor<3x2xi64>, tensor<i64>) -> tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %b: tensor<2xi64>, %e: tensor<1xi64>) {
  // expected-error@below {{nn.strided_slice: begin, end and strides differ in length}}
  %0 = nn.strided_slice %x, %b, %e {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<4x2xf32>, tensor<2xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %b: tensor<3xi64>) {
  // expected-error@below {{nn.strided_slice: begin names 3 dimensions, the input has 2}}
  %0 = nn.strided_slice %x, %b, %b {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<4x2xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %b: tensor<2xi64>) {
  // expected-error@below {{nn.strided_slice: ellipsis_mask has more than one place}}
  %0 = nn.strided_slice %x, %b, %b {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64: 1, 1>} : (tensor<4x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %b = nn.constant dense<[0]> : tensor<1xi64>
  // expected-error@below {{nn.strided_slice: a stride of 0 never ends}}
  %0 = nn.strided_slice %x, %b, %b, %b {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %b = nn.constant dense<[4]> : tensor<1xi64>
  // expected-error@below {{nn.strided_slice: element 4 is none of the 4 of dimension 0}}
  %0 = nn.strided_slice %x, %b, %b {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64: 1>, ellipsis_mask = array<i64>} : (tensor<4x2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %b: tensor<?xi64>) {
  // expected-error@below {{nn.strided_slice: begin is a tensor<?xi64>; it must be a vector of at most 64 elements}}
  %0 = nn.strided_slice %x, %b, %b {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64: 1>, ellipsis_mask = array<i64>} : (tensor<4x2xf32>, tensor<?xi64>, tensor<?xi64>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %a = nn.constant dense<0> : tensor<i64>
  %l = nn.constant dense<[3, 2]> : tensor<2xi64>
  // expected-error@below {{nn.variadic_split: lengths [3, 2] do not fit dimension 0 of size 4}}
  %0, %1 = nn.variadic_split %x, %a, %l : (tensor<4x2xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<3x2xf32>, tensor<2x2xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %a = nn.constant dense<0> : tensor<i64>
  %l = nn.constant dense<[-1, -1]> : tensor<2xi64>
  // expected-error@below {{nn.variadic_split: lengths [-1, -1] do not fit dimension 0 of size 4}}
  %0, %1 = nn.variadic_split %x, %a, %l : (tensor<4x2xf32>, tensor<i64>, tensor<2xi64>) -> (tensor<?x2xf32>, tensor<?x2xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %l: tensor<2xi32>) {
  // expected-error@below {{nn.reverse_sequence: batch_axis and seq_axis are both 1}}
  %0 = nn.reverse_sequence %x, %l {batch_axis = 1 : i64, seq_axis = -1 : i64} : (tensor<4x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>, %l: tensor<2xi32>) {
  // expected-error@below {{nn.reverse_sequence: seq_lengths [2] need one number for each entry of dimension 0 of [4, 2]}}
  %0 = nn.reverse_sequence %x, %l {batch_axis = 0 : i64, seq_axis = 1 : i64} : (tensor<4x2xf32>, tensor<2xi32>) -> tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %l = nn.constant dense<[-1]> : tensor<1xi64>
  // expected-error@below {{nn.tile: repeats [-1] must not be negative}}
  %0 = nn.tile %x, %l : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<4x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<i64>, %l: tensor<2xi64>) {
  // expected-error@below {{nn.range: stop is a tensor<2xi64>; it must be a scalar}}
  %0 = nn.range %x, %l, %x {output_type = i64} : (tensor<i64>, tensor<2xi64>, tensor<i64>) -> tensor<?xi64>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %s = nn.constant dense<[1, 2, 3]> : tensor<3xi64>
  %a = nn.constant dense<[0, 1]> : tensor<2xi64>
  // expected-error@below {{nn.roll: has 3 shifts for 2 axes}}
  %0 = nn.roll %x, %s, %a : (tensor<4x2xf32>, tensor<3xi64>, tensor<2xi64>) -> tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %a = nn.constant dense<2> : tensor<i64>
  // expected-error@below {{nn.roll: axis 2 is out of range for rank 2}}
  %0 = nn.roll %x, %a, %a : (tensor<4x2xf32>, tensor<i64>, tensor<i64>) -> tensor<4x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x2xf32>) {
  %l = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.range: a step of 0 never ends}}
  %0 = nn.range %l, %l, %l {output_type = i64} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return
}
// -----
func.func @f(%x: tensor<i64>, %l: tensor<2xi64>) {
  // expected-error@below {{nn.one_hot: depth is a tensor<2xi64>; it must be a scalar}}
  %0 = nn.one_hot %x, %l, %x, %x {axis = 0 : i64} : (tensor<i64>, tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return
}
// -----
func.func @f(%x: tensor<i64>) {
  %l = nn.constant dense<-1> : tensor<i64>
  // expected-error@below {{nn.one_hot: depth -1 must not be negative}}
  %0 = nn.one_hot %x, %l, %x, %x {axis = 0 : i64} : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %s = nn.constant dense<1.0> : tensor<f32>
  %l = nn.constant dense<0x7F800000> : tensor<f32>
  // expected-error@below {{nn.range: [1.0, inf, 1.0] must be finite}}
  %0 = nn.range %s, %l, %s {output_type = i64} : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xi64>
  func.return
}
