// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @whole_channels
// CHECK: [[Y:%.*]] = nn.strided_slice %q{{.*}}tensor<1x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @whole_channels(%q: tensor<1x2x4xui8>) -> tensor<1x2x2xf32> {
  %b = nn.constant dense<[0, 0, 1]> : tensor<3xi64>
  %e = nn.constant dense<[0, 0, 3]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.strided_slice %x, %b, %e {begin_mask = array<i64: 1, 1, 0>, end_mask = array<i64: 1, 1, 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// CHECK-LABEL: @loses_and_gets_dimensions
// CHECK: [[Y:%.*]] = nn.strided_slice %q{{.*}}tensor<2x1x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\]\], \[\[2.0\]\]\]}}> : tensor<2x1x1xf32>>
func.func @loses_and_gets_dimensions(%q: tensor<1x2x4xui8>) -> tensor<2x1x4xf32> {
  %b = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
  %e = nn.constant dense<[0, 0, 0]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.strided_slice %x, %b, %e {begin_mask = array<i64: 0, 1, 0>, end_mask = array<i64: 0, 1, 0>, new_axis_mask = array<i64: 0, 0, 1>, shrink_axis_mask = array<i64: 1>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x1x4xf32>
  func.return %y : tensor<2x1x4xf32>
}

// Scales are cut as the channels are, backwards here; a channel taken alone has one scale.
// CHECK-LABEL: @turned_channels
// CHECK: [[Y:%.*]] = nn.strided_slice %q{{.*}}tensor<1x2x4xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[1.0\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>>
// CHECK: [[Z:%.*]] = nn.strided_slice %q{{.*}}tensor<1x4xui8>
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<2.0> : tensor<f32>>
func.func @turned_channels(%q: tensor<1x3x4xui8>) -> (tensor<1x2x4xf32>, tensor<1x4xf32>) {
  %b = nn.constant dense<[0, -1]> : tensor<2xi64>
  %e = nn.constant dense<[1, 0]> : tensor<2xi64>
  %s = nn.constant dense<[1, -1]> : tensor<2xi64>
  %c = nn.constant dense<[0, 1]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0], [1.0]]]> : tensor<1x3x1xf32>> : tensor<1x3x4xui8> -> tensor<1x3x4xf32>
  %y = nn.strided_slice %x, %b, %e, %s {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x3x4xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2x4xf32>
  %z = nn.strided_slice %x, %c, %e {begin_mask = array<i64: 1>, end_mask = array<i64: 1>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64: 0, 1>, ellipsis_mask = array<i64>} : (tensor<1x3x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x4xf32>
  func.return %y, %z : tensor<1x2x4xf32>, tensor<1x4xf32>
}

// CHECK-LABEL: @unknown_channels
// CHECK: nn.strided_slice {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @unknown_channels(%q: tensor<1x2x4xui8>, %b: tensor<2xi64>) -> tensor<?x?x4xf32> {
  %e = nn.constant dense<[1, 1]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.strided_slice %x, %b, %e {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x4xf32>
  func.return %y : tensor<?x?x4xf32>
}

// Limits are computed, but the channels stay as a whole: both ends are masked, and steps go forward by 1.
// CHECK-LABEL: @whole_beside_computed
// CHECK: [[Y:%.*]] = nn.strided_slice %q
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}>
// CHECK: [[Z:%.*]] = nn.strided_slice %q
// CHECK-NEXT: qnn.dequantize [[Z]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}>
// CHECK-LABEL: @not_whole
// CHECK-COUNT-5: nn.strided_slice {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @whole_beside_computed(%q: tensor<1x2x4xui8>, %b: tensor<3xi64>) -> (tensor<?x2x?xf32>, tensor<?x2x?xf32>) {
  %s = nn.constant dense<[1, 1, 1]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.strided_slice %x, %b, %s, %s {begin_mask = array<i64: 0, 1, 0>, end_mask = array<i64: 0, 1, 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x2x?xf32>
  %z = nn.strided_slice %x, %b, %s {begin_mask = array<i64: 0, 1, 0>, end_mask = array<i64: 0, 1, 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x2x?xf32>
  func.return %y, %z : tensor<?x2x?xf32>, tensor<?x2x?xf32>
}
func.func @not_whole(%q: tensor<1x2x4xui8>, %b: tensor<3xi64>) -> (tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x2x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>) {
  %s = nn.constant dense<[1, 1, 1]> : tensor<3xi64>
  %t = nn.constant dense<[1, -1, 1]> : tensor<3xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %begin = nn.strided_slice %x, %b, %s, %s {begin_mask = array<i64: 0, 1, 0>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %end = nn.strided_slice %x, %b, %s, %s {begin_mask = array<i64>, end_mask = array<i64: 0, 1, 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %turned = nn.strided_slice %x, %b, %s, %t {begin_mask = array<i64: 0, 1, 0>, end_mask = array<i64: 0, 1, 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x2x?xf32>
  %steps = nn.strided_slice %x, %s, %s, %b {begin_mask = array<i64: 0, 1, 0>, end_mask = array<i64: 0, 1, 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %one = nn.strided_slice %x, %b, %s, %s {begin_mask = array<i64: 0, 1, 0>, end_mask = array<i64: 0, 1, 0>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64: 0, 1, 0>, ellipsis_mask = array<i64>} : (tensor<1x2x4xf32>, tensor<3xi64>, tensor<3xi64>, tensor<3xi64>) -> tensor<?x?xf32>
  func.return %begin, %end, %turned, %steps, %one : tensor<?x?x?xf32>, tensor<?x?x?xf32>, tensor<?x2x?xf32>, tensor<?x?x?xf32>, tensor<?x?xf32>
}

// Channels that no place stands for keep their scales; where an end is computed, nothing is known of them.
// CHECK-LABEL: @no_place
// CHECK: [[Y:%.*]] = nn.strided_slice %q
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}>
// CHECK: nn.strided_slice {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @no_place(%q: tensor<2x2x4xui8>, %n: tensor<2xi64>) -> (tensor<1x2x4xf32>, tensor<?x?x4xf32>) {
  %b = nn.constant dense<[1]> : tensor<1xi64>
  %e = nn.constant dense<[2]> : tensor<1xi64>
  %c = nn.constant dense<[0, 1]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> : tensor<2x2x4xui8> -> tensor<2x2x4xf32>
  %y = nn.strided_slice %x, %b, %e {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<2x2x4xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x4xf32>
  %z = nn.strided_slice %x, %c, %n {begin_mask = array<i64>, end_mask = array<i64>, new_axis_mask = array<i64>, shrink_axis_mask = array<i64>, ellipsis_mask = array<i64>} : (tensor<2x2x4xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?x4xf32>
  func.return %y, %z : tensor<1x2x4xf32>, tensor<?x?x4xf32>
}
