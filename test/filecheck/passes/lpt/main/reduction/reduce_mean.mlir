// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[V:%.*]] = nn.convert %q to f32 : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.reduce_mean [[V]], {{.*}} {nn.name = "mean_original", keep_dims = true} {{.*}} -> tensor<1x2x1xf32>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[0.25\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3.0> : tensor<f32>> {nn.name = "mean"}
func.func @per_channel(%q: tensor<1x2x4xui8>) -> tensor<1x2x1xf32> {
  %axes = nn.constant dense<[-1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.reduce_mean %x, %axes {keep_dims = true, nn.name = "mean"} : (tensor<1x2x4xf32>, tensor<1xi64>) -> tensor<1x2x1xf32>
  func.return %y : tensor<1x2x1xf32>
}

// The number of elements does not matter.
// CHECK-LABEL: @unknown_size
// CHECK: [[Y:%.*]] = nn.reduce_mean
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[0.5, 0.25\]\]}}> : tensor<1x2xf32>> zero_point <dense<3.0> : tensor<f32>> : tensor<?x2xf32> -> tensor<?x2xf32>
func.func @unknown_size(%q: tensor<?x2x?xui8>) -> tensor<?x2xf32> {
  %axes = nn.constant dense<2> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<?x2x?xui8> -> tensor<?x2x?xf32>
  %y = nn.reduce_mean %x, %axes : (tensor<?x2x?xf32>, tensor<1xi64>) -> tensor<?x2xf32>
  func.return %y : tensor<?x2xf32>
}

// CHECK-LABEL: @along_channels
// CHECK: nn.reduce_mean {{.*}} {lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @along_channels(%q: tensor<1x2x4xi8>) -> tensor<1x4xf32> {
  %axes = nn.constant dense<1> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x2x4xi8> -> tensor<1x2x4xf32>
  %y = nn.reduce_mean %x, %axes : (tensor<1x2x4xf32>, tensor<1xi64>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
