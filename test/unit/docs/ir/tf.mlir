func.func @main(%x: tensor<1x8x8x3xf32> {tf_saved_model.index_path = ["x"]}) -> tensor<*xf32> {
  %w = "tf.Const"() {value = dense<0.5> : tensor<3x3x3x16xf32>} : () -> tensor<3x3x3x16xf32>
  %y = "tf.Conv2D"(%x, %w) {strides = [1, 2, 2, 1], padding = "SAME", data_format = "NHWC"} : (tensor<1x8x8x3xf32>, tensor<3x3x3x16xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
