// RUN: opt-tool %s --lpt-markup | filecheck %s

// CHECK-LABEL: @moves_elements
// CHECK: nn.relu %x {lpt.precision_preserved}
// CHECK: nn.reshape {{.*}} {lpt.precision_preserved
// CHECK: nn.squeeze {{.*}} {lpt.precision_preserved
// CHECK: nn.unsqueeze {{.*}} {lpt.precision_preserved
// CHECK: nn.transpose {{.*}} {lpt.precision_preserved
// CHECK: nn.split {{.*}} {lpt.precision_preserved
// CHECK: nn.concat {{.*}} {lpt.precision_preserved
func.func @moves_elements(%x: tensor<1x4xf32>) -> tensor<4x1xf32> {
  %zero = nn.constant dense<0> : tensor<i64>
  %order = nn.constant dense<[1, 0]> : tensor<2xi64>
  %shape = nn.constant dense<[1, 4]> : tensor<2xi64>
  %r = nn.relu %x : tensor<1x4xf32>
  %s = nn.reshape %r, %shape : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  %t = nn.squeeze %s, %zero : (tensor<1x4xf32>, tensor<i64>) -> tensor<4xf32>
  %u = nn.unsqueeze %t, %zero : (tensor<4xf32>, tensor<i64>) -> tensor<1x4xf32>
  %v = nn.transpose %u, %order : (tensor<1x4xf32>, tensor<2xi64>) -> tensor<4x1xf32>
  %a, %b = nn.split %v, %zero {num_splits = 2 : i64} : (tensor<4x1xf32>, tensor<i64>) -> (tensor<2x1xf32>, tensor<2x1xf32>)
  %y = nn.concat %a, %b {axis = 0 : i64} : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<4x1xf32>
  func.return %y : tensor<4x1xf32>
}

// CHECK-LABEL: @changes_them
// CHECK-NOT: lpt.precision_preserved
// CHECK: func.return
func.func @changes_them(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %a = nn.add %x, %x : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  %y = nn.tanh %a : tensor<1x4xf32>
  func.return %y : tensor<1x4xf32>
}
