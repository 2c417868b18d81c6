// Builtins with windows: the channels are last, ours are in front of space.
// RUN: opt-tool %s --legalize-tfl-to-nn --dce | filecheck %s

// `conv(x, w) = last(conv(first(x), first(w)))`; SAME puts the odd rest at the end.
// CHECK-LABEL: @same(
// CHECK-NEXT: %0 = nn.constant dense<[0, 3, 1, 2]> : tensor<4xi64>
// CHECK-NEXT: %1 = nn.transpose %w, %0 : (tensor<3x3x3x2xf32>, tensor<4xi64>) -> tensor<3x2x3x3xf32>
// CHECK-NEXT: %2 = nn.constant dense<[0, 3, 1, 2]> : tensor<4xi64>
// CHECK-NEXT: %3 = nn.transpose %x, %2 : (tensor<1x4x4x2xf32>, tensor<4xi64>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %4 = nn.convolution %3, %1 {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, auto_pad = "same_upper"} : (tensor<1x2x4x4xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x2x2xf32>
// CHECK-NEXT: %5 = nn.constant dense<[0, 2, 3, 1]> : tensor<4xi64>
// CHECK-NEXT: %6 = nn.transpose %4, %5 : (tensor<1x3x2x2xf32>, tensor<4xi64>) -> tensor<1x2x2x3xf32>
// CHECK-NEXT: %7 = nn.relu %6 : tensor<1x2x2x3xf32>
// CHECK-NEXT: func.return %7 : tensor<1x2x2x3xf32>
// CHECK-NEXT: }
func.func @same(%x: tensor<1x4x4x2xf32>, %w: tensor<3x3x3x2xf32>) -> tensor<1x2x2x3xf32> {
  %0 = "tfl.conv_2d"(%x, %w) <{padding = "SAME", stride_h = 2 : i32, stride_w = 2 : i32, dilation_h_factor = 1 : i32, dilation_w_factor = 1 : i32, fused_activation_function = "RELU"}> : (tensor<1x4x4x2xf32>, tensor<3x3x3x2xf32>) -> tensor<1x2x2x3xf32>
  func.return %0 : tensor<1x2x2x3xf32>
}

// Filters of fewer channels than the input has are of groups.
// CHECK-LABEL: @groups(
// CHECK-NEXT: %0 = nn.constant dense<[0, 3, 1, 2]> : tensor<4xi64>
// CHECK-NEXT: %1 = nn.transpose %w, %0 : (tensor<6x3x3x2xf32>, tensor<4xi64>) -> tensor<6x2x3x3xf32>
// CHECK-NEXT: %2 = nn.constant dense<[2, 3, 2, 3, 3]> : tensor<5xi64>
// CHECK-NEXT: %3 = nn.reshape %1, %2 : (tensor<6x2x3x3xf32>, tensor<5xi64>) -> tensor<2x3x2x3x3xf32>
// CHECK-NEXT: %4 = nn.constant dense<[0, 3, 1, 2]> : tensor<4xi64>
// CHECK-NEXT: %5 = nn.transpose %x, %4 : (tensor<1x4x4x4xf32>, tensor<4xi64>) -> tensor<1x4x4x4xf32>
// CHECK-NEXT: %6 = nn.group_convolution %5, %3 {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, auto_pad = "valid"} : (tensor<1x4x4x4xf32>, tensor<2x3x2x3x3xf32>) -> tensor<1x6x2x2xf32>
// CHECK-NEXT: %7 = nn.constant dense<[0, 2, 3, 1]> : tensor<4xi64>
// CHECK-NEXT: %8 = nn.transpose %6, %7 : (tensor<1x6x2x2xf32>, tensor<4xi64>) -> tensor<1x2x2x6xf32>
// CHECK-NEXT: func.return %8 : tensor<1x2x2x6xf32>
// CHECK-NEXT: }
func.func @groups(%x: tensor<1x4x4x4xf32>, %w: tensor<6x3x3x2xf32>) -> tensor<1x2x2x6xf32> {
  %0 = "tfl.conv_2d"(%x, %w) <{padding = "VALID", stride_h = 1 : i32, stride_w = 1 : i32, dilation_h_factor = 1 : i32, dilation_w_factor = 1 : i32, fused_activation_function = "NONE"}> : (tensor<1x4x4x4xf32>, tensor<6x3x3x2xf32>) -> tensor<1x2x2x6xf32>
  func.return %0 : tensor<1x2x2x6xf32>
}

// Padding is no part of a mean.
// CHECK-LABEL: @average(
// CHECK-NEXT: %0 = nn.constant dense<[0, 3, 1, 2]> : tensor<4xi64>
// CHECK-NEXT: %1 = nn.transpose %x, %0 : (tensor<1x4x4x2xf32>, tensor<4xi64>) -> tensor<1x2x4x4xf32>
// CHECK-NEXT: %2 = nn.avg_pool %1 {exclude_pad = true, strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, auto_pad = "same_upper", kernel = array<i64: 3, 3>} : tensor<1x2x4x4xf32> -> tensor<1x2x2x2xf32>
// CHECK-NEXT: %3 = nn.constant dense<[0, 2, 3, 1]> : tensor<4xi64>
// CHECK-NEXT: %4 = nn.transpose %2, %3 : (tensor<1x2x2x2xf32>, tensor<4xi64>) -> tensor<1x2x2x2xf32>
// CHECK-NEXT: func.return %4 : tensor<1x2x2x2xf32>
// CHECK-NEXT: }
func.func @average(%x: tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32> {
  %0 = "tfl.average_pool_2d"(%x) <{padding = "SAME", stride_h = 2 : i32, stride_w = 2 : i32, filter_height = 3 : i32, filter_width = 3 : i32, fused_activation_function = "NONE"}> : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %0 : tensor<1x2x2x2xf32>
}

// Zeros are no bias.
// CHECK-LABEL: @zero_bias(
// CHECK-NEXT: %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
// CHECK-NEXT: func.return %0 : tensor<1x2xf32>
// CHECK-NEXT: }
func.func @zero_bias(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>) -> tensor<1x2xf32> {
  %b = "tfl.pseudo_const"() <{value = dense<0.0> : tensor<2xf32>}> : () -> tensor<2xf32>
  %0 = "tfl.fully_connected"(%x, %w, %b) <{fused_activation_function = "NONE", weights_format = "DEFAULT", keep_num_dims = false}> : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  func.return %0 : tensor<1x2xf32>
}
