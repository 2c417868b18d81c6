// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// Only the order changes: two transposes are none.
// CHECK:      [[Y:%.*]] = "tfl.exp"(%x)
// CHECK-NEXT: func.return [[Y]]
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %a = nn.transpose %x, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %b = nn.exp %a : tensor<3x2xf32>
  %y = nn.transpose %b, %order : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// -----

// REFUSED: nn.transpose: order must be constant
func.func @main(%x: tensor<2x3xf32>, %order: tensor<2xi64>) -> tensor<?x?xf32> {
  %y = nn.transpose %x, %order : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y : tensor<?x?xf32>
}
