func.func private @layer(%x: tensor<2x5x3xf32>, %h: tensor<2x2xf32>, %c: tensor<2x2xf32>, %w: tensor<3x8xf32>, %r: tensor<2x8xf32>, %b: tensor<8xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>) attributes {tf.api_implements = "lstm_1", tf.go_backwards = false, tf.time_major = false} {
  %0:5 = "tf.Body"(%x) : (tensor<2x5x3xf32>) -> (tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>)
  func.return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<2x2xf32>, tensor<2x?x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<f32>
}
