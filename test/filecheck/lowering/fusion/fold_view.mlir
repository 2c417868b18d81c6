// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// A product reads a part of the rows where they are.
// CHECK-LABEL: func.func @part(
// CHECK-NEXT:    %a = kernel.slice %x offsets [0, 0] steps [1, 1] : tensor<4x3xf32> -> tensor<2x3xf32>
// CHECK-NEXT:    %0 = kernel.mat_mul [2, 2] groups 1 a(%a : tensor<2x3xf32>) b(%w : tensor<2x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         func.return %0 : tensor<2x2xf32>
func.func @part(%x: tensor<4x3xf32>, %w: tensor<2x3xf32>) -> tensor<2x2xf32> {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %a = nn.slice %x, %zero, %two, %one, %zero : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  %0 = nn.mat_mul %a, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// -----

// A concatenation reads the part as well: it is copied for it.
// CHECK-LABEL: func.func @concatenated(
// CHECK-NEXT:    %a = kernel.map [2, 3] ins(%x : tensor<4x3xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x3xf32> {
// CHECK-NEXT:    ^bb0(%0: f32):
// CHECK-NEXT:      kernel.yield %0 : f32
// CHECK:         %1 = kernel.mat_mul [2, 2] groups 1 a(%a : tensor<2x3xf32>) b(%w : tensor<2x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.concat %a, %w axis 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:    func.return %1, %3 : tensor<2x2xf32>, tensor<4x3xf32>
func.func @concatenated(%x: tensor<4x3xf32>, %w: tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<4x3xf32>) {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %a = nn.slice %x, %zero, %two, %one, %zero : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  %0 = nn.mat_mul %a, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %1 = nn.concat %a, %w {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  func.return %0, %1 : tensor<2x2xf32>, tensor<4x3xf32>
}

// -----

// A kernel that reads the part by an access may read a view as well.
// CHECK-LABEL: func.func @two_readers(
// CHECK:         [[A:%.*]] = kernel.slice %x offsets [0, 0] steps [1, 1] : tensor<4x3xf32> -> tensor<2x3xf32>
// CHECK:         kernel.mat_mul [2, 2] groups 1 a([[A]] : tensor<2x3xf32>)
// CHECK:         kernel.map [2, 3] ins([[A]] : tensor<2x3xf32>)
func.func @two_readers(%x: tensor<4x3xf32>, %w: tensor<2x3xf32>) -> (tensor<2x2xf32>, tensor<2x3xf32>) {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %a = nn.slice %x, %zero, %two, %one, %zero : (tensor<4x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x3xf32>
  %0 = nn.mat_mul %a, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %1 = nn.tanh %a : tensor<2x3xf32>
  func.return %0, %1 : tensor<2x2xf32>, tensor<2x3xf32>
}
