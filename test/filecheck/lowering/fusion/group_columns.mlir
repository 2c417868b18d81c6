// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Equal parts of a product's columns become groups; the gates then meet in registers.
// CHECK-LABEL: func.func @gates(
// CHECK:         %0 = kernel.mat_mul [1, 2] groups 2 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32, %2: f32):
// CHECK-NEXT:      %3 = arith.mulf %1, %2 : f32
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         func.return %0 : tensor<1x2xf32>
func.func @gates(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> tensor<1x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %a, %b = nn.split %0, %axis {num_splits = 2 : i64} : (tensor<1x4xf32>, tensor<i64>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  %1 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %1 : tensor<1x2xf32>
}

// -----

// Parts of different widths do not.
// CHECK-LABEL: func.func @uneven(
// CHECK:         %0 = kernel.mat_mul [1, 6] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<6x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x6xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %c = kernel.map [1, 2] ins(%0 : tensor<1x6xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      %3 = math.tanh %2 : f32
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         %d = kernel.map [1, 3] ins(%0 : tensor<1x6xf32>) outs() access [affine_map<(d0, d1) -> (d0, (d1 + 3))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%4: f32):
// CHECK-NEXT:      %5 = math.tanh %4 : f32
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         func.return %c, %d : tensor<1x2xf32>, tensor<1x3xf32>
func.func @uneven(%x: tensor<1x3xf32>, %w: tensor<6x3xf32>) -> (tensor<1x2xf32>, tensor<1x3xf32>) {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %six = nn.constant dense<[6]> : tensor<1xi64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<6x3xf32>) -> tensor<1x6xf32>
  %a = nn.slice %0, %zero, %two, %one, %one : (tensor<1x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  %b = nn.slice %0, %three, %six, %one, %one : (tensor<1x6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x3xf32>
  %c = nn.tanh %a : tensor<1x2xf32>
  %d = nn.tanh %b : tensor<1x3xf32>
  func.return %c, %d : tensor<1x2xf32>, tensor<1x3xf32>
}

// -----

// The whole product leaves as well.
// CHECK-LABEL: func.func @whole(
// CHECK-NEXT:    %0 = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.map [1, 2] ins(%0, %0 : tensor<1x4xf32>, tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, (d1 + 2))>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x2xf32> {
// CHECK-NEXT:    ^bb0(%3: f32, %4: f32):
// CHECK-NEXT:      %5 = arith.mulf %3, %4 : f32
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         func.return %0, %2 : tensor<1x4xf32>, tensor<1x2xf32>
func.func @whole(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> (tensor<1x4xf32>, tensor<1x2xf32>) {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %a, %b = nn.split %0, %axis {num_splits = 2 : i64} : (tensor<1x4xf32>, tensor<i64>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  %1 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %0, %1 : tensor<1x4xf32>, tensor<1x2xf32>
}

// -----

// Operands of readers that are not the product may be read by any access.
// CHECK-LABEL: func.func @scaled(
// CHECK:         kernel.mat_mul [1, 2] groups 2
// CHECK-NOT:     kernel.map
func.func @scaled(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>, %s: tensor<1x1xf32>) -> tensor<1x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %a, %b = nn.split %0, %axis {num_splits = 2 : i64} : (tensor<1x4xf32>, tensor<i64>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  %1 = nn.multiply %a, %s : (tensor<1x2xf32>, tensor<1x1xf32>) -> tensor<1x2xf32>
  %2 = nn.multiply %1, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %2 : tensor<1x2xf32>
}

// -----

// Of five parts a register tile has no accumulators.
// CHECK-LABEL: func.func @five(
// CHECK:         kernel.mat_mul [1, 10] groups 1
// CHECK:         kernel.map [1, 2]
func.func @five(%x: tensor<1x3xf32>, %w: tensor<10x3xf32>) -> tensor<1x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<10x3xf32>) -> tensor<1x10xf32>
  %a, %b, %c, %d, %e = nn.split %0, %axis {num_splits = 5 : i64}
      : (tensor<1x10xf32>, tensor<i64>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  %1 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %2 = nn.multiply %c, %d : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %3 = nn.multiply %1, %2 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %4 = nn.multiply %3, %e : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %4 : tensor<1x2xf32>
}

// -----

// Every second column is no part.
// CHECK-LABEL: func.func @strided(
// CHECK:         kernel.mat_mul [1, 4] groups 1
// CHECK:         kernel.map [1, 2]
func.func @strided(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> tensor<1x2xf32> {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %four = nn.constant dense<[4]> : tensor<1xi64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %a = nn.slice %0, %zero, %four, %two, %one : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  %b = nn.slice %0, %two, %four, %one, %one : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  %1 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %1 : tensor<1x2xf32>
}

// -----

// Parts that overlap are no groups.
// CHECK-LABEL: func.func @overlapping(
// CHECK:         kernel.mat_mul [1, 4] groups 1
// CHECK:         kernel.map [1, 2]
func.func @overlapping(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>) -> tensor<1x2xf32> {
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %four = nn.constant dense<[4]> : tensor<1xi64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %a = nn.slice %0, %one, %three, %one, %one : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  %b = nn.slice %0, %two, %four, %one, %one : (tensor<1x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  %1 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %1 : tensor<1x2xf32>
}

// -----

// Four gates.
// CHECK-LABEL: func.func @four(
// CHECK:         kernel.mat_mul [1, 2] groups 4 a(%x : tensor<1x3xf32>) b(%w : tensor<8x3xf32>)
// CHECK-NOT:     kernel.map
func.func @four(%x: tensor<1x3xf32>, %w: tensor<8x3xf32>) -> tensor<1x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<8x3xf32>) -> tensor<1x8xf32>
  %a, %b, %c, %d = nn.split %0, %axis {num_splits = 4 : i64}
      : (tensor<1x8xf32>, tensor<i64>) -> (tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>, tensor<1x2xf32>)
  %1 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %2 = nn.multiply %c, %d : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %3 = nn.multiply %1, %2 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %3 : tensor<1x2xf32>
}

// -----

// A column is left over.
// CHECK-LABEL: func.func @left_over(
// CHECK:         kernel.mat_mul [1, 5] groups 1
// CHECK:         kernel.map [1, 2]
func.func @left_over(%x: tensor<1x3xf32>, %w: tensor<5x3xf32>) -> tensor<1x2xf32> {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %four = nn.constant dense<[4]> : tensor<1xi64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<5x3xf32>) -> tensor<1x5xf32>
  %a = nn.slice %0, %zero, %two, %one, %one : (tensor<1x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  %b = nn.slice %0, %two, %four, %one, %one : (tensor<1x5xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2xf32>
  %1 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %1 : tensor<1x2xf32>
}
