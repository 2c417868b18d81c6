// RUN: opt-tool %s --split-input-file --split-dilated-convolutions | filecheck %s

// Four phases of 4 x 4 positions, as images of a batch; the bias and the relu are theirs.
// CHECK-LABEL: @phases
// CHECK: [[X:%.*]] = nn.transpose {{.*}} -> tensor<4x128x4x4xf32>
// CHECK: nn.convolution [[X]], %{{.*}} {{.*}}dilations = array<i64: 1, 1>{{.*}} -> tensor<4x128x4x4xf32>
// CHECK: nn.relu {{.*}} : tensor<4x128x4x4xf32>
// CHECK: func.return %{{.*}} : tensor<1x128x8x8xf32>
func.func @phases(%x: tensor<1x128x8x8xf32>) -> tensor<1x128x8x8xf32> {
  %f = nn.constant dense<1.0> : tensor<128x128x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 2, 2>, pads_end = array<i64: 2, 2>, dilations = array<i64: 2, 2>} : (tensor<1x128x8x8xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x8x8xf32>
  %z = nn.relu %y : tensor<1x128x8x8xf32>
  func.return %z : tensor<1x128x8x8xf32>
}
// -----
// Nearest miss: phases have fewer positions than a tile.
// CHECK-LABEL: @small
// CHECK: nn.convolution {{.*}}dilations = array<i64: 3, 3>
func.func @small(%x: tensor<1x128x9x9xf32>) -> tensor<1x128x9x9xf32> {
  %f = nn.constant dense<1.0> : tensor<128x128x3x3xf32>
  %y = nn.convolution %x, %f {strides = array<i64: 1, 1>, pads_begin = array<i64: 3, 3>, pads_end = array<i64: 3, 3>, dilations = array<i64: 3, 3>} : (tensor<1x128x9x9xf32>, tensor<128x128x3x3xf32>) -> tensor<1x128x9x9xf32>
  func.return %y : tensor<1x128x9x9xf32>
}
