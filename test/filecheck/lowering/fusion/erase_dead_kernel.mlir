// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// What nobody reads goes.
// CHECK-LABEL: func.func @dead(
// CHECK-NEXT:    func.return
func.func @dead(%x: tensor<4xf32>) {
  %0 = nn.relu %x : tensor<4xf32>
  %1 = nn.tanh %0 : tensor<4xf32>
  func.return
}

// -----

// A kernel whose result leaves stays.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:    %0 = kernel.map [4] ins(%x : tensor<4xf32>) outs() access [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] -> tensor<4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = math.absf %1 : f32
// CHECK-NEXT:      kernel.yield %2 : f32
// CHECK:         func.return %0 : tensor<4xf32>
func.func @returned(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.abs %x : tensor<4xf32>
  %1 = nn.tanh %0 : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
