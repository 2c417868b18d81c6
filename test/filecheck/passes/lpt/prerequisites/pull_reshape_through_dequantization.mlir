// RUN: opt-tool %s --lpt-prerequisites | filecheck %s

// CHECK-LABEL: @of_a_group_convolution
// CHECK-NEXT: [[W:%.*]] = nn.constant {nn.name = "filters_original"} dense<{{.*}}> : tensor<2x2x2x1xi8>
// CHECK-NEXT: qnn.dequantize [[W]] scale <dense<{{\[\[\[\[0.5\]\], \[\[0.25\]\]\], \[\[\[2.0\]\], \[\[4.0\]\]\]\]}}> : tensor<2x2x1x1xf32>> {nn.name = "filters"} : tensor<2x2x2x1xi8> -> tensor<2x2x2x1xf32>
// CHECK-NEXT: func.return
func.func @of_a_group_convolution() -> tensor<2x2x2x1xf32> {
  %w = nn.constant dense<[[[1], [2]], [[3], [4]], [[5], [6]], [[7], [8]]]> : tensor<4x2x1xi8>
  %f = nn.convert %w to f32 : tensor<4x2x1xi8> -> tensor<4x2x1xf32>
  %s = nn.constant dense<[[[0.5]], [[0.25]], [[2.0]], [[4.0]]]> : tensor<4x1x1xf32>
  %x = nn.multiply %f, %s : (tensor<4x2x1xf32>, tensor<4x1x1xf32>) -> tensor<4x2x1xf32>
  %shape = nn.constant dense<[2, 2, 2, 1]> : tensor<4xi64>
  %y = nn.reshape %x, %shape {nn.name = "filters"} : (tensor<4x2x1xf32>, tensor<4xi64>) -> tensor<2x2x2x1xf32>
  func.return %y : tensor<2x2x2x1xf32>
}

// One after the other; each user has weights of its own.
// CHECK-LABEL: @twice
// CHECK-DAG: [[V:%.*]] = nn.constant dense<[0, 1, 2, 3]> : tensor<4xi8>
// CHECK-DAG: [[W:%.*]] = nn.constant dense<{{\[\[0, 1\], \[2, 3\]\]}}> : tensor<2x2xi8>
// CHECK-DAG: [[Y:%.*]] = qnn.dequantize [[V]] {{.*}} -> tensor<4xf32>
// CHECK-DAG: [[Z:%.*]] = qnn.dequantize [[W]] {{.*}} -> tensor<2x2xf32>
// CHECK: func.return [[Y]], [[Z]]
func.func @twice() -> (tensor<4xf32>, tensor<2x2xf32>) {
  %w = nn.constant dense<[[[1, 2, 3, 4]]]> : tensor<1x1x4xi8>
  %x = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> zero_point <dense<1> : tensor<i8>> : tensor<1x1x4xi8> -> tensor<1x1x4xf32>
  %four = nn.constant dense<4> : tensor<1xi64>
  %square = nn.constant dense<2> : tensor<2xi64>
  %y = nn.reshape %x, %four : (tensor<1x1x4xf32>, tensor<1xi64>) -> tensor<4xf32>
  %z = nn.reshape %y, %square : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
  func.return %y, %z : tensor<4xf32>, tensor<2x2xf32>
}

// Activations wait for the main step.
// CHECK-LABEL: @computed
// CHECK: nn.reshape
func.func @computed(%q: tensor<1x4xi8>) -> tensor<4xf32> {
  %x = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> : tensor<1x4xi8> -> tensor<1x4xf32>
  %four = nn.constant dense<4> : tensor<1xi64>
  %y = nn.reshape %x, %four : (tensor<1x4xf32>, tensor<1xi64>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// The dimension that has scales is merged with what precedes it.
// CHECK-LABEL: @lost_channels
// CHECK: nn.reshape
func.func @lost_channels() -> tensor<4xf32> {
  %w = nn.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi8>
  %x = qnn.dequantize %w scale <dense<[0.5, 0.25]> : tensor<2xf32>> : tensor<2x2xi8> -> tensor<2x2xf32>
  %four = nn.constant dense<4> : tensor<1xi64>
  %y = nn.reshape %x, %four : (tensor<2x2xf32>, tensor<1xi64>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}
