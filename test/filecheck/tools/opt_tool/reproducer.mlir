// Where a pass fails, a file reproduces it: what the pass was given, the innermost one if it runs others, and its options.
// RUN: not opt-tool %s --cse --lower-to-kernels=isa=portable --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | filecheck %s
// RUN: filecheck %s --check-prefix=FILE --input-file %t.mlir
// RUN: not opt-tool --run-reproducer %t.mlir 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: not opt-tool --run-reproducer %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not opt-tool --run-reproducer --cse %t.mlir 2>&1 | filecheck %s --check-prefix=MIXED
// RUN: not opt-tool %s --cse --mlir-pass-pipeline-crash-reproducer=%t.absent/a.mlir 2>&1 | filecheck %s --check-prefix=FOLDER
// RUN: rm %t.mlir && opt-tool %s --cse --mlir-pass-pipeline-crash-reproducer=%t.mlir && not ls %t.mlir

// CHECK: reproducer.mlir:27:8: error: qnn.fake_quantize: quantizes f64; {{.*}}; {{.*}}.mlir reproduces it
// CHECK-NOT: error

// FILE: // What nn-to-kernels was given when it failed: DiagnosticException: qnn.fake_quantize: quantizes f64
// FILE-NEXT: // opt-tool --run-reproducer {{.*}}.mlir
// FILE-NEXT: builtin.module {
// FILE: pipeline: "builtin.module(nn-to-kernels)",
// FILE-NEXT: disable_threading: true,
// FILE-NEXT: verify_each: true

// AGAIN: .mlir:{{[0-9]+}}:{{[0-9]+}}: error: qnn.fake_quantize: quantizes f64
// NONE: reproducer.mlir: error: holds no pipeline, so it is not a reproducer
// MIXED: opt-tool: error: --run-reproducer cannot be mixed with --cse; use one of both
// FOLDER: a.mlir: error: there is no folder
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %l = nn.constant dense<0.0> : tensor<f64>
  %h = nn.constant dense<1.0> : tensor<f64>
  %0 = qnn.fake_quantize %x, %l, %h, %l, %h {levels = 256 : i64} : (tensor<4xf64>, tensor<f64>, tensor<f64>, tensor<f64>, tensor<f64>) -> tensor<4xf64>
  func.return %0 : tensor<4xf64>
}
