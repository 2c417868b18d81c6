func.func @main(%x: tensor<1x4x8x8xf32> {nn.names = ["x"]}, %shortcut: tensor<1x4x8x8xf32> {nn.names = ["shortcut"]})
    -> (tensor<1x4x8x8xf32> {nn.names = ["y"]}) {
  %low = nn.constant dense<-1.28> : tensor<f32>
  %high = nn.constant dense<1.27> : tensor<f32>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %top = nn.constant dense<2.55> : tensor<f32>
  %codes = nn.constant dense<3> : tensor<4x4x3x3xi8>
  %f = nn.convert %codes to f32 : tensor<4x4x3x3xi8> -> tensor<4x4x3x3xf32>
  %scale = nn.constant dense<0.01> : tensor<f32>
  %w = nn.multiply %f, %scale : (tensor<4x4x3x3xf32>, tensor<f32>) -> tensor<4x4x3x3xf32>
  %q = qnn.fake_quantize %x, %zero, %top, %zero, %top {nn.name = "fq1", levels = 256 : i64} : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %p = nn.convolution %q, %w {nn.name = "conv1", strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  %a = qnn.fake_quantize %p, %low, %high, %low, %high {nn.name = "fq2", levels = 256 : i64} : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %s = nn.add %a, %shortcut {nn.name = "sum"} : (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  %r = nn.relu %s {nn.name = "relu"} : tensor<1x4x8x8xf32>
  %z = qnn.fake_quantize %r, %zero, %top, %zero, %top {nn.name = "fq3", levels = 256 : i64} : (tensor<1x4x8x8xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4x8x8xf32>
  %n = nn.convolution %z, %w {nn.name = "conv2", strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x8x8xf32>
  func.return %n : tensor<1x4x8x8xf32>
}
