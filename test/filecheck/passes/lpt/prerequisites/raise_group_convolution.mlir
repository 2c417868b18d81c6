// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @ones
// CHECK-NEXT: qnn.dequantize %q scale <dense<0.5> : tensor<f32>> {nn.name = "y"} : tensor<1x2x4x4xui8>
func.func @ones(%q: tensor<1x2x4x4xui8>) -> tensor<1x2x4x4xf32> {
  %w = nn.constant dense<1> : tensor<2x1x1x1x1xi8>
  %c = nn.group_convolution %q, %w {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xui8>, tensor<2x1x1x1x1xi8>) -> tensor<1x2x4x4xi32>
  %f = nn.convert %c to f32 : tensor<1x2x4x4xi32> -> tensor<1x2x4x4xf32>
  %s = nn.constant dense<0.5> : tensor<f32>
  %y = nn.multiply %f, %s {nn.name = "y"} : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}

// Another factor; a larger kernel; two outputs of each channel; strides; padding that keeps the size.
// CHECK-LABEL: @others
// CHECK-COUNT-5: nn.group_convolution
func.func @others(%q: tensor<1x2x1xui8>) -> (tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x4x1xf32>, tensor<1x2x1xf32>, tensor<1x2x2xf32>) {
  %two = nn.constant dense<2> : tensor<2x1x1x1xi8>
  %wide = nn.constant dense<1> : tensor<2x1x1x3xi8>
  %both = nn.constant dense<1> : tensor<2x2x1x1xi8>
  %one = nn.constant dense<1> : tensor<2x1x1x1xi8>
  %a = nn.group_convolution %q, %two {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x1xui8>, tensor<2x1x1x1xi8>) -> tensor<1x2x1xi32>
  %b = nn.group_convolution %q, %wide {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 1>, dilations = array<i64: 1>} : (tensor<1x2x1xui8>, tensor<2x1x1x3xi8>) -> tensor<1x2x1xi32>
  %c = nn.group_convolution %q, %both {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x1xui8>, tensor<2x2x1x1xi8>) -> tensor<1x4x1xi32>
  %d = nn.group_convolution %q, %one {strides = array<i64: 2>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x1xui8>, tensor<2x1x1x1xi8>) -> tensor<1x2x1xi32>
  %e = nn.group_convolution %q, %one {strides = array<i64: 1>, pads_begin = array<i64: 1>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x1xui8>, tensor<2x1x1x1xi8>) -> tensor<1x2x2xi32>
  %p = nn.convert %a to f32 : tensor<1x2x1xi32> -> tensor<1x2x1xf32>
  %r = nn.convert %b to f32 : tensor<1x2x1xi32> -> tensor<1x2x1xf32>
  %s = nn.convert %c to f32 : tensor<1x4x1xi32> -> tensor<1x4x1xf32>
  %t = nn.convert %d to f32 : tensor<1x2x1xi32> -> tensor<1x2x1xf32>
  %u = nn.convert %e to f32 : tensor<1x2x2xi32> -> tensor<1x2x2xf32>
  func.return %p, %r, %s, %t, %u : tensor<1x2x1xf32>, tensor<1x2x1xf32>, tensor<1x4x1xf32>, tensor<1x2x1xf32>, tensor<1x2x2xf32>
}

// Of values, it is a layer of the model.
// CHECK-LABEL: @values
// CHECK: nn.group_convolution
func.func @values(%x: tensor<1x2x4xf32>, %q: tensor<4xi8>) -> (tensor<1x2x4xf16>, tensor<4xf32>) {
  %w = nn.constant dense<1.0> : tensor<2x1x1x1xf32>
  %c = nn.group_convolution %x, %w {strides = array<i64: 1>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : (tensor<1x2x4xf32>, tensor<2x1x1x1xf32>) -> tensor<1x2x4xf32>
  %f = nn.convert %c to f16 : tensor<1x2x4xf32> -> tensor<1x2x4xf16>
  %d = nn.convert %q to f32 : tensor<4xi8> -> tensor<4xf32>
  func.return %f, %d : tensor<1x2x4xf16>, tensor<4xf32>
}
