// RUN: opt-tool %s --lpt-markup --lpt-main | filecheck %s

// A scale for each output channel, where it stands in the filters and where it stands in the result.
// CHECK-LABEL: @per_output_channel
// CHECK-NEXT: [[Y:%.*]] = nn.convolution %a, %b {{.*}}nn.name = "y_original"{{.*}} : (tensor<1x2x3xui8>, tensor<3x2x2xi8>) -> tensor<1x3x2xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[1.0\], \[1.5\]\]\]}}> : tensor<1x3x1xf32>> {nn.name = "y"}
func.func @per_output_channel(%a: tensor<1x2x3xui8>, %b: tensor<3x2x2xi8>) -> tensor<1x3x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %b scale <dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>> : tensor<3x2x2xi8> -> tensor<3x2x2xf32>
  %y = nn.convolution %x, %w {nn.name = "y", strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<3x2x2xf32>) -> tensor<1x3x2xf32>
  func.return %y : tensor<1x3x2xf32>
}

// A zero point times the sum of each filter.
// CHECK-LABEL: @zero_point
// CHECK: [[Y:%.*]] = nn.convolution {{.*}} -> tensor<1x2x2xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.25> : tensor<f32>> zero_point <dense<{{\[\[\[30\], \[-10\]\]\]}}> : tensor<1x2x1xi32>>
func.func @zero_point(%a: tensor<1x1x3xui8>) -> tensor<1x2x2xf32> {
  %b = nn.constant dense<[[[1, 2]], [[-2, 1]]]> : tensor<2x1x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x1x3xui8> -> tensor<1x1x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<2x1x2xi8> -> tensor<2x1x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<2x1x2xf32>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// Padding is 0, and so reads as the zero point.
// CHECK-LABEL: @zero_point_and_padding
// CHECK: [[Y:%.*]] = nn.convolution {{.*}} pad_value = 10 : i64{{.*}} -> tensor<1x1x4xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.25> : tensor<f32>> zero_point <dense<30> : tensor<i32>>
func.func @zero_point_and_padding(%a: tensor<1x1x3xui8>) -> tensor<1x1x4xf32> {
  %b = nn.constant dense<[[[1, 2]]]> : tensor<1x1x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x1x3xui8> -> tensor<1x1x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// A zero point for each channel: what the filters make of them; no code stands for padding.
// CHECK-LABEL: @zero_point_for_each_channel
// CHECK: [[Y:%.*]] = nn.convolution
// CHECK-NOT: pad_value
// CHECK-SAME: -> tensor<1x2x3xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.25> : tensor<f32>> zero_point <dense<{{\[\[\[50\], \[0\]\]\]}}> : tensor<1x2x1xi32>>
// CHECK: [[Z:%.*]] = nn.convolution
// CHECK-NOT: pad_value
// CHECK-SAME: -> tensor<1x2x4xi32>
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<0.25> : tensor<f32>> zero_point <dense<{{\[\[\[0, 50, 50, 50\], \[0, 0, 0, 0\]\]\]}}> : tensor<1x2x4xi32>>
func.func @zero_point_for_each_channel(%a: tensor<1x2x3xui8>) -> (tensor<1x2x3xf32>, tensor<1x2x4xf32>) {
  %b = nn.constant dense<[[[1], [2]], [[-2], [1]]]> : tensor<2x2x1xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<[[[10], [20]]]> : tensor<1x2x1xui8>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<2x2x1xi8> -> tensor<2x2x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<2x2x1xf32>) -> tensor<1x2x3xf32>
  %z = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<2x2x1xf32>) -> tensor<1x2x4xf32>
  func.return %y, %z : tensor<1x2x3xf32>, tensor<1x2x4xf32>
}

