// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      [[S:%.*]] = "tfl.mul"(%x, %x)
// CHECK:      [[T:%.*]] = "tfl.sum"([[S]]
// CHECK-NEXT: "tfl.sqrt"([[T]])
func.func @main(%x: tensor<2x8xf32>) -> tensor<2xf32> {
  %axes = nn.constant dense<[1]> : tensor<1xi64>
  %y = nn.reduce_l2 %x, %axes {keep_dims = false} : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// -----

// REFUSED: nn.reduce_l2: axes must be constant
func.func @main(%x: tensor<2x8xf32>, %axes: tensor<1xi64>) -> tensor<?x?xf32> {
  %y = nn.reduce_l2 %x, %axes {keep_dims = true} : (tensor<2x8xf32>, tensor<1xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
