// Plain xdsl-opt knows our dialects and passes through the `xdsl.universe` entry point.
// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s -p fold-constants --print-op-generic | filecheck %s --check-prefix=GENERIC

// CHECK-LABEL: @relu
// CHECK: nn.relu %x : tensor<4xf32>
// GENERIC: "nn.relu"
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = nn.relu %x : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
