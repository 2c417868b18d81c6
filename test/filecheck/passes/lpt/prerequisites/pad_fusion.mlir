// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @explicit
// CHECK: nn.convolution %x, %w {nn.name = "conv", strides = array<i64: 1, 2>, pads_begin = array<i64: 1, 2>, pads_end = array<i64: 3, 5>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>)
func.func @explicit(%x: tensor<1x1x4x4xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x6x5xf32> {
  %begin = nn.constant dense<[0, 0, 0, 1]> : tensor<4xi64>
  %end = nn.constant dense<[0, 0, 2, 3]> : tensor<4xi64>
  %zero = nn.constant dense<0.0> : tensor<f32>
  %p = nn.pad %x, %begin, %end, %zero {pad_mode = "constant"} : (tensor<1x1x4x4xf32>, tensor<4xi64>, tensor<4xi64>, tensor<f32>) -> tensor<1x1x6x8xf32>
  %y = nn.convolution %p, %w {strides = array<i64: 1, 2>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 2>, dilations = array<i64: 1, 1>, auto_pad = "explicit", nn.name = "conv"} : (tensor<1x1x6x8xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x6x5xf32>
  func.return %y : tensor<1x1x6x5xf32>
}

// What `valid` does not read is no padding.
// CHECK-LABEL: @valid
// CHECK: nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x2x?xf32>, tensor<2x1x1x3xf32>)
func.func @valid(%x: tensor<1x2x?xf32>, %w: tensor<2x1x1x3xf32>) -> tensor<1x2x?xf32> {
  %pads = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %p = nn.pad %x, %pads, %pads {pad_mode = "constant"} : (tensor<1x2x?xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x2x?xf32>
  %y = nn.group_convolution %p, %w {strides = array<i64: 1>, pads_begin = array<i64: 7>, pads_end = array<i64: 7>, dilations = array<i64: 1>, auto_pad = "valid"} : (tensor<1x2x?xf32>, tensor<2x1x1x3xf32>) -> tensor<1x2x?xf32>
  func.return %y : tensor<1x2x?xf32>
}

// Other values, other modes, other dimensions, cropping, computed sizes; padding that follows the size.
// CHECK-LABEL: @others
// CHECK-COUNT-6: nn.convolution {{.*}} {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>
func.func @others(%x: tensor<1x1x4xf32>, %w: tensor<1x1x1xf32>, %end: tensor<3xi64>) -> (tensor<1x1x6xf32>, tensor<1x1x6xf32>, tensor<3x1x4xf32>, tensor<1x1x2xf32>, tensor<?x1x?xf32>, tensor<1x1x6xf32>) {
  %around = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %batch = nn.constant dense<[1, 0, 0]> : tensor<3xi64>
  %crop = nn.constant dense<[0, 0, -1]> : tensor<3xi64>
  %one = nn.constant dense<1.0> : tensor<f32>
  %a = nn.pad %x, %around, %around, %one {pad_mode = "constant"} : (tensor<1x1x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<f32>) -> tensor<1x1x6xf32>
  %b = nn.pad %x, %around, %around {pad_mode = "edge"} : (tensor<1x1x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x1x6xf32>
  %c = nn.pad %x, %batch, %batch {pad_mode = "constant"} : (tensor<1x1x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x1x4xf32>
  %d = nn.pad %x, %crop, %crop {pad_mode = "constant"} : (tensor<1x1x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x1x2xf32>
  %e = nn.pad %x, %around, %end {pad_mode = "constant"} : (tensor<1x1x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x1x?xf32>
  %f = nn.pad %x, %around, %around {pad_mode = "constant"} : (tensor<1x1x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x1x6xf32>
  %p = nn.convolution %a, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x6xf32>, tensor<1x1x1xf32>) -> tensor<1x1x6xf32>
  %q = nn.convolution %b, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x6xf32>, tensor<1x1x1xf32>) -> tensor<1x1x6xf32>
  %r = nn.convolution %c, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<3x1x4xf32>, tensor<1x1x1xf32>) -> tensor<3x1x4xf32>
  %s = nn.convolution %d, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x2xf32>, tensor<1x1x1xf32>) -> tensor<1x1x2xf32>
  %t = nn.convolution %e, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<?x1x?xf32>, tensor<1x1x1xf32>) -> tensor<?x1x?xf32>
  %u = nn.convolution %f, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, auto_pad = "same_upper"} : (tensor<1x1x6xf32>, tensor<1x1x1xf32>) -> tensor<1x1x6xf32>
  func.return %p, %q, %r, %s, %t, %u : tensor<1x1x6xf32>, tensor<1x1x6xf32>, tensor<3x1x4xf32>, tensor<1x1x2xf32>, tensor<?x1x?xf32>, tensor<1x1x6xf32>
}

// More channels are none around the image.
// CHECK-LABEL: @channels
// CHECK: [[P:%.*]] = nn.pad
// CHECK-NEXT: nn.convolution [[P]], %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>
func.func @channels(%x: tensor<1x2x4xf32>, %w: tensor<2x3x1xf32>) -> tensor<1x2x4xf32> {
  %begin = nn.constant dense<[0, 1, 0]> : tensor<3xi64>
  %end = nn.constant dense<0> : tensor<3xi64>
  %p = nn.pad %x, %begin, %end {pad_mode = "constant"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x3x4xf32>
  %y = nn.convolution %p, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x3x4xf32>, tensor<2x3x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// Codes with a zero point: what is padded must be what the convolution itself reads outside.
// CHECK-LABEL: @codes
// CHECK: [[P:%.*]] = nn.pad %x
// CHECK: nn.convolution %x, %w {pad_value = 128 : i64, strides = array<i64: 1>, pads_begin = array<i64: 2>, pads_end = array<i64: 2>
// CHECK: nn.convolution [[P]], %w {pad_value = 128 : i64, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>
func.func @codes(%x: tensor<1x1x4xui8>, %w: tensor<1x1x1xi8>) -> (tensor<1x1x8xi32>, tensor<1x1x8xi32>) {
  %around = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %outside = nn.constant dense<128> : tensor<ui8>
  %a = nn.pad %x, %around, %around, %outside {pad_mode = "constant"} : (tensor<1x1x4xui8>, tensor<3xi64>, tensor<3xi64>, tensor<ui8>) -> tensor<1x1x6xui8>
  %b = nn.pad %x, %around, %around {pad_mode = "constant"} : (tensor<1x1x4xui8>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x1x6xui8>
  %p = nn.convolution %a, %w {pad_value = 128 : i64, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x1x6xui8>, tensor<1x1x1xi8>) -> tensor<1x1x8xi32>
  %q = nn.convolution %b, %w {pad_value = 128 : i64, strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x1x6xui8>, tensor<1x1x1xi8>) -> tensor<1x1x8xi32>
  func.return %p, %q : tensor<1x1x8xi32>, tensor<1x1x8xi32>
}
