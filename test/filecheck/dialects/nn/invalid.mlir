// What nn refuses, and how it says so.
// RUN: opt-tool %s --split-input-file --verify-diagnostics

func.func @f(%x: tensor<2x4xf32>, %y: tensor<3xf32>) {
  // expected-error@below {{nn.add 'bias': shapes [2, 4] and [3] do not broadcast; dimensions must be equal or 1}}
  %0 = nn.add %x, %y {nn.name = "bias"} : (tensor<2x4xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>, %y: tensor<4xf32>) {
  // expected-error@below {{nn.add: shapes [2, 4] and [4] differ; auto_broadcast is 'none'}}
  %0 = nn.add %x, %y {auto_broadcast = "none"} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{nn.add: auto_broadcast 'pdpd' is not supported; use 'numpy' or 'none'}}
  %0 = nn.add %x, %x {auto_broadcast = "pdpd"} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{nn.multiply: result type tensor<2xf32> does not fit; operands give tensor<4xf32>}}
  %0 = nn.multiply %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  // expected-error@below {{nn.clamp: min 2.0 is not below max 1.0}}
  %0 = nn.clamp %x {min = 2.0 : f64, max = 1.0 : f64} : tensor<4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xi8>) {
  // expected-error@below {{nn.convert: result type tensor<4xf16> does not fit; operands give tensor<4xf32>}}
  %0 = nn.convert %x to f32 : tensor<4xi8> -> tensor<4xf16>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>, %y: tensor<5x2xf32>) {
  // expected-error@below {{nn.mat_mul: reduces 4 elements on the left and 5 on the right; check shapes and transpose flags}}
  %0 = nn.mat_mul %x, %y : (tensor<2x4xf32>, tensor<5x2xf32>) -> tensor<2x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>, %y: tensor<f32>) {
  // expected-error@below {{nn.mat_mul: an operand is a scalar; multiply it with nn.multiply}}
  %0 = nn.mat_mul %x, %y : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xi8>, %y: tensor<4x2xf32>) {
  // expected-error@below {{nn.mat_mul: cannot multiply i8 by f32; use one type, or two 8-bit integers}}
  %0 = nn.mat_mul %x, %y : (tensor<2x4xi8>, tensor<4x2xf32>) -> tensor<2x2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>) {
  %shape = nn.constant dense<[3, -1]> : tensor<2xi64>
  // expected-error@below {{nn.reshape: 8 elements of shape [2, 4] do not fit into [3, -1]}}
  %0 = nn.reshape %x, %shape : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<3x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>) {
  %shape = nn.constant dense<[-1, -1]> : tensor<2xi64>
  // expected-error@below {{nn.reshape: more than one target dimension is -1}}
  %0 = nn.reshape %x, %shape : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>) {
  %shape = nn.constant dense<[4, -2]> : tensor<2xi64>
  // expected-error@below {{nn.reshape: target dimension -2 is negative}}
  %0 = nn.reshape %x, %shape : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>) {
  %shape = nn.constant dense<[2, 4, 0]> : tensor<3xi64>
  // expected-error@below {{nn.reshape: 0 at 2 has no dimension to copy}}
  %0 = nn.reshape %x, %shape {special_zero = true} : (tensor<2x4xf32>, tensor<3xi64>) -> tensor<2x4x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>, %shape: tensor<?xi64>) {
  // expected-error@below {{nn.reshape: the number of target dimensions is unknown; it is the size of a vector of at most 64 elements}}
  %0 = nn.reshape %x, %shape : (tensor<2x4xf32>, tensor<?xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x1xf32>) {
  %axis = nn.constant dense<2> : tensor<i64>
  // expected-error@below {{nn.squeeze: axis 2 is out of range for rank 2}}
  %0 = nn.squeeze %x, %axis : (tensor<2x1xf32>, tensor<i64>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x1xf32>) {
  %axis = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.squeeze: dimension 0 is 2, only 1 can be squeezed}}
  %0 = nn.squeeze %x, %axis : (tensor<2x1xf32>, tensor<i64>) -> tensor<1xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x1xf32>, %axis: tensor<i64>) {
  // expected-error@below {{nn.squeeze: axes must be constant}}
  %0 = nn.squeeze %x, %axis : (tensor<2x1xf32>, tensor<i64>) -> tensor<2xf32>
  func.return
}
// -----
func.func @f(%x: tensor<1x?xf32>) {
  // expected-error@below {{nn.squeeze: which dimensions of [1, ?] are 1 is unknown; name them in axes}}
  %0 = nn.squeeze %x : (tensor<1x?xf32>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>) {
  %shape = nn.constant dense<[-1]> : tensor<1xi64>
  // expected-error@below {{nn.broadcast: target shape [-1] has negative dimensions}}
  %0 = nn.broadcast %x, %shape : (tensor<4xf32>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x1xf32>, %axis: tensor<i64>) {
  // expected-error@below {{nn.unsqueeze: axes must be constant}}
  %0 = nn.unsqueeze %x, %axis : (tensor<2x1xf32>, tensor<i64>) -> tensor<2x1x1xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>) {
  %axes = nn.constant dense<[1, -3]> : tensor<2xi64>
  // expected-error@below {{nn.unsqueeze: axes [1, -3] name a dimension twice}}
  %0 = nn.unsqueeze %x, %axes : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<2x1x1x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %shape: tensor<2xi64>) {
  // expected-error@below {{nn.broadcast: mode 'explicit' is not supported; use 'numpy' or 'bidirectional'}}
  %0 = nn.broadcast %x, %shape {mode = "explicit"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<2x4xf32>) {
  %shape = nn.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@below {{nn.broadcast: [2, 4] does not broadcast to [1, 4]}}
  %0 = nn.broadcast %x, %shape : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %shape: tensor<2x2xi64>) {
  // expected-error@below {{nn.broadcast: the number of target dimensions is unknown}}
  %0 = nn.broadcast %x, %shape : (tensor<4xf32>, tensor<2x2xi64>) -> tensor<?x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %axis: tensor<i64>) {
  // expected-error@below {{nn.split: axis must be one constant}}
  %0, %1 = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<4xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<5xf32>) {
  %axis = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.split: dimension 0 of size 5 does not split into 2}}
  %0, %1 = nn.split %x, %axis {num_splits = 2 : i64} : (tensor<5xf32>, tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>)
  func.return
}
// -----
func.func @f(%x: tensor<1000000000000xf32>) {
  %axis = nn.constant dense<0> : tensor<i64>
  // expected-error@below {{nn.split: 1000000000000 splits for 1 results}}
  %0 = nn.split %x, %axis {num_splits = 1000000000000 : i64} : (tensor<1000000000000xf32>, tensor<i64>) -> tensor<1xf32>
  func.return
}
// -----
func.func @f(%x: tensor<5xf32>) {
  %a = nn.constant dense<[0]> : tensor<1xi64>
  %b = nn.constant dense<[0, 1]> : tensor<2xi64>
  // expected-error@below {{nn.slice: start, stop, step and axes differ in length}}
  %0 = nn.slice %x, %b, %a, %a, %a : (tensor<5xf32>, tensor<2xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<5xf32>) {
  %a = nn.constant dense<[0, -1]> : tensor<2xi64>
  // expected-error@below {{nn.slice: axes [0, -1] name a dimension twice}}
  %0 = nn.slice %x, %a, %a, %a, %a : (tensor<5xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<5xf32>) {
  %a = nn.constant dense<[0]> : tensor<1xi64>
  // expected-error@below {{nn.slice: step 0 along axis 0 never ends}}
  %0 = nn.slice %x, %a, %a, %a, %a : (tensor<5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  func.return
}
// -----
func.func @f() {
  // expected-error@below {{nn.concat: needs at least one input}}
  %0 = nn.concat {axis = 0 : i64} : () -> tensor<?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error@below {{nn.concat: inputs differ in element type or rank}}
  %0 = nn.concat %x, %y {axis = 0 : i64} : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<8xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x1xf32>, %y: tensor<4x2xf32>) {
  // expected-error@below {{nn.concat: inputs differ in dimension 1: (1, 2)}}
  %0 = nn.concat %x, %y {axis = 0 : i64} : (tensor<4x1xf32>, tensor<4x2xf32>) -> tensor<8x?xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x1xf32>, %order: tensor<2xi64>) {
  // expected-error@below {{nn.transpose: order must be constant}}
  %0 = nn.transpose %x, %order : (tensor<4x1xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x1xf32>) {
  %order = nn.constant dense<0> : tensor<2xi64>
  // expected-error@below {{nn.transpose: order [0, 0] is not a permutation of 2 dimensions}}
  %0 = nn.transpose %x, %order : (tensor<4x1xf32>, tensor<2xi64>) -> tensor<4x4xf32>
  func.return
}
// -----
func.func @f(%x: tensor<4x1xf32>) {
  %order = nn.constant dense<0> : tensor<100000000xi64>
  // expected-error@below {{nn.transpose: order must be constant}}
  %0 = nn.transpose %x, %order : (tensor<4x1xf32>, tensor<100000000xi64>) -> tensor<4x4xf32>
  func.return
}
// -----
// expected-error@below {{nn.constant: data of type tensor<1xi8> for a result of tensor<2xi8>}}
%0 = "nn.constant"() <{value = #nn.blob<dense<[1]> : tensor<1xi8>>}> : () -> tensor<2xi8>
// -----
// expected-error@below {{expected dense<…> or #nn.blob<…>}}
%0 = nn.constant 1 : i64
// -----
// expected-error@below {{a value of the constant is outside the range of ui8}}
%0 = nn.constant dense<[1, 256]> : tensor<2xui8>
// -----
// expected-error@below {{a value of the constant is outside the range of f16}}
%0 = nn.constant dense<1.0e+10> : tensor<2xf16>
// -----
// expected-error@below {{0.5 is not an element of i8}}
%0 = nn.constant dense<0.5> : tensor<i8>
// -----
// expected-error@below {{0x1ffffffff has more bits than f32}}
%0 = nn.constant dense<0x1FFFFFFFF> : tensor<f32>
// -----
// expected-error@below {{tensors of i24 are not supported; use f64, f32, f16, bf16, f8E4M3FN, f8E5M2, f8E4M3FNUZ, f8E5M2FNUZ, f8E8M0FNU, f4E2M1FN or an integer of 1, 4, 8, 16, 32, 64 bits}}
%0 = nn.constant dense<1> : tensor<i24>
// -----
// expected-error@below {{tensors of index are not supported}}
%0 = nn.constant dense<1> : tensor<index>
// -----
// expected-error@below {{the literal has shape [2], its type is tensor<3xi8>}}
%0 = nn.constant dense<[1, 2]> : tensor<3xi8>
// -----
// expected-error@below {{the literal's rows have different lengths}}
%0 = nn.constant dense<[[1, 2], [3]]> : tensor<2x2xi8>
// -----
// expected-error@below {{the literal's rows have different ranks}}
%0 = nn.constant dense<[[1, 2], 3]> : tensor<2x2xi8>
// -----
// expected-error@below {{a dense string must be hexadecimal, 0x…}}
%0 = nn.constant dense<"0xZZ"> : tensor<2xi8>
// -----
// expected-error@below {{constant of type tensor<3xi8> needs 3 bytes of data, found 2}}
%0 = nn.constant dense<"0x0102"> : tensor<3xi8>
// -----
// expected-error@below {{constant of type tensor<?xi8>: every dimension must be known}}
%0 = nn.constant dense<1> : tensor<?xi8>
// -----
// expected-error@below {{a constant needs a ranked tensor type}}
%0 = nn.constant dense<1> : vector<2xi8>
// -----
// expected-error@below {{constant of type tensor<4000000000xf32> would take 16000000000 bytes, over the limit of 4294967296; raise it with --max-bytes}}
%0 = nn.constant dense<1.0> : tensor<4000000000xf32>
