// Reads what it prints, in the custom and in the generic form.
// RUN: opt-tool %s | opt-tool | filecheck %s
// RUN: opt-tool %s --print-op-generic | opt-tool | filecheck %s

// CHECK-LABEL: @reduction(
func.func @reduction(%x: tensor<2x?x4xf32>, %b: tensor<2x4xi1>) {
  // CHECK-NEXT: %axes = nn.constant dense<[1, -1]> : tensor<2xi64>
  %axes = nn.constant dense<[1, -1]> : tensor<2xi64>
  // CHECK-NEXT: %axis = nn.constant dense<0> : tensor<i64>
  %axis = nn.constant dense<0> : tensor<i64>
  // CHECK-NEXT: %0 = nn.reduce_sum %x, %axes {keep_dims = true} : (tensor<2x?x4xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
  %0 = nn.reduce_sum %x, %axes {keep_dims = true} : (tensor<2x?x4xf32>, tensor<2xi64>) -> tensor<2x1x1xf32>
  // CHECK-NEXT: %1 = nn.reduce_mean %x, %axes : (tensor<2x?x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  %1 = nn.reduce_mean %x, %axes : (tensor<2x?x4xf32>, tensor<2xi64>) -> tensor<2xf32>
  // CHECK-NEXT: %2 = nn.reduce_prod %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  %2 = nn.reduce_prod %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  // CHECK-NEXT: %3 = nn.reduce_max %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  %3 = nn.reduce_max %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  // CHECK-NEXT: %4 = nn.reduce_min %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  %4 = nn.reduce_min %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  // CHECK-NEXT: %5 = nn.reduce_l1 %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  %5 = nn.reduce_l1 %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  // CHECK-NEXT: %6 = nn.reduce_l2 %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  %6 = nn.reduce_l2 %x, %axis : (tensor<2x?x4xf32>, tensor<i64>) -> tensor<?x4xf32>
  // CHECK-NEXT: %7 = nn.reduce_logical_and %b, %axis : (tensor<2x4xi1>, tensor<i64>) -> tensor<4xi1>
  %7 = nn.reduce_logical_and %b, %axis : (tensor<2x4xi1>, tensor<i64>) -> tensor<4xi1>
  // CHECK-NEXT: %8 = nn.reduce_logical_or %b, %axis : (tensor<2x4xi1>, tensor<i64>) -> tensor<4xi1>
  %8 = nn.reduce_logical_or %b, %axis : (tensor<2x4xi1>, tensor<i64>) -> tensor<4xi1>
  // CHECK-NEXT: func.return
  func.return
}

// CHECK-LABEL: @normalization(
func.func @normalization(%x: tensor<2x?x4xf32>) {
  // CHECK-NEXT: %axes = nn.constant dense<[1, -1]> : tensor<2xi64>
  %axes = nn.constant dense<[1, -1]> : tensor<2xi64>
  // CHECK-NEXT: %0 = nn.softmax %x {axis = -1 : i64} : tensor<2x?x4xf32>
  %0 = nn.softmax %x {axis = -1 : i64} : tensor<2x?x4xf32>
  // CHECK-NEXT: %1 = nn.mvn %x, %axes {eps = 1.000000e-02 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<2x?x4xf32>, tensor<2xi64>
  %1 = nn.mvn %x, %axes {eps = 1.000000e-02 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<2x?x4xf32>, tensor<2xi64>
  // CHECK-NEXT: %2 = nn.normalize_l2 %x, %axes {eps = 1.000000e-02 : f64, eps_mode = "max"} : tensor<2x?x4xf32>, tensor<2xi64>
  %2 = nn.normalize_l2 %x, %axes {eps = 1.000000e-02 : f64, eps_mode = "max"} : tensor<2x?x4xf32>, tensor<2xi64>
  // CHECK-NEXT: func.return
  func.return
}
