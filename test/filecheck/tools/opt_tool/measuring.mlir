// What passes take and do, as tables on standard error.
// RUN: opt-tool %s --cse --lower-to-kernels --mlir-timing 2>&1 >%t.out | filecheck %s --check-prefix=TREE
// RUN: opt-tool %s --cse --time-passes --mlir-timing-display=list 2>&1 >%t.out | filecheck %s --check-prefix=LIST
// RUN: opt-tool %s --cse --lower-to-kernels --mlir-pass-statistics 2>&1 >%t.out | filecheck %s --check-prefix=COUNTS
// RUN: not opt-tool %s --cse --replace-constant='name=no file=no.npy' --pass-statistics 2>&1 | filecheck %s --check-prefix=FAILED

// TREE: ===-------------------------------------------------------------------------===
// TREE-NEXT: ... Execution time report ...
// TREE-NEXT: ===-------------------------------------------------------------------------===
// TREE-NEXT: Total Execution Time: {{[0-9]+\.[0-9]+ seconds$}}
// TREE: ----Wall Time----  ----Name----
// TREE-NEXT: {{^ +[0-9]+\.[0-9]+ \( *[0-9]+\.[0-9]%\)  Parser$}}
// TREE-NEXT: {{%\)  Verifier$}}
// TREE-NEXT: {{%\)  cse$}}
// TREE-NEXT: {{%\)  lower-to-kernels$}}
// TREE-NEXT: {{%\)    sink-constants$}}
// TREE: {{%\)    plan-memory$}}
// TREE-NEXT: {{%\)  Output$}}
// TREE-NEXT: {{%\)  Rest$}}
// TREE-NEXT: (100.0%)  Total

// LIST: ----Name----
// LIST-DAG: {{%\)  cse$}}
// LIST-DAG: {{%\)  Parser$}}
// LIST: {{%\)  Rest$}}

// COUNTS: ... Pass statistics report ...
// COUNTS: {{^pass +operations before +after +rewrites$}}
// COUNTS-NEXT: {{^cse +4 +3$}}
// COUNTS-NEXT: {{^lower-to-kernels +3 +}}
// COUNTS: {{^  nn-to-kernels +3 +.* 1$}}
// COUNTS-NEXT: {{^      nn.relu +1$}}

// FAILED: error: 
// FAILED: {{^replace-constant +.* +failed$}}

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  %z = nn.relu %x : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
