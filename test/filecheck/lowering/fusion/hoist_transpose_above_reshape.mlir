// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// What is repeated is written in the order in which the sum is.
// CHECK-LABEL: func.func @repeated(
// CHECK-NEXT:    %0 = kernel.map [4, 5, 3, 2] ins(%x : tensor<4x5x3xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>] -> tensor<5x3x2x4xf32>
// CHECK:         %{{.*}} = kernel.reshape %0 : tensor<5x3x2x4xf32> -> tensor<5x6x4xf32>
// CHECK-NEXT:    kernel.map [4, 5, 6] ins(%{{.*}}, %y : tensor<5x6x4xf32>, tensor<5x6x4xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2, d0)>] -> tensor<5x6x4xf32>
func.func @repeated(%x: tensor<4x5x3xf32>, %y: tensor<5x6x4xf32>) -> tensor<5x6x4xf32> {
  %0 = kernel.map [4, 5, 3, 2] ins(%x : tensor<4x5x3xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<4x5x3x2xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.reshape %0 : tensor<4x5x3x2xf32> -> tensor<4x5x6xf32>
  %2 = kernel.map [4, 5, 6] ins(%1, %y : tensor<4x5x6xf32>, tensor<5x6x4xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2, d0)>] -> tensor<5x6x4xf32> {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    kernel.yield %s : f32
  }
  func.return %2 : tensor<5x6x4xf32>
}

// -----

// Readers that write two orders keep the one that there is.
// CHECK-LABEL: func.func @two(
// CHECK:         kernel.reshape %{{.*}} : tensor<4x5x3x2xf32> -> tensor<4x5x6xf32>
func.func @two(%x: tensor<4x5x3xf32>) -> (tensor<5x6x4xf32>, tensor<4x5x6xf32>) {
  %0 = kernel.map [4, 5, 3, 2] ins(%x : tensor<4x5x3xf32>) outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<4x5x3x2xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.reshape %0 : tensor<4x5x3x2xf32> -> tensor<4x5x6xf32>
  %2 = kernel.map [4, 5, 6] ins(%1 : tensor<4x5x6xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2, d0)>] -> tensor<5x6x4xf32> {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    kernel.yield %s : f32
  }
  %3 = kernel.map [4, 5, 6] ins(%1 : tensor<4x5x6xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<4x5x6xf32> {
  ^bb0(%a: f32):
    %s = arith.mulf %a, %a : f32
    kernel.yield %s : f32
  }
  func.return %2, %3 : tensor<5x6x4xf32>, tensor<4x5x6xf32>
}

// -----

// So do those that write a merged dimension last.
// CHECK-LABEL: func.func @last(
// CHECK:         kernel.reshape %{{.*}} : tensor<2x3x5xf32> -> tensor<6x5xf32>
func.func @last(%x: tensor<2x5xf32>) -> tensor<5x6xf32> {
  %0 = kernel.map [2, 3, 5] ins(%x : tensor<2x5xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x3x5xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.reshape %0 : tensor<2x3x5xf32> -> tensor<6x5xf32>
  %2 = kernel.map [6, 5] ins(%1 : tensor<6x5xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>] -> tensor<5x6xf32> {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    kernel.yield %s : f32
  }
  func.return %2 : tensor<5x6xf32>
}

// -----

// A convolution writes what becomes tokens in their order.
// CHECK-LABEL: func.func @image_to_tokens(
// CHECK-NEXT:    %0 = kernel.convolution [1, 2, 3, 4] {{.*}} access [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>] -> tensor<1x2x3x4xf32>
// CHECK-NOT:     kernel.map
// CHECK:         kernel.reshape %0 : tensor<1x2x3x4xf32> -> tensor<1x6x4xf32>
func.func @image_to_tokens(%x: tensor<1x2x3x4xf32>, %f: tensor<4x1x1x4xf32>) -> tensor<1x6x4xf32> {
  %0 = kernel.convolution [1, 2, 3, 4] groups 1 taps [1, 1] strides [1, 1] dilations [1, 1] a(%x : tensor<1x2x3x4xf32>) b(%f : tensor<4x1x1x4xf32>) ins() outs() access [affine_map<(d0, d1, d2, d3) -> (d0, d3, d1, d2)>] -> tensor<1x4x2x3xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.reshape %0 : tensor<1x4x2x3xf32> -> tensor<1x4x6xf32>
  %2 = kernel.map [1, 6, 4] ins(%1 : tensor<1x4x6xf32>) outs() access [affine_map<(d0, d1, d2) -> (d0, d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<1x6x4xf32> {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    kernel.yield %s : f32
  }
  func.return %2 : tensor<1x6x4xf32>
}
