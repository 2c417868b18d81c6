// RUN: opt-tool %s --nn-to-kernels | filecheck %s

// The first of a line is the best one, then the least number of those that equal it. No dimension moves.
// CHECK-LABEL: func.func @first(
// CHECK:         [[BEST:%.*]] = kernel.reduce "max" [2, 1, 5] window [8] x(%x :
// CHECK:         [[NUMBERS:%.*]] = nn.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi32>
// CHECK:         [[FIRST:%.*]] = kernel.reduce "min" [2, 1, 5] window [8] x(%x, [[BEST]], [[NUMBERS]] :
// CHECK:         kernel.gather [2, 1, 5] axis 1 x(%x : tensor<2x8x5xf32>) {{.*}} indices([[FIRST]] :
func.func @first(%x: tensor<2x8x5xf32>) -> (tensor<2x1x5xf32>, tensor<2x1x5xi32>) {
  %k = nn.constant dense<1> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<2x8x5xf32>, tensor<i64>) -> (tensor<2x1x5xf32>, tensor<2x1x5xi32>)
  func.return %y, %i : tensor<2x1x5xf32>, tensor<2x1x5xi32>
}

// Two of a line are sorted, along the last dimension.
// CHECK-LABEL: func.func @first_two(
// CHECK-NOT:     kernel.reduce
// CHECK:         kernel.sort ins(%{{.*}} : tensor<2x5x8xf32>)
func.func @first_two(%x: tensor<2x8x5xf32>) -> (tensor<2x2x5xf32>, tensor<2x2x5xi32>) {
  %k = nn.constant dense<2> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<2x8x5xf32>, tensor<i64>) -> (tensor<2x2x5xf32>, tensor<2x2x5xi32>)
  func.return %y, %i : tensor<2x2x5xf32>, tensor<2x2x5xi32>
}

// Booleans are counted.
// CHECK-LABEL: func.func @first_true(
// CHECK:         kernel.sort
func.func @first_true(%x: tensor<2x8xi1>) -> (tensor<2x1xi1>, tensor<2x1xi32>) {
  %k = nn.constant dense<1> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<2x8xi1>, tensor<i64>) -> (tensor<2x1xi1>, tensor<2x1xi32>)
  func.return %y, %i : tensor<2x1xi1>, tensor<2x1xi32>
}