// CHECK-LABEL: @zero_point_and_unknown_padding
// CHECK: nn.convolution {{.*}} pad_value = 10 : i64{{.*}} -> tensor<1x1x?xi32>
// CHECK: nn.convolution {{.*}} -> tensor<1x1x?xi32>
func.func @zero_point_and_unknown_padding(%a: tensor<1x1x?xui8>) -> (tensor<1x1x?xf32>, tensor<1x1x?xf32>) {
  %b = nn.constant dense<[[[1, 2]]]> : tensor<1x1x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x1x?xui8> -> tensor<1x1x?xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, auto_pad = "same_upper"} : (tensor<1x1x?xf32>, tensor<1x1x2xf32>) -> tensor<1x1x?xf32>
  %z = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, auto_pad = "valid"} : (tensor<1x1x?xf32>, tensor<1x1x2xf32>) -> tensor<1x1x?xf32>
  func.return %y, %z : tensor<1x1x?xf32>, tensor<1x1x?xf32>
}

// No code stands for 0: less is summed at the edges, how much is known where the size is.
// CHECK-LABEL: @zero_point_between_codes
// CHECK: [[Y:%.*]] = nn.convolution {{.*}} -> tensor<1x1x4xi32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.25> : tensor<f32>> zero_point <dense<{{\[\[\[21.0, 31.5, 31.5, 10.5\]\]\]}}> : tensor<1x1x4xf32>>
// CHECK: nn.convolution {{.*}} lpt.declined = "input 0 is quantized with a zero point and padded, and its size is unknown; fix its spatial size or quantize it symmetrically around 0"
func.func @zero_point_between_codes(%a: tensor<1x1x3xui8>, %d: tensor<1x1x?xui8>) -> (tensor<1x1x4xf32>, tensor<1x1x?xf32>) {
  %b = nn.constant dense<[[[1, 2]]]> : tensor<1x1x2xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10.5> : tensor<f32>> : tensor<1x1x3xui8> -> tensor<1x1x3xf32>
  %u = qnn.dequantize %d scale <dense<0.5> : tensor<f32>> zero_point <dense<10.5> : tensor<f32>> : tensor<1x1x?xui8> -> tensor<1x1x?xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1x4xf32>
  %z = nn.convolution %u, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>, auto_pad = "same_upper"} : (tensor<1x1x?xf32>, tensor<1x1x2xf32>) -> tensor<1x1x?xf32>
  func.return %y, %z : tensor<1x1x4xf32>, tensor<1x1x?xf32>
}

// 0 lies half a step before the first code; then further.
// CHECK-LABEL: @interval_without_zero
// CHECK: nn.convolution {{.*}} -> tensor<1x1x3xi32>
// CHECK: nn.convolution {{.*}} lpt.declined = "input 0 is quantized to an interval without 0, so its zero point is none of its codes; widen the interval to 0"
func.func @interval_without_zero(%a: tensor<1x1x3xui8>) -> (tensor<1x1x3xf32>, tensor<1x1x3xf32>) {
  %b = nn.constant dense<[[[1]]]> : tensor<1x1x1xi8>
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<-0.5> : tensor<f32>> : tensor<1x1x3xui8> -> tensor<1x1x3xf32>
  %u = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<-0.6> : tensor<f32>> : tensor<1x1x3xui8> -> tensor<1x1x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x1x1xi8> -> tensor<1x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>) -> tensor<1x1x3xf32>
  %z = nn.convolution %u, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>) -> tensor<1x1x3xf32>
  func.return %y, %z : tensor<1x1x3xf32>, tensor<1x1x3xf32>
}

// CHECK-LABEL: @zero_point_times_activations
// CHECK: nn.convolution {{.*}} lpt.declined = "input 0 is quantized with a zero point, and input 1 (filters) is not a constant to fold it with; quantize input 0 symmetrically around 0"
func.func @zero_point_times_activations(%a: tensor<1x1x3xui8>, %b: tensor<1x1x2xi8>) -> tensor<1x1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> zero_point <dense<10> : tensor<ui8>> : tensor<1x1x3xui8> -> tensor<1x1x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  func.return %y : tensor<1x1x2xf32>
}

