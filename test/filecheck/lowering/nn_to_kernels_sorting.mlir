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

// So is that of a very long line. Nearest miss: numbers of one that is longer still would be a constant of 4 MiB.
// CHECK-LABEL: func.func @first_of_many(
// CHECK:         kernel.reduce "max" [1] window [1048576]
// CHECK:         kernel.reduce "min" [1] window [1048576]
func.func @first_of_many(%x: tensor<1048576xf32>) -> (tensor<1xf32>, tensor<1xi32>) {
  %k = nn.constant dense<1> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 0 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<1048576xf32>, tensor<i64>) -> (tensor<1xf32>, tensor<1xi32>)
  func.return %y, %i : tensor<1xf32>, tensor<1xi32>
}

// CHECK-LABEL: func.func @first_of_more(
// CHECK-NOT:     kernel.reduce
// CHECK:         kernel.order
func.func @first_of_more(%x: tensor<1048577xf32>) -> (tensor<1xf32>, tensor<1xi32>) {
  %k = nn.constant dense<1> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 0 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<1048577xf32>, tensor<i64>) -> (tensor<1xf32>, tensor<1xi32>)
  func.return %y, %i : tensor<1xf32>, tensor<1xi32>
}

// Two of many lines are kept where they lie.
// CHECK-LABEL: func.func @first_two(
// CHECK-NOT:     kernel.reduce
// CHECK:         [[ORDER:%.*]] = kernel.order ins(%x : tensor<2x8x9xf32>) outs() -> tensor<2x2x9xi32>
// CHECK-NOT:     kernel.map
// CHECK:         kernel.gather [2, 2, 9] axis 1 x(%x : tensor<2x8x9xf32>) {{.*}} indices([[ORDER]] :
func.func @first_two(%x: tensor<2x8x9xf32>) -> (tensor<2x2x9xf32>, tensor<2x2x9xi32>) {
  %k = nn.constant dense<2> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<2x8x9xf32>, tensor<i64>) -> (tensor<2x2x9xf32>, tensor<2x2x9xi32>)
  func.return %y, %i : tensor<2x2x9xf32>, tensor<2x2x9xi32>
}

// Lines that do not lie side by side are turned.
// CHECK-LABEL: func.func @first_two_of_rows(
// CHECK:         kernel.order ins(%{{.*}} : tensor<1x5x30xf32>) outs() -> tensor<1x2x30xi32>
func.func @first_two_of_rows(%x: tensor<30x5xf32>) -> (tensor<30x2xf32>, tensor<30x2xi32>) {
  %k = nn.constant dense<2> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<30x5xf32>, tensor<i64>) -> (tensor<30x2xf32>, tensor<30x2xi32>)
  func.return %y, %i : tensor<30x2xf32>, tensor<30x2xi32>
}

// Many of lines are sorted side by side, where that takes less than selecting them. Nearest miss: few of long ones.
// CHECK-LABEL: func.func @many_of_rows(
// CHECK:         kernel.order ins(%{{.*}} : tensor<1x50x30xf32>) outs() -> tensor<1x20x30xi32>
func.func @many_of_rows(%x: tensor<30x50xf32>) -> (tensor<30x20xf32>, tensor<30x20xi32>) {
  %k = nn.constant dense<20> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<30x50xf32>, tensor<i64>) -> (tensor<30x20xf32>, tensor<30x20xi32>)
  func.return %y, %i : tensor<30x20xf32>, tensor<30x20xi32>
}

// CHECK-LABEL: func.func @few_of_long_rows(
// CHECK:         kernel.order ins(%x : tensor<30x900xf32>) outs() -> tensor<30x20xi32>, tensor<30x900xi32>, tensor<30x2x32xi64>
func.func @few_of_long_rows(%x: tensor<30x900xf32>) -> (tensor<30x20xf32>, tensor<30x20xi32>) {
  %k = nn.constant dense<20> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<30x900xf32>, tensor<i64>) -> (tensor<30x20xf32>, tensor<30x20xi32>)
  func.return %y, %i : tensor<30x20xf32>, tensor<30x20xi32>
}

