func.func @main(%x: tensor<1x4x4x1xf32>) -> tensor<1x2x2x2xf32> {
  %w = "tfl.pseudo_const"() <{value = dense<0.5> : tensor<2x3x3x1xf32>}> : () -> tensor<2x3x3x1xf32>
  %b = "tfl.pseudo_const"() <{value = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %y = "tfl.conv_2d"(%x, %w, %b) <{dilation_h_factor = 1 : i32, dilation_w_factor = 1 : i32, fused_activation_function = "RELU", padding = "SAME", stride_h = 2 : i32, stride_w = 2 : i32}> : (tensor<1x4x4x1xf32>, tensor<2x3x3x1xf32>, tensor<2xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}
