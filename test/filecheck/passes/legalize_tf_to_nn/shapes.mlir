// RUN: opt-tool %s --legalize-tf-to-nn --allow-unregistered-dialect --split-input-file | filecheck %s

// One size that is not known is what the others leave.
// CHECK-LABEL: @one_unknown
// CHECK: nn.constant dense<[-1, 1, 6]> : tensor<3xi64>
// CHECK: func.return {{.*}} : tensor<?x1x6xf32>
func.func @one_unknown(%x: tensor<?x6xf32>) -> tensor<*xf32> {
  %c = "tf.Const"() {value = dense<[0]> : tensor<1xi32>} : () -> tensor<1xi32>
  %d = "tf.Const"() {value = dense<[1]> : tensor<1xi32>} : () -> tensor<1xi32>
  %one = "tf.Const"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %six = "tf.Const"() {value = dense<6> : tensor<i32>} : () -> tensor<i32>
  %s = "tf.Shape"(%x) : (tensor<?x6xf32>) -> tensor<2xi32>
  %n = "tf.StridedSlice"(%s, %c, %d, %d) {shrink_axis_mask = 1 : i64} : (tensor<2xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<i32>
  %p = "tf.Pack"(%n, %one, %six) {axis = 0 : i64} : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3xi32>
  %y = "tf.Reshape"(%x, %p) : (tensor<?x6xf32>, tensor<3xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// Two of them stay as they are computed.
// CHECK-LABEL: @two_unknown
// CHECK: [[S:%.*]] = nn.concat
// CHECK-NOT: dense<[-1
// CHECK: nn.reshape %x,
// CHECK: func.return {{.*}} : tensor<?x?x1xf32>
func.func @two_unknown(%x: tensor<?x?xf32>) -> tensor<*xf32> {
  %one = "tf.Const"() {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
  %axis = "tf.Const"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %s = "tf.Shape"(%x) : (tensor<?x?xf32>) -> tensor<2xi32>
  %p = "tf.ConcatV2"(%s, %one, %axis) : (tensor<2xi32>, tensor<1xi32>, tensor<i32>) -> tensor<3xi32>
  %y = "tf.Reshape"(%x, %p) : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
