// RUN: opt-tool %s --lpt-main | filecheck %s

// Scales are dealt out as channels are.
// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.shuffle_channels %q{{.*}}tensor<1x4x1xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\], \[3.0\], \[2.0\], \[4.0\]\]\]}}> : tensor<1x4x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<1x4x1xui8>) -> tensor<1x4x1xf32> {
  %x = qnn.dequantize %q scale <dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x4x1xui8> -> tensor<1x4x1xf32>
  %y = nn.shuffle_channels %x {axis = 1 : i64, group = 2 : i64} : tensor<1x4x1xf32>
  func.return %y : tensor<1x4x1xf32>
}

// CHECK-LABEL: @other_axis
// CHECK: [[Y:%.*]] = nn.shuffle_channels %q{{.*}}tensor<1x2x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>>
func.func @other_axis(%q: tensor<1x2x4xui8>) -> tensor<1x2x4xf32> {
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.shuffle_channels %x {axis = -1 : i64, group = 2 : i64} : tensor<1x2x4xf32>
  func.return %y : tensor<1x2x4xf32>
}
