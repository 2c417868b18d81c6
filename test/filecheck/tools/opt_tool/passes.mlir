// Passes run in the order of their flags; -p and flags are the same.
// RUN: opt-tool %s --cse --dce --print-between-passes | filecheck %s --check-prefix=CSE-FIRST
// RUN: opt-tool %s --dce --cse --print-between-passes | filecheck %s --check-prefix=DCE-FIRST
// RUN: opt-tool -p cse,dce %s --print-between-passes | filecheck %s --check-prefix=CSE-FIRST
// RUN: opt-tool --low-latency2 %s --print-op-generic | filecheck %s --check-prefix=GENERIC

// CSE-FIRST: IR after cse:
// CSE-FIRST-NOT: IR after
// DCE-FIRST: IR after dce:
// DCE-FIRST-NOT: IR after
// GENERIC: "nn.relu"(%x)
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  %z = nn.relu %x : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
