// RUN: opt-tool %s --nn-to-kernels --expand-math | filecheck %s

// In f32, the logarithm is a polynomial.
// CHECK-LABEL: func.func @softplus(
// CHECK-NOT:     arith.divf
// CHECK:         kernel.yield
func.func @softplus(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = nn.soft_plus %x : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// f64 keeps all bits.
// CHECK-LABEL: func.func @wide(
// CHECK:         arith.divf
func.func @wide(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = nn.soft_plus %x : tensor<4xf64>
  func.return %0 : tensor<4xf64>
}
