// RUN: opt-tool %s --split-input-file --nn-to-kernels --separate-results --fuse-kernels | filecheck %s

// Between two reshapes, an elementwise operation goes over the dimensions as they were.
// CHECK-LABEL: func.func @between(
// CHECK-NEXT:    %0 = kernel.map [1, 4, 8] ins(%x : tensor<4x8xf32>)
// CHECK:         kernel.reshape %0 : tensor<1x4x8xf32> -> tensor<4x8xf32>
func.func @between(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %flat = nn.constant dense<[1, 32]> : tensor<2xi64>
  %shape = nn.constant dense<[4, 8]> : tensor<2xi64>
  %0 = nn.reshape %x, %flat : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<1x32xf32>
  %1 = nn.exp %0 : tensor<1x32xf32>
  %2 = nn.reshape %1, %shape : (tensor<1x32xf32>, tensor<2xi64>) -> tensor<4x8xf32>
  func.return %2 : tensor<4x8xf32>
}

// -----

// Another operand that depends on the merged dimension keeps it.
// CHECK-LABEL: func.func @operand(
// CHECK:         kernel.reshape %x
// CHECK-NEXT:    kernel.map [1, 32]
func.func @operand(%x: tensor<4x8xf32>, %y: tensor<32xf32>) -> tensor<4x8xf32> {
  %flat = nn.constant dense<[1, 32]> : tensor<2xi64>
  %shape = nn.constant dense<[4, 8]> : tensor<2xi64>
  %0 = nn.reshape %x, %flat : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<1x32xf32>
  %1 = nn.multiply %0, %y : (tensor<1x32xf32>, tensor<32xf32>) -> tensor<1x32xf32>
  %2 = nn.reshape %1, %shape : (tensor<1x32xf32>, tensor<2xi64>) -> tensor<4x8xf32>
  func.return %2 : tensor<4x8xf32>
}

// -----

// So does a reader that needs it.
// CHECK-LABEL: func.func @reader(
// CHECK:         kernel.reshape %x
// CHECK-NEXT:    kernel.map [1, 32]
func.func @reader(%x: tensor<4x8xf32>) -> tensor<1x32xf32> {
  %flat = nn.constant dense<[1, 32]> : tensor<2xi64>
  %0 = nn.reshape %x, %flat : (tensor<4x8xf32>, tensor<2xi64>) -> tensor<1x32xf32>
  %1 = nn.exp %0 : tensor<1x32xf32>
  func.return %1 : tensor<1x32xf32>
}

// -----

// Or the product whose epilogue the map becomes.
// CHECK-LABEL: func.func @epilogue(
// CHECK-NEXT:    %0 = kernel.mat_mul [2, 3, 4] {{.*}} -> tensor<2x3x4xf32> {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %s = arith.addf %1, %1 : f32
// CHECK:         kernel.reshape %0 : tensor<2x3x4xf32> -> tensor<6x4xf32>
// CHECK-NEXT:    %{{.*}} = kernel.mat_mul
func.func @epilogue(%x: tensor<2x3x5xf32>, %w: tensor<4x5xf32>, %v: tensor<7x4xf32>) -> tensor<6x7xf32> {
  %0 = kernel.mat_mul [2, 3, 4] groups 1 a(%x : tensor<2x3x5xf32>) b(%w : tensor<4x5xf32>) ins() outs() access [affine_map<(d0, d1, d2) -> (d0, d1, d2)>] -> tensor<2x3x4xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  %1 = kernel.reshape %0 : tensor<2x3x4xf32> -> tensor<6x4xf32>
  %2 = kernel.map [6, 4] ins(%1 : tensor<6x4xf32>) outs() access [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>] -> tensor<6x4xf32> {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    kernel.yield %s : f32
  }
  %3 = kernel.mat_mul [6, 7] groups 1 a(%2 : tensor<6x4xf32>) b(%v : tensor<7x4xf32>) ins() outs() access [affine_map<(d0, d1) -> (d0, d1)>] -> tensor<6x7xf32> {
  ^bb0(%a: f32):
    kernel.yield %a : f32
  }
  func.return %3 : tensor<6x7xf32>
}
