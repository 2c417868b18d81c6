// RUN: opt-tool %s --relax-constants 2>/dev/null | filecheck %s
// RUN: opt-tool %s --relax-constants 2>&1 >/dev/null | filecheck %s --check-prefix NOTE

// What the target leaves does not fit the rest of the model, so that nothing is known.
// CHECK-LABEL: func.func @main
// CHECK:         nn.constant {nn.name = "rows"} dense<[1, 3, 2, 2]>
// NOTE:        relax-constants changed nothing
func.func @main(%x: tensor<1x?x4xf32> {nn.names = ["X"]}) -> (tensor<1x3x2x2xf32>, tensor<1x5x4xf32>) {
  %rows = nn.constant {nn.name = "rows"} dense<[1, 3, 2, 2]> : tensor<4xi64>
  %y = nn.reshape %x, %rows : (tensor<1x?x4xf32>, tensor<4xi64>) -> tensor<1x3x2x2xf32>
  %five = nn.constant dense<0.0> : tensor<1x5x4xf32>
  %z = nn.add %x, %five : (tensor<1x?x4xf32>, tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  func.return %y, %z : tensor<1x3x2x2xf32>, tensor<1x5x4xf32>
}
