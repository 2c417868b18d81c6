// What comments expect is said, and nothing else.
// RUN: opt-tool %s --split-input-file --verify-diagnostics --infer-shapes
// RUN: not opt-tool %s --verify-diagnostics=some 2>&1 | filecheck %s

// CHECK: opt-tool: error: --verify-diagnostics takes all or only-expected, or nothing
func.func @above(%x: tensor<4xf32>, %z: tensor<3xf32>) {
  %w = nn.add %x, %z : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  // expected-error@above {{shapes [4] and [3] do not broadcast}}
  func.return
}
// -----
func.func @on_its_line(%x: tensor<4xf32>, %z: tensor<3xf32>) {
  %w = nn.add %x, %z : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32> // expected-error {{do not broadcast}}
  func.return
}
// -----
// expected-error-re@+2 {{shapes {{\[\d\]}} and [3] do not {{.*}}cast}}
func.func @with_expressions(%x: tensor<4xf32>, %z: tensor<3xf32>) {
  %w = nn.add %x, %z : (tensor<4xf32>, tensor<3xf32>) -> tensor<4xf32>
  func.return
}
// -----
func.func @with_a_note() {
^bb0:
  // expected-note@-1 {{originally declared here}}
  // expected-error@below {{re-declaration of block 'bb0'}}
^bb0:
  func.return
}
// -----
func.func @nothing() {
  func.return
}
