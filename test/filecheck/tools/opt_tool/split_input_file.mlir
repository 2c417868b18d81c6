// The parts of a file run by themselves; lines are counted in the whole, and an error does not keep the others back.
// RUN: not opt-tool %s --split-input-file >%t.out 2>%t.err
// RUN: filecheck %s --check-prefix=OUT --input-file %t.out
// RUN: filecheck %s --check-prefix=ERR --input-file %t.err
// RUN: not opt-tool %s --split-input-file='// =====' 2>&1 | filecheck %s --check-prefix=MARKER

// OUT: func.func @first
// OUT: // -----
// OUT-NEXT: // -----
// OUT: func.func @last
// ERR: {{split_input_file.mlir:19:8: error: nn.clamp: min 1.0 is not below max 0.0$}}
// ERR-NOT: error
// MARKER: split_input_file.mlir:{{.*}}error: 
func.func @first() {
  func.return
}
// -----
func.func @second(%x: tensor<4xf32>) {
  %y = nn.clamp %x {min = 1.0 : f64, max = 0.0 : f64} : tensor<4xf32>
  func.return
}
// -----
func.func @last() {
  func.return // ----- is no line of its own
}
