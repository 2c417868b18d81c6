// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s

// Filters lie as [input, output], so output channels are the second dimension. Signed data is fine.
// CHECK-LABEL: @per_output_channel
// CHECK: [[Y:%.*]] = nn.convolution_backprop_data {{.*}} : (tensor<1x1x2xi8>, tensor<1x2x2xi8>) -> tensor<1x2x4xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[1.0\]\]\]}}> : tensor<1x2x1xf32>>
func.func @per_output_channel(%a: tensor<1x1x2xi8>, %b: tensor<1x2x2xi8>) -> tensor<1x2x4xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %w = qnn.dequantize %b scale <dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// The operation itself subtracts a zero point: its elements sum different numbers of products.
// CHECK-LABEL: @zero_point
// CHECK: [[Y:%.*]] = nn.convolution_backprop_data {{.*}} zero_point = 1 : i64{{.*}} -> tensor<1x2x4xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.25> : tensor<f32>> :
func.func @zero_point(%a: tensor<1x1x2xi8>) -> tensor<1x2x4xf32> {
  %b = nn.constant dense<[[[1, 2], [3, -4]]]> : tensor<1x2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// Between codes, the sums of the zero points follow: 1.25 times [1, 2] and [3, -4].
// CHECK-LABEL: @between_codes
// CHECK: [[Y:%.*]] = nn.convolution_backprop_data {{.*}} -> tensor<1x2x4xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.25> : tensor<f32>> zero_point <dense<{{\[\[\[1.25, 2.5, 1.25, 2.5\], \[3.75, -5.0, 3.75, -5.0\]\]\]}}> : tensor<1x2x4xf32>>
func.func @between_codes(%a: tensor<1x1x2xi8>) -> tensor<1x2x4xf32> {
  %b = nn.constant dense<[[[1, 2], [3, -4]]]> : tensor<1x2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<1.25> : tensor<f32>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// Of which there are as many as the data is long.
// CHECK-LABEL: @unknown_size
// CHECK: nn.convolution_backprop_data {{.*}} lpt.declined = "input 0 is quantized with zero points that are no code, or differ between channels, and its size is unknown; fix its spatial size or move its interval so that 0 is a step"
func.func @unknown_size(%a: tensor<1x1x?xi8>) -> tensor<1x2x?xf32> {
  %b = nn.constant dense<[[[1, 2], [3, -4]]]> : tensor<1x2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<1.25> : tensor<f32>> : tensor<1x1x?xi8> -> tensor<1x1x?xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x?xf32>, tensor<1x2x2xf32>) -> tensor<1x2x?xf32>
  func.return %y : tensor<1x2x?xf32>
}

// CHECK-LABEL: @zero_point_of_computed
// CHECK: nn.convolution_backprop_data {{.*}} lpt.declined = "input 0 is quantized with a zero point, and input 1 (filters) is not a constant to fold it with; quantize input 0 symmetrically around 0"
func.func @zero_point_of_computed(%a: tensor<1x1x2xi8>, %b: tensor<1x2x2xi8>) -> tensor<1x2x4xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x2xf32>, tensor<1x2x2xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// Along the input channels there is one scale.
// CHECK-LABEL: @per_input_channel
// CHECK: nn.convolution_backprop_data {{.*}} lpt.declined = "input 1 (filters) has scales of shape {{.*}}, which vary along the dimensions that are summed over; quantize it per tensor or per output channel"
func.func @per_input_channel(%a: tensor<1x2x2xi8>, %b: tensor<2x1x2xi8>) -> tensor<1x1x4xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %w = qnn.dequantize %b scale <dense<[[[1.0]], [[2.0]]]> : tensor<2x1x1xf32>> : tensor<2x1x2xi8> -> tensor<2x1x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x2xf32>, tensor<2x1x2xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// CHECK-LABEL: @groups
// CHECK: [[Y:%.*]] = nn.group_convolution_backprop_data {{.*}} : (tensor<1x2x2xui8>, tensor<2x1x1x2xi8>) -> tensor<1x2x4xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>>
// CHECK: nn.group_convolution_backprop_data {{.*}} lpt.declined = "input 0 is quantized with a zero point, and input 1 (filters) is not a constant to fold it with; quantize input 0 symmetrically around 0"
func.func @groups(%a: tensor<1x2x2xui8>, %b: tensor<2x1x1x2xi8>) -> (tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %x = qnn.dequantize %a scale <dense<[[[0.5], [1.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %w = qnn.dequantize %b scale <dense<[[[[1.0]]], [[[2.0]]]]> : tensor<2x1x1x1xf32>> : tensor<2x1x1x2xi8> -> tensor<2x1x1x2xf32>
  %y = nn.group_convolution_backprop_data %x, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x4xf32>
  %v = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<ui8>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %z = nn.group_convolution_backprop_data %v, %w {strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x2x2xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x4xf32>
  func.return %y, %z : tensor<1x2x4xf32>, tensor<1x2x4xf32>
}
