// Builtins that move, choose and reduce elements.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// `slice(x, begin, size) = x[begin : begin + size]`; a negative size goes to the end.
// CHECK-LABEL: @slice(
// CHECK-NEXT: %0 = nn.constant dense<[0, 1]> : tensor<2xi64>
// CHECK-NEXT: %1 = nn.constant dense<[2, 2147483647]> : tensor<2xi64>
// CHECK-NEXT: %2 = nn.constant dense<[1, 1]> : tensor<2xi64>
// CHECK-NEXT: %3 = nn.constant dense<[0, 1]> : tensor<2xi64>
// CHECK-NEXT: %4 = nn.slice %x, %0, %1, %2, %3 : (tensor<4x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
// CHECK-NEXT: func.return %4 : tensor<2x3xf32>
// CHECK-NEXT: }
func.func @slice(%x: tensor<4x4xf32>) -> tensor<2x3xf32> {
  %b = "tfl.pseudo_const"() <{value = dense<[0, 1]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %s = "tfl.pseudo_const"() <{value = dense<[2, -1]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %0 = "tfl.slice"(%x, %b, %s) : (tensor<4x4xf32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x3xf32>
  func.return %0 : tensor<2x3xf32>
}

// `pack(x, y) = concat(unsqueeze(x), unsqueeze(y))`
// CHECK-LABEL: @pack(
// CHECK-NEXT: %0 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %1 = nn.unsqueeze %x, %0 : (tensor<2xf32>, tensor<1xi64>) -> tensor<2x1xf32>
// CHECK-NEXT: %2 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %3 = nn.unsqueeze %y, %2 : (tensor<2xf32>, tensor<1xi64>) -> tensor<2x1xf32>
// CHECK-NEXT: %4 = nn.concat %1, %3 {axis = 1 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: func.return %4 : tensor<2x2xf32>
// CHECK-NEXT: }
func.func @pack(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2x2xf32> {
  %0 = "tfl.pack"(%x, %y) <{values_count = 2 : i32, axis = -1 : i32}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  func.return %0 : tensor<2x2xf32>
}

// A shape that stays is nothing; another is a constant of its tensor's name.
// CHECK-LABEL: @reshape(
// CHECK-NEXT: %0 = nn.constant {nn.name = "square"} dense<[2, 2]> : tensor<2xi64>
// CHECK-NEXT: %1 = nn.reshape %x, %0 : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
// CHECK-NEXT: func.return %x, %1 : tensor<4xf32>, tensor<2x2xf32>
// CHECK-NEXT: }
func.func @reshape(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %s = "tfl.pseudo_const"() <{value = dense<[4]> : tensor<1xi32>}> {nn.name = "same"} : () -> tensor<1xi32>
  %0 = "tfl.reshape"(%x, %s) : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>
  %t = "tfl.pseudo_const"() <{value = dense<[2, 2]> : tensor<2xi32>}> {nn.name = "square"} : () -> tensor<2xi32>
  %1 = "tfl.reshape"(%x, %t) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<2x2xf32>
}

// Axes are operands here.
// CHECK-LABEL: @reduce(
// CHECK-NEXT: %0 = nn.constant dense<[1]> : tensor<1xi64>
// CHECK-NEXT: %1 = nn.reduce_mean %x, %0 {keep_dims = true} : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x1xf32>
// CHECK-NEXT: func.return %1 : tensor<2x1xf32>
// CHECK-NEXT: }
func.func @reduce(%x: tensor<2x3xf32>) -> tensor<2x1xf32> {
  %a = "tfl.pseudo_const"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %0 = "tfl.mean"(%x, %a) <{keep_dims = true}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x1xf32>
  func.return %0 : tensor<2x1xf32>
}

// What TensorFlow's operation takes is taken here, too: a sum of many, and elements from a computed place on.
// CHECK-LABEL: @like_tensorflow(
// CHECK: [[X:%.*]] = nn.add %{{[0-9]+}}, %x
// CHECK: [[I:%.*]] = nn.add
// CHECK: nn.gather [[X]], [[I]]
func.func @like_tensorflow(%x: tensor<4xf32>, %i: tensor<1xi32>) -> tensor<2xf32> {
  %s = "tfl.pseudo_const"() <{value = dense<[2]> : tensor<1xi32>}> : () -> tensor<1xi32>
  %0 = "tfl.add_n"(%x, %x, %x) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "tfl.slice"(%0, %i, %s) : (tensor<4xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xf32>
  func.return %1 : tensor<2xf32>
}