// Half a vector of rows goes side by side. Nearest miss: fewer are ordered one by one, by words of 64 bits.
// CHECK-LABEL: func.func @first_two_of_half_a_vector(
// CHECK:         kernel.order ins(%{{.*}} : tensor<1x9x8xf32>) outs() -> tensor<1x2x8xi32>
func.func @first_two_of_half_a_vector(%x: tensor<8x9xf32>) -> (tensor<8x2xf32>, tensor<8x2xi32>) {
  %k = nn.constant dense<2> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<8x9xf32>, tensor<i64>) -> (tensor<8x2xf32>, tensor<8x2xi32>)
  func.return %y, %i : tensor<8x2xf32>, tensor<8x2xi32>
}

// CHECK-LABEL: func.func @first_two_of_few_rows(
// CHECK:         kernel.order ins(%{{.*}} : tensor<7x9xf32>) outs() -> tensor<7x2xi32>, tensor<7x9xi32>, tensor<7x2x2xi64>
func.func @first_two_of_few_rows(%x: tensor<7x9xf32>) -> (tensor<7x2xf32>, tensor<7x2xi32>) {
  %k = nn.constant dense<2> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<7x9xf32>, tensor<i64>) -> (tensor<7x2xf32>, tensor<7x2xi32>)
  func.return %y, %i : tensor<7x2xf32>, tensor<7x2xi32>
}

// Elements of 64 bits, which leave no bits for a number, are compared.
// CHECK-LABEL: func.func @first_two_of_doubles(
// CHECK:         kernel.sort ins(%{{.*}} : tensor<2x9x8xf64>)
func.func @first_two_of_doubles(%x: tensor<2x8x9xf64>) -> (tensor<2x2x9xf64>, tensor<2x2x9xi32>) {
  %k = nn.constant dense<2> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<2x8x9xf64>, tensor<i64>) -> (tensor<2x2x9xf64>, tensor<2x2x9xi32>)
  func.return %y, %i : tensor<2x2x9xf64>, tensor<2x2x9xi32>
}

// All of many elements of 64 bits are ordered by the lower halves of their keys, then by the upper ones. Nearest miss:
// where a fifth is kept, these are selected by comparing.
// CHECK-LABEL: func.func @sorted_doubles(
// CHECK-NOT:     kernel.sort
// CHECK:         [[LOWER:%.*]] = kernel.map [300] ins(%x : tensor<300xf64>)
// CHECK:         [[FIRST:%.*]], {{.*}} = kernel.order {{.*}} : tensor<1x300xi32>) outs() -> tensor<1x300xi32>
// CHECK:         kernel.map [300] ins(%x : tensor<300xf64>)
// CHECK:         kernel.gather [300]
// CHECK:         kernel.order {{.*}} : tensor<1x300xi32>) outs() -> tensor<1x300xi32>
// CHECK:         kernel.gather [300]
func.func @sorted_doubles(%x: tensor<300xf64>) -> (tensor<300xf64>, tensor<300xi32>) {
  %k = nn.constant dense<300> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 0 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<300xf64>, tensor<i64>) -> (tensor<300xf64>, tensor<300xi32>)
  func.return %y, %i : tensor<300xf64>, tensor<300xi32>
}

// CHECK-LABEL: func.func @some_doubles(
// CHECK-NOT:     kernel.order
// CHECK:         kernel.sort ins(%x : tensor<325xf64>) outs() -> tensor<65xi32>, tensor<260xi32>
func.func @some_doubles(%x: tensor<325xf64>) -> (tensor<65xf64>, tensor<65xi32>) {
  %k = nn.constant dense<65> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 0 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<325xf64>, tensor<i64>) -> (tensor<65xf64>, tensor<65xi32>)
  func.return %y, %i : tensor<65xf64>, tensor<65xi32>
}

// Booleans are counted.
// CHECK-LABEL: func.func @first_true(
// CHECK:         kernel.sort
func.func @first_true(%x: tensor<2x8xi1>) -> (tensor<2x1xi1>, tensor<2x1xi32>) {
  %k = nn.constant dense<1> : tensor<i64>
  %y, %i = nn.top_k %x, %k {axis = 1 : i64, mode = "max", sort = "value", index_element_type = i32} : (tensor<2x8xi1>, tensor<i64>) -> (tensor<2x1xi1>, tensor<2x1xi32>)
  func.return %y, %i : tensor<2x1xi1>, tensor<2x1xi32>
}
