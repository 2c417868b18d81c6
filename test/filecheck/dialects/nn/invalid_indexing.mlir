// What operations that look elements up refuse, and how they say so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2x8xf32>, %i: tensor<3x3xi64>) {
  // expected-error@below {{nn.gather_elements: indices [3, 3] do not fit [2, 8]; but for axis 1 they lie inside}}
  %0 = nn.gather_elements %x, %i {axis = 1 : i64} : (tensor<2x8xf32>, tensor<3x3xi64>) -> tensor<3x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<3x4x5xf32>, %i: tensor<6x4xi64>) {
  // expected-error@below {{nn.gather_nd: indices [6, 4] with batch_dims 0 do not fit [3, 4, 5]}}
  %0 = nn.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<3x4x5xf32>, tensor<6x4xi64>) -> tensor<6xf32>
  func.return
}
// -----
func.func @f(%x: tensor<3x4xf32>) {
  %a = nn.constant dense<true> : tensor<1xi1>
  // expected-error@below {{nn.reverse: a mask of 1 flags for 2 dimensions; each needs one}}
  %0 = nn.reverse %x, %a {mode = "mask"} : (tensor<3x4xf32>, tensor<1xi1>) -> tensor<3x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<5x4xf32>, %u: tensor<2x4xf32>) {
  %l = nn.constant dense<1> : tensor<1xi64>
  %e = nn.constant dense<4> : tensor<1xi64>
  %a = nn.constant dense<0> : tensor<1xi64>
  // expected-error@below {{nn.slice_scatter: updates [2, 4] do not fit the slice [3, 4]}}
  %0 = nn.slice_scatter %x, %u, %l, %e, %l, %a : (tensor<5x4xf32>, tensor<2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<5x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x2x7x7xf32>) {
  // expected-error@below {{nn.extract_image_patches: sizes [3], strides [2, 2] and rates [1, 1]; each is two numbers of 1 or more}}
  %0 = nn.extract_image_patches %x {sizes = array<i64: 3>, strides = array<i64: 2, 2>, rates = array<i64: 1, 1>, auto_pad = "valid"} : (tensor<1x2x7x7xf32>) -> tensor<1x18x3x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x8xf32>, %v: tensor<3x3xf32>) {
  // expected-error@below {{nn.search_sorted: values [3, 3] do not fit rows [2, 8]; but for the last, their dimensions are equal}}
  %0 = nn.search_sorted %x, %v {right_mode = false} : (tensor<2x8xf32>, tensor<3x3xf32>) -> tensor<3x3xi64>
  func.return
}
// -----
func.func @f(%d: tensor<i64>) {
  %n = nn.constant dense<-3> : tensor<i64>
  %m = nn.constant dense<3> : tensor<i64>
  // expected-error@below {{nn.eye: sizes [-3, 3] must not be negative}}
  %0 = nn.eye %n, %m, %d {output_type = f32} : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x3xf32>
  func.return
}
// -----
func.func @f(%x: tensor<3x4x5xf32>, %i: tensor<6x2xi64>, %u: tensor<6x4xf32>) {
  // expected-error@below {{nn.scatter_nd_update: updates [6, 4] at indices [6, 2] do not fit data [3, 4, 5]}}
  %0 = nn.scatter_nd_update %x, %i, %u {reduction = "none"} : (tensor<3x4x5xf32>, tensor<6x2xi64>, tensor<6x4xf32>) -> tensor<3x4x5xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x8xf32>) {
  %k = nn.constant dense<9> : tensor<i64>
  // expected-error@below {{nn.top_k: k 9 is not between 0 and the 8 elements along axis 1}}
  %v, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value"} : (tensor<2x8xf32>, tensor<i64>) -> (tensor<2x9xf32>, tensor<2x9xi32>)
  func.return
}
// -----
func.func @f(%x: tensor<3x65xf32>) {
  %a = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.unique: slices along axis 0 have more than 64 elements; compare fewer}}
  %v, %i, %r, %c = nn.unique %x, %a : (tensor<3x65xf32>, tensor<i64>) -> (tensor<?x65xf32>, tensor<?xi64>, tensor<3xi64>, tensor<?xi64>)
  func.return
}
// -----
func.func @f(%x: tensor<3x8x11xf32>) {
  %s = nn.constant dense<[4, 5]> : tensor<2xi64>
  %k = nn.constant dense<[2, 2]> : tensor<2xi64>
  // expected-error@below {{nn.col2im: data [3, 8, 11] are not 12 columns for windows [2, 2]}}
  %y = nn.col2im %x, %s, %k {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : (tensor<3x8x11xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x2x4x5xf32>
  func.return
}
// -----
func.func @f(%s: tensor<4x2x3xi32>, %p: tensor<4x2x2xi32>, %l: tensor<2xi32>, %e: tensor<i32>) {
  // expected-error@below {{nn.gather_tree: step_ids [4, 2, 3] and parent_idx [4, 2, 2] must be [step, batch, beam], max_seq_len [2] [batch]}}
  %y = nn.gather_tree %s, %p, %l, %e : (tensor<4x2x3xi32>, tensor<4x2x2xi32>, tensor<2xi32>, tensor<i32>) -> tensor<4x2x3xi32>
  func.return
}
// -----
func.func @f(%x: tensor<6x2xf32>, %i: tensor<5xi32>) {
  // expected-error@below {{nn.segment_max: segment_ids [5] must be one for each row of data [6, 2]}}
  %y = nn.segment_max %x, %i {fill_mode = "zero"} : (tensor<6x2xf32>, tensor<5xi32>) -> tensor<?x2xf32>
  func.return
}
// -----
func.func @f(%v: tensor<3xf32>, %s: tensor<2xi64>, %i: tensor<4x2xi64>, %d: tensor<f32>) {
  // expected-error@below {{nn.sparse_fill_empty_rows: values [3] must be a vector, indices [4, 2] [value, 2]}}
  %a, %b, %c = nn.sparse_fill_empty_rows %v, %s, %i, %d : (tensor<3xf32>, tensor<2xi64>, tensor<4x2xi64>, tensor<f32>) -> (tensor<?x2xi64>, tensor<?xf32>, tensor<?xi1>)
  func.return
}
