// The IR around passes, those within others too, on standard error or in files, as mlir-opt prints it.
// RUN: opt-tool %s --cse --dce --mlir-print-ir-before=cse --mlir-print-ir-after=dce,cse 2>&1 >%t.out | filecheck %s --check-prefix=NAMED
// RUN: opt-tool %s --cse --dce --mlir-print-ir-after-change 2>&1 >%t.out | filecheck %s --check-prefix=CHANGE
// RUN: opt-tool %s --lower-to-kernels --mlir-print-ir-before=nn-to-kernels 2>&1 >%t.out | filecheck %s --check-prefix=WITHIN
// RUN: not opt-tool %s --cse --replace-constant='name=no file=no.npy' --mlir-print-ir-after-failure 2>&1 | filecheck %s --check-prefix=FAILURE
// RUN: rm -rf %t && opt-tool %s --cse --lpt --decompose-ops --mlir-print-ir-before-all --mlir-print-ir-after-all --mlir-print-ir-tree-dir=%t -o %t.mlir
// RUN: ls %t/builtin_module_no-symbol-name | filecheck %s --check-prefix=TREE
// RUN: filecheck %s --check-prefix=FILE --input-file %t/builtin_module_no-symbol-name/0_cse.mlir
// RUN: not opt-tool %s --mlir-print-ir-after=css 2>&1 | filecheck %s --check-prefix=UNKNOWN

// NAMED: // -----// IR Dump Before CommonSubexpressionElimination (cse) //----- //
// NAMED-COUNT-2: nn.relu
// NAMED: // -----// IR Dump After CommonSubexpressionElimination (cse) //----- //
// NAMED-COUNT-1: nn.relu
// NAMED: // -----// IR Dump After DeadCodeElimination (dce) //----- //

// CHANGE: IR Dump After CommonSubexpressionElimination (cse)
// CHANGE-NOT: IR Dump

// WITHIN: IR Dump Before NnToKernels (nn-to-kernels)
// WITHIN-NOT: IR Dump

// FAILURE-NOT: (cse)
// FAILURE: IR Dump After ReplaceConstant Failed (replace-constant)
// FAILURE: print_ir.mlir: error: 

// TREE: 0_cse.mlir
// TREE-NEXT: 0_cse_before.mlir
// TREE-NEXT: 1_lpt.mlir
// TREE-NEXT: 1_lpt_before.mlir
// TREE-NEXT: 2_decompose-ops.mlir
// TREE-NEXT: 2_decompose-ops_before.mlir

// FILE: // -----// IR Dump After CommonSubexpressionElimination (cse) //----- //
// FILE-NEXT: builtin.module {

// UNKNOWN: opt-tool: error: there is no pass 'css'; did you mean cse?

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  %z = nn.relu %x : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
