// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s
// RUN: not opt-tool %s --split-input-file --nn-to-tfl 2>&1 | filecheck %s --check-prefix REFUSED

// Indices may count from the end.
// CHECK:      [[I:%.*]] = "tfl.pseudo_const"() <{value = #nn.blob<dense<[3, 0]>
// CHECK-NEXT: "tfl.gather"(%x, [[I]])
func.func @main(%x: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %i = nn.constant dense<[-1, 0]> : tensor<2xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %y = nn.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<4x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// -----

// REFUSED: nn.gather: cannot be written for LiteRT: it picks along an unknown size; give the inputs shapes, for example model.reshape({0: [1, 2]})
func.func @main(%x: tensor<?x2xf32>) -> tensor<2x2xf32> {
  %i = nn.constant dense<[-1, 0]> : tensor<2xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %y = nn.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<?x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
