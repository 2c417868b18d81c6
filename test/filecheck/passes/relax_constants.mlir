// RUN: opt-tool %s --split-input-file --relax-constants 2>/dev/null | filecheck %s
// RUN: opt-tool %s --split-input-file --relax-constants 2>&1 >/dev/null | filecheck %s --check-prefix NOTE
// RUN: opt-tool %s --split-input-file --relax-constants --verify-numerics 2>/dev/null | filecheck %s --check-prefix SAME
// RUN: opt-tool %s --split-input-file --relax-constants --reshape='inputs="X=1x5x4"' 2>/dev/null | filecheck %s --check-prefix LONG

// A dimension that the reshape copies becomes 0, what it flattens -1. Sizes that are no input's stay, and so do
// targets of what follows no input.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     [[COPY:%.*]] = nn.constant {nn.name = "copy"} dense<[0, 0, 2, 2]>
// CHECK-DAG:     [[FLAT:%.*]] = nn.constant {nn.name = "flat"} dense<[0, -1]>
// CHECK-DAG:     %weights = nn.constant dense<[3, 2]>
// CHECK-DAG:     nn.reshape %x, [[COPY]] {nn.name = "Heads", special_zero = true}
// CHECK-DAG:     nn.reshape %x, [[FLAT]] {special_zero = true}
// CHECK-DAG:     nn.reshape %w, %weights : (tensor<6xf32>
// NOTE:        relax-constants: constant 'copy' [1, 3, 2, 2] of nn.reshape 'Heads' is [0, 0, 2, 2] now
// NOTE-NEXT:   relax-constants: constant 'flat' [1, 12] of nn.reshape is [0, -1] now
// SAME-LABEL:  func.func @main
// LONG-LABEL:  func.func @main
// LONG-SAME:       -> (tensor<1x5x2x2xf32>, tensor<1x20xf32>, tensor<3x2xf32>)
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}) -> (tensor<1x3x2x2xf32>, tensor<1x12xf32>, tensor<3x2xf32>) {
  %copy = nn.constant {nn.name = "copy"} dense<[1, 3, 2, 2]> : tensor<4xi64>
  %a = nn.reshape %x, %copy {nn.name = "Heads"} : (tensor<1x3x4xf32>, tensor<4xi64>) -> tensor<1x3x2x2xf32>
  %flat = nn.constant {nn.name = "flat"} dense<[1, 12]> : tensor<2xi64>
  %b = nn.reshape %x, %flat : (tensor<1x3x4xf32>, tensor<2xi64>) -> tensor<1x12xf32>
  %w = nn.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xf32>
  %weights = nn.constant dense<[3, 2]> : tensor<2xi64>
  %c = nn.reshape %w, %weights : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  func.return %a, %b, %c : tensor<1x3x2x2xf32>, tensor<1x12xf32>, tensor<3x2xf32>
}

// -----

// Flattened for a product and back: what is no copy in place is asked of its source. The first -1 swallows the
// batch and the length, never the features.
// CHECK-LABEL: func.func @main
// CHECK:         [[OF:%.*]] = nn.shape_of %x
// CHECK:         [[FEATURES:%.*]] = nn.slice [[OF]]
// CHECK:         nn.concat {{.*}}, [[FEATURES]] {nn.name = "flat", axis = 0 : i64}
// CHECK:         nn.reshape %x, {{.*}} -> tensor<3x4xf32>
// CHECK:         nn.reshape {{.*}} -> tensor<1x3x2xf32>
// NOTE-NEXT:   relax-constants: constant 'flat' [3, 4] of nn.reshape is [-1, dimension 2 of X] now
// NOTE-NEXT:   relax-constants: constant 'back' [1, 3, 2] of nn.reshape is [dimension 0 of X, -1, 2] now
// SAME-LABEL:  func.func @main
// LONG-LABEL:  func.func @main
// LONG-SAME:       -> tensor<1x5x2xf32>
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}) -> tensor<1x3x2xf32> {
  %flat = nn.constant {nn.name = "flat"} dense<[3, 4]> : tensor<2xi32>
  %a = nn.reshape %x, %flat : (tensor<1x3x4xf32>, tensor<2xi32>) -> tensor<3x4xf32>
  %w = nn.constant dense<0.5> : tensor<4x2xf32>
  %b = nn.mat_mul %a, %w : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %back = nn.constant {nn.name = "back"} dense<[1, 3, 2]> : tensor<3xi32>
  %c = nn.reshape %b, %back : (tensor<3x2xf32>, tensor<3xi32>) -> tensor<1x3x2xf32>
  func.return %c : tensor<1x3x2xf32>
}

