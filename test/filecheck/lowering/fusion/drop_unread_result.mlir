// RUN: opt-tool %s --split-input-file --fuse-kernels | filecheck %s

// Nobody reads the first result.
// CHECK-LABEL: func.func @unread(
// CHECK-NEXT:    %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %c = math.tanh %1 : f32
// CHECK-NEXT:      kernel.yield %c : f32
// CHECK:         func.return %0 : tensor<4xf32>
func.func @unread(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0, %1 = kernel.map [4] ins(%x : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    %c = math.tanh %a : f32
    kernel.yield %b, %c : f32, f32
  }
  func.return %1 : tensor<4xf32>
}

// -----

// Both results have readers.
// CHECK-LABEL: func.func @both(
// CHECK-NEXT:    %0, %1 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%a: f32):
// CHECK-NEXT:      %b = math.exp %a : f32
// CHECK-NEXT:      %c = math.tanh %a : f32
// CHECK-NEXT:      kernel.yield %b, %c : f32, f32
// CHECK:         func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
func.func @both(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0, %1 = kernel.map [4] ins(%x : tensor<4xf32>) outs()
      access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32>, tensor<4xf32> {
  ^bb0(%a: f32):
    %b = math.exp %a : f32
    %c = math.tanh %a : f32
    kernel.yield %b, %c : f32, f32
  }
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
