// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s

// Where every channel is a group, each may have a scale and a zero point.
// CHECK-LABEL: @depthwise
// CHECK: [[Y:%.*]] = nn.group_convolution {{.*}} -> tensor<1x4x3xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[1.0\], \[6.0\], \[8.0\]\]\]}}> : tensor<1x4x1xf32>> zero_point <dense<{{\[\[\[10\], \[20\], \[60\], \[80\]\]\]}}> : tensor<1x4x1xi32>>
func.func @depthwise(%a: tensor<1x2x3xui8>) -> tensor<1x4x3xf32> {
  %b = nn.constant dense<[[[[1]], [[2]]], [[[3]], [[4]]]]> : tensor<2x2x1x1xi8>
  %x = qnn.dequantize %a scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<[[[10], [20]]]> : tensor<1x2x1xui8>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[[1.0]], [[2.0]]], [[[3.0]], [[4.0]]]]> : tensor<2x2x1x1xf32>> : tensor<2x2x1x1xi8> -> tensor<2x2x1x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<2x2x1x1xf32>) -> tensor<1x4x3xf32>
  func.return %y : tensor<1x4x3xf32>
}

// Channels of one group share a scale; each may have a zero point.
// CHECK-LABEL: @per_group
// CHECK: [[Y:%.*]] = nn.group_convolution {{.*}} -> tensor<1x2x3xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<{{\[\[\[50\], \[180\]\]\]}}> : tensor<1x2x1xi32>>
func.func @per_group(%a: tensor<1x4x3xui8>) -> tensor<1x2x3xf32> {
  %b = nn.constant dense<[[[[1], [2]]], [[[2], [3]]]]> : tensor<2x1x2x1xi8>
  %x = qnn.dequantize %a scale <dense<[[[0.5], [0.5], [2.0], [2.0]]]> : tensor<1x4x1xf32>> zero_point <dense<[[[10], [20], [30], [40]]]> : tensor<1x4x1xui8>> : tensor<1x4x3xui8> -> tensor<1x4x3xf32>
  %w = qnn.dequantize %b scale <dense<1.0> : tensor<f32>> : tensor<2x1x2x1xi8> -> tensor<2x1x2x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x4x3xf32>, tensor<2x1x2x1xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// Two channels in a group have one scale.
// CHECK-LABEL: @per_channel
// CHECK: nn.group_convolution {{.*}} lpt.declined = "input 0 is quantized per channel along the dimension that is summed over; quantize it per tensor"
func.func @per_channel(%a: tensor<1x4x3xui8>, %b: tensor<2x1x2x1xi8>) -> tensor<1x2x3xf32> {
  %x = qnn.dequantize %a scale <dense<[[[0.5], [2.0], [1.0], [1.0]]]> : tensor<1x4x1xf32>> : tensor<1x4x3xui8> -> tensor<1x4x3xf32>
  %w = qnn.dequantize %b scale <dense<1.0> : tensor<f32>> : tensor<2x1x2x1xi8> -> tensor<2x1x2x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x4x3xf32>, tensor<2x1x2x1xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// A scale for each position is none for a sum over positions.
// CHECK-LABEL: @per_position
// CHECK: nn.group_convolution {{.*}} lpt.declined = "input 0 has scales along another dimension than its channels; quantize it per tensor"
func.func @per_position(%a: tensor<1x1x2xui8>, %b: tensor<1x1x1x1xi8>) -> tensor<1x1x2xf32> {
  %x = qnn.dequantize %a scale <dense<[[[0.5, 2.0]]]> : tensor<1x1x2xf32>> : tensor<1x1x2xui8> -> tensor<1x1x2xf32>
  %w = qnn.dequantize %b scale <dense<1.0> : tensor<f32>> : tensor<1x1x1x1xi8> -> tensor<1x1x1x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x2xf32>
  func.return %y : tensor<1x1x2xf32>
}

// Nor does a scale for each image leave the sum: there is one for each output channel.
// CHECK-LABEL: @per_image
// CHECK: nn.group_convolution {{.*}} lpt.declined = "input 0 has scales along another dimension than its channels; quantize it per tensor"
func.func @per_image(%a: tensor<2x1x2xui8>, %b: tensor<1x1x1x1xi8>) -> tensor<2x1x2xf32> {
  %x = qnn.dequantize %a scale <dense<[[[0.5]], [[2.0]]]> : tensor<2x1x1xf32>> : tensor<2x1x2xui8> -> tensor<2x1x2xf32>
  %w = qnn.dequantize %b scale <dense<1.0> : tensor<f32>> : tensor<1x1x1x1xi8> -> tensor<1x1x1x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<2x1x2xf32>, tensor<1x1x1x1xf32>) -> tensor<2x1x2xf32>
  func.return %y : tensor<2x1x2xf32>
}
