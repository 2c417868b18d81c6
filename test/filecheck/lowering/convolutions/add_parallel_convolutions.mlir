// RUN: opt-tool %s --split-input-file --add-parallel-convolutions | filecheck %s

// The one tap of 2.0 joins the middle of those of 1.0; the biases are still added.
// CHECK-LABEL: @branches
// CHECK: [[F:%.*]] = nn.constant dense<{{\[\[\[\[}}1.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 1.0]]]]> : tensor<1x1x3x3xf32>
// CHECK-NEXT: [[Y:%.*]] = nn.convolution %x, [[F]] {{.*}}pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>
// CHECK-NOT: nn.convolution
// CHECK-COUNT-2: nn.add
// CHECK-NEXT: func.return
func.func @branches(%x: tensor<1x1x4x4xf32>, %b: tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32> {
  %f = nn.constant dense<1.0> : tensor<1x1x3x3xf32>
  %g = nn.constant dense<2.0> : tensor<1x1x1x1xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 1, 1>, pads_end = array<i64: 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
  %z = nn.convolution %x, %g {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %u = nn.add %y, %b : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %v = nn.add %z, %b : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %w = nn.add %u, %v : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  func.return %w : tensor<1x1x4x4xf32>
}
// -----
// Nearest misses: one is read by another operation, one has another input.
// CHECK-LABEL: @others
// CHECK-COUNT-3: nn.convolution
// CHECK-COUNT-2: nn.add
func.func @others(%x: tensor<1x1x4x4xf32>, %o: tensor<1x1x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  %g = nn.constant dense<2.0> : tensor<1x1x1x1xf32>
  %a = nn.convolution %x, %g {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %b = nn.convolution %x, %g {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %c = nn.convolution %o, %g {strides = array<i64: 1, 1>, pads_begin = array<i64: 0, 0>, pads_end = array<i64: 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4x4xf32>
  %u = nn.add %a, %b : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %v = nn.add %u, %c : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  func.return %v, %a : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}
