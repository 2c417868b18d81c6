// RUN: opt-tool %s --split-input-file --bound-computed-sizes --verify-diagnostics | filecheck %s

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
// A product that sums along it takes zeros for what is not there.
// CHECK-LABEL: @product
// CHECK: [[SOME:%.*]] = nn.select %{{.*}}, %x, %{{.*}}
// CHECK: [[Y:%.*]] = nn.mat_mul %w, [[SOME]]
// CHECK: func.return [[Y]] : tensor<4x2xf32>
func.func @product(%x: tensor<8x2xf32>, %n: tensor<1xi64>, %w: tensor<4x8xf32>) -> tensor<4x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.mat_mul %w, %s : (tensor<4x8xf32>, tensor<?x2xf32>) -> tensor<4x2xf32>
  func.return %y : tensor<4x2xf32>
}
// -----
// Rows that a reshape splits: what is there comes first, before and after.
// CHECK-LABEL: @split
// CHECK: [[COUNT:%.*]] = nn.divide
// CHECK: [[FLAT:%.*]] = nn.reshape %x, {{.*}} -> tensor<16xf32>
// CHECK: [[PART:%.*]] = nn.slice [[FLAT]]
// CHECK: [[Y:%.*]] = nn.reshape [[PART]], {{.*}} -> tensor<4x4xf32>
// CHECK: func.return [[Y]], [[COUNT]]
func.func @split(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x4xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %shape = nn.constant dense<[-1, 4]> : tensor<2xi64>
  %y = nn.reshape %s, %shape : (tensor<?x2xf32>, tensor<2xi64>) -> tensor<?x4xf32>
  func.return %y : tensor<?x4xf32>
}
// -----
// What follows a part of computed size is looked up behind all that there may be.
// CHECK-LABEL: @concat
// CHECK: [[ALL:%.*]] = nn.concat %x, %w {axis = 0 : i64}
// CHECK: nn.gather [[ALL]]
func.func @concat(%x: tensor<8x2xf32>, %n: tensor<1xi64>, %w: tensor<4x2xf32>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %1 = nn.constant dense<1> : tensor<1xi64>
  %s = nn.slice %x, %0, %n, %1, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  %y = nn.concat %s, %w {axis = 0 : i64} : (tensor<?x2xf32>, tensor<4x2xf32>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}
// -----
// Nearest miss: a slice with gaps.
func.func @gaps(%x: tensor<8x2xf32>, %n: tensor<1xi64>) -> tensor<?x2xf32> {
  %0 = nn.constant dense<0> : tensor<1xi64>
  %2 = nn.constant dense<2> : tensor<1xi64>
  // expected-error@below {{nn.slice: reads a value whose size only the run can tell, and has no law for that; let the values that it reads have fixed sizes (as of the best k, or with a mask), or end the model in front of it (trim)}}
  %s = nn.slice %x, %0, %n, %2, %0 : (tensor<8x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x2xf32>
  func.return %s : tensor<?x2xf32>
}
