// RUN: opt-tool %s --split-input-file --bound-dynamic-shapes | filecheck %s

// A product of the first n of 64 rows, and what only it reads and what reads it, run block by block, as many as there are rows for.

// CHECK-LABEL: @rows
// CHECK: [[SIZE:%.*]] = nn.clamp {{.*}} {min = 0.000000e+00 : f64, max = 6.400000e+01 : f64}
// CHECK: [[MORE:%.*]] = nn.add [[SIZE]], {{.*}} : (tensor<1xi64>, tensor<i64>) -> tensor<1xi64>
// CHECK: [[BLOCKS:%.*]] = nn.divide [[MORE]]
// CHECK: [[TRIP:%.*]] = nn.reshape [[BLOCKS]]
// CHECK: [[ALL:%.*]] = infra.loop [[TRIP]], %{{.*}}, %x inputs [#infra.sliced<axis = 0, start = 0, end = -1, stride = 16, part_size = 16>]
// CHECK-SAME: outputs [#infra.concatenated<result = 0, axis = 0, start = 0, end = -1, stride = 16, part_size = 16>]
// CHECK-SAME: most_iterations = 4 : i64
// CHECK-NEXT: ^{{.*}}([[BLOCK:%.*]]: tensor<16x8xf32>):
// CHECK: [[RELU:%.*]] = nn.relu [[BLOCK]] : tensor<16x8xf32>
// CHECK: [[PRODUCT:%.*]] = nn.mat_mul [[RELU]], %{{.*}} : (tensor<16x8xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
// CHECK: [[TANH:%.*]] = nn.tanh [[PRODUCT]] : tensor<16x4xf32>
// CHECK: infra.yield [[TANH]]
// CHECK: func.return [[ALL]], [[SIZE]]
func.func @rows(%x: tensor<64x8xf32>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<8x4xf32>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<64x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x8xf32>
  %r = nn.relu %s : tensor<?x8xf32>
  %p = nn.mat_mul %r, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %y = nn.tanh %p : tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
// -----
// Blocks of equal size do not fill 37 rows: what is read is padded, and the results are cut.

// CHECK-LABEL: @padded
// CHECK: [[PADDED:%.*]] = nn.pad %x, {{.*}} -> tensor<48x8xf32>
// CHECK: [[ALL:%.*]] = infra.loop %{{.*}}, %{{.*}}, [[PADDED]]
// CHECK-SAME: -> tensor<48x4xf32>
// CHECK: nn.slice [[ALL]], {{.*}} -> tensor<37x4xf32>
func.func @padded(%x: tensor<37x8xf32>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<8x4xf32>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<37x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x8xf32>
  %p = nn.mat_mul %s, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  func.return %p : tensor<?x4xf32>
}
// -----
// A value that something else reads, too, is computed in front of the loop.

// CHECK-LABEL: @read_twice
// CHECK: [[RELU:%.*]] = nn.relu %x : tensor<64x8xf32>
// CHECK: infra.loop %{{.*}}, %{{.*}}, [[RELU]]
func.func @read_twice(%x: tensor<64x8xf32>, %n: tensor<1xi64>) -> (tensor<?x8xf32>, tensor<?x4xf32>) {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<8x4xf32>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<64x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x8xf32>
  %r = nn.relu %s : tensor<?x8xf32>
  %p = nn.mat_mul %r, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  func.return %r, %p : tensor<?x8xf32>, tensor<?x4xf32>
}
// -----
// Rows for one block.

// CHECK-LABEL: @few_rows
// CHECK-NOT: infra.loop
// CHECK: func.return
func.func @few_rows(%x: tensor<16x8xf32>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<8x4xf32>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<16x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x8xf32>
  %p = nn.mat_mul %s, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  func.return %p : tensor<?x4xf32>
}
// -----
// Nothing that is worth a loop.

// CHECK-LABEL: @light
// CHECK-NOT: infra.loop
// CHECK: func.return
func.func @light(%x: tensor<64x8xf32>, %n: tensor<1xi64>) -> tensor<?x8xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<64x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x8xf32>
  %r = nn.relu %s : tensor<?x8xf32>
  func.return %r : tensor<?x8xf32>
}
// -----
// The columns of the result are of dynamic number, and the rows known.

// CHECK-LABEL: @columns
// CHECK-NOT: infra.loop
// CHECK: func.return
func.func @columns(%x: tensor<64x8xf32>, %n: tensor<1xi64>) -> tensor<4x?xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<4x8xf32>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<64x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x8xf32>
  %p = nn.mat_mul %w, %s {transpose_b = true} : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<4x?xf32>
  func.return %p : tensor<4x?xf32>
}
// -----
// Each row of the scores is of all rows, which the first product gives: two loops, the first of which ends before the second begins.

// CHECK-LABEL: @between
// CHECK: infra.loop
// CHECK: infra.loop
// CHECK-NOT: infra.loop
// CHECK: func.return
func.func @between(%x: tensor<64x8xf32>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %w = nn.constant dense<0.5> : tensor<8x4xf32>
  %v = nn.constant dense<0.25> : tensor<4x4xf32>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<64x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x8xf32>
  %p = nn.mat_mul %s, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
  %most = nn.reduce_max %p, %0 {keep_dims = true} : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  %d = nn.subtract %p, %most : (tensor<?x4xf32>, tensor<1x4xf32>) -> tensor<?x4xf32>
  %q = nn.mat_mul %d, %v : (tensor<?x4xf32>, tensor<4x4xf32>) -> tensor<?x4xf32>
  func.return %q : tensor<?x4xf32>
}
