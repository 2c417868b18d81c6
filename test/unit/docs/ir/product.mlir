func.func @main(%x: tensor<3x8xf32>) -> tensor<3x2xf32> {
  %low = nn.constant dense<0.0> : tensor<f32>
  %high = nn.constant dense<16.0> : tensor<f32>
  %w = nn.constant dense<[[1, 2, 3, 4, 5, 6, 7, 8], [8, 7, 6, 5, 4, 3, 2, 1]]> : tensor<2x8xi8>
  %scales = nn.constant dense<[[0.01], [0.02]]> : tensor<2x1xf32>
  %bias = nn.constant dense<[[0.5, 0.25]]> : tensor<1x2xf32>
  %q = qnn.fake_quantize %x, %low, %high, %low, %high {levels = 256 : i64, nn.name = "fq"} : (tensor<3x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3x8xf32>
  %f = nn.convert %w to f32 : tensor<2x8xi8> -> tensor<2x8xf32>
  %v = nn.multiply %f, %scales : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x8xf32>
  %y = nn.mat_mul %q, %v {transpose_b = true, nn.name = "fc"} : (tensor<3x8xf32>, tensor<2x8xf32>) -> tensor<3x2xf32>
  %z = nn.add %y, %bias : (tensor<3x2xf32>, tensor<1x2xf32>) -> tensor<3x2xf32>
  func.return %z : tensor<3x2xf32>
}
