// RUN: opt-tool %s --split-input-file --nn-to-kernels --fuse-kernels=isa=avx2 | filecheck %s
// RUN: opt-tool %s --split-input-file --nn-to-kernels --fuse-kernels=isa=avx512_vnni | filecheck %s --check-prefix=MANY
// RUN: opt-tool %s --split-input-file --nn-to-kernels --fuse-kernels=isa=avx_vnni | filecheck %s --check-prefix=BYTES

// With few registers, four gates of many rows of floats stay one group, whose register tiles have more rows.
// CHECK-LABEL: func.func @rows(
// CHECK:         kernel.mat_mul [3, 8] groups 1
// CHECK:         kernel.map [3, 2]
// MANY-LABEL:  func.func @rows(
// MANY:          kernel.mat_mul [3, 2] groups 4
// MANY-NOT:      kernel.map
func.func @rows(%x: tensor<3x3xf32>, %w: tensor<8x3xf32>) -> tensor<3x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xf32>, tensor<8x3xf32>) -> tensor<3x8xf32>
  %a, %b, %c, %d = nn.split %0, %axis {num_splits = 4 : i64} : (tensor<3x8xf32>, tensor<i64>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>)
  %1 = nn.multiply %a, %b : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = nn.multiply %c, %d : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %3 = nn.multiply %1, %2 : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %3 : tensor<3x2xf32>
}

// -----

// Those of few rows become groups.
// CHECK-LABEL: func.func @few_rows(
// CHECK:         kernel.mat_mul [2, 2] groups 4
// CHECK-NOT:     kernel.map
func.func @few_rows(%x: tensor<2x3xf32>, %w: tensor<8x3xf32>) -> tensor<2x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<8x3xf32>) -> tensor<2x8xf32>
  %a, %b, %c, %d = nn.split %0, %axis {num_splits = 4 : i64} : (tensor<2x8xf32>, tensor<i64>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>)
  %1 = nn.multiply %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = nn.multiply %c, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = nn.multiply %1, %2 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %3 : tensor<2x2xf32>
}

// -----

// So do three, whose register tiles have as many sums as those of one group.
// CHECK-LABEL: func.func @three(
// CHECK:         kernel.mat_mul [3, 2] groups 3
// CHECK-NOT:     kernel.map
func.func @three(%x: tensor<3x3xf32>, %w: tensor<6x3xf32>) -> tensor<3x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xf32>, tensor<6x3xf32>) -> tensor<3x6xf32>
  %a, %b, %c = nn.split %0, %axis {num_splits = 3 : i64} : (tensor<3x6xf32>, tensor<i64>) -> (tensor<3x2xf32>, tensor<3x2xf32>, tensor<3x2xf32>)
  %1 = nn.multiply %a, %b : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = nn.multiply %1, %c : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  func.return %2 : tensor<3x2xf32>
}

// -----

// Codes stay one group where they are multiplied as words, and become groups where they are multiplied as bytes.
// CHECK-LABEL: func.func @codes(
// CHECK:         kernel.mat_mul [3, 8] groups 1
// BYTES-LABEL: func.func @codes(
// BYTES:         kernel.mat_mul [3, 2] groups 4
func.func @codes(%x: tensor<3x3xi8>, %w: tensor<8x3xi8>) -> tensor<3x2xi32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xi8>, tensor<8x3xi8>) -> tensor<3x8xi32>
  %a, %b, %c, %d = nn.split %0, %axis {num_splits = 4 : i64} : (tensor<3x8xi32>, tensor<i64>) -> (tensor<3x2xi32>, tensor<3x2xi32>, tensor<3x2xi32>, tensor<3x2xi32>)
  %1 = nn.add %a, %b : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  %2 = nn.add %c, %d : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  %3 = nn.add %1, %2 : (tensor<3x2xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  func.return %3 : tensor<3x2xi32>
}

// -----

// With many registers, gates of seven rows stay one group where their weights fill half of the first-level cache: a
// register tile of groups has six rows, so that it waits for them twice.
// MANY-LABEL:  func.func @deep(
// MANY:          kernel.mat_mul [7, 64] groups 1
// MANY:          kernel.map [7, 16]
// MANY:          kernel.mat_mul [6, 16] groups 4
// MANY:          kernel.mat_mul [7, 16] groups 4
func.func @deep(%x: tensor<7x97xf32>, %y: tensor<6x97xf32>, %z: tensor<7x96xf32>, %w: tensor<64x97xf32>, %v: tensor<64x96xf32>)
    -> (tensor<7x16xf32>, tensor<6x16xf32>, tensor<7x16xf32>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<7x97xf32>, tensor<64x97xf32>) -> tensor<7x64xf32>
  %a, %b, %c, %d = nn.split %0, %axis {num_splits = 4 : i64} : (tensor<7x64xf32>, tensor<i64>) -> (tensor<7x16xf32>, tensor<7x16xf32>, tensor<7x16xf32>, tensor<7x16xf32>)
  %1 = nn.multiply %a, %b : (tensor<7x16xf32>, tensor<7x16xf32>) -> tensor<7x16xf32>
  %2 = nn.multiply %c, %d : (tensor<7x16xf32>, tensor<7x16xf32>) -> tensor<7x16xf32>
  %3 = nn.multiply %1, %2 : (tensor<7x16xf32>, tensor<7x16xf32>) -> tensor<7x16xf32>
  %4 = nn.mat_mul %y, %w {transpose_b = true} : (tensor<6x97xf32>, tensor<64x97xf32>) -> tensor<6x64xf32>
  %e, %f, %g, %h = nn.split %4, %axis {num_splits = 4 : i64} : (tensor<6x64xf32>, tensor<i64>) -> (tensor<6x16xf32>, tensor<6x16xf32>, tensor<6x16xf32>, tensor<6x16xf32>)
  %5 = nn.multiply %e, %f : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
  %6 = nn.multiply %g, %h : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
  %7 = nn.multiply %5, %6 : (tensor<6x16xf32>, tensor<6x16xf32>) -> tensor<6x16xf32>
  %8 = nn.mat_mul %z, %v {transpose_b = true} : (tensor<7x96xf32>, tensor<64x96xf32>) -> tensor<7x64xf32>
  %i, %j, %k, %l = nn.split %8, %axis {num_splits = 4 : i64} : (tensor<7x64xf32>, tensor<i64>) -> (tensor<7x16xf32>, tensor<7x16xf32>, tensor<7x16xf32>, tensor<7x16xf32>)
  %9 = nn.multiply %i, %j : (tensor<7x16xf32>, tensor<7x16xf32>) -> tensor<7x16xf32>
  %10 = nn.multiply %k, %l : (tensor<7x16xf32>, tensor<7x16xf32>) -> tensor<7x16xf32>
  %11 = nn.multiply %9, %10 : (tensor<7x16xf32>, tensor<7x16xf32>) -> tensor<7x16xf32>
  func.return %3, %7, %11 : tensor<7x16xf32>, tensor<6x16xf32>, tensor<7x16xf32>
}
