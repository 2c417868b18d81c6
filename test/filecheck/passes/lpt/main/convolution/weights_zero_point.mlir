// RUN: opt-tool %s --lpt-main=only=weights_zero_point | filecheck %s
// RUN: opt-tool %s --lpt-main | filecheck %s --check-prefix ALL

// A filter of ones beside the others; its sums times 0.5 * 3 and 0.25 * 4 go off theirs.
// CHECK-LABEL: @zero_points
// CHECK: [[W:%.*]] = nn.constant dense<{{\[\[\[1\]\], \[\[2\]\], \[\[1\]\]\]}}> : tensor<3x1x1xi8>
// CHECK-NEXT: [[D:%.*]] = qnn.dequantize [[W]] scale <dense<{{\[\[\[0.5\]\], \[\[0.25\]\], \[\[1.0\]\]\]}}> : tensor<3x1x1xf32>>
// CHECK-NEXT: [[Y:%.*]] = nn.convolution %x, [[D]] {nn.name = "y/sums"
// CHECK: [[A:%.*]] = nn.slice [[Y]], {{.*}} -> tensor<1x2x4xf32>
// CHECK: [[B:%.*]] = nn.slice [[Y]], {{.*}} -> tensor<1x1x4xf32>
// CHECK: [[Z:%.*]] = nn.constant dense<{{\[\[\[1.5\], \[1.0\]\]\]}}> : tensor<1x2x1xf32>
// CHECK-NEXT: [[P:%.*]] = nn.multiply [[B]], [[Z]]
// CHECK-NEXT: nn.subtract [[A]], [[P]] {nn.name = "y"}
// ALL-LABEL: @zero_points
// ALL: nn.convolution {{.*}} {nn.name = "y/sums_original"{{.*}} : (tensor<1x1x4xui8>, tensor<3x1x1xi8>) -> tensor<1x3x4xi32>
func.func @zero_points(%q: tensor<1x1x4xui8>) -> tensor<1x2x4xf32> {
  %c = nn.constant dense<[[[1]], [[2]]]> : tensor<2x1x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %w = qnn.dequantize %c scale <dense<[[[0.5]], [[0.25]]]> : tensor<2x1x1xf32>> zero_point <dense<[[[3]], [[4]]]> : tensor<2x1x1xi8>> : tensor<2x1x1xi8> -> tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, nn.name = "y"} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// Filters that are computed, or u8; data in floating point, also if computed from codes, or of unknown size around a
