// Errors are one line on standard error, with the exit status that says whose they are.
// RUN: not opt-tool %s 2>&1 | filecheck %s
// RUN: not opt-tool %s --cse -p dce 2>&1 | filecheck %s --check-prefix=MIXED
// RUN: not opt-tool --no-such-pass %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: not opt-tool %s.absent 2>&1 | filecheck %s --check-prefix=ABSENT
// RUN: echo > %t.other && not opt-tool %t.other 2>&1 | filecheck %s --check-prefix=ENDING
// RUN: not opt-tool %s --max-bytes=-1 2>&1 | filecheck %s --check-prefix=BYTES
// RUN: not opt-tool %s --verify-numerics=inputs=0 2>&1 | filecheck %s --check-prefix=NUMERICS

// CHECK-NOT: Traceback
// CHECK: invalid.mlir:20:16: error: operand is used with type tensor<5xf32>, but has been previously
// MIXED: opt-tool: error: -p cannot be mixed with --cse; use one of both
// UNKNOWN: opt-tool: error: unrecognized arguments: --no-such-pass
// ABSENT: invalid.mlir.absent: error: No such file or directory
// ENDING: other: error: its ending is none of .mlir, .xml, .onnx, .tflite, .pb, .pdmodel, .ort, .keras, .h5, .pt2; say -f mlir if it is text of MLIR
// BYTES: opt-tool: error: argument --max-bytes: '-1' is not a number of bytes
// NUMERICS: opt-tool: error: --verify-numerics: 'inputs=0' compares nothing; inputs and steps are 1 or more

func.func @main(%x: tensor<4xf32>) -> tensor<5xf32> {
  %y = nn.relu %x : tensor<5xf32>
  func.return %y : tensor<5xf32>
}