// CHECK-LABEL: @zero_point_on_filters
// CHECK: nn.convolution {{.*}} lpt.declined = "input 1 (filters) is quantized with a zero point; quantize it symmetrically around 0"
func.func @zero_point_on_filters(%a: tensor<1x1x3xui8>, %b: tensor<1x1x2xi8>) -> tensor<1x1x2xf32> {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x1x3xui8> -> tensor<1x1x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<1x1x2xi8> -> tensor<1x1x2xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x2xf32>) -> tensor<1x1x2xf32>
  func.return %y : tensor<1x1x2xf32>
}

// The data per channel; the data in i8; the filters per input channel; neither quantized; sums too long.
// CHECK-LABEL: @declines
// CHECK: nn.convolution {{.*}} lpt.declined = "input 0 is quantized per channel; preset 'cpu-x86' takes one scale there, so quantize it per tensor"
// CHECK: nn.convolution {{.*}} lpt.declined = "input 0 is quantized to i8; preset 'cpu-x86' takes ui8 there; quantize it to ui8"
// CHECK: nn.convolution {{.*}} lpt.declined = "input 1 (filters) has scales of shape {{.*}}, which vary along the dimensions that are summed over; quantize it per tensor or per output channel"
// CHECK: nn.convolution {{.*}} lpt.declined = "input 0 is not quantized; put a FakeQuantize on it"
// CHECK: nn.convolution {{.*}} lpt.declined = "input 1 (filters) is not quantized; put a FakeQuantize on it"
// CHECK: nn.convolution {{.*}} lpt.declined = "it sums 65794 products, and 32 bits may overflow; 65793 are safe"
func.func @declines(%a: tensor<1x2x3xui8>, %b: tensor<1x2x1xi8>, %c: tensor<1x2x3xi8>, %f: tensor<1x2x3xf32>, %g: tensor<1x2x1xf32>, %h: tensor<1x65794x1xui8>, %k: tensor<1x65794x1xi8>) -> (tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>) {
  %x = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %p = qnn.dequantize %a scale <dense<[[[0.5], [0.25]]]> : tensor<1x2x1xf32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %s = qnn.dequantize %c scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xi8> -> tensor<1x2x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %v = qnn.dequantize %b scale <dense<[[[0.5], [0.25]]]> : tensor<1x2x1xf32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %0 = nn.convolution %p, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  %1 = nn.convolution %s, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  %2 = nn.convolution %x, %v {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  %3 = nn.convolution %f, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  %4 = nn.convolution %x, %g {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x3xf32>, tensor<1x2x1xf32>) -> tensor<1x1x3xf32>
  %y = qnn.dequantize %h scale <dense<0.5> : tensor<f32>> : tensor<1x65794x1xui8> -> tensor<1x65794x1xf32>
  %u = qnn.dequantize %k scale <dense<0.5> : tensor<f32>> : tensor<1x65794x1xi8> -> tensor<1x65794x1xf32>
  %5 = nn.convolution %y, %u {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x65794x1xf32>, tensor<1x65794x1xf32>) -> tensor<1x1x1xf32>
  func.return %0, %1, %2, %3, %4, %5 : tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x3xf32>, tensor<1x1x1xf32>
}

// A symmetric interval gets u8 with zero point 128, as the CPU's convolutions take no signed data.
// CHECK-LABEL: @signed_data
// CHECK: qnn.fake_quantize {{.*}} -> tensor<1x1x3xui8>
// CHECK: nn.convolution {{.*}} -> tensor<1x1x3xi32>
// CHECK-NEXT: qnn.dequantize {{.*}} zero_point <dense<384> : tensor<i32>>
func.func @signed_data(%f: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  %l = nn.constant dense<-128.0> : tensor<f32>
  %h = nn.constant dense<127.0> : tensor<f32>
  %b = nn.constant dense<[[[3]]]> : tensor<1x1x1xi8>
  %x = qnn.fake_quantize %f, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x1x3xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x1x3xf32>
  %w = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x1x1xi8> -> tensor<1x1x1xf32>
  %y = nn.convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x1xf32>) -> tensor<1x1x3xf32>
  func.return %y : tensor<1x1x3xf32>
}
