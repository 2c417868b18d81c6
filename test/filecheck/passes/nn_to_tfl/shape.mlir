// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// CHECK:      "tfl.reshape"(%x, %{{.*}}) <{new_shape = array<i32: -1, 1, 2>}>
func.func @main(%x: tensor<?x2xf32>) -> tensor<?x1x2xf32> {
  %axis = nn.constant dense<1> : tensor<1xi64>
  %y = nn.unsqueeze %x, %axis : (tensor<?x2xf32>, tensor<1xi64>) -> tensor<?x1x2xf32>
  func.return %y : tensor<?x1x2xf32>
}

// -----

// A RESHAPE computes one size, not two.
// REFUSED: nn.reshape: cannot be written for LiteRT: its result has several unknown sizes; give the inputs shapes
func.func @main(%x: tensor<?x?x2xf32>) -> tensor<?x?x2x1xf32> {
  %shape = nn.constant dense<[0, 0, 2, 1]> : tensor<4xi64>
  %y = nn.reshape %x, %shape {special_zero = true} : (tensor<?x?x2xf32>, tensor<4xi64>) -> tensor<?x?x2x1xf32>
  func.return %y : tensor<?x?x2x1xf32>
}
