// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

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

// -----

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

// -----

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

// -----

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

// -----

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

// -----

// The consumer reads each element at two points.
// CHECK-LABEL: func.func @two_ways(
// CHECK-NEXT:    %0 = kernel.map [2, 2] ins(%x : tensor<2x2xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.absf %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         %3 = kernel.map [2, 2] ins(%0, %0 : tensor<2x2xf32>, tensor<2x2xf32>) outs() access [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x2xf32> {
// CHECK-NEXT:    ^bb0(%4: f32, %5: f32):
// CHECK-NEXT:      %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:      kernel.yield %6 : f32
// CHECK:         func.return %3 : tensor<2x2xf32>
func.func @two_ways(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %0 = nn.abs %x : tensor<2x2xf32>
  %1 = nn.transpose %0, %order : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  %2 = nn.add %0, %1 : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %2 : tensor<2x2xf32>
}

// -----

// Codes that readers widen themselves (`RecomputeDequantization`) are not widened by what writes them.
// CHECK-LABEL: func.func @widened_by_readers(
// CHECK:         [[Q:%.*]] = kernel.map [4] ins(%x : tensor<4xf32>) {{.*}} -> tensor<4xui8>
// CHECK:         kernel.map [2, 4] ins(%y, [[Q]] : tensor<2x4xf32>, tensor<4xui8>)
func.func @widened_by_readers(%x: tensor<4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = nn.convert %x to ui8 : tensor<4xf32> -> tensor<4xui8>
  %1 = nn.convert %0 to f32 : tensor<4xui8> -> tensor<4xf32>
  %2 = nn.add %y, %1 : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  func.return %2 : tensor<2x4xf32>
}

// -----

// One of two readers, a product, cannot: the producer widens them.
// CHECK-LABEL: func.func @widened_by_one(
// CHECK:         [[F:%.*]] = kernel.map [1, 4] ins(%x : tensor<1x4xf32>) {{.*}} -> tensor<1x4xf32>
// CHECK:         kernel.map [2, 4] ins(%y, [[F]] : tensor<2x4xf32>, tensor<1x4xf32>)
// CHECK:         kernel.mat_mul [1, 3] groups 1 a([[F]] : tensor<1x4xf32>)
func.func @widened_by_one(%x: tensor<1x4xf32>, %y: tensor<2x4xf32>, %w: tensor<3x4xf32>) -> (tensor<2x4xf32>, tensor<1x3xf32>) {
  %0 = nn.convert %x to ui8 : tensor<1x4xf32> -> tensor<1x4xui8>
  %1 = nn.convert %0 to f32 : tensor<1x4xui8> -> tensor<1x4xf32>
  %2 = nn.add %y, %1 : (tensor<2x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
  %3 = nn.mat_mul %1, %w {transpose_b = true} : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<1x3xf32>
  func.return %2, %3 : tensor<2x4xf32>, tensor<1x3xf32>
}

// -----

// The consumer reads each element once, and those of the first row again.
// CHECK-LABEL: func.func @row_again(
// CHECK:         [[T:%.*]] = kernel.map [2, 3] ins(%x : tensor<2x3xf32>)
// CHECK:         kernel.map [2, 3] ins([[T]], [[T]] : tensor<2x3xf32>, tensor<2x3xf32>)
func.func @row_again(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %0 = nn.tanh %x : tensor<2x3xf32>
  %1 = nn.slice %0, %zero, %one, %one, %zero : (tensor<2x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x3xf32>
  %2 = nn.add %1, %0 : (tensor<1x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %2 : tensor<2x3xf32>
}
