func.func @main(%q: tensor<1x4x8x8xui8>) -> tensor<1x4xf32> {
  %f = nn.convert %q to f32 : tensor<1x4x8x8xui8> -> tensor<1x4x8x8xf32>
  %scale = nn.constant dense<0.5> : tensor<f32>
  %x = nn.multiply %f, %scale : (tensor<1x4x8x8xf32>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %p = nn.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>} : tensor<1x4x8x8xf32> -> tensor<1x4x4x4xf32>
  %axes = nn.constant dense<[2, 3]> : tensor<2xi64>
  %m = nn.reduce_mean %p, %axes : (tensor<1x4x4x4xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  func.return %m : tensor<1x4xf32>
}
