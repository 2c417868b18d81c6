// Where a pass fails, a file reproduces it: what the pass was given, the innermost one if it runs others, and its options.
// RUN: not opt-tool %s --cse --lower-to-kernels=isa=portable --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | filecheck %s
// RUN: filecheck %s --check-prefix=FILE --input-file %t.mlir
// RUN: not opt-tool --run-reproducer %t.mlir 2>&1 | filecheck %s --check-prefix=AGAIN
// RUN: not opt-tool --run-reproducer %s 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not opt-tool --run-reproducer --cse %t.mlir 2>&1 | filecheck %s --check-prefix=MIXED
// RUN: not opt-tool %s --cse --mlir-pass-pipeline-crash-reproducer=%t.absent/a.mlir 2>&1 | filecheck %s --check-prefix=FOLDER
// RUN: rm %t.mlir && opt-tool %s --cse --mlir-pass-pipeline-crash-reproducer=%t.mlir && not ls %t.mlir

// CHECK: reproducer.mlir:26:8: error: nn.reduce_max: booleans are not numbers; {{.*}}; {{.*}}.mlir reproduces it
// CHECK-NOT: error

// FILE: // What nn-to-kernels was given when it failed: DiagnosticException: nn.reduce_max: booleans are not numbers
// FILE-NEXT: // opt-tool --run-reproducer {{.*}}.mlir
// FILE-NEXT: builtin.module {
// FILE: pipeline: "builtin.module(nn-to-kernels)",
// FILE-NEXT: disable_threading: true,
// FILE-NEXT: verify_each: true

// AGAIN: .mlir:{{[0-9]+}}:{{[0-9]+}}: error: nn.reduce_max: booleans are not numbers
// NONE: reproducer.mlir: error: holds no pipeline, so it is not a reproducer
// MIXED: opt-tool: error: --run-reproducer cannot be mixed with --cse; use one of both
// FOLDER: a.mlir: error: there is no folder
func.func @main(%x: tensor<4xi1>) -> tensor<i1> {
  %axes = nn.constant dense<[0]> : tensor<1xi64>
  %0 = nn.reduce_max %x, %axes {keep_dims = false} : (tensor<4xi1>, tensor<1xi64>) -> tensor<i1>
  func.return %0 : tensor<i1>
}
