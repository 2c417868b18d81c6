// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @one_scale
// CHECK: [[Y:%.*]] = nn.depth_to_space %q{{.*}}tensor<1x1x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
func.func @one_scale(%q: tensor<1x2x2xui8>) -> tensor<1x1x4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %y = nn.depth_to_space %x {mode = "blocks_first", block_size = 2 : i64} : tensor<1x2x2xf32> -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// CHECK-LABEL: @per_channel
// CHECK: nn.depth_to_space {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @per_channel(%q: tensor<1x2x2xui8>) -> tensor<1x1x4xf32> {
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x2xui8> -> tensor<1x2x2xf32>
  %y = nn.depth_to_space %x {mode = "blocks_first", block_size = 2 : i64} : tensor<1x2x2xf32> -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}
