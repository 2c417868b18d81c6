// What there is: dialects and passes, with their options; and operations with their places.
// RUN: opt-tool --show-dialects | filecheck %s --check-prefix=DIALECTS
// RUN: opt-tool --list-passes | filecheck %s --check-prefix=PASSES
// RUN: opt-tool %s --mlir-print-debuginfo | filecheck %s

// DIALECTS: {{^Available Dialects: .*,builtin,.*,infra,.*,kernel,.*,nn,}}
// PASSES: {{^Available Passes:$}}
// PASSES-NEXT: low-latency2{use-const-initializer=true}  make iterators
// PASSES: {{^  lpt{preset=… config=…}  low precision}}
// PASSES: {{^xDSL's passes:$}}
// PASSES: {{^  canonicalize$}}

// CHECK: nn.relu %x : tensor<4xf32> loc("{{.*}}lists.mlir":18:8)
// CHECK-NEXT: nn.tanh %y : tensor<4xf32> loc("m.py":3:4)
// CHECK-NEXT: func.return %z : tensor<4xf32> loc("{{.*}}lists.mlir":20:3)
// CHECK-NEXT: loc("{{.*}}lists.mlir":17:1)
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  %z = "nn.tanh"(%y) : (tensor<4xf32>) -> tensor<4xf32> loc("m.py":3:4)
  func.return %z : tensor<4xf32>
}