// zero point.
// CHECK-LABEL: @computed
// CHECK-NEXT: qnn.dequantize
// CHECK-NEXT: qnn.dequantize
// CHECK-NEXT: nn.convolution
// CHECK-NEXT: func.return
// CHECK-LABEL: @unsigned
// CHECK-NOT: nn.slice
// CHECK-LABEL: @values
// CHECK-NOT: nn.slice
// CHECK-LABEL: @values_of_codes
// CHECK-NOT: nn.slice
// CHECK-LABEL: @unknown_size
// CHECK-NOT: nn.slice
// CHECK: func.return
func.func @computed(%q: tensor<1x1x4xui8>, %c: tensor<2x1x1xi8>) -> tensor<1x2x4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2x1x1xi8> -> tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
func.func @unsigned(%q: tensor<1x1x4xui8>) -> tensor<1x2x4xf32> {
  %c = nn.constant dense<[[[1]], [[2]]]> : tensor<2x1x1xui8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x1x1xui8> -> tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
func.func @values(%x: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %c = nn.constant dense<[[[1]], [[2]]]> : tensor<2x1x1xi8>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2x1x1xi8> -> tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
func.func @values_of_codes(%q: tensor<1x1x4xf32>) -> tensor<1x2x4xf32> {
  %c = nn.constant dense<[[[1]], [[2]]]> : tensor<2x1x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x1x4xf32> -> tensor<1x1x4xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2x1x1xi8> -> tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x4xf32>, tensor<2x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
func.func @unknown_size(%q: tensor<1x1x?xui8>) -> tensor<1x2x?xf32> {
  %c = nn.constant dense<[[[1]], [[2]]]> : tensor<2x1x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x1x?xui8> -> tensor<1x1x?xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<2x1x1xi8> -> tensor<2x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x?xf32>, tensor<2x1x1xf32>) -> tensor<1x2x?xf32>
  func.return %y : tensor<1x2x?xf32>
}

// In groups: ones in a convolution of their own, whose sums are multiplied by 0.5 * 3 and 0.25 * 4.
// CHECK-LABEL: @groups
// CHECK: [[A:%.*]] = nn.group_convolution %x, {{%.*}} {nn.name = "y/sums"
// CHECK-NEXT: [[O:%.*]] = nn.constant dense<1> : tensor<2x1x1x2xi8>
// CHECK-NEXT: [[D:%.*]] = qnn.dequantize [[O]] scale <dense<1.0> : tensor<f32>>
// CHECK-NEXT: [[B:%.*]] = nn.group_convolution %x, [[D]]
// CHECK-NEXT: [[Z:%.*]] = nn.constant dense<{{\[\[\[1.5\], \[1.0\]\]\]}}> : tensor<1x2x1xf32>
// CHECK-NEXT: [[P:%.*]] = nn.multiply [[B]], [[Z]]
// CHECK-NEXT: nn.subtract [[A]], [[P]] {nn.name = "y"}
// ALL-LABEL: @groups
// ALL-COUNT-2: nn.group_convolution {{.*}} (tensor<1x2x4xui8>, tensor<2x1x1x2xi8>) -> tensor<1x2x3xi32>
func.func @groups(%q: tensor<1x2x4xui8>) -> tensor<1x2x3xf32> {
  %c = nn.constant dense<[[[[1, 5]]], [[[2, 6]]]]> : tensor<2x1x1x2xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %w = qnn.dequantize %c scale <dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>> zero_point <dense<[[[[3]]], [[[4]]]]> : tensor<2x1x1x1xi8>> : tensor<2x1x1x2xi8> -> tensor<2x1x1x2xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, nn.name = "y"} : (tensor<1x2x4xf32>, tensor<2x1x1x2xf32>) -> tensor<1x2x3xf32>
  func.return %y : tensor<1x2x3xf32>
}

// Nothing is summed where a filter is one element.
// CHECK-LABEL: @single_elements
// CHECK-COUNT-1: nn.group_convolution
// CHECK-NEXT: func.return
func.func @single_elements(%q: tensor<1x2x4xui8>) -> tensor<1x2x4xf32> {
  %c = nn.constant dense<[[[[1]]], [[[2]]]]> : tensor<2x1x1x1xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %w = qnn.dequantize %c scale <dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>> zero_point <dense<[[[[3]]], [[[4]]]]> : tensor<2x1x1x1xi8>> : tensor<2x1x1x1xi8> -> tensor<2x1x1x1xf32>
  %y = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, nn.name = "y"} : (tensor<1x2x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// Transposed: one filter of ones for all outputs.
// CHECK-LABEL: @transposed
// CHECK: [[A:%.*]] = nn.convolution_backprop_data %x
// CHECK-NEXT: [[O:%.*]] = nn.constant dense<1> : tensor<1x1x2xi8>
// CHECK-NEXT: [[D:%.*]] = qnn.dequantize [[O]]
// CHECK-NEXT: [[B:%.*]] = nn.convolution_backprop_data %x, [[D]] {{.*}} -> tensor<1x1x5xf32>
// CHECK-NEXT: [[Z:%.*]] = nn.constant dense<1.5> : tensor<f32>
// CHECK-NEXT: [[P:%.*]] = nn.multiply [[B]], [[Z]]
// CHECK-NEXT: nn.subtract [[A]], [[P]] {{.*}}tensor<1x2x5xf32>
func.func @transposed(%q: tensor<1x1x4xui8>) -> tensor<1x2x5xf32> {
  %c = nn.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x1x4xui8> -> tensor<1x1x4xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x4xf32>, tensor<1x2x2xf32>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}

// No code of the data is 0, and its size is unknown.
// CHECK-LABEL: @between_codes
// CHECK-COUNT-1: nn.convolution_backprop_data
// CHECK-NEXT: func.return
func.func @between_codes(%q: tensor<1x1x?xui8>) -> tensor<1x2x?xf32> {
  %c = nn.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<10.5> : tensor<f32>> : tensor<1x1x?xui8> -> tensor<1x1x?xf32>
  %w = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<i8>> : tensor<1x2x2xi8> -> tensor<1x2x2xf32>
  %y = nn.convolution_backprop_data %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<1x1x?xf32>, tensor<1x2x2xf32>) -> tensor<1x2x?xf32>
  func.return %y : tensor<1x2x?xf32>
}
