// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.slice %q{{.*}}tensor<1x2x1xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<1x2x4xui8>) -> tensor<1x2x1xf32> {
  %b = nn.constant dense<[0]> : tensor<1xi64>
  %e = nn.constant dense<[1]> : tensor<1xi64>
  %s = nn.constant dense<[1]> : tensor<1xi64>
  %a = nn.constant dense<[-1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.slice %x, %b, %e, %s, %a : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x1xf32>
  func.return %y : tensor<1x2x1xf32>
}

// Scales are cut as the channels are.
// CHECK-LABEL: @channels
// CHECK: [[Y:%.*]] = nn.slice %q{{.*}}tensor<1x1x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>>
func.func @channels(%q: tensor<1x2x4xui8>) -> tensor<1x1x4xf32> {
  %b = nn.constant dense<[0]> : tensor<1xi64>
  %e = nn.constant dense<[1]> : tensor<1xi64>
  %s = nn.constant dense<[1]> : tensor<1xi64>
  %a = nn.constant dense<[1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.slice %x, %b, %e, %s, %a : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x4xf32>
  func.return %y : tensor<1x1x4xf32>
}

// CHECK-LABEL: @unknown_channels
// CHECK: nn.slice {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @unknown_channels(%q: tensor<1x2x4xui8>, %b: tensor<1xi64>) -> tensor<1x?x4xf32> {
  %e = nn.constant dense<[1]> : tensor<1xi64>
  %s = nn.constant dense<[1]> : tensor<1xi64>
  %a = nn.constant dense<[1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.slice %x, %b, %e, %s, %a : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x?x4xf32>
  func.return %y : tensor<1x?x4xf32>
}

// It may be any dimension that is cut.
// CHECK-LABEL: @computed_axes
// CHECK: nn.slice %q
// CHECK: nn.slice {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @computed_axes(%q: tensor<1x2x4xui8>, %a: tensor<1xi64>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>) {
  %b = nn.constant dense<[0]> : tensor<1xi64>
  %e = nn.constant dense<[1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %w = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.slice %x, %b, %e, %e, %a : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  %z = nn.slice %w, %b, %e, %e, %a : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?x?xf32>
  func.return %y, %z : tensor<?x?x?xf32>, tensor<?x?x?xf32>
}

// What is cut off a dimension without scales of its own takes none of them away.
// CHECK-LABEL: @beside_channels
// CHECK: [[Y:%.*]] = nn.slice %q
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}>
func.func @beside_channels(%q: tensor<1x2x4xui8>) -> tensor<1x2x2xf32> {
  %b = nn.constant dense<[2]> : tensor<1xi64>
  %e = nn.constant dense<[4]> : tensor<1xi64>
  %s = nn.constant dense<[1]> : tensor<1xi64>
  %w = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.slice %w, %b, %e, %s, %b : (tensor<1x2x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}
