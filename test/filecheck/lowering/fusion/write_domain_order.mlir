// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// A map reads rows first as well as columns first, so the product writes its own order.
// CHECK-LABEL: func.func @read_by_access(
// CHECK-NEXT:    %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<2x4xf32> {
// CHECK-NEXT:    ^bb0(%s: f32):
// CHECK-NEXT:      kernel.yield %s : f32
// CHECK:         %1 = kernel.map [3, 4, 2] ins(%0, %y : tensor<2x4xf32>, tensor<3x4x2xf32>) outs() access [affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x2xf32> {
// CHECK-NEXT:    ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:      %c = arith.addf %a, %b : f32
// CHECK-NEXT:      kernel.yield %c : f32
// CHECK:         func.return %1 : tensor<3x4x2xf32>
func.func @read_by_access(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.map [3, 4, 2] ins(%0, %y : tensor<4x2xf32>, tensor<3x4x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %1 : tensor<3x4x2xf32>
}

// -----

// A caller wants columns first.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:    %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
// CHECK-NEXT:    ^bb0(%s: f32):
// CHECK-NEXT:      kernel.yield %s : f32
// CHECK:         %1 = kernel.map [3, 4, 2] ins(%0, %y : tensor<4x2xf32>, tensor<3x4x2xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x2xf32> {
// CHECK-NEXT:    ^bb0(%a: f32, %b: f32):
// CHECK-NEXT:      %c = arith.addf %a, %b : f32
// CHECK-NEXT:      kernel.yield %c : f32
// CHECK:         func.return %0, %1 : tensor<4x2xf32>, tensor<3x4x2xf32>
func.func @returned(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x4x2xf32>) -> (tensor<4x2xf32>, tensor<3x4x2xf32>) {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, d0)>] -> tensor<4x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.map [3, 4, 2] ins(%0, %y : tensor<4x2xf32>, tensor<3x4x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %0, %1 : tensor<4x2xf32>, tensor<3x4x2xf32>
}

// -----

// A dimension that the domain has not is no order of its dimensions.
// CHECK-LABEL: func.func @with_a_unit(
// CHECK:         %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs() access [affine_map<(d0, d1) -> (d1, 0, d0)>] -> tensor<4x1x2xf32> {
// CHECK:         %1 = kernel.map [3, 4, 2] ins(%0, %y : tensor<4x1x2xf32>, tensor<3x4x2xf32>) outs() access [affine_map<(d0, d1, d2) -> (d1, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x2xf32> {
// CHECK:         func.return %1 : tensor<3x4x2xf32>
func.func @with_a_unit(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %y: tensor<3x4x2xf32>) -> tensor<3x4x2xf32> {
  %0 = kernel.mat_mul [2, 4] groups 1 a(%x : tensor<2x3xf32>) b(%w : tensor<4x3xf32>) ins() outs()
      access [affine_map<(d0, d1) -> (d1, 0, d0)>] -> tensor<4x1x2xf32> {
  ^bb0(%s: f32):
    kernel.yield %s : f32
  }
  %1 = kernel.map [3, 4, 2] ins(%0, %y : tensor<4x1x2xf32>, tensor<3x4x2xf32>) outs()
      access [affine_map<(d0, d1, d2) -> (d1, 0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<3x4x2xf32> {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    kernel.yield %c : f32
  }
  func.return %1 : tensor<3x4x2xf32>
}
