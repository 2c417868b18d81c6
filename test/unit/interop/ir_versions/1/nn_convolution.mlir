builtin.module attributes {infra.ir_version = 1 : i64} {
  func.func @convolution(%x: tensor<1x4x8x8xf32>, %w: tensor<6x4x3x3xf32>, %q: tensor<?x4x8xui8>, %qw: tensor<6x4x3xi8>) {
    %0 = nn.convolution %x, %w {strides = array<i64: 1, 2>, pads_begin = array<i64: 1, 0>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 2>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>) -> tensor<1x6x8x3xf32>
    %1 = nn.convolution %q, %qw {strides = array<i64: 2>, pads_begin = array<i64>, pads_end = array<i64>, dilations = array<i64: 1>, auto_pad = "same_upper"} : (tensor<?x4x8xui8>, tensor<6x4x3xi8>) -> tensor<?x6x4xi32>
    func.return
  }
  func.func @groups(%x: tensor<1x4x?xf32>, %w: tensor<2x3x2x3xf32>) {
    %0 = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x4x?xf32>, tensor<2x3x2x3xf32>) -> tensor<1x6x?xf32>
    func.return
  }
  func.func @backprop(%x: tensor<1x4x5xf32>, %w: tensor<4x3x2xf32>, %grouped: tensor<2x2x3x2xf32>, %shape: tensor<1xi64>) {
    %0 = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 1>} : (tensor<1x4x5xf32>, tensor<4x3x2xf32>) -> tensor<1x3x10xf32>
    %1 = nn.convolution_backprop_data %x, %w, %shape {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, auto_pad = "same_lower", output_padding = array<i64: 0>} : (tensor<1x4x5xf32>, tensor<4x3x2xf32>, tensor<1xi64>) -> tensor<1x3x?xf32>
    %2 = nn.group_convolution_backprop_data %x, %grouped {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x4x5xf32>, tensor<2x2x3x2xf32>) -> tensor<1x6x10xf32>
    func.return
  }
  func.func @pooling(%x: tensor<1x4x8x7xf32>, %i: tensor<1x4x7xui8>) {
    %0 = nn.max_pool %x {kernel = array<i64: 3, 2>, strides = array<i64: 2, 2>, pads_begin = array<i64: 1, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 2>, rounding_type = "ceil"} : tensor<1x4x8x7xf32> -> tensor<1x4x4x3xf32>
    %1 = nn.avg_pool %i {exclude_pad = true, kernel = array<i64: 3>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, auto_pad = "same_upper"} : tensor<1x4x7xui8> -> tensor<1x4x4xui8>
    func.return
  }
}
