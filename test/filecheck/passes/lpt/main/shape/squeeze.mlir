// RUN: opt-tool %s --lpt-main | filecheck %s

// CHECK-LABEL: @per_channel
// CHECK: [[Y:%.*]] = nn.squeeze %q, %axes : (tensor<1x2x1xi8>, tensor<1xi64>) -> tensor<1x2xi8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<{{\[\[1.0, 2.0\]\]}}> : tensor<1x2xf32>>
func.func @per_channel(%q: tensor<1x2x1xi8>) -> tensor<1x2xf32> {
  %axes = nn.constant dense<[-1]> : tensor<1xi64>
  %x = qnn.dequantize %q scale <dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.squeeze %x, %axes : (tensor<1x2x1xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  func.return %y : tensor<1x2xf32>
}

// CHECK-LABEL: @all_axes
// CHECK: [[Y:%.*]] = nn.squeeze %q : (tensor<1x2x1xi8>) -> tensor<2xi8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<[1.0, 2.0]> : tensor<2xf32>>
func.func @all_axes(%q: tensor<1x2x1xi8>) -> tensor<2xf32> {
  %x = qnn.dequantize %q scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.squeeze %x : (tensor<1x2x1xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// An axis that cannot go is skipped, its scales stay.
// CHECK-LABEL: @skips
// CHECK: [[Y:%.*]] = nn.squeeze %q
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<[1.0, 2.0]> : tensor<2xf32>>
func.func @skips(%q: tensor<1x2xi8>) -> tensor<2xf32> {
  %axes = nn.constant dense<[0, 1]> : tensor<2xi64>
  %x = qnn.dequantize %q scale <dense<[1.0, 2.0]> : tensor<2xf32>> : tensor<1x2xi8> -> tensor<1x2xf32>
  %y = nn.squeeze %x, %axes {allow_axis_skip = true} : (tensor<1x2xf32>, tensor<2xi64>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// CHECK-LABEL: @sum_of_products
// CHECK: nn.squeeze {{.*}} {lpt.declined = "its input is the 32-bit sum of a product; it is dequantized in front of it"}
func.func @sum_of_products(%q: tensor<1x2xi32>) -> tensor<2xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x2xi32> -> tensor<1x2xf32>
  %y = nn.squeeze %x : (tensor<1x2xf32>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}

// An empty list names all.
// CHECK-LABEL: @none_listed
// CHECK: [[Y:%.*]] = nn.squeeze %q, %axes : (tensor<1x2x1xi8>, tensor<0xi64>) -> tensor<2xi8>
// CHECK-NEXT: qnn.dequantize [[Y]] scale <dense<[1.0, 2.0]> : tensor<2xf32>>
func.func @none_listed(%q: tensor<1x2x1xi8>) -> tensor<2xf32> {
  %axes = nn.constant dense<[]> : tensor<0xi64>
  %x = qnn.dequantize %q scale <dense<[[1.0], [2.0]]> : tensor<2x1xf32>> : tensor<1x2x1xi8> -> tensor<1x2x1xf32>
  %y = nn.squeeze %x, %axes : (tensor<1x2x1xf32>, tensor<0xi64>) -> tensor<2xf32>
  func.return %y : tensor<2xf32>
}