// -----

// A stop at the end means the end, a start at the last element the last. A stop before the end stays, and so do
// limits of what follows no input.
// CHECK-LABEL: func.func @main
// CHECK-DAG:     [[END:%.*]] = nn.constant {nn.name = "length"} dense<[9223372036854775807]>
// CHECK-DAG:     [[LAST:%.*]] = nn.constant {nn.name = "last"} dense<[-1]>
// CHECK-DAG:     nn.slice %x, [[LAST]], [[END]], %one, %one
// CHECK-DAG:     nn.slice %x, %zero, %two, %one, %one
// CHECK-DAG:     nn.slice %w, %zero, %three, %one, %one
// NOTE-NEXT:   relax-constants: constant 'length' [3] of nn.slice is [9223372036854775807] now
// NOTE-NEXT:   relax-constants: constant 'last' [2] of nn.slice is [-1] now
// SAME-LABEL:  func.func @main
// LONG-LABEL:  func.func @main
// LONG-SAME:       -> (tensor<1x1x4xf32>, tensor<1x2x4xf32>, tensor<1x3xf32>)
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}) -> (tensor<1x1x4xf32>, tensor<1x2x4xf32>, tensor<1x3xf32>) {
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %two = nn.constant dense<[2]> : tensor<1xi64>
  %three = nn.constant dense<[3]> : tensor<1xi64>
  %last = nn.constant {nn.name = "last"} dense<[2]> : tensor<1xi64>
  %length = nn.constant {nn.name = "length"} dense<[3]> : tensor<1xi64>
  %a = nn.slice %x, %last, %length, %one, %one : (tensor<1x3x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x1x4xf32>
  %b = nn.slice %x, %zero, %two, %one, %one : (tensor<1x3x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x4xf32>
  %w = nn.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %c = nn.slice %w, %zero, %three, %one, %one : (tensor<1x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x3xf32>
  func.return %a, %b, %c : tensor<1x1x4xf32>, tensor<1x2x4xf32>, tensor<1x3xf32>
}

// -----

// A broadcast, and a slice of a table, that must have the input's length follow it; one that stands alone does not.
// CHECK-LABEL: func.func @main
// CHECK:         nn.concat {{.*}} {nn.name = "target", axis = 0 : i64}
// CHECK:         nn.broadcast %s,
// CHECK:         nn.slice {{.*}} {nn.name = "positions"}
// CHECK:         nn.slice %table,
// CHECK:         nn.broadcast %s, %alone
// NOTE-NEXT:   relax-constants: constant 'target' [1, 3, 4] of nn.broadcast is [1, dimension 1 of X, 4] now
// NOTE-NEXT:   relax-constants: constant 'positions' [3] of nn.slice is [dimension 1 of X] now
// SAME-LABEL:  func.func @main
// LONG-LABEL:  func.func @main
// LONG-SAME:       -> (tensor<1x5x4xf32>, tensor<1x5x4xf32>, tensor<3x4xf32>)
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}, %s: tensor<f32>) -> (tensor<1x3x4xf32>, tensor<1x3x4xf32>, tensor<3x4xf32>) {
  %target = nn.constant {nn.name = "target"} dense<[1, 3, 4]> : tensor<3xi64>
  %a = nn.broadcast %s, %target : (tensor<f32>, tensor<3xi64>) -> tensor<1x3x4xf32>
  %sum = nn.add %x, %a : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %table = nn.constant dense<0.5> : tensor<1x9x4xf32>
  %zero = nn.constant dense<[0]> : tensor<1xi64>
  %one = nn.constant dense<[1]> : tensor<1xi64>
  %positions = nn.constant {nn.name = "positions"} dense<[3]> : tensor<1xi64>
  %p = nn.slice %table, %zero, %positions, %one, %one : (tensor<1x9x4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x3x4xf32>
  %q = nn.add %x, %p : (tensor<1x3x4xf32>, tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %alone = nn.constant dense<[3, 4]> : tensor<2xi64>
  %z = nn.broadcast %s, %alone : (tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
  func.return %sum, %q, %z : tensor<1x3x4xf32>, tensor<1x3x4xf32>, tensor<3x4xf32>
}

// -----

// In a body, what comes in can be asked.
// CHECK-LABEL: func.func @main
// CHECK:         [[OF:%.*]] = nn.shape_of %a
// CHECK:         nn.concat {{.*}} {nn.name = "inner", axis = 0 : i64}
// NOTE-NEXT:   relax-constants: constant 'inner' [3, 4] of nn.reshape is [-1, dimension 2 of an argument of type tensor<1x3x4xf32>] now
// SAME-LABEL:  func.func @main
// LONG-LABEL:  func.func @main
// LONG-SAME:       -> tensor<5x4xf32>
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}, %c: tensor<i1>) -> tensor<3x4xf32> {
  %y = infra.if %c, %x : (tensor<i1>, tensor<1x3x4xf32>) -> tensor<3x4xf32> {
  ^bb0(%a: tensor<1x3x4xf32>):
    %inner = nn.constant {nn.name = "inner"} dense<[3, 4]> : tensor<2xi64>
    %r = nn.reshape %a, %inner : (tensor<1x3x4xf32>, tensor<2xi64>) -> tensor<3x4xf32>
    infra.yield %r : tensor<3x4xf32>
  } else {
  ^bb0(%b: tensor<1x3x4xf32>):
    %axis = nn.constant dense<0> : tensor<1xi64>
    %r = nn.squeeze %b, %axis : (tensor<1x3x4xf32>, tensor<1xi64>) -> tensor<3x4xf32>
    infra.yield %r : tensor<3x4xf32>
  }
  func.return %y : tensor<3x4xf32>
}

// -----

// As many features as steps: what the model leaves are the steps, so the features are no copy of them.
// CHECK-LABEL: func.func @main
// CHECK:         [[ROWS:%.*]] = nn.constant {nn.name = "rows"} dense<[-1, 3]>
// CHECK:         nn.reshape {{.*}}, [[ROWS]]
// NOTE-NEXT:   relax-constants changed nothing: no constant follows a size of an input
// SAME-LABEL:  func.func @main
// LONG-LABEL:  func.func @main
// LONG-SAME:       -> tensor<5x3xf32>
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}) -> tensor<3x3xf32> {
  %w = nn.constant dense<0.5> : tensor<4x3xf32>
  %rows = nn.constant {nn.name = "rows"} dense<[-1, 3]> : tensor<2xi64>
  %a = nn.mat_mul %x, %w : (tensor<1x3x4xf32>, tensor<4x3xf32>) -> tensor<1x3x3xf32>
  %b = nn.reshape %a, %rows : (tensor<1x3x3xf32>, tensor<2xi64>) -> tensor<3x3xf32>
  func.return %b : tensor<3x3xf32>
}

// -----

// Nothing follows an input: the table has its own sizes.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %shape = nn.constant dense<[3, 2]>
// NOTE-NEXT:   relax-constants changed nothing: no constant follows a size of an input
// SAME-LABEL:  func.func @main
// LONG-LABEL:  func.func @main
func.func @main(%x: tensor<1x3x4xf32> {nn.names = ["X"]}) -> (tensor<1x3x4xf32>, tensor<3x2xf32>) {
  %shape = nn.constant dense<[3, 2]> : tensor<2xi64>
  %w = nn.constant dense<0.5> : tensor<6xf32>
  %c = nn.reshape %w, %shape : (tensor<6xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  func.return %x, %c : tensor<1x3x4xf32>, tensor<3x2xf32>
}
