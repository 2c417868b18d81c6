// Errors are one line on standard error, with the exit status that says whose they are.
// RUN: not opt-tool %s 2>&1 | filecheck %s
// RUN: not opt-tool %s --cse -p dce 2>&1 | filecheck %s --check-prefix=MIXED
// RUN: not opt-tool --no-such-pass %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not opt-tool %s.absent 2>&1 | filecheck %s --check-prefix=ABSENT

// CHECK-NOT: Traceback
// CHECK: invalid.mlir:14:16: error: operand is used with type tensor<5xf32>, but has been previously
// MIXED: opt-tool: error: -p cannot be mixed with --cse; use one of both
// UNKNOWN: opt-tool: error: unrecognized arguments: --no-such-pass
// ABSENT: invalid.mlir.absent: error: No such file or directory

func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  %y = nn.relu %x : tensor<5xf32>
  func.return %y : tensor<5xf32>
}
