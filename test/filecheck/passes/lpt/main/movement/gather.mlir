// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.gather %q{{.*}}tensor<1x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[0.5\], \[2.0\]\]\]}}> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>>
func.func @per_channel(%q: tensor<1x2x4xui8>) -> tensor<1x2x2xf32> {
  %a = nn.constant dense<2> : tensor<i64>
  %i = nn.constant dense<[0, -4]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[[[0.5], [2.0]]]> : tensor<1x2x1xf32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.gather %x, %i, %a {batch_dims = 0 : i64} : (tensor<1x2x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// CHECK-LABEL: @unknown_indices
// CHECK: [[Y:%.*]] = nn.gather %q{{.*}}tensor<1x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<0.5> : tensor<f32>>
func.func @unknown_indices(%q: tensor<1x2x4xui8>, %i: tensor<2xi64>) -> tensor<1x2x2xf32> {
  %a = nn.constant dense<2> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.gather %x, %i, %a {batch_dims = 0 : i64} : (tensor<1x2x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// CHECK-LABEL: @unknown_indices_with_zero_point
// CHECK: nn.gather {{.*}}lpt.declined = "its input is quantized with a zero point, and an index may be out of range, which gives 0; quantize it symmetrically around 0 or make the indices constant"
func.func @unknown_indices_with_zero_point(%q: tensor<1x2x4xui8>, %i: tensor<2xi64>) -> tensor<1x2x2xf32> {
  %a = nn.constant dense<2> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.gather %x, %i, %a {batch_dims = 0 : i64} : (tensor<1x2x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// CHECK-LABEL: @out_of_range_with_zero_point
// CHECK: nn.gather {{.*}}lpt.declined = "its input is quantized with a zero point, and an index is out of range, which gives 0; quantize it symmetrically around 0"
func.func @out_of_range_with_zero_point(%q: tensor<1x2x4xui8>) -> tensor<1x2x2xf32> {
  %a = nn.constant dense<2> : tensor<i64>
  %i = nn.constant dense<[0, 4]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<3> : tensor<ui8>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.gather %x, %i, %a {batch_dims = 0 : i64} : (tensor<1x2x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<1x2x2xf32>
  func.return %y : tensor<1x2x2xf32>
}

// Scales are gathered as the elements are.
// CHECK-LABEL: @along_the_axis
// CHECK: [[Y:%.*]] = nn.gather %q{{.*}}tensor<1x2x2xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[\[4.0, 2.0\]\]\]}}> : tensor<1x1x2xf32>>
// CHECK: nn.gather {{.*}}lpt.declined = "its input is quantized per channel along dimension 2, which it rearranges; quantize it per tensor"
func.func @along_the_axis(%q: tensor<1x2x4xui8>, %j: tensor<2xi64>) -> (tensor<1x2x2xf32>, tensor<1x2x2xf32>) {
  %a = nn.constant dense<2> : tensor<i64>
  %i = nn.constant dense<[-1, 1]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %y = nn.gather %x, %i, %a {batch_dims = 0 : i64} : (tensor<1x2x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<1x2x2xf32>
  %z = nn.gather %x, %j, %a {batch_dims = 0 : i64} : (tensor<1x2x4xf32>, tensor<2xi64>, tensor<i64>) -> tensor<1x2x2xf32>
  func.return %y, %z : tensor<1x2x2xf32>, tensor<1x2x2xf32>
}

// Each batch gathers other scales.
// CHECK-LABEL: @along_the_axis_in_batches
// CHECK: nn.gather {{.*}}lpt.declined = "its input is quantized per channel along dimension 1, which it rearranges; quantize it per tensor"
func.func @along_the_axis_in_batches(%q: tensor<2x3xui8>) -> tensor<2x2xf32> {
  %a = nn.constant dense<1> : tensor<i64>
  %i = nn.constant dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>> : tensor<2x3xui8> -> tensor<2x3xf32>
  %y = nn.gather %x, %i, %a {batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xf32>
  func.return %y : tensor<2x2xf32>
}

// A single index takes the dimension away.
// CHECK-LABEL: @new_dimensions
// CHECK: [[Y:%.*]] = nn.gather %q{{.*}}tensor<3xui8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>>
func.func @new_dimensions(%q: tensor<2x3xui8>) -> tensor<3xf32> {
  %a = nn.constant dense<0> : tensor<i64>
  %i = nn.constant dense<1> : tensor<i64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0, 3.0]> : tensor<3xf32>> : tensor<2x3xui8> -> tensor<2x3xf32>
  %y = nn.gather %x, %i, %a {batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<3xf32>
  func.return %y : tensor<3xf32>
}
