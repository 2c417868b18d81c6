// RUN: opt-tool %s --lpt-main | filecheck %s

// Order is kept, so zero points and scales of channels are fine.
// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.max_pool %q{{.*}}tensor<1x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<1x2x4xui8>) -> tensor<1x2x2xf32> {
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x4xf32> -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// CHECK-LABEL: @per_position
// CHECK: nn.max_pool {{.*}}lpt.declined = "its input is quantized per channel along dimension 2, which it rearranges; quantize it per tensor"
func.func @per_position(%q: tensor<1x2x4xui8>) -> tensor<1x2x2xf32> {
  %x = qnn.dequantize %q scale <dense<[0.5, 1.0, 0.5, 1.0]> : tensor<4xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x4xf32> -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// CHECK-LABEL: @negative_scale
// CHECK: nn.max_pool {{.*}}lpt.declined = "its input has a negative scale, which reverses the order of its codes"
func.func @negative_scale(%q: tensor<1x2x4xui8>) -> tensor<1x2x2xf32> {
  %x = qnn.dequantize %q scale <dense<-0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x4xf32> -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// What the model says of a size is more than inference finds.
// CHECK-LABEL: @known_size
// CHECK: [[Y:%.*]] = nn.max_pool %q{{.*}} : tensor<1x2x?xui8> -> tensor<1x2x1xui8>
// CHECK-NEXT: qnn.dequantize [[Y]]{{.*}} -> tensor<1x2x1xf32>
func.func @known_size(%q: tensor<1x2x?xui8>) -> tensor<1x2x1xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x?xui8> -> tensor<1x2x?xf32>
  %y = nn.max_pool %x {kernel = array<i64: 2>, strides = array<i64: 2>, pads_begin = array<i64: 0>, pads_end = array<i64: 0>, dilations = array<i64: 1>} : tensor<1x2x?xf32> -> tensor<1x2x1xf32>
  func.return %y : tensor<1x2x1xf32>
}
