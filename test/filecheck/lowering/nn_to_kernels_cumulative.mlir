// RUN: opt-tool %s --nn-to-kernels | filecheck %s

// What is carried is the sum in f64, which each element rounds for itself.
// CHECK-LABEL: func.func @sums(
// CHECK:         [[LINES:%.*]] = kernel.reshape %x : tensor<2x3x5x7xf32> -> tensor<6x5x7xf32>
// CHECK:         kernel.scan ins([[LINES]] : tensor<6x5x7xf32>) outs() -> tensor<6x5x7xf32> {
// CHECK-NEXT:    ^bb0([[BEFORE:%.*]]: f64, [[X:%.*]]: f32):
// CHECK-NEXT:      [[WIDE:%.*]] = arith.extf [[X]] : f32 to f64
// CHECK-NEXT:      [[SUM:%.*]] = arith.addf [[BEFORE]], [[WIDE]] : f64
// CHECK-NEXT:      [[ROUNDED:%.*]] = arith.truncf [[SUM]] : f64 to f32
// CHECK-NEXT:      kernel.yield [[SUM]], [[ROUNDED]] : f64, f32
func.func @sums(%x: tensor<2x3x5x7xf32>) -> tensor<2x3x5x7xf32> {
  %axis = nn.constant dense<-2> : tensor<i64>
  %y = nn.cum_sum %x, %axis : tensor<2x3x5x7xf32>, tensor<i64>
  func.return %y : tensor<2x3x5x7xf32>
}

// Exclusive sums are those before the element; integers wrap around at their width.
// CHECK-LABEL: func.func @from_the_end(
// CHECK:         kernel.scan ins(%{{.*}} : tensor<1x5x1xi16>) outs() attributes {reverse = true} -> tensor<1x5x1xi16> {
// CHECK-NEXT:    ^bb0([[BEFORE:%.*]]: i32, [[X:%.*]]: i32):
// CHECK-NEXT:      [[SUM:%.*]] = arith.addi [[BEFORE]], [[X]] : i32
// CHECK:           [[HIGH:%.*]] = arith.shli [[BEFORE]],
// CHECK:           [[WRAPPED:%.*]] = arith.shrsi [[HIGH]],
// CHECK-NEXT:      kernel.yield [[SUM]], [[WRAPPED]] : i32, i32
func.func @from_the_end(%x: tensor<5xi16>) -> tensor<5xi16> {
  %axis = nn.constant dense<0> : tensor<i64>
  %y = nn.cum_sum %x, %axis {exclusive = true, reverse = true} : tensor<5xi16>, tensor<i64>
  func.return %y : tensor<5xi16>
}
