// RUN: opt-tool %s --split-input-file --nn-to-tfl | filecheck %s

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

// Of an unknown number of elements, the kernel's indices are computed, and what is out of bounds is 0.
// CHECK:      [[SIZES:%.*]] = "tfl.shape"(%x)
// CHECK:      "tfl.strided_slice"([[SIZES]]
// CHECK:      [[PLACES:%.*]] = "tfl.floor_mod"(
// CHECK:      [[TAKEN:%.*]] = "tfl.gather"(%x, [[PLACES]])
// CHECK:      "tfl.select_v2"({{.*}}, [[TAKEN]], {{.*}})
func.func @main(%x: tensor<?x2xf32>) -> tensor<2x2xf32> {
  %i = nn.constant dense<[-1, 0]> : tensor<2xi64>
  %axis = nn.constant dense<0> : tensor<i64>
  %y = nn.gather %x, %i, %axis {batch_dims = 0 : i64} : (tensor<?x2xf32>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
