// Builtins that find and pick elements by indices.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// The index of the largest is that of the first of one largest element.
// CHECK-LABEL: @arg_max(
// CHECK: %{{[0-9]+}}, [[I:%[0-9]+]] = nn.top_k %x, %{{[0-9]+}} {axis = 1 : i64, mode = "max", sort = "value"
// CHECK: nn.squeeze [[I]], %{{[0-9]+}} : (tensor<2x1xi32>, tensor<1xi64>) -> tensor<2xi32>
func.func @arg_max(%x: tensor<2x4xf32>) -> tensor<2xi32> {
  %a = "tfl.pseudo_const"() <{value = dense<-1> : tensor<i32>}> : () -> tensor<i32>
  %0 = "tfl.arg_max"(%x, %a) <{output_type = i32}> : (tensor<2x4xf32>, tensor<i32>) -> tensor<2xi32>
  func.return %0 : tensor<2xi32>
}

// Rows of a table, whose indices come first.
// CHECK-LABEL: @embedding_lookup(
// CHECK: nn.gather %x, %i, %{{[0-9]+}} {batch_dims = 0 : i64} : (tensor<5x4xf32>, tensor<3xi32>, tensor<i64>) -> tensor<3x4xf32>
func.func @embedding_lookup(%i: tensor<3xi32>, %x: tensor<5x4xf32>) -> tensor<3x4xf32> {
  %0 = "tfl.embedding_lookup"(%i, %x) : (tensor<3xi32>, tensor<5x4xf32>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: @gather_nd(
// CHECK: nn.gather_nd %x, %i : (tensor<5x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
func.func @gather_nd(%x: tensor<5x4xf32>, %i: tensor<3x1xi32>) -> tensor<3x4xf32> {
  %0 = "tfl.gather_nd"(%x, %i) : (tensor<5x4xf32>, tensor<3x1xi32>) -> tensor<3x4xf32>
  func.return %0 : tensor<3x4xf32>
}
