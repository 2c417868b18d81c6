// RUN: opt-tool %s --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// A product and all elementwise work on its sums are one kernel.
// CHECK-LABEL: func.func @chain(
// CHECK:         %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins(%bias : tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32, %2: f32):
// CHECK-NEXT:      %3 = arith.addf %1, %2 : f32
// CHECK-NEXT:      %4 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %5 = arith.cmpf ogt, %4, %3 : f32
// CHECK-NEXT:      %6 = arith.select %5, %4, %3 : f32
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         func.return %0 : tensor<2x4xf32>
func.func @chain(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %bias: tensor<4xf32>) -> tensor<2x4xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
  %1 = nn.add %0, %bias : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %2 = nn.relu %1 : tensor<2x4xf32>
  func.return %2 : tensor<2x4xf32>
}

// What others read of the producer is still written.
// CHECK-LABEL: func.func @also_read(
// CHECK:         %0, %1 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      %3 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %4 = arith.cmpf ogt, %3, %2 : f32
// CHECK-NEXT:      %5 = arith.select %4, %3, %2 : f32
// CHECK-NEXT:      %6 = math.tanh %5 : f32
// CHECK-NEXT:      kernel.yield %5, %6 : f32, f32
// CHECK:         func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
func.func @also_read(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = nn.relu %x : tensor<4xf32>
  %1 = nn.tanh %0 : tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A consumer that also reads, through a product, something made of the producer: a cycle.
// CHECK-LABEL: func.func @cycle(
// CHECK:         %0 = kernel.map [2, 2] ins(%x : tensor<2x2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.map [2, 2] ins(%w : tensor<2x2xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%6: f32):
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         %7 = kernel.mat_mul [2, 2] groups 1 a(%0 : tensor<2x2xf32>) b(%5 : tensor<2x2xf32>) ins(%0 : tensor<2x2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%8: f32, %9: f32):
// CHECK-NEXT:      %10 = arith.addf %9, %8 : f32
// CHECK-NEXT:      kernel.yield %10 : f32
// CHECK:         func.return %7 : tensor<2x2xf32>
func.func @cycle(%x: tensor<2x2xf32>, %w: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = nn.relu %x : tensor<2x2xf32>
  %1 = nn.mat_mul %0, %w : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = nn.add %0, %1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %2 : tensor<2x2xf32>
}

// Domains that differ: each element of the producer is read more than once.
// CHECK-LABEL: func.func @repeated(
// CHECK:         %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.tanh %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.map [2, 4] ins(%y, %0 : tensor<2x4xf32>, tensor<4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:      %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         func.return %3 : tensor<2x4xf32>
func.func @repeated(%x: tensor<4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = nn.tanh %x : tensor<4xf32>
  %1 = nn.add %y, %0 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}

// A transpose between them is an access, as is a dimension of size 1.
// CHECK-LABEL: func.func @through(
// CHECK:         %0 = kernel.map [4, 1, 2] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<4x1x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.tanh %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         func.return %0 : tensor<4x1x2xf32>
func.func @through(%x: tensor<2x4xf32>) -> tensor<4x1x2xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.transpose %x, %order : (tensor<2x4xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %1 = nn.unsqueeze %0, %axes : (tensor<4x2xf32>, tensor<1xi64>) -> tensor<4x1x2xf32>
  %2 = nn.tanh %1 : tensor<4x1x2xf32>
  func.return %2 : tensor<4x1x2xf32>
}

// A reshape that mixes dimensions stays.
// CHECK-LABEL: func.func @mixed(
// CHECK:         %0 = kernel.map [2, 4] ins(%x : tensor<2x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %3 = arith.cmpf ogt, %2, %1 : f32
// CHECK-NEXT:      %4 = arith.select %3, %2, %1 : f32
// CHECK-NEXT:      kernel.yield %4 : f32
// CHECK:         %5 = kernel.reshape %0 : tensor<2x4xf32> -> tensor<8xf32>
// CHECK-NEXT:    %6 = kernel.map [8] ins(%5 : tensor<8xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<8xf32> {
// CHECK-NEXT:    ^bb0(%7: f32):
// CHECK-NEXT:      %8 = math.tanh %7 : f32
// CHECK-NEXT:      kernel.yield %8 : f32
// CHECK:         func.return %6 : tensor<8xf32>
func.func @mixed(%x: tensor<2x4xf32>) -> tensor<8xf32> {
  %shape = nn.constant dense<[8]> : tensor<1xi64>
  %0 = nn.relu %x : tensor<2x4xf32>
  %1 = nn.reshape %0, %shape : (tensor<2x4xf32>, tensor<1xi64>) -> tensor<8xf32>
  %2 = nn.tanh %1 : tensor<8xf32>
  func.return %2 : tensor<8xf32>
}

// Narrowing rounds: it is no movement, and a fused kernel rounds where memory did.
// CHECK-LABEL: func.func @narrowing(
// CHECK:         %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = arith.truncf %1 : f32 to f16
// CHECK-NEXT:      %3 = arith.extf %2 : f16 to f32
// CHECK-NEXT:      kernel.yield %3 : f32
// CHECK:         func.return %0 : tensor<4xf32>
func.func @narrowing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.convert %x to f16 : tensor<4xf32> -> tensor<4xf16>
  %1 = nn.convert %0 to f32 : tensor<4xf16> -> tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

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

// What nobody reads goes.
// CHECK-LABEL: func.func @dead(
// CHECK:         func.return
func.func @dead(%x: tensor<4xf32>) {
  %0 = nn.relu %x : tensor<4xf32>
  %1 = nn.tanh %0 : tensor<4xf32>
  func.return
}
