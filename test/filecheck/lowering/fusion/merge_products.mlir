// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Products over one domain that meet in a kernel share it.
// CHECK-LABEL: func.func @two_products(
// CHECK:         %0 = kernel.mat_mul [1, 4] groups 1 a(%x, %h : tensor<1x3xf32>, tensor<1x2xf32>) b(%w, %r : tensor<4x3xf32>, tensor<4x2xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32, %2: f32):
// CHECK-NEXT:      %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         func.return %0 : tensor<1x4xf32>
func.func @two_products(%x: tensor<1x3xf32>, %h: tensor<1x2xf32>, %w: tensor<4x3xf32>, %r: tensor<4x2xf32>) -> tensor<1x4xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %1 = nn.mat_mul %h, %r {transpose_b = true} : (tensor<1x2xf32>, tensor<4x2xf32>) -> tensor<1x4xf32>
  %2 = nn.add %0, %1 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %2 : tensor<1x4xf32>
}

// -----

// Products that depend on each other do not.
// CHECK-LABEL: func.func @dependent(
// CHECK:         %0 = kernel.mat_mul [1, 3] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<3x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.mat_mul [1, 3] groups 1 a(%0 : tensor<1x3xf32>) b(%w : tensor<3x3xf32>) ins(%0 : tensor<1x3xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x3xf32> {
// CHECK-NEXT:    ^bb0(%3: f32, %4: f32):
// CHECK-NEXT:      %5 = arith.addf %4, %3 : f32
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         func.return %2 : tensor<1x3xf32>
func.func @dependent(%x: tensor<1x3xf32>, %w: tensor<3x3xf32>) -> tensor<1x3xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
  %1 = nn.mat_mul %0, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
  %2 = nn.add %0, %1 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  func.return %2 : tensor<1x3xf32>
}

// -----

// Nor do those that are summed in different types.
// CHECK-LABEL: func.func @two_types(
// CHECK:         %0 = kernel.mat_mul [1, 4] groups 1 a(%q : tensor<1x2xui8>) b(%r : tensor<4x2xi8>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%1: i32):
// CHECK-NEXT:      %2 = arith.sitofp %1 : i32 to f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins(%0 : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:      %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         func.return %3 : tensor<1x4xf32>
func.func @two_types(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>, %q: tensor<1x2xui8>, %r: tensor<4x2xi8>) -> tensor<1x4xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %1 = nn.mat_mul %q, %r {transpose_b = true} : (tensor<1x2xui8>, tensor<4x2xi8>) -> tensor<1x4xi32>
  %2 = nn.convert %1 to f32 : tensor<1x4xi32> -> tensor<1x4xf32>
  %3 = nn.add %0, %2 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %3 : tensor<1x4xf32>
}

// -----

// Three would need more accumulators than a register tile has.
// CHECK-LABEL: func.func @three(
// CHECK-NEXT:    %0 = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%v : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.mat_mul [1, 4] groups 1 a(%x, %x : tensor<1x3xf32>, tensor<1x3xf32>) b(%w, %u : tensor<4x3xf32>, tensor<4x3xf32>) ins(%0 : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%3: f32, %4: f32, %5: f32):
// CHECK-NEXT:      %6 = arith.addf %3, %4 : f32
// CHECK-NEXT:      %7 = arith.addf %6, %5 : f32
// CHECK-NEXT:      kernel.yield %7 : f32
// CHECK:         func.return %2 : tensor<1x4xf32>
func.func @three(%x: tensor<1x3xf32>, %w: tensor<4x3xf32>, %u: tensor<4x3xf32>, %v: tensor<4x3xf32>) -> tensor<1x4xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %1 = nn.mat_mul %x, %u {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %2 = nn.mat_mul %x, %v {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %3 = nn.add %0, %1 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %4 = nn.add %3, %2 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %4 : tensor<1x4xf32>
}

// -----

// Products with other rows do not.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:    %0 = kernel.mat_mul [1, 4] groups 1 a(%x : tensor<1x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<1x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      kernel.yield %1 : f32
// CHECK:         %2 = kernel.mat_mul [2, 4] groups 1 a(%h : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins(%0 : tensor<1x4xf32>) outs() access [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%3: f32, %4: f32):
// CHECK-NEXT:      %5 = arith.addf %4, %3 : f32
// CHECK-NEXT:      kernel.yield %5 : f32
// CHECK:         func.return %2 : tensor<2x4xf32>
func.func @broadcast(%x: tensor<1x3xf32>, %h: tensor<2x3xf32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %1 = nn.mat_mul %h, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %2 = nn.add %0, %1 : (tensor<1x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %2 : tensor<2x4xf32>
}

// -----

// Nor where the sum names the one that depends on the other first.
// CHECK-LABEL: func.func @dependent_first(
// CHECK-COUNT-2: kernel.mat_mul [1, 3] groups 1 a(%{{.*}} : tensor<1x3xf32>) b(
func.func @dependent_first(%x: tensor<1x3xf32>, %w: tensor<3x3xf32>) -> tensor<1x3xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
  %1 = nn.mat_mul %0, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
  %2 = nn.tanh %0 : tensor<1x3xf32>
  %3 = nn.add %1, %2 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
  func.return %3 : tensor<1x3xf32>
}

// -----

// One with groups and one without have sums of different kinds.
// CHECK-LABEL: func.func @groups(
// CHECK-DAG:     kernel.mat_mul [1, 2] groups 2 a(%x : tensor<1x3xf32>)
// CHECK-DAG:     kernel.mat_mul [1, 2] groups 1 a(%h : tensor<1x3xf32>)
func.func @groups(%x: tensor<1x3xf32>, %h: tensor<1x3xf32>, %w: tensor<4x3xf32>, %v: tensor<2x3xf32>) -> tensor<1x2xf32> {
  %axis = nn.constant dense<1> : tensor<i64>
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x3xf32>, tensor<4x3xf32>) -> tensor<1x4xf32>
  %a, %b = nn.split %0, %axis {num_splits = 2 : i64} : (tensor<1x4xf32>, tensor<i64>) -> (tensor<1x2xf32>, tensor<1x2xf32>)
  %1 = nn.mat_mul %h, %v {transpose_b = true} : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<1x2xf32>
  %2 = nn.multiply %a, %b : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  %3 = nn.multiply %2, %1 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %3 : tensor<1x2xf32>
}

// -----

// With three rows, each has the registers for itself.
// CHECK-LABEL: func.func @three_rows(
// CHECK:         %0 = kernel.mat_mul [3, 4] groups 1 a(%h : tensor<3x2xf32>)
// CHECK:         %2 = kernel.mat_mul [3, 4] groups 1 a(%x : tensor<3x3xf32>) {{.*}} ins(%0 : tensor<3x4xf32>)
func.func @three_rows(%x: tensor<3x3xf32>, %h: tensor<3x2xf32>, %w: tensor<4x3xf32>, %r: tensor<4x2xf32>) -> tensor<3x4xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<3x3xf32>, tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = nn.mat_mul %h, %r {transpose_b = true} : (tensor<3x2xf32>, tensor<4x2xf32>) -> tensor<3x4xf32>
  %2 = nn.multiply %0, %1 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  func.return %2 : tensor<3x4xf32>
}
