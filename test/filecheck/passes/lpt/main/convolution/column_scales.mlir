// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s

// Sums of columns get the scale of the column times that of the data; padding is the code of 0.
// CHECK-LABEL: @of_columns
// CHECK: [[Y:%.*]] = nn.group_convolution %a, {{.*}}pad_value = 10 : i64, column_scale = #nn.blob<dense<{{.*}}> : tensor<2x1x1x1x2xf32>>} : (tensor<1x4x3x3xui8>, tensor<2x1x2x1x2xi8>) -> tensor<1x2x3x4xf32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<1.0> : tensor<f32>> zero_point <dense<{{\[\[\[\[85.0\]\], \[\[130.0\]\]\]\]}}> : tensor<1x2x1x1xf32>>
func.func @of_columns(%a: tensor<1x4x3x3xui8>) -> tensor<1x2x3x4xf32> {
  %b = nn.constant dense<[[[[[1, 2]], [[3, 4]]]], [[[[5, 6]], [[7, -8]]]]]> : tensor<2x1x2x1x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x4x3x3xui8> -> tensor<1x4x3x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[[[2.0, 1.5]]]], [[[[2.5, 2.0]]]]]> : tensor<2x1x1x1x2xf32>> : tensor<2x1x2x1x2xi8> -> tensor<2x1x2x1x2xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 1>, pads_end = array<i64: 0, 1>, dilations = array<i64: 1, 1>} : (tensor<1x4x3x3xf32>, tensor<2x1x2x1x2xf32>) -> tensor<1x2x3x4xf32>
  func.return %y : tensor<1x2x3x4xf32>
}

// Each channel of a depthwise convolution has its scale.
// CHECK-LABEL: @depthwise
// CHECK: nn.group_convolution %a, {{.*}}column_scale = #nn.blob<dense<{{\[\[\[\[1.0, 2.0\]\]\], \[\[\[6.0, 8.0\]\]\]\]}}> : tensor<2x1x1x2xf32>>} : (tensor<1x2x3xui8>, tensor<2x1x1x2xi8>) -> tensor<1x2x2xf32>
func.func @depthwise(%a: tensor<1x2x3xui8>) -> tensor<1x2x2xf32> {
  %b = nn.constant dense<[[[[1, 2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>
  %x = qnn.dequantize %a scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[[2.0, 4.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>> : tensor<2x1x1x2xi8> -> tensor<2x1x1x2xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// Rows of the kernel are summed together.
// CHECK-LABEL: @of_rows
// CHECK: nn.group_convolution {{.*}} lpt.declined = "input 1 (filters) has scales of shape [2, 1, 1, 2, 1], which vary along the dimensions that are summed over; quantize it per tensor or per output channel"
func.func @of_rows(%a: tensor<1x2x3x3xui8>) -> tensor<1x2x2x3xf32> {
  %b = nn.constant dense<[[[[[1], [2]]]], [[[[3], [4]]]]]> : tensor<2x1x1x2x1xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x3x3xui8> -> tensor<1x2x3x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[[[2.0], [1.5]]]], [[[[2.5], [2.0]]]]]> : tensor<2x1x1x2x1xf32>> : tensor<2x1x1x2x1xi8> -> tensor<2x1x1x2x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xf32>, tensor<2x1x1x2x1xf32>) -> tensor<1x2x2x3xf32>
  func.return %y : tensor<1x2x2x3xf32>
}

// Nothing says what computed filters are, and one group's convolution has no scales of columns.
// CHECK-LABEL: @computed
// CHECK: nn.group_convolution {{.*}} lpt.declined = "input 1 (filters) has scales of shape [2, 1, 1, 2], which vary
func.func @computed(%a: tensor<1x2x3xui8>, %b: tensor<2x1x1x2xi8>) -> tensor<1x2x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[[2.0, 4.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>> : tensor<2x1x1x2xi8> -> tensor<2x1x1x2xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// Scales of columns that differ by row, too; data on an interval without 0.
// CHECK-LABEL: @of_rows_and_columns
// CHECK: nn.group_convolution {{.*}} lpt.declined = "input 1 (filters) has scales of shape [2, 1, 1, 2, 2], which vary
// CHECK-LABEL: @without_zero
// CHECK: nn.group_convolution {{.*}} lpt.declined = "input 0 is quantized to an interval without 0, so its zero point is none of its codes; widen the interval to 0"
func.func @of_rows_and_columns(%a: tensor<1x2x3x3xui8>) -> tensor<1x2x2x2xf32> {
  %b = nn.constant dense<[[[[[1, 2], [3, 4]]]], [[[[5, 6], [7, 8]]]]]> : tensor<2x1x1x2x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x3x3xui8> -> tensor<1x2x3x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[[[1.0, 1.5], [2.0, 2.5]]]], [[[[3.0, 3.5], [4.0, 4.5]]]]]> : tensor<2x1x1x2x2xf32>> : tensor<2x1x1x2x2xi8> -> tensor<2x1x1x2x2xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x3x3xf32>, tensor<2x1x1x2x2xf32>) -> tensor<1x2x2x2xf32>
  func.return %y : tensor<1x2x2x2xf32>
}
func.func @without_zero(%a: tensor<1x2x3xui8>) -> tensor<1x2x2xf32> {
  %b = nn.constant dense<[[[[1, 2]]], [[[3, 4]]]]> : tensor<2x1x1x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<-20.0> : tensor<f32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[[2.0, 4.0]]], [[[3.0, 4.0]]]]> : tensor<2x1x1x2xf32>> : tensor<2x1x1x2xi8> -> tensor<2x1x1x2xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}
