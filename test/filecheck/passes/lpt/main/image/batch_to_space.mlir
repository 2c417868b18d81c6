// RUN: opt-tool %s --lpt-main | filecheck %s

// Channels stay where they are.
// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.batch_to_space %q{{.*}}tensor<1x2x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<2x2x2xui8>) -> tensor<1x2x4xf32> {
  %b = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
  %c = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
  %d = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x2x2xui8> -> tensor<2x2x2xf32>
  %y = nn.batch_to_space %x, %b, %c, %d : (tensor<2x2x2xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}

// CHECK-LABEL: @channels_of_blocks
// CHECK: nn.batch_to_space {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @channels_of_blocks(%q: tensor<2x2x2xui8>) -> tensor<1x4x2xf32> {
  %b = nn.constant dense<[1, 2, 1]> : tensor<3xi64>
  %c = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
  %d = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<2x2x2xui8> -> tensor<2x2x2xf32>
  %y = nn.batch_to_space %x, %b, %c, %d : (tensor<2x2x2xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x4x2xf32>
  func.return %y : tensor<1x4x2xf32>
}

// Nothing says which dimensions stay where they are.
// CHECK-LABEL: @computed_blocks
// CHECK: nn.batch_to_space {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @computed_blocks(%q: tensor<2x2x2xui8>, %b: tensor<3xi64>) -> tensor<?x?x?xf32> {
  %c = nn.constant dense<[0, 1, 0]> : tensor<3xi64>
  %d = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<2x2x2xui8> -> tensor<2x2x2xf32>
  %y = nn.batch_to_space %x, %b, %c, %d : (tensor<2x2x2xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xf32>
  func.return %y : tensor<?x?x?xf32>
}
