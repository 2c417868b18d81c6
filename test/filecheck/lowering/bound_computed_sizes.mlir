// RUN: opt-tool %s --split-input-file --bound-computed-sizes --parsing-diagnostics --verify-diagnostics | filecheck %s

// What reads the first elements reads all of them; how many there are leaves behind the results. A stop may count
// from the end, and lie beyond it.
// CHECK-LABEL: @elementwise(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> (tensor<8x2xf32>, tensor<1xi64>) attributes {kernel.sizes = array<i64: 0, 0, 1>}
// CHECK-NOT: nn.slice
// CHECK: [[BACK:%.*]] = nn.add %n, %{{.*}}
// CHECK: [[NEGATIVE:%.*]] = nn.less %n, %{{.*}}
// CHECK: [[STOP:%.*]] = nn.select [[NEGATIVE]], [[BACK]], %n
// CHECK: [[N:%.*]] = nn.clamp [[STOP]] {min = 0.000000e+00 : f64, max = 8.000000e+00 : f64}
// CHECK: [[Y:%.*]] = nn.relu %x : tensor<8x2xf32>
// CHECK: func.return [[Y]], [[N]]
func.func @elementwise(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.relu %s : tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// A sum takes zeros for what is not there; no size is left.
// CHECK-LABEL: @sum
// CHECK: [[N:%.*]] = nn.clamp
// CHECK: [[EXISTS:%.*]] = nn.less %{{.*}}, [[N]]
// CHECK: [[WIDE:%.*]] = nn.reshape [[EXISTS]], {{.*}} -> tensor<8x1xi1>
// CHECK: [[SOME:%.*]] = nn.select [[WIDE]], %x, %{{.*}}
// CHECK: [[Y:%.*]] = nn.reduce_sum [[SOME]]
// CHECK: func.return [[Y]] : tensor<2xf32>
func.func @sum(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.reduce_sum %s, %0 : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
// -----
// Nearest miss: a product that sums along that dimension has no mask.
// CHECK: nn.mat_mul: reads a value whose size only the run can tell, and has no law for that; compute it outside of the model
func.func @product(%x: tensor<8x2xf32>, %n: tensor<1xi64>, %w: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.mat_mul %w, %s : (tensor<4x8xf32>, tensor<?x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
// -----
// Nearest miss: rows that a reshape splits.
// CHECK: nn.reshape: reads a value whose size only the run can tell, and has no law for that; compute it outside of the model
func.func @split(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %shape = nn.constant dense<[-1, 4]> : tensor<2xi64>
  %y = nn.reshape %s, %shape : (tensor<?x2xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
