// Passes run in the order of their flags; -p, mlir-opt's --pass-pipeline and flags are the same, and so are - and --.
// RUN: opt-tool %s --cse --dce --mlir-print-ir-after-all 2>&1 >%t.out | filecheck %s --check-prefix=CSE-FIRST
// RUN: opt-tool %s --dce --cse --mlir-print-ir-after-all 2>&1 >%t.out | filecheck %s --check-prefix=DCE-FIRST
// RUN: opt-tool -p cse,dce %s --mlir-print-ir-after-all 2>&1 >%t.out | filecheck %s --check-prefix=CSE-FIRST
// RUN: opt-tool --pass-pipeline='builtin.module(cse,dce)' %s --print-between-passes 2>&1 >%t.out | filecheck %s --check-prefix=CSE-FIRST
// RUN: opt-tool -cse -dce %s -mlir-print-ir-after-all 2>&1 >%t.out | filecheck %s --check-prefix=CSE-FIRST
// RUN: opt-tool --low-latency2 %s --mlir-print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: not opt-tool --pass-pipeline='func.func(cse)' %s 2>&1 | filecheck %s --check-prefix=ANCHOR
// RUN: not opt-tool --pass-pipeline='builtin.module(cse,func.func(reshape{inputs="x(0)=4"},any(dce)))' %s 2>&1 | filecheck %s --check-prefix=NESTED
// RUN: not opt-tool --pass-pipeline='builtin.module(reshape{inputs="0=5,x(0)=5"})' %s 2>&1 | filecheck %s --check-prefix=QUOTED
// RUN: not opt-tool --pass-pipeline=cse %s 2>&1 | filecheck %s --check-prefix=BARE
// RUN: not opt-tool --pass-pipeline='builtin.module(cse' %s 2>&1 | filecheck %s --check-prefix=OPEN
// RUN: opt-tool --lpt=preset=all --cse %s --dump-pass-pipeline --verify-roundtrip 2>&1 >%t.out | filecheck %s --check-prefix=DUMP

// CSE-FIRST: IR Dump After CommonSubexpressionElimination (cse)
// CSE-FIRST: IR Dump After DeadCodeElimination (dce)
// DCE-FIRST: (dce)
// DCE-FIRST: (cse)
// GENERIC: "nn.relu"(%x)
// ANCHOR: opt-tool: error: passes run on the whole module, not on func.func in it; write builtin.module(cse)
// NESTED: opt-tool: error: passes run on the whole module, not on any in it; write builtin.module(cse,reshape{inputs="x(0)=4"},dce)
// QUOTED: passes.mlir: error: reshape: {{.*}}x(0)
// BARE: opt-tool: error: 'cse' has no anchor; write builtin.module(cse)
// OPEN: opt-tool: error: 'builtin.module(cse' does not end with the ) of builtin.module(
// DUMP: builtin.module(lpt{preset="all"},cse)
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  %z = nn.relu %x : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
