// RUN: opt-tool %s --lpt-main | filecheck %s

// The input's own elements, whatever their zero point.
// CHECK-LABEL: @edge
// CHECK: [[Y:%.*]] = nn.pad %q
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @edge(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %b = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %e = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.pad %x, %b, %e {pad_mode = "edge"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}

// CHECK-LABEL: @zeros
// CHECK: [[V:%.*]] = nn.constant dense<0> : tensor<ui8>
// CHECK: [[Y:%.*]] = nn.pad %q, %b, %e, [[V]]
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>>
func.func @zeros(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %b = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %e = nn.constant dense<0> : tensor<3xi64>
  %v = nn.constant dense<0.0> : tensor<f32>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.pad %x, %b, %e, %v {pad_mode = "constant"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<f32>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}

// The code that stands for 0.
// CHECK-LABEL: @zeros_with_zero_point
// CHECK: [[V:%.*]] = nn.constant dense<3> : tensor<ui8>
// CHECK-NEXT: [[Y:%.*]] = nn.pad %q, %b, %e, [[V]]
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>>
func.func @zeros_with_zero_point(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %b = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %e = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.pad %x, %b, %e {pad_mode = "constant"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}

// CHECK-LABEL: @zeros_between_codes
// CHECK: nn.pad {{.*}}lpt.declined = "its input is padded with zeros and quantized so that no code stands for 0; move its interval so that 0 is a step, or quantize it symmetrically around 0"
func.func @zeros_between_codes(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %b = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %e = nn.constant dense<0> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.pad %x, %b, %e {pad_mode = "constant"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}

// CHECK-LABEL: @ones
// CHECK: nn.pad {{.*}}lpt.declined = "it pads with another value than 0, which may have no code; pad with 0"
func.func @ones(%q: tensor<1x2x4xui8>) -> tensor<1x2x5xf32> {
  %b = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %e = nn.constant dense<0> : tensor<3xi64>
  %v = nn.constant dense<1.0> : tensor<f32>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.pad %x, %b, %e, %v {pad_mode = "constant"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<f32>) -> tensor<1x2x5xf32>
  func.return %y : tensor<1x2x5xf32>
}

// Scales are padded as the channels are; not where these are cropped.
// CHECK-LABEL: @channels
// CHECK: [[Y:%.*]] = nn.pad %q{{.*}}tensor<1x4x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[2.0\], \[0.5\], \[2.0\], \[0.5\]\]\]}}> : tensor<1x4x1xf32>>
// CHECK: nn.pad {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @channels(%q: tensor<1x2x4xui8>) -> (tensor<1x4x4xf32>, tensor<1x2x4xf32>) {
  %b = nn.constant dense<[0, 1, 0]> : tensor<3xi64>
  %e = nn.constant dense<[0, -1, 0]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.pad %x, %b, %b {pad_mode = "reflect"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x4x4xf32>
  %z = nn.pad %x, %b, %e {pad_mode = "edge"} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x2x4xf32>
  func.return %y, %z : tensor<1x4x4xf32>, tensor<1x2x4xf32>
}

// One scale needs no sizes; scales of channels do.
// CHECK-LABEL: @computed_sizes
// CHECK: nn.pad %q, {{.*}} -> tensor<?x?xui8>
// CHECK: nn.pad {{.*}}lpt.declined = "its input is quantized per channel along dimension 0, which it rearranges; quantize it per tensor"
func.func @computed_sizes(%q: tensor<2x2xui8>, %n: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %w = qnn.dequantize %q scale <dense<[[0.5], [2.0]]> : tensor<2x1xf32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = nn.pad %x, %n, %n {pad_mode = "edge"} : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %z = nn.pad %w, %n, %n {pad_mode = "edge"} : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y, %z : tensor<?x?xf32>, tensor<?x?xf32>
}

// Where code 0 stands for 0, nothing says what is padded with; a value that the mode does not use says nothing.
// CHECK-LABEL: @zeros_without_zero_point
// CHECK: nn.pad %q, %n, %n {pad_mode = "constant"}
// CHECK-LABEL: @unused_value
// CHECK: [[Y:%.*]] = nn.pad %q, {{.*}} {pad_mode = "edge"} {{.*}} -> tensor<4x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]]
func.func @zeros_without_zero_point(%q: tensor<2x2xui8>) -> tensor<4x4xf32> {
  %n = nn.constant dense<1> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = nn.pad %x, %n, %n {pad_mode = "constant"} : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}
func.func @unused_value(%q: tensor<2x2xui8>) -> tensor<4x4xf32> {
  %n = nn.constant dense<1> : tensor<2xi64>
  %v = nn.constant dense<7.0> : tensor<f32>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = nn.pad %x, %n, %n, %v {pad_mode = "edge"} : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<f32>) -> tensor<4x4xf32>
  func.return %y : tensor<4x4xf32>
}

// One computed end is enough.
// CHECK-LABEL: @one_computed_end
// CHECK-COUNT-2: nn.pad {{.*}}lpt.declined = "its input is quantized per channel along dimension 0, which it rearranges; quantize it per tensor"
func.func @one_computed_end(%q: tensor<2x2xui8>, %n: tensor<2xi64>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %k = nn.constant dense<1> : tensor<2xi64>
  %w = qnn.dequantize %q scale <dense<[[0.5], [2.0]]> : tensor<2x1xf32>> : tensor<2x2xui8> -> tensor<2x2xf32>
  %y = nn.pad %w, %n, %k {pad_mode = "edge"} : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  %z = nn.pad %w, %k, %n {pad_mode = "edge"} : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xf32>
  func.return %y, %z : tensor<?x?xf32>, tensor<?x?xf32>
}
