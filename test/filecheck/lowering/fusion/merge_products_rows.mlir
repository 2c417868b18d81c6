// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels=isa=avx512_vnni | filecheck %s
// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels=isa=avx2 | filecheck %s --check-prefix=FEW

// Of many rows, products of an input and of a state are one kernel with the gates that read their sum. With few
// registers, they are not.
// CHECK-LABEL: func.func @gates(
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul [3, 2] groups 2 a(%x, %h :
// CHECK-NOT:     kernel.map
// FEW-LABEL:   func.func @gates(
// FEW-COUNT-2:   kernel.mat_mul
func.func @gates(%x: tensor<3x3xf32>, %h: tensor<3x2xf32>, %w: tensor<4x3xf32>, %r: tensor<4x2xf32>, %bias: tensor<1x4xf32>) -> tensor<3x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = nn.mat_mul %h, %r {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %2 = nn.add %0, %1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %3 = nn.add %2, %bias : (tensor<3x4xf32>, tensor<1x4xf32>) -> tensor<3x4xf32>
  %a, %b = nn.split %3, %axis {num_splits = 2 : i64} : (tensor<3x4xf32>, tensor<i64>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %4 = nn.sigmoid %a : tensor<3x2xf32>
  %5 = nn.tanh %b : tensor<3x2xf32>
  %6 = nn.multiply %4, %5 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %6 : tensor<3x2xf32>
}

// -----

// So are those whose columns are groups already: their sums meet in parts of them alone.
// FEW-LABEL:   func.func @grouped(
// CHECK-LABEL: func.func @grouped(
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul [3, 2] groups 2 a(%{{.}}, %{{.}} :
// CHECK-NOT:     kernel.map
func.func @grouped(%x: tensor<3x3xf32>, %h: tensor<3x2xf32>, %w: tensor<4x3xf32>, %r: tensor<4x2xf32>) -> tensor<3x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = nn.mat_mul %h, %r {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %a, %b = nn.split %0, %axis {num_splits = 2 : i64} : (tensor<3x4xf32>, tensor<i64>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %c, %d = nn.split %1, %axis {num_splits = 2 : i64} : (tensor<3x4xf32>, tensor<i64>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %2 = nn.add %a, %c : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %3 = nn.sigmoid %2 : tensor<3x2xf32>
  %4 = nn.multiply %d, %3 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %5 = nn.add %b, %4 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %6 = nn.tanh %5 : tensor<3x2xf32>
  func.return %6 : tensor<3x2xf32>
}

// -----

// A short body does not wait for sums on the stack.
// CHECK-LABEL: func.func @no_functions(
// CHECK-COUNT-2: kernel.mat_mul
func.func @no_functions(%x: tensor<3x3xf32>, %h: tensor<3x2xf32>, %w: tensor<4x3xf32>, %r: tensor<4x2xf32>) -> tensor<3x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = nn.mat_mul %h, %r {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %2 = nn.add %0, %1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %a, %b = nn.split %2, %axis {num_splits = 2 : i64} : (tensor<3x4xf32>, tensor<i64>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %3 = nn.multiply %a, %b : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %3 : tensor<3x2xf32>
}

// -----

// Nor do columns that are no groups, whatever functions follow.
// CHECK-LABEL: func.func @whole(
// CHECK-COUNT-2: kernel.mat_mul
func.func @whole(%x: tensor<3x3xf32>, %h: tensor<3x2xf32>, %w: tensor<4x3xf32>, %r: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = nn.mat_mul %h, %r {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %2 = nn.add %0, %1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %3 = nn.tanh %2 : tensor<3x4xf32>
  func.return %3 : tensor<3x4xf32>
}

// -----

// Weights of both that do not stay in the first-level cache are read from the second one, by larger register tiles.
// CHECK-LABEL: func.func @deep(
// CHECK-COUNT-2: kernel.mat_mul
func.func @deep(%x: tensor<3x192xf32>, %h: tensor<3x192xf32>, %w: tensor<4x192xf32>, %r: tensor<4x192xf32>) -> tensor<3x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x192xf32>, tensor<4x192xf32>) -> tensor<3x4xf32>
  %1 = nn.mat_mul %h, %r {transpose_b = true} : (tensor<3x192xf32>, tensor<4x192xf32>) -> tensor<3x4xf32>
  %2 = nn.add %0, %1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  %a, %b = nn.split %2, %axis {num_splits = 2 : i64} : (tensor<3x4xf32>, tensor<i64>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %3 = nn.sigmoid %a : tensor<3x2xf32>
  %4 = nn.multiply %3, %b : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %4 : tensor<3x2xf32>
}
