// RUN: opt-tool %s --relax-constants 2>/dev/null | filecheck %s
// RUN: opt-tool %s --relax-constants 2>&1 >/dev/null | filecheck %s --check-prefix NOTE
// RUN: opt-tool %s --relax-constants --reshape='inputs="X=1x5x4"' 2>/dev/null | filecheck %s --check-prefix LONG

// The target leaves the unknown dimension only 3, the size that the model was exported with; it follows the input then.
// CHECK-LABEL: func.func @main
// CHECK-SAME:      (%x: tensor<1x?x4xf32> {{.*}}) -> (tensor<1x?x2x2xf32>
// CHECK:         [[ROWS:%.*]] = nn.constant {nn.name = "rows"} dense<[0, 0, 2, 2]>
// CHECK:         nn.reshape %x, [[ROWS]] {{.*}} -> tensor<1x?x2x2xf32>
// NOTE:        relax-constants: constant 'rows' [1, 3, 2, 2] of nn.reshape is [0, 0, 2, 2] now
// LONG-LABEL:  func.func @main
// LONG-SAME:       -> (tensor<1x5x2x2xf32>
func.func @main(%x: tensor<1x?x4xf32> {nn.names = ["X"]}) -> (tensor<1x3x2x2xf32> {nn.names = ["Y"]}) {
  %rows = nn.constant {nn.name = "rows"} dense<[1, 3, 2, 2]> : tensor<4xi64>
  %y = nn.reshape %x, %rows : (tensor<1x?x4xf32>, tensor<4xi64>) -> tensor<1x3x2x2xf32>
  func.return %y : tensor<1x3x2x2xf32>
}
