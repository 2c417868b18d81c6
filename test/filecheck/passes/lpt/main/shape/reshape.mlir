// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_tensor
// CHECK: [[Y:%.*]] = nn.reshape %q, %shape : (tensor<2x6xui8>, tensor<2xi64>) -> tensor<3x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_tensor(%q: tensor<2x6xui8>) -> tensor<3x4xf32> {
  %shape = nn.constant dense<[3, 4]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<2x6xui8> -> tensor<2x6xf32>
  %y = nn.reshape %x, %shape : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<3x4xf32>
  func.return %y : tensor<3x4xf32>
}

// The channels survive: behind two dimensions that become one, before one that becomes two.
// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.reshape
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[\[1.0\]\], \[\[2.0\]\]\]\]}}> : tensor<1x2x1x1xf32>> : tensor<6x2x2x2xi8> -> tensor<6x2x2x2xf32>
func.func @per_channel(%q: tensor<2x3x2x4xi8>) -> tensor<6x2x2x2xf32> {
  %shape = nn.constant dense<[6, 2, 2, 2]> : tensor<4xi64>
  %x = qnn.dequantize %q scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<2x3x2x4xi8> -> tensor<2x3x2x4xf32>
  %y = nn.reshape %x, %shape : (tensor<2x3x2x4xf32>, tensor<4xi64>) -> tensor<6x2x2x2xf32>
  func.return %y : tensor<6x2x2x2xf32>
}

// An unknown batch in front of both.
// CHECK-LABEL: @dynamic_batch
// CHECK: [[Y:%.*]] = nn.reshape
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>>
func.func @dynamic_batch(%q: tensor<?x2x4xi8>) -> tensor<?x2x4xf32> {
  %shape = nn.constant dense<[-1, 2, 4]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>> : tensor<?x2x4xi8> -> tensor<?x2x4xf32>
  %y = nn.reshape %x, %shape : (tensor<?x2x4xf32>, tensor<3xi64>) -> tensor<?x2x4xf32>
  func.return %y : tensor<?x2x4xf32>
}

// Merged with what follows it, each scale holds for several elements.
// CHECK-LABEL: @merged
// CHECK: [[Y:%.*]] = nn.reshape
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[1.0, 1.0, 2.0, 2.0\]\]}}> : tensor<1x4xf32>>
func.func @merged(%q: tensor<2x2x2xi8>) -> tensor<2x4xf32> {
  %shape = nn.constant dense<[2, 4]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<2x2x2xi8> -> tensor<2x2x2xf32>
  %y = nn.reshape %x, %shape : (tensor<2x2x2xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  func.return %y : tensor<2x4xf32>
}

// Output channels become groups of output channels.
// CHECK-LABEL: @split
// CHECK: [[Y:%.*]] = nn.reshape
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\], \[2.0\]\], \[\[3.0\], \[4.0\]\]\]}}> : tensor<2x2x1xf32>>
func.func @split(%q: tensor<4x3xi8>) -> tensor<2x2x3xf32> {
  %shape = nn.constant dense<[2, 2, 3]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>> : tensor<4x3xi8> -> tensor<4x3xf32>
  %y = nn.reshape %x, %shape : (tensor<4x3xf32>, tensor<3xi64>) -> tensor<2x2x3xf32>
  func.return %y : tensor<2x2x3xf32>
}

// Merged with what precedes it, its scales would repeat.
// CHECK-LABEL: @channel_is_lost
// CHECK: nn.reshape {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which is lost from [2, 2, 4] to [4, 4]; quantize it per tensor"}
func.func @channel_is_lost(%q: tensor<2x2x4xi8>) -> tensor<4x4xf32> {
  %shape = nn.constant dense<[4, 4]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<2x2x4xi8> -> tensor<2x2x4xf32>
  %y = nn.reshape %x, %shape : (tensor<2x2x4xf32>, tensor<2xi64>) -> tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}

// The dimension is as long, but holds other elements.
// CHECK-LABEL: @channel_is_another
// CHECK: nn.reshape {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which is lost from [3, 2] to [2, 3]; quantize it per tensor"}
func.func @channel_is_another(%q: tensor<3x2xi8>) -> tensor<2x3xf32> {
  %shape = nn.constant dense<[2, 3]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0]> : tensor<2xf32>> : tensor<3x2xi8> -> tensor<3x2xf32>
  %y = nn.reshape %x, %shape : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}

// CHECK-LABEL: @two_dimensions
// CHECK: nn.reshape {{.*}} {lpt.declined = "its input has scales along dimensions [0, 1]; one can be kept"}
func.func @two_dimensions(%q: tensor<2x2xi8>) -> tensor<2x2xf32> {
  %shape = nn.constant dense<[2, 2]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %y = nn.reshape %x, %shape : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// Weights stay constants, so that zero points of the data can be folded with them.
// CHECK-LABEL: @weights
// CHECK-NEXT: [[W:%.*]] = nn.constant {nn.name = "w_original"} dense<{{\[\[1, 2\], \[3, 4\]\]}}> : tensor<2x2xi8>
// CHECK-NEXT: qnn.dequantize [[W]]
func.func @weights() -> tensor<2x2xf32> {
  %shape = nn.constant dense<[2, 2]> : tensor<2xi64>
  %q = nn.constant dense<[1, 2, 3, 4]> : tensor<4xi8>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<4xi8> -> tensor<4xf32>
  %y = nn.reshape %x, %shape {nn.name = "w"} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}
