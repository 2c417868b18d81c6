// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// Tokens that become an image, channels last, lie as they did: neither is transposed.
// CHECK-LABEL: func.func @tokens_to_image(
// CHECK-NEXT:    %0 = kernel.mat_mul [1, 6, 4] {{.*}} access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x6x4xf32>
// CHECK:         [[R:%.*]] = kernel.reshape %0 : tensor<1x6x4xf32> -> tensor<1x2x3x4xf32>
// CHECK-NEXT:    %{{.*}} = kernel.convolution {{.*}} a([[R]] : tensor<1x2x3x4xf32>)
func.func @tokens_to_image(%x: tensor<1x6x5xf32>, %w: tensor<4x5xf32>, %f: tensor<4x1x1x4xf32>) -> tensor<1x2x3x4xf32> {
  %0 = kernel.mat_mul [1, 6, 4] groups 1 a(%x : tensor<1x6x5xf32>) b(%w : tensor<4x5xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d2, d1)>] -> tensor<1x4x6xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.reshape %0 : tensor<1x4x6xf32> -> tensor<1x4x2x3xf32>
  %2 = kernel.map [1, 2, 3, 4] ins(%1 : tensor<1x4x2x3xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x3x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %3 = kernel.convolution [1, 2, 3, 4] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%2 : tensor<1x2x3x4xf32>) b(%f : tensor<4x1x1x4xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x3x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return %3 : tensor<1x2x3x4xf32>
}

// -----

// A transpose that parts what was one dimension stays.
// CHECK-LABEL: func.func @parted(
// CHECK:         %0 = kernel.reshape %x : tensor<4x6xf32> -> tensor<4x2x3xf32>
// CHECK:         kernel.map [2, 4, 3] ins(%0 : tensor<4x2x3xf32>)
func.func @parted(%x: tensor<4x6xf32>) -> tensor<8x3xf32> {
  %0 = kernel.reshape %x : tensor<4x6xf32> -> tensor<4x2x3xf32>
  %1 = kernel.map [2, 4, 3] ins(%0 : tensor<4x2x3xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x4x3xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %2 = kernel.reshape %1 : tensor<2x4x3xf32> -> tensor<8x3xf32>
  %3 = kernel.map [8, 3] ins(%2 : tensor<8x3xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<8x3xf32> {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    kernel.yield %s : f32
  }
  func.return %3 : tensor<8x3xf32>
}

// -----

// So does one that gives what leaves the block, which has a buffer of its own.
// CHECK-LABEL: func.func @leaves(
// CHECK:         %0 = kernel.reshape %x : tensor<4x6xf32> -> tensor<4x2x3xf32>
// CHECK:         kernel.map [2, 3, 4] ins(%0 : tensor<4x2x3xf32>)
func.func @leaves(%x: tensor<4x6xf32>) -> tensor<2x3x4xf32> {
  %0 = kernel.reshape %x : tensor<4x6xf32> -> tensor<4x2x3xf32>
  %1 = kernel.map [2, 3, 4] ins(%0 : tensor<4x2x3xf32>) outs() access [affine_map<(d0, d1, d2) -> (d2, d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x3x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return %1 : tensor<2x3x4xf32>
}
