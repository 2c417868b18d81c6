// Why a pass left an operation as it was is a remark at the operation's place.
// RUN: opt-tool %s --lpt --remarks-filter --verify-diagnostics
// RUN: opt-tool %s --lpt --remarks-filter=^lpt-main$ --verify-diagnostics
// RUN: opt-tool %s --lpt --remarks-filter=cse 2>&1 | filecheck %s
// RUN: opt-tool %s --lpt 2>&1 | filecheck %s
// RUN: not opt-tool %s --lpt --remarks-filter='(' 2>&1 | filecheck %s --check-prefix=WRONG

// CHECK-NOT: remark
// WRONG: opt-tool: error: --remarks-filter: missing ), unterminated subpattern at position 0
func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %l = nn.constant dense<0.0> : tensor<f32>
  %h = nn.constant dense<2.55> : tensor<f32>
  %q = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<1x4xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1x4xf32>
  %w = nn.constant dense<0.5> : tensor<4x4xf32>
  // expected-remark@below {{lpt-main: nn.mat_mul 'dense': input 1 is a constant in floating point; quantize it to i8}}
  %y = nn.mat_mul %q, %w {nn.name = "dense"} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
