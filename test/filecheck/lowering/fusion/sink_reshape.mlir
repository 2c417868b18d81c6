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
// CHECK:         %[[P:.*]] = kernel.mat_mul [2, 3, 4] {{.*}} -> tensor<2x3x4xf32> {
// CHECK:           arith.select
// CHECK:         kernel.reshape %[[P]] : tensor<2x3x4xf32> -> tensor<6x4xf32>
// CHECK-NOT:     kernel.map
// CHECK:         kernel.mat_mul [6, 7]
func.func @epilogue(%x: tensor<2x3x5xf32>, %w: tensor<4x5xf32>, %v: tensor<7x4xf32>) -> tensor<6x7xf32> {
  %0 = nn.mat_mul %x, %w {transpose_b = true} : (tensor<2x3x5xf32>, tensor<4x5xf32>) -> tensor<2x3x4xf32>
  %shape = nn.constant dense<[6, 4]> : tensor<2xi64>
  %1 = nn.reshape %0, %shape : (tensor<2x3x4xf32>, tensor<2xi64>) -> tensor<6x4xf32>
  %2 = nn.relu %1 : tensor<6x4xf32>
  %3 = nn.mat_mul %2, %v {transpose_b = true} : (tensor<6x4xf32>, tensor<7x4xf32>) -> tensor<6x7xf32>
  func.return %3 : tensor<6x7xf32>
}
