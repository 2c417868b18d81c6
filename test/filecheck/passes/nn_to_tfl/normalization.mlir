// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// LiteRT's is along the last dimension.
// CHECK:      [[X:%.*]] = "tfl.transpose"(%x
// CHECK-NEXT: [[Y:%.*]] = "tfl.softmax"([[X]])
// CHECK:      "tfl.transpose"([[Y]]
func.func @main(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %y = nn.softmax %x {axis = 0 : i64} : tensor<2x8xf32>
  func.return %y : tensor<2x8xf32>
}

// -----

// REFUSED: nn.mvn: axes must be constant
func.func @main(%x: tensor<2x8xf32>, %axes: tensor<1xi64>) -> tensor<2x8xf32> {
  %y = nn.mvn %x, %axes {eps = 1.0e-06 : f64, eps_mode = "inside_sqrt", normalize_variance = true} : tensor<2x8xf32>, tensor<1xi64>
  func.return %y : tensor<2x8xf32>
}
