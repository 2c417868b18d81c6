// RUN: opt-tool %s --lpt-main | filecheck %s

// Channels stay where they are.
// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.space_to_batch %q{{.*}}tensor<2x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<1x2x4xui8>) -> tensor<2x2x2xf32> {
  %b = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
  %c = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
  %d = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.space_to_batch %x, %b, %c, %d : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// CHECK-LABEL: @padded
// CHECK: [[Y:%.*]] = nn.space_to_batch %q{{.*}}tensor<2x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>>
func.func @padded(%q: tensor<1x2x3xui8>) -> tensor<2x2x2xf32> {
  %b = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
  %c = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %d = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %y = nn.space_to_batch %x, %b, %c, %d : (tensor<1x2x3xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// CHECK-LABEL: @padded_with_zero_point
// CHECK: nn.space_to_batch {{.*}}lpt.declined = "its input is quantized with a zero point and may be padded with zeros; quantize it symmetrically around 0"
func.func @padded_with_zero_point(%q: tensor<1x2x3xui8>) -> tensor<2x2x2xf32> {
  %b = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
  %c = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %d = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x3xui8> -> tensor<1x2x3xf32>
  %y = nn.space_to_batch %x, %b, %c, %d : (tensor<1x2x3xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x2x2xf32>
  func.return %y : tensor<2x2x2xf32>
}

// CHECK-LABEL: @channels_of_blocks
// CHECK: nn.space_to_batch {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @channels_of_blocks(%q: tensor<1x2x4xui8>) -> tensor<2x1x4xf32> {
  %b = nn.constant dense<[1, 2, 1]> : tensor<3xi64>
  %c = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
  %d = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.space_to_batch %x, %b, %c, %d : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x1x4xf32>
  func.return %y : tensor<2x1x4xf32>
}

// Nothing says which dimensions stay where they are, or that nothing is padded.
// CHECK-LABEL: @computed
// CHECK: nn.space_to_batch {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
// CHECK: nn.space_to_batch {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @computed(%q: tensor<1x2x4xui8>, %n: tensor<3xi64>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %b = nn.constant dense<[1, 1, 2]> : tensor<3xi64>
  %c = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.space_to_batch %x, %n, %c, %c : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %z = nn.space_to_batch %x, %b, %n, %c : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xf32>
  func.return %y, %z : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}
