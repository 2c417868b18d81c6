// RUN: opt-tool %s --lpt-cleanup='preset=all' | filecheck %s
// RUN: opt-tool %s --lpt-cleanup | filecheck %s --check-prefix OFF

// OFF-NOT: nn.group_convolution

// CHECK-LABEL: @image
// CHECK: [[W:%.*]] = nn.constant dense<{{.*}}> : tensor<2x1x1x1x1xi8>
// CHECK-NEXT: [[C:%.*]] = nn.group_convolution %q, [[W]] {nn.name = "y/GroupConvolution", strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x2x4x4xui8>, tensor<2x1x1x1x1xi8>) -> tensor<?x2x4x4xi32>
// CHECK-NEXT: [[F:%.*]] = nn.convert [[C]] to f32
// CHECK-NEXT: [[Z:%.*]] = nn.constant dense<{{\[\[\[\[3.0\]\], \[\[4.0\]\]\]\]}}> : tensor<1x2x1x1xf32>
// CHECK-NEXT: [[D:%.*]] = nn.subtract [[F]], [[Z]]
// CHECK-NEXT: [[S:%.*]] = nn.constant dense<0.5> : tensor<f32>
// CHECK-NEXT: nn.multiply [[D]], [[S]] {nn.name = "y"}
func.func @image(%q: tensor<?x2x4x4xui8>) -> tensor<?x2x4x4xf32> {
  %y = qnn.dequantize %q scale <dense<0.5> : tensor<f32>> zero_point <dense<[[[3]], [[4]]]> : tensor<2x1x1xui8>> {nn.name = "y"} : tensor<?x2x4x4xui8> -> tensor<?x2x4x4xf32>
  func.return %y : tensor<?x2x4x4xf32>
}

// CHECK-LABEL: @volume
// CHECK: nn.group_convolution {{.*}} {strides = array<i64: 1, 1, 1>
func.func @volume(%q: tensor<1x2x3x4x5xui8>) -> tensor<1x2x3x4x5xf32> {
  %y = qnn.dequantize %q scale <dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>> : tensor<1x2x3x4x5xui8> -> tensor<1x2x3x4x5xf32>
  func.return %y : tensor<1x2x3x4x5xf32>
}

// Other ranks, channels of unknown number, scales along rows, constants, sums, and images without elements.
// CHECK-LABEL: @others
// CHECK-NOT: nn.group_convolution
// CHECK: func.return
func.func @others(%a: tensor<1x2x4xui8>, %b: tensor<1x?x4x4xui8>, %c: tensor<1x1x2x1xui8>, %d: tensor<1x2x4x4xi32>, %e: tensor<1x2x0x4xui8>) -> (tensor<1x2x4xf32>, tensor<1x?x4x4xf32>, tensor<1x1x2x1xf32>, tensor<1x2x4x4xf32>, tensor<1x1x1x1xf32>, tensor<1x2x0x4xf32>) {
  %p = qnn.dequantize %a scale <dense<0.5> : tensor<f32>> : tensor<1x2x4xui8> -> tensor<1x2x4xf32>
  %q = qnn.dequantize %b scale <dense<0.5> : tensor<f32>> : tensor<1x?x4x4xui8> -> tensor<1x?x4x4xf32>
  %r = qnn.dequantize %c scale <dense<[[0.5], [0.25]]> : tensor<2x1xf32>> : tensor<1x1x2x1xui8> -> tensor<1x1x2x1xf32>
  %s = qnn.dequantize %d scale <dense<0.5> : tensor<f32>> : tensor<1x2x4x4xi32> -> tensor<1x2x4x4xf32>
  %w = nn.constant dense<3> : tensor<1x1x1x1xui8>
  %t = qnn.dequantize %w scale <dense<0.5> : tensor<f32>> : tensor<1x1x1x1xui8> -> tensor<1x1x1x1xf32>
  %u = qnn.dequantize %e scale <dense<0.5> : tensor<f32>> : tensor<1x2x0x4xui8> -> tensor<1x2x0x4xf32>
  func.return %p, %q, %r, %s, %t, %u : tensor<1x2x4xf32>, tensor<1x?x4x4xf32>, tensor<1x1x2x1xf32>, tensor<1x2x4x4xf32>, tensor<1x1x1x1xf32>, tensor<1x2x0x4xf32>
}

// A scale for each image.
// CHECK-LABEL: @images
// CHECK-NOT: nn.group_convolution
// CHECK: func.return
func.func @images(%q: tensor<2x2x4x4xui8>) -> tensor<2x2x4x4xf32> {
  %y = qnn.dequantize %q scale <dense<[[[[0.5]]], [[[0.25]]]]> : tensor<2x1x1x1xf32>> : tensor<2x2x4x4xui8> -> tensor<2x2x4x4xf32>
  func.return %y : tensor<2x2x4x4xf32>
}
