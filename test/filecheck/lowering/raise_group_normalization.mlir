// RUN: opt-tool %s --split-input-file --raise-group-normalization | filecheck %s

// Groups are made rows, normalized, scaled and moved, and made channels again.
// CHECK-LABEL: @raises
// CHECK: [[A:%.*]] = nn.constant dense<{{.*}}> : tensor<4xf32>
// CHECK: [[B:%.*]] = nn.constant dense<{{.*}}> : tensor<4xf32>
// CHECK: [[Y:%.*]] = nn.group_normalization %x, [[A]], [[B]] {num_groups = 2 : i64, epsilon = 1.000000e-05 : f64}
// CHECK-NOT: nn.mvn
// CHECK: func.return [[Y]]
func.func @raises(%x: tensor<1x4x3xf32>) -> tensor<1x4x3xf32> {
  %rows = nn.constant dense<[1, 2, 6]> : tensor<3xi64>
  %back = nn.constant dense<[1, 4, 3]> : tensor<3xi64>
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %a = nn.constant dense<[[[2.0], [3.0]]]> : tensor<1x2x1xf32>
  %b = nn.constant dense<5.0> : tensor<f32>
  %0 = nn.reshape %x, %rows : (tensor<1x4x3xf32>, tensor<3xi64>) -> tensor<1x2x6xf32>
  %1 = nn.mvn %0, %axes {eps = 1.0e-05 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x6xf32>, tensor<1xi64>
  %2 = nn.multiply %1, %a : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
  %3 = nn.add %2, %b : (tensor<1x2x6xf32>, tensor<f32>) -> tensor<1x2x6xf32>
  %4 = nn.reshape %3, %back : (tensor<1x2x6xf32>, tensor<3xi64>) -> tensor<1x4x3xf32>
  func.return %4 : tensor<1x4x3xf32>
}

// -----

// Where eps is added to the deviation, it is none.
// CHECK-LABEL: @deviation
// CHECK: nn.mvn
// CHECK-NOT: nn.group_normalization
func.func @deviation(%x: tensor<1x4x3xf32>) -> tensor<1x4x3xf32> {
  %rows = nn.constant dense<[1, 2, 6]> : tensor<3xi64>
  %back = nn.constant dense<[1, 4, 3]> : tensor<3xi64>
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %a = nn.constant dense<[[[2.0], [3.0]]]> : tensor<1x2x1xf32>
  %b = nn.constant dense<5.0> : tensor<f32>
  %0 = nn.reshape %x, %rows : (tensor<1x4x3xf32>, tensor<3xi64>) -> tensor<1x2x6xf32>
  %1 = nn.mvn %0, %axes {eps = 1.0e-05 : f64, eps_mode = "outside_sqrt", normalize_variance = true} : tensor<1x2x6xf32>, tensor<1xi64>
  %2 = nn.multiply %1, %a : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
  %3 = nn.add %2, %b : (tensor<1x2x6xf32>, tensor<f32>) -> tensor<1x2x6xf32>
  %4 = nn.reshape %3, %back : (tensor<1x2x6xf32>, tensor<3xi64>) -> tensor<1x4x3xf32>
  func.return %4 : tensor<1x4x3xf32>
}

// -----

// Nor where an element of each group is normalized with those of the others.
// CHECK-LABEL: @across
// CHECK: nn.mvn
// CHECK-NOT: nn.group_normalization
func.func @across(%x: tensor<1x4x3xf32>) -> tensor<1x4x3xf32> {
  %rows = nn.constant dense<[1, 2, 6]> : tensor<3xi64>
  %back = nn.constant dense<[1, 4, 3]> : tensor<3xi64>
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %a = nn.constant dense<[[[2.0], [3.0]]]> : tensor<1x2x1xf32>
  %b = nn.constant dense<5.0> : tensor<f32>
  %0 = nn.reshape %x, %rows : (tensor<1x4x3xf32>, tensor<3xi64>) -> tensor<1x2x6xf32>
  %1 = nn.mvn %0, %axes {eps = 1.0e-05 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x6xf32>, tensor<1xi64>
  %2 = nn.multiply %1, %a : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
  %3 = nn.add %2, %b : (tensor<1x2x6xf32>, tensor<f32>) -> tensor<1x2x6xf32>
  %4 = nn.reshape %3, %back : (tensor<1x2x6xf32>, tensor<3xi64>) -> tensor<1x4x3xf32>
  func.return %4 : tensor<1x4x3xf32>
}

// -----

// Nor where elements of a group are scaled differently.
// CHECK-LABEL: @by_element
// CHECK: nn.mvn
// CHECK-NOT: nn.group_normalization
func.func @by_element(%x: tensor<1x4x3xf32>) -> tensor<1x4x3xf32> {
  %rows = nn.constant dense<[1, 2, 6]> : tensor<3xi64>
  %back = nn.constant dense<[1, 4, 3]> : tensor<3xi64>
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %a = nn.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %b = nn.constant dense<5.0> : tensor<f32>
  %0 = nn.reshape %x, %rows : (tensor<1x4x3xf32>, tensor<3xi64>) -> tensor<1x2x6xf32>
  %1 = nn.mvn %0, %axes {eps = 1.0e-05 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x6xf32>, tensor<1xi64>
  %2 = nn.multiply %1, %a : (tensor<1x2x6xf32>, tensor<6xf32>) -> tensor<1x2x6xf32>
  %3 = nn.add %2, %b : (tensor<1x2x6xf32>, tensor<f32>) -> tensor<1x2x6xf32>
  %4 = nn.reshape %3, %back : (tensor<1x2x6xf32>, tensor<3xi64>) -> tensor<1x4x3xf32>
  func.return %4 : tensor<1x4x3xf32>
}

// -----

// Nor where the result has other channels.
// CHECK-LABEL: @other
// CHECK: nn.mvn
// CHECK-NOT: nn.group_normalization
func.func @other(%x: tensor<1x4x3xf32>) -> tensor<1x3x4xf32> {
  %rows = nn.constant dense<[1, 2, 6]> : tensor<3xi64>
  %back = nn.constant dense<[1, 3, 4]> : tensor<3xi64>
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %a = nn.constant dense<[[[2.0], [3.0]]]> : tensor<1x2x1xf32>
  %b = nn.constant dense<5.0> : tensor<f32>
  %0 = nn.reshape %x, %rows : (tensor<1x4x3xf32>, tensor<3xi64>) -> tensor<1x2x6xf32>
  %1 = nn.mvn %0, %axes {eps = 1.0e-05 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x6xf32>, tensor<1xi64>
  %2 = nn.multiply %1, %a : (tensor<1x2x6xf32>, tensor<1x2x1xf32>) -> tensor<1x2x6xf32>
  %3 = nn.add %2, %b : (tensor<1x2x6xf32>, tensor<f32>) -> tensor<1x2x6xf32>
  %4 = nn.reshape %3, %back : (tensor<1x2x6xf32>, tensor<3xi64>) -> tensor<1x3x4xf32>
  func.return %4 : tensor<1x3x4xf32>
}

// -----

// Nor where others read the rows.
// CHECK-LABEL: @others_read
// CHECK: nn.mvn
// CHECK-NOT: nn.group_normalization
func.func @others_read(%x: tensor<1x4x3xf32>) -> (tensor<1x4x3xf32>, tensor<1x2x6xf32>) {
  %rows = nn.constant dense<[1, 2, 6]> : tensor<3xi64>
  %back = nn.constant dense<[1, 4, 3]> : tensor<3xi64>
  %axes = nn.constant dense<[2]> : tensor<1xi64>
  %0 = nn.reshape %x, %rows : (tensor<1x4x3xf32>, tensor<3xi64>) -> tensor<1x2x6xf32>
  %1 = nn.mvn %0, %axes {eps = 1.0e-05 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<1x2x6xf32>, tensor<1xi64>
  %2 = nn.reshape %1, %back : (tensor<1x2x6xf32>, tensor<3xi64>) -> tensor<1x4x3xf32>
  func.return %2, %0 : tensor<1x4x3xf32>, tensor<1x2x6xf32>
}
